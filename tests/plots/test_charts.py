"""Every chart, as every kind of file, without a network."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tokumei import plots
from tokumei.plots.rung_axis import RUNGS_ON_AXIS
from tokumei.plots.theme import palette
from tokumei.privacy.rungs import RUNGS

pytestmark = pytest.mark.usefixtures("true_letters")

SIZES = np.array([1, 1, 2, 4, 7, 30, 120])
FRONTIER = {
    "method": ["a", "a", "b", "b"],
    "k": [2.0, 5.0, 2.0, 5.0],
    "side": ["released", "released", "released", "reconstructed"],
    "risk": [0.5, 0.2, 0.5, 0.2],
    "pairs": [0.1, 0.2, 0.3, None],
}

CHARTS: dict[str, Callable[[bool], Any]] = {
    "before_after": lambda dark: plots.before_after(
        {"worst": 1.0, "mean": 0.6}, {"worst": 0.2, "mean": 0.1}, dark=dark
    ),
    "blame": lambda dark: plots.blame(["age", "sex"], [0.7, 0.1], dark=dark),
    "attackers": lambda dark: plots.attackers([("A prosecutor", 0.2, "He knows one person.")], dark=dark),
    "class_sizes": lambda dark: plots.class_sizes(SIZES, k=5, dark=dark),
    "marginals": lambda dark: plots.marginals(["x", "y"], [0.4, 0.6], [0.5, 0.5], [0.42, 0.58], name="town", dark=dark),
    "correlations": lambda dark: plots.correlations(["a", "b"], np.eye(2), [[1, 0.5], [0.5, 1]], dark=dark),
    "frontier": lambda dark: plots.frontier(_table(FRONTIER), dark=dark),
    "ladder": lambda dark: plots.ladder(
        [
            {"rung": "Linking", "when": "Original", "value": 1.0, "label": "100%", "how": ""},
            {"rung": "Linking", "when": "Release", "value": 0.1, "label": "10%", "how": "proved"},
        ],
        duties={"Linking": 0.2},
        dark=dark,
    ),
    "groups": lambda dark: plots.groups(
        [[0, 0], [5, 2]], [[4, 9], [9, 3]], [10, 20], names=("age", "hours"), dark=dark
    ),
    "scores": lambda dark: plots.scores(
        [
            {"line": line, "k": k, "accuracy": 0.8 + k / 100, "learner": n}
            for line in "ab"
            for k in (1, 2)
            for n in "xy"
        ],
        panel="learner",
        dark=dark,
    ),
    "curves": lambda dark: plots.curves(
        [
            {"line": line, "n": n, "s": n**0.5, "which": which}
            for line in "abcdefgh"
            for n in (1, 10, 100)
            for which in "xy"
        ],
        x="n",
        y="s",
        panel="which",
        log_x=True,
        log_y=True,
        dark=dark,
    ),
    "path": lambda dark: plots.path(
        [[0, 0], [1, 0], [5, 5], [6, 5]], [3, 3, 1, 1], labels=list("abcd"), names=("area", "staff"), dark=dark
    ),
    "convergence": lambda dark: plots.convergence([(-100.0, 5.0), (-96.0, 0.4), (-95.9, 0.0)], 0.01, dark=dark),
}


def _table(columns: dict[str, Any]) -> Any:
    import pyarrow as pa

    return pa.table(columns)


def _drawn(chart: Any) -> list[dict[str, Any]]:
    """Return the rows of the first layer of a chart."""
    spec = chart.to_dict()
    return _drawn_in(spec, spec)


def _drawn_in(spec: dict[str, Any], panel: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the first layer of a panel."""
    data = panel["layer"][0].get("data") or panel["data"]
    return spec["datasets"][data["name"]]


def test_every_chart_is_here() -> None:
    assert set(CHARTS) == set(plots.__all__) - {"html", "save"}


@pytest.mark.parametrize("name", CHARTS)
def test_channels_are_not_looked_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a channel is only a text, altair goes through its whole schema for the class that it stands for."""
    monkeypatch.setattr("altair.SchemaBase.from_dict", lambda *given, **more: pytest.fail("looked up"))
    assert CHARTS[name](False).to_dict()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_files_that_need_nothing_else(name: str, dark: bool, tmp_path: Path) -> None:
    chart = CHARTS[name](dark)
    picture = plots.save(chart, tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert not re.search(r"(href|src)=.http", picture)
    assert plots.save(chart, tmp_path / "chart.png", scale=1).read_bytes().startswith(b"\x89PNG")
    page = plots.save(chart, tmp_path / "chart.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", page)
    assert "cdn." not in page
    assert "@import" not in page
    assert "vegaEmbed" in page
    assert "default-src 'none'" in page  # the browser itself will load nothing
    background = json.loads(chart.to_json())["config"]["background"]
    assert f"background: {background}" in page
    assert (background == "#ffffff") is not dark


@pytest.mark.parametrize("name", CHARTS)
def test_charts_load_no_data_from_elsewhere(name: str) -> None:
    spec = json.dumps({key: part for key, part in CHARTS[name](False).to_dict().items() if key != "$schema"})
    assert "http" not in spec


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_differ_in_lightness_for_all_kinds_of_colour_vision(dark: bool) -> None:
    """Series stay apart where red and green, or blue and yellow, look alike; simulated after Viénot and Brettel."""
    kinds = {
        "protan": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
        "deutan": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    }
    first = palette(dark)[:3]  # original, released, reconstructed
    for matrix in [np.eye(3), *map(np.array, kinds.values())]:
        seen = [matrix @ _linear(colour) for colour in first]
        for at, one in enumerate(seen):
            for other in seen[at + 1 :]:
                assert np.abs(np.sqrt(np.maximum(one, 0)) - np.sqrt(np.maximum(other, 0))).sum() > 0.25


def _linear(colour: str) -> np.ndarray:
    return np.array([(int(colour[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5)])


@pytest.mark.parametrize(
    "work",
    [
        lambda: plots.before_after({"a": 1}, {"b": 1}),
        lambda: plots.blame(["a"], []),
        lambda: plots.blame(["a", "b"], [math.nan, 1.0]),
        lambda: plots.blame(["a", "b"], [0.8, 0.62]),  # no shares of anything
        lambda: plots.blame(["a", "b"], [1.1, -0.1]),
        lambda: plots.marginals(["a"], [math.nan], [1.0]),
        lambda: plots.attackers([]),
        lambda: plots.class_sizes([]),
        lambda: plots.class_sizes([0, 3]),
        lambda: plots.marginals(["a"], [1.0], [0.5, 0.5]),
        lambda: plots.marginals(["a"], [1.0], [1.0], []),
        lambda: plots.correlations(["a"], np.eye(2), np.eye(2)),
        lambda: plots.frontier(_table(FRONTIER), "nothing"),
        lambda: plots.frontier(_table(FRONTIER), side="sideways"),  # type: ignore[arg-type]
        lambda: plots.frontier(_table(FRONTIER), side="reconstructed"),  # which has no pairs
        lambda: plots.frontier(_table({**FRONTIER, "risk": [None, None, None, 0.1]})),
        lambda: plots.groups([[0, 0]], [[-1, 0]], [3]),
        lambda: plots.convergence([]),
        lambda: plots.scores([], "accuracy"),
        lambda: plots.curves([], x="n", y="s"),
        lambda: plots.curves([{"line": "a", "n": 0, "s": 1}], x="n", y="s", log_x=True),
        lambda: plots.curves([{"line": "a", "n": 1, "s": math.nan}], x="n", y="s"),
        lambda: plots.path([[0, 0, 0]], [1]),
        lambda: plots.path([[0, 0]], [1, 2]),
        lambda: plots.path([[0, math.nan]], [1]),
        lambda: plots.path([[0, 0]], [1], labels=[]),
        lambda: plots.scores([{"line": "a", "k": 1, "accuracy": 0.5}], "f1"),
    ],
)
def test_numbers_that_cannot_be_drawn_are_refused(work: Callable[[], Any]) -> None:
    with pytest.raises(tk.errors.InvalidParameter):
        work()


def test_labels_cannot_break_out_of_a_page() -> None:
    bad = "</script><script>alert(1)</script>"
    page = plots.html(plots.blame([bad], [1.0]), title=bad)
    assert bad not in page
    assert page.count("<script>alert") == 0
    found = re.search(r"^(\[.*\])\.forEach\(", page, flags=re.MULTILINE)
    assert found
    assert bad in str(json.loads(found.group(1))[0]["datasets"])


def test_several_charts_share_a_page() -> None:
    page = plots.html(CHARTS["blame"](True), CHARTS["class_sizes"](True))
    assert page.count('<div id="chart') == 2
    assert page.count("</head>") >= 1
    assert "background: #1b1e23" in page
    with pytest.raises(tk.errors.InvalidParameter, match="at least one chart"):
        plots.html()


def test_class_sizes_split_at_k() -> None:
    def bars(k: float | None) -> list[dict[str, Any]]:
        return _drawn(plots.class_sizes(SIZES, k=k))

    with_k = bars(4)
    assert [bar["size"] for bar in with_k] == ["1", "2", "3", "4", "5–9", "10–19", "20–49", "50–99", "100 or more"]
    assert [bar["which"] for bar in with_k][:4] == ["below k", "below k", "below k", "k or more"]
    assert sum(bar["share"] for bar in with_k) == pytest.approx(1)
    assert with_k[0]["share"] == pytest.approx(2 / SIZES.sum())
    assert with_k[3]["share"] == pytest.approx(4 / SIZES.sum())
    assert len(bars(None)) == 8


def test_a_frontier_is_drawn_from_what_compare_gives(kind: str) -> None:
    people = tk.example_census(rows=200, frame=kind)  # type: ignore[arg-type]
    found = tk.compare(people, tk.example_schema(), ["local_suppression"], [2, 3], columns=["sex"], reconstruct=False)
    rows = _drawn(plots.frontier(found, "marginals"))
    assert [row["risk"] for row in rows] == pytest.approx([0.5, 1 / 3])


def test_a_frontier_never_gets_worse_where_more_risk_is_taken() -> None:
    """A release for a larger k keeps a smaller one too, so the best of them counts, and the chart says which."""
    found = {
        "method": ["a"] * 6,
        "k": [2.0, 5.0, 10.0] * 2,
        "side": ["released"] * 3 + ["reconstructed"] * 3,
        "risk": [0.5, 0.2, 0.1] * 2,
        "pairs": [0.3, 0.1, 0.2, 0.05, 0.06, 0.07],
        "score": [0.6, 0.7, 0.5, 0.8, 0.8, 0.9],
    }
    rows = _drawn(plots.frontier(_table(found)))
    assert [row["value"] for row in rows] == [0.1, 0.1, 0.2, 0.05, 0.06, 0.07]
    assert [row["of"] for row in rows] == [5, 5, 10, 2, 5, 10]
    assert [row["side"] for row in rows] == ["as released"] * 3 + ["after reconstruction"] * 3
    assert [row["value"] for row in _drawn(plots.frontier(_table(found), "score"))] == [0.7, 0.7, 0.5, 0.9, 0.9, 0.9]
    for side, ways in {"released": {"as released"}, "reconstructed": {"after reconstruction"}}.items():
        assert {row["side"] for row in _drawn(plots.frontier(_table(found), side=side))} == ways  # type: ignore[arg-type]


RUNGS_FOUND = {
    **{name: cells for name, cells in FRONTIER.items() if name != "pairs"},
    "pairs": [0.1, 0.2, 0.3, 0.4],
    "inference": [1.0, 0.6, 0.9, 0.8],
    "inference_how": ["counted", "counted", "proved", "proved"],
    "differencing": [None, None, 2.0, 0.0],
    "differencing_how": ["nothing", "nothing", "proved", "proved"],
    "membership": [1.0] * 4,
    "membership_how": ["nothing"] * 4,
}


def test_a_rung_of_the_ladder_is_on_the_axis() -> None:
    drawn = _drawn(plots.frontier(_table(RUNGS_FOUND), rung="inference"))
    assert [row["risk"] for row in drawn] == [1.0, 0.6, 0.9, 0.8]
    assert [row["value"] for row in drawn] == [0.1, 0.2, 0.3, 0.4]


def test_releases_that_promise_nothing_are_drawn_apart_and_not_dropped() -> None:
    both = plots.frontier(_table(RUNGS_FOUND), rung="differencing").to_dict()
    named, apart = (_drawn_in(both, panel) for panel in both["hconcat"])
    assert [(row["method"], row["risk"]) for row in named] == [("b", 2.0), ("b", 0.0)]
    assert [(row["method"], row["value"], row["k"]) for row in apart] == [("a", 0.1, 2.0), ("a", 0.2, 5.0)]
    ranges = [panel["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in both["hconcat"]]
    assert ranges[0] == ranges[1]
    alone = plots.frontier(_table(RUNGS_FOUND), rung="membership").to_dict()
    assert len(_drawn_in(alone, alone)) == 4


def test_every_rung_has_an_axis_and_others_are_named() -> None:
    assert RUNGS_ON_AXIS == RUNGS
    with pytest.raises(tk.errors.InvalidParameter, match="Did you mean 'inference'"):
        plots.frontier(_table(RUNGS_FOUND), rung="inferense")
    with pytest.raises(tk.errors.InvalidParameter, match="no column 'linking'"):
        plots.frontier(_table(RUNGS_FOUND), rung="linking")


def test_an_iteration_can_be_drawn() -> None:
    people = tk.example_census(rows=500, frame="pyarrow")
    release = tk.anonymize(people, tk.example_schema(), tk.PkPerturbation(k=3, tells="all"), seed=1)
    model = tk.IterativeBayes(["sex", "income"]).fit(release)
    assert len(model.trace_) == model.n_iter_ + 1
    assert model.trace_[-1] == (model.log_likelihood_, model.gap_)
    plots.convergence(model.trace_, model.tol)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chart = CHARTS["blame"](False)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(tk.errors.MissingDependency, match=r"tokumei\[plots\]"):
        plots.save(chart, tmp_path / "chart.svg")
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(tk.errors.MissingDependency, match=r"tokumei\[plots\]"):
        plots.blame(["a"], [1.0])
    with pytest.raises(tk.errors.InvalidParameter, match="must end in"):
        plots.save(chart, tmp_path / "chart.gif")


def test_titles_stand_clear_of_long_labels() -> None:
    axis = plots.marginals(["x" * 300, "y"], [0.5, 0.5], [0.4, 0.6], name="age").to_dict()["config"]["axis"]
    assert axis["maxExtent"] > axis["labelLimit"]


def test_no_two_of_many_lines_look_alike() -> None:
    spec = CHARTS["curves"](False).to_dict()
    solid, marks, broken = spec["spec"]["layer"]
    found = marks["encoding"]
    looks = set(zip(found["color"]["scale"]["range"], found["shape"]["scale"]["range"], strict=True))
    assert len(looks) == len(found["color"]["scale"]["domain"]) == 8
    assert [layer["mark"]["strokeDash"] for layer in (solid, broken)] == [[1, 0], [5, 3]]
    turns = {row["line"]: row["turn"] for row in next(iter(spec["datasets"].values()))}
    assert [turns[name] for name in "abcdefgh"] == [0, 0, 0, 0, 0, 0, 1, 1]


def test_a_path_leads_to_the_means_of_its_groups() -> None:
    spec = CHARTS["path"](False).to_dict()
    names = [layer["data"]["name"] for layer in spec["layer"]]
    centres = spec["datasets"][names[3]]
    assert [(each["x"], each["y"], each["group"]) for each in centres] == [(0.5, 0.0, "1"), (5.5, 5.0, "2")]
    assert [each["step"] for each in spec["datasets"][names[0]]] == [0, 1, 2, 3]
