"""The model of every kind of release: what boxes say, pieces and samples, and no worse than rows as they are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.reconstruction import _expected, _some_rows, release_model
from tokumei.reconstruction._hulls import Hull
from tokumei.reconstruction._joint import places_of
from tokumei.reconstruction._mixture import Look, Mixture, Observed, Products, fit
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction.release_model import ReleaseModel

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
        tk.Attribute("hours", domain=tk.Numbers(0, 7, step=1)),
        tk.Attribute(
            "area",
            domain=tk.Categories(["n", "e", "s", "w"]),
            hierarchy=tk.Hierarchy.groups({"up": ["n", "e"], "down": ["s", "w"]}),
        ),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
METHODS: dict[str, Any] = {
    "noise": tk.PkPerturbation(k=3, tells="all"),
    "told": tk.PkPerturbation(k=3, tells=2),
    "groups": tk.GroupedPkPerturbation(k=5),
    "told in groups": tk.GroupedPkPerturbation(k=5, tells=1),
    "near rows": tk.Generalization(k=5),
    "Mondrian": tk.Generalization(k=5, partition=tk.partitions.Mondrian()),
    "full domain": tk.Generalization(k=5, partition=tk.partitions.Optimal()),
    "cells": tk.LocalSuppression(k=5),
    "records": tk.RecordSuppression(k=2),
    "averages": tk.Microaggregation(k=5),
    "swapped": tk.Swapping(k=5),
    "sample": tk.Sampling(sample=0.5, known=1),
}


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    old = rng.random(rows) < 0.3
    age = np.clip(rng.poisson(np.where(old, 5.5, 1.5)), 0, 9)
    hours = np.where(rng.random(rows) < 0.03, 0, np.clip(rng.poisson(np.where(old, 2, 5)), 1, 7))
    area = np.where(
        old, rng.choice(["s", "w"], rows, p=[0.8, 0.2]), rng.choice(["n", "e", "s"], rows, p=[0.6, 0.3, 0.1])
    )
    ill = np.where(rng.random(rows) < np.where(old, 0.7, 0.1), "yes", "no")
    return pd.DataFrame({"age": age, "hours": hours, "area": area, "ill": ill})


def share(frame: pd.DataFrame, release: tk.Release, names: list[str]) -> Any:
    places = [list(release.original(name).domain.values_of(np.arange(release.original(name).domain.size)).to_pylist()) for name in names]  # type: ignore[union-attr]  # fmt: skip
    made = np.zeros([len(each) for each in places])
    codes = [pd.Index(each).get_indexer(frame[name]) for each, name in zip(places, names, strict=True)]
    np.add.at(made, tuple(codes), 1 / len(frame))
    return made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", METHODS)
def test_one_call_takes_every_release(kind: str) -> None:
    release = tk.anonymize(people(600), SCHEMA, METHODS[kind], seed=1)
    model = tk.reconstruct(release)
    assert model.picked_.model == "ReleaseModel"
    drawn = model.impute(random_state=1)
    assert tuple(drawn.columns) == SCHEMA.names()
    assert len(drawn) == release.rows
    assert drawn["age"].between(0, 9).all()
    assert set(drawn["area"]) <= {"n", "e", "s", "w"}
    assert drawn["ill"].tolist() == release.frame["ill"].tolist()
    assert model.table(["age", "area"]).pmf_.sum() == pytest.approx(1)
    assert model.sample(20, random_state=1).shape == (20, 4)
    assert 0 <= model.expectation(lambda rows: rows["age"] > 4) <= 1
    assert model.predict_proba(people(5, seed=9), "ill").shape == (5, 2)
    assert len(model.predict(people(5, seed=9), "ill")) == 5


@pytest.mark.parametrize("kind", ["groups", "near rows", "Mondrian", "cells"])
def test_imputed_cells_lie_in_the_boxes_of_their_rows(kind: str) -> None:
    release = tk.anonymize(people(800), SCHEMA, METHODS[kind], seed=1)
    drawn = tk.reconstruct(release).impute(random_state=2)
    for name in ("age", "hours", "area"):
        domain = release.original(name).domain
        assert domain is not None
        codes = pd.Index(domain.values_of(np.arange(domain.size)).to_pylist()).get_indexer(drawn[name])
        if release.mechanism.grouping is not None:
            boxes = release.mechanism.grouping.column(release.schema[name])
            assert (boxes.local(codes, release.group_of) >= 0).all()
        else:
            recoding = release.mechanism.recoding
            assert recoding is not None
            assert recoding.columns[name].covers[release.coded.codes(name), codes].all()


def test_a_table_is_the_mean_of_rows_that_are_drawn() -> None:
    for kind in ("groups", "near rows", "noise"):
        release = tk.anonymize(people(400), SCHEMA, METHODS[kind], seed=1)
        model = ReleaseModel(n_components=6, n_init=1).fit(release)
        copies = 60
        drawn = pd.concat(model.impute(copies, random_state=1))
        exact, counted = model.estimated_table(["age", "area"]).pmf_, share(drawn, release, ["age", "area"])
        error = np.sqrt(exact * (1 - exact) / (copies * release.rows))
        assert (np.abs(exact - counted) <= 5 * error + 1e-12).all(), kind


def errors_of(
    original: pd.DataFrame, release: tk.Release, names: Sequence[str] = ("age", "hours", "area")
) -> tuple[float, float]:
    """Return how far two-way tables are off, by the model and of rows as they are, labels being spread evenly."""
    model, off, plain = tk.reconstruct(release), [], []
    for pair in itertools.combinations(names, 2):
        true = share(original, release, list(pair))
        off.append(np.abs(model.estimated_table(pair).pmf_ - true).sum() / 2)
        if release.mechanism.recoding is None:
            as_it_is = share(release.frame, release, list(pair))
        else:
            spread = [release.mechanism.recoding.columns[name].covers.astype(float) for name in pair]
            spread = [each / each.sum(axis=1, keepdims=True) for each in spread]
            as_it_is = (
                spread[0][release.coded.codes(pair[0])].T @ spread[1][release.coded.codes(pair[1])] / release.rows
            )
        plain.append(np.abs(as_it_is - true).sum() / 2)
    return float(np.mean(off)), float(np.mean(plain))


@pytest.mark.parametrize("kind", ["Mondrian", "groups", "cells", "averages"])
def test_it_is_no_worse_than_rows_as_they_are(kind: str) -> None:
    original = people(4000)
    off, plain = errors_of(original, tk.anonymize(original, SCHEMA, METHODS[kind], seed=1))
    assert off <= plain + 0.004
    if kind in {"Mondrian", "groups"}:
        assert off < 0.85 * plain


@pytest.mark.parametrize(("k", "partition"), [(10, tk.partitions.Automatic()), (20, tk.partitions.TopDown())])
def test_of_groups_of_near_rows_it_is_better_on_every_table(k: int, partition: Any) -> None:
    """Of the default groups, and of others; tables are drawn anew, so that no seed is lucky."""
    ratios = []
    for seed in range(1, 7):
        original = people(4000, seed)
        method = tk.Generalization(k=k, partition=partition)
        off, plain = errors_of(original, tk.anonymize(original, SCHEMA, method, seed=seed))
        ratios.append(off / plain)
    assert max(ratios) < 1
    assert np.mean(ratios) < 0.85


WARDS = tk.Schema(
    [
        *(SCHEMA[name] for name in ("age", "hours")),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("ward", domain=tk.Categories(["a", "b", "c"])),
        SCHEMA["ill"],
    ]
)


def in_wards(rows: int, seed: int) -> pd.DataFrame:
    """People with two columns of which nearly every box shows one value."""
    frame, rng = people(rows, seed), np.random.default_rng(seed + 100)
    sex = np.where(rng.random(rows) < np.where(frame["age"] > 4, 0.25, 0.6), "M", "F")
    return frame.assign(sex=sex, ward=rng.choice(["a", "b", "c"], rows, p=[0.5, 0.3, 0.2]))[[*WARDS.names()]]


@pytest.mark.filterwarnings("ignore:The noise leaves open")  # of few large groups
@pytest.mark.parametrize(
    "constraints",
    [
        (),
        (tk.constraints.LDiversity("ill", 2),),
        (tk.constraints.TCloseness("ill", 0.4),),
        (tk.constraints.BetaLikeness("ill", 2),),
        (tk.constraints.AlphaKAnonymity("ill", 0.75),),
    ],
    ids=["none", "l-diversity", "t-closeness", "beta-likeness", "alpha-k"],
)
def test_with_constraints_it_is_no_worse_than_rows_as_they_are(constraints: Any) -> None:
    """Boxes that overlap only where a column that each of them shows is left out, and groups that a constraint made large."""
    for seed in (0, 1):
        original = in_wards(2000, seed)
        for partition in (tk.partitions.Automatic(), tk.partitions.Mondrian(strict=False, choose="gain")):
            method = tk.Generalization(k=5, partition=partition, constraints=constraints)
            release = tk.anonymize(original, WARDS, method, seed=seed)
            off, plain = errors_of(original, release, ["age", "hours", "sex", "ward"])
            assert off <= plain + 1e-9


def test_where_near_groups_hide_little_rows_are_as_they_are() -> None:
    for seed in (1, 3, 6):  # of these tables a model that was believed erred more, by up to a fifth
        original = people(4000, seed)
        off, plain = errors_of(original, tk.anonymize(original, SCHEMA, METHODS["near rows"], seed=seed))
        assert off == pytest.approx(plain)


def wide_people(rows: int = 600) -> tuple[pd.DataFrame, tk.Schema]:
    """People with columns of more values than a model tells apart, most of which are rare."""
    rng = np.random.default_rng(1)
    place = np.where(rng.random(rows) < 0.5, rng.integers(0, 3, rows), rng.integers(0, 300, rows))
    pay = np.round(rng.lognormal(3, 1, rows)).clip(0, 400)
    frame = pd.DataFrame(
        {"place": [f"p{at:03}" for at in place], "pay": pay.astype(int), "sex": rng.choice(["F", "M"], rows)}
    )
    schema = tk.Schema(
        [
            tk.Attribute("place", domain=tk.Categories([f"p{at:03}" for at in range(300)])),
            tk.Attribute("pay", domain=tk.Numbers(0, 400, step=1)),
            tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        ]
    )
    return frame, schema


@pytest.mark.filterwarnings("ignore:The noise leaves open")
@pytest.mark.parametrize(
    "method",
    [
        tk.Generalization(k=10),
        tk.Generalization(k=10, partition=tk.partitions.TopDown()),
        tk.LocalSuppression(k=5),
        tk.Generalization(k=10, partition=tk.partitions.Optimal()),
    ],
    ids=["near rows", "top-down", "cells", "full domain"],
)
def test_cells_of_long_columns_are_spread_over_values_not_over_bins(method: Any) -> None:
    """A model that has nothing to say of a column of 300 labels or 400 numbers says what rows as they are say."""
    frame, schema = wide_people()
    release = tk.anonymize(frame, schema, method, seed=1)
    model, recoding = tk.reconstruct(release), release.mechanism.recoding
    assert recoding is not None
    spread = 0
    for name in ("place", "pay"):
        covers = recoding.columns[name].covers.astype(float)
        if recoding.scheme != "global" or (covers[np.unique(release.coded.codes(name))] > 0).all():
            found = model.estimated_table([name], {"pay": np.arange(402).tolist()} if name == "pay" else None).pmf_
            evenly = (covers / covers.sum(axis=1, keepdims=True))[release.coded.codes(name)].mean(axis=0)
            np.testing.assert_allclose(found, evenly, atol=1e-9)
            spread += 1
    assert spread


@pytest.mark.filterwarnings("ignore:The noise leaves open", "ignore:The boxes of groups")
def test_long_columns_in_groups_are_no_worse_than_rows_as_they_are() -> None:
    """Amounts, days and places of more values than a model tells apart: their boxes have ends too, and are believed no more than others."""
    rng, rows = np.random.default_rng(1), 1500
    able = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "pay": np.round(np.exp(5 + 0.6 * able + 0.5 * rng.normal(size=rows))).clip(0, 3000).astype(int),
            "day": rng.integers(0, 1000, rows),
            "age": np.round(45 + 12 * able + 8 * rng.normal(size=rows)).clip(17, 90).astype(int),
            "place": [f"p{at:03}" for at in np.minimum(rng.geometric(0.02, rows), 300)],
        }
    )
    schema = tk.Schema(
        [
            tk.Attribute("pay", domain=tk.Numbers(0, 3000, step=1)),
            tk.Attribute("day", domain=tk.Numbers(0, 999, step=1)),
            tk.Attribute("age", domain=tk.Numbers(17, 90, step=1)),
            tk.Attribute("place", domain=tk.Categories([f"p{at:03}" for at in range(301)])),
        ]
    )
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=5), seed=1)
    model, off = tk.reconstruct(release), []
    for name in schema.names():
        place = places_of(schema[name], None)[1]
        domain = schema[name].domain
        assert domain is not None
        true = pd.Index(domain.values_of(np.arange(domain.size)).to_pylist()).get_indexer(frame[name])
        was, released = (
            np.bincount(place[codes], minlength=int(place.max()) + 1) / rows
            for codes in (true, release.coded.codes(name))
        )
        off.append([np.abs(each - was).sum() / 2 for each in (model.table(name).pmf_, released)])
    model_off, released_off = np.mean(off, axis=0)
    assert model_off < released_off


def test_ends_of_boxes_that_were_rounded_need_not_occur() -> None:
    rounded = tk.GroupedPkPerturbation(k=5, edges={"age": 3, "hours": 3})
    for method, ends in ((rounded, False), (METHODS["groups"], True)):
        release = tk.anonymize(people(300), SCHEMA, method, seed=1)
        hulls = dict(zip(SCHEMA.names(), modelled(release).observed.hulls, strict=True))
        assert (hulls["age"] is not None, hulls["hours"] is not None) == (ends, ends)


def test_rare_values_at_the_ends_of_boxes_are_not_estimated_away() -> None:
    """Groups of rows drawn at random, with the smallest boxes around them: their distribution comes back."""
    true = np.array([0.02, 0.3, 0.4, 0.26, 0.02])
    rng, groups, rows, size = np.random.default_rng(0), 1500, 8, 5
    drawn = rng.choice(size, (groups, rows), p=true)
    low, high = drawn.min(axis=1)[:, None], drawn.max(axis=1)[:, None]
    values = np.arange(size)
    covers = ((values >= low) & (values <= high)).astype(np.float64)
    needed = (values == low) | (values == high)
    unit = np.where((low < high)[:, 0], np.arange(groups), -1)
    hull = Hull(unit, np.full(groups, float(rows)), needed, np.full(needed.shape, -1))
    one = Products(np.ones(groups), np.arange(groups + 1), np.arange(groups))
    none = Products(np.zeros(groups), np.zeros(groups + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    which = np.repeat(np.arange(groups), rows)
    seen = Observed((covers,), one, none, np.arange(groups)[:, None], which, np.ones(len(which)), (hull,))
    counts, even = seen.counted(seen.weights), Mixture(np.ones(1), (np.full((1, size), 1 / size),))
    tight, loose = (
        fit(each, even, [np.zeros((1, size))], counts).mixture.thetas[0][0] for each in (seen, replace(seen, hulls=()))
    )
    assert np.abs(tight - true).sum() / 2 < 0.02
    assert np.abs(tight[[0, 4]] - true[[0, 4]]).max() < 0.006
    assert loose[[0, 4]].max() < 0.1 * true[0], "rows coarsened at random would have next to none of them"


def test_what_a_tight_box_says_is_its_formula() -> None:
    """The factor of one group by the definition, row by row."""
    rng = np.random.default_rng(3)
    size, classes, things = 4, 2, 3
    thetas = rng.dirichlet(np.ones(size), classes)
    base = rng.random((things, size)) * (rng.random((things, size)) < 0.9)
    added = rng.random((things, classes)) * 3
    rows = float(added.sum())
    needed = np.array([[True, False, True, True]])
    hull = Hull(np.zeros(things, dtype=np.int64), np.array([rows]), needed, np.full((1, size), -1))
    believed = []
    for t in range(things):
        each = sum(added[t, c] * base[t] * thetas[c] / (base[t] @ thetas[c]) for c in range(classes))
        believed.append(each / each.sum())
    counts = added.sum(axis=1)
    attained = [
        1 - np.prod([(1 - believed[t][x]) ** (counts[t] * (rows - 1) / rows) for t in range(things)])
        for x in range(size)
    ]
    factor = [np.prod([attained[v] for v in range(size) if needed[0, v] and v != x]) for x in range(size)]
    np.testing.assert_allclose(hull.tightened(base, thetas, added), base * factor, rtol=1e-9)
    parts = np.array([[0, 0, 1, 1]])
    hull = Hull(np.zeros(things, dtype=np.int64), np.array([rows]), np.zeros((1, size), dtype=bool), parts)
    alike = [
        1
        - np.prod(
            [believed[t][parts[0] == parts[0, x]].sum() ** (counts[t] * (rows - 1) / rows) for t in range(things)]
        )
        for x in range(size)
    ]
    np.testing.assert_allclose(hull.tightened(base, thetas, added), base * alike, rtol=1e-9)


@pytest.mark.parametrize("kind", ["groups", "near rows", "told in groups"])
def test_pieces_give_what_the_whole_gives(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(people(500), SCHEMA, METHODS[kind], seed=1)
    monkeypatch.setattr(release_model, "chosen", lambda observed, *_: observed)  # its draws differ
    whole = ReleaseModel(n_components=3, n_init=1).fit(release)
    expected = whole.estimated_table(["age", "hours"]).pmf_
    for module in (_some_rows, _expected):
        monkeypatch.setattr(module, "PIECE", 40)
    pieces = ReleaseModel(n_components=3, n_init=1).fit(release)
    np.testing.assert_allclose(pieces.estimated_table(["age", "hours"]).pmf_, expected, atol=1e-12)
    drawn = pieces.impute(random_state=1)
    assert abs(drawn["age"].mean() - whole.impute(random_state=1)["age"].mean()) < 0.3


@pytest.mark.parametrize("kind", ["groups", "near rows"])
def test_of_many_classes_fewer_rows_are_looked_at_at_a_time(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What things show in all classes takes no more room than is set aside, and says the same; what is drawn is the same to the last row."""
    release = tk.anonymize(people(400), SCHEMA, METHODS[kind], seed=1)
    for module in (_some_rows, _expected):
        monkeypatch.setattr(module, "PIECE", 40)
    wide, narrow = (ReleaseModel(n_components=3, n_init=2).fit(release) for _ in range(2))
    expected, drawn = wide.estimated_table(["age", "hours"]).pmf_, wide.completed_codes(1)
    room, sizes = 7 * 6 * narrow._observed.rows.shape[1], []  # for seven rows in six classes
    whole = Look.at

    def look(observed: Observed, masses: Any, room: Look | None = None) -> Look:
        sizes.append(len(observed.first.factors) * masses.shape[1])
        return whole(observed, masses, room)

    monkeypatch.setattr(_some_rows, "ROOM", room)
    monkeypatch.setattr(Look, "at", look)
    np.testing.assert_allclose(narrow.estimated_table(["age", "hours"]).pmf_, expected, rtol=1e-12)
    again = narrow.completed_codes(1)
    assert len(sizes) >= 2 * (len(narrow._observed.rows) // 7)
    assert max(sizes) <= room
    for name, codes in drawn.items():
        np.testing.assert_array_equal(again[name], codes)


def test_what_is_the_same_for_all_groups_is_held_once() -> None:
    observed = modelled(tk.anonymize(people(400), SCHEMA, METHODS["groups"], seed=1)).observed
    hulls = [hull for hull in observed.hulls if hull is not None]
    assert hulls
    for hull in hulls:
        assert hull.parts.shape == hull.needed.shape
        assert hull.parts.strides == (0, 0)  # one number stands for all


def test_completed_rows_are_the_same_as_codes() -> None:
    release = tk.anonymize(people(200), SCHEMA, METHODS["groups"], seed=1)
    model = ReleaseModel(n_components=2, n_init=1).fit(release)
    frame, codes = model.impute(random_state=3), model.completed_codes(3)
    assert set(codes) == set(frame.columns)
    for name, each in codes.items():
        domain = SCHEMA[name].domain
        assert domain is not None
        assert domain.values_of(each).to_pylist() == frame[name].tolist()


@pytest.mark.parametrize("kind", ["groups", "noise"])
def test_a_sample_of_the_rows_is_enough_for_a_fit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(3000)
    release = tk.anonymize(original, SCHEMA, METHODS[kind], seed=1)
    monkeypatch.setattr(_some_rows, "MOST", 1000)
    monkeypatch.setattr(_some_rows, "MOST_DIFFERENT", 300)
    seen = modelled(release).observed
    some = _some_rows.sampled(seen, np.random.default_rng(0))
    assert 800 < len(some.which) < 1300 if kind == "groups" else 200 < len(some.which) < 400
    if kind == "groups":
        sizes, all_sizes = np.bincount(some.groups), np.bincount(seen.groups)  # type: ignore[arg-type]
        monkeypatch.setattr(_some_rows, "MOST_CELLS", 600 * len(seen.likelihoods))
        fewer = len(_some_rows.sampled(seen, np.random.default_rng(0)).which)
        assert 400 < fewer < 800  # of many columns fewer rows are enough
        assert set(np.flatnonzero(sizes)) and (sizes[sizes > 0] == all_sizes[: len(sizes)][sizes > 0]).all()
        off = np.abs(
            tk.reconstruct(release).estimated_table(["age", "area"]).pmf_ - share(original, release, ["age", "area"])
        )
        assert off.sum() / 2 < 0.15


def test_rows_without_noise_are_taken_as_they_are() -> None:
    release = tk.anonymize(people(400), SCHEMA, METHODS["averages"], seed=1)
    model = tk.reconstruct(release)
    assert model.n_components_ == 0
    assert "as they are" in model.picked_.reason
    assert sorted(model.impute()["age"]) == sorted(release.frame["age"])


def test_suppressed_cells_are_the_same_by_any_model_and_none_is_fitted() -> None:
    """Cells are spread evenly over what they may be: a mixture of nine classes says the same of all tables, and draws the same rows."""
    release = tk.anonymize(people(600), SCHEMA, tk.LocalSuppression(k=12), seed=1)
    assert release.coded.rows and any("*" in set(map(str, release.frame[name])) for name in ("age", "area"))
    quick, fitted = tk.reconstruct(release), ReleaseModel(n_components=9, n_init=2).fit(release)
    assert (quick.n_components_, fitted.n_components_) == (1, 9)
    assert "evenly" in quick.picked_.reason
    for columns in [*itertools.combinations(quick.columns_, 2), tuple(quick.columns_[:3])]:
        assert np.allclose(quick.table(list(columns)).pmf_, fitted.table(list(columns)).pmf_, atol=1e-12)
    assert quick.impute(random_state=1).equals(fitted.impute(random_state=1))


@pytest.mark.filterwarnings("error::tokumei.errors.AssumptionWarning")
@pytest.mark.parametrize(
    ("method", "reason", "card"),
    [
        (tk.LocalSuppression(k=5), "suppressed cells", "complete.suppressed_evenly"),
        (tk.Generalization(k=30, partition=tk.partitions.TopDown()), "labels say too little", "complete.labels_evenly"),
        (tk.Microaggregation(k=5, cells="interval"), "labels say too little", "complete.labels_evenly"),
        (tk.Generalization(k=2, partition=tk.partitions.TopDown()), "no cell stands for several", None),
    ],
    ids=["cells", "few groups", "intervals", "nothing hidden"],
)
def test_what_is_spread_evenly_is_called_by_its_name(method: Any, reason: str, card: str | None) -> None:
    """Labels are not called suppressed cells, and where all is spread evenly nothing is said of fits that disagree."""
    frame = people(400)
    if card is None:  # every combination occurs twice
        frame = pd.concat([frame.drop_duplicates(["age", "hours", "area"])] * 2)
    release = tk.anonymize(frame, SCHEMA, method, seed=1)
    model = tk.reconstruct(release)
    assert model.even_
    assert reason in model.picked_.reason
    assert "disagree" not in model.picked_.reason
    said = {each.key for each in tk.synthesize(model).card.sections["assumed"]}
    evenly = {"complete.suppressed_evenly", "complete.labels_evenly", "complete.tight_boxes"}
    assert said & evenly == ({card} if card else set())
    fitted = tk.reconstruct(release, target="ill").picked_.reason
    assert ("suppressed" in fitted) == (reason == "suppressed cells")


@pytest.mark.parametrize("kind", ["groups", "near rows", "told"])
def test_noise_and_boxes_need_a_model(kind: str) -> None:
    """The check of what needs none can fail: boxes of groups, believed by a model, are not spread evenly."""
    release = tk.anonymize(people(600), SCHEMA, METHODS[kind], seed=1)
    assert not modelled(release).observed.needs_no_model


@pytest.mark.filterwarnings("ignore")
def test_noise_that_leaves_everything_open_is_said() -> None:
    rng = np.random.default_rng(0)
    names = [f"c{at}" for at in range(6)]
    schema = tk.Schema([tk.Attribute(name, domain=tk.Categories(list(range(8)))) for name in names])
    frame = pd.DataFrame({name: rng.integers(0, 8, 1500) for name in names})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=100, tells="all"), seed=1)
    model = tk.reconstruct(release)
    assert not model.determined_
    assert "disagree" in model.picked_.reason


def test_boxes_of_very_many_rows_settle_in_fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(
        tk.example_census(rows=2000), tk.example_schema(), tk.Generalization(k=10), seed=1
    )  # fmt: skip
    asked = ["age", "income"]
    found = []
    monkeypatch.setattr(release_model, "sampled", lambda observed, _: observed)  # the same fit
    for most in (_some_rows.MOST, 1000):
        monkeypatch.setattr(_some_rows, "MOST", most)
        found.append(tk.reconstruct(release).table(asked).pmf_)
    assert 0 < np.abs(found[0] - found[1]).sum() / 2 < 0.002
