"""Every part of every kind of guarantee in a manifest is forged, one at a time, and signed again: each is refused."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.release.forging import rewrite, sign
from tokumei.errors import ReleaseError
from tokumei.privacy.notions import NOTIONS

RNG = np.random.default_rng(20)
ROWS = 160
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, 1)),
        tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes", "worse"])),
    ]
)
TABLE = pa.table(
    {
        "name": [f"n{row}" for row in range(ROWS)],
        "age": RNG.integers(0, 10, ROWS),
        "sex": RNG.choice(["f", "m"], ROWS),
        "ill": RNG.choice(["no", "yes", "worse"], ROWS),
    }
)
POPULATION = pa.concat_tables([TABLE, TABLE])
VISITS = tk.Schema([*(a for a in SCHEMA if a.name != "name"), tk.Attribute("who", "person")])
VISITED = TABLE.drop_columns(["name"]).append_column("who", pa.array([f"p{row // 2}" for row in range(ROWS)]))
MASK = (tk.prepare.Mask("name", show=1),)


def made(method: Any, prepare: Any = (), schema: tk.Schema = SCHEMA, table: pa.Table = TABLE) -> Callable[[], Any]:
    return lambda: tk.anonymize(table, schema, method, prepare)


KINDS: dict[str, Callable[[], Any]] = {
    "pk, unknown": made(tk.PkPerturbation(k=3, tells="all")),
    "pk, known": made(tk.PkPerturbation(k=3, kept="known", tells="all")),
    "pk, perturbed": made(tk.PkPerturbation(k=3, kept="perturb", tells="all")),
    "pk, masked": made(tk.PkPerturbation(k=3, tells="all"), MASK),
    "pk, sample": made(tk.PkPerturbation(k=3, sample=80, tells="all")),
    "pk, chance": made(tk.PkPerturbation(k=2, sample=tk.samples.Bernoulli(0.6, delta=0.01), tells="all")),
    "pk, people": made(tk.PkPerturbation(k=3, kept="perturb", tells="all"), (), VISITS, VISITED),
    "pk, epsilon of a sample": made(tk.PkPerturbation(epsilon=2.0, delta=1e-4, kept="perturb", sample=120, tells=1)),
    "pk, declared people": made(
        tk.PkPerturbation(k=3, epsilon=6, kept="perturb"),
        (),
        VISITS.replacing(tk.Attribute("who", "person", most=2)),
        VISITED,
    ),
    "pram, whole": made(
        tk.PRAM({"sex": [[0.6, 0.4], [0.3, 0.7]], "ill": tk.transitions.KeepOrReplace(0.3)}, delta=1e-5),
        (tk.prepare.Drop("age"),),
    ),
    "pk, one column a row": made(tk.PkPerturbation(k=3, tells=1)),
    "pk, coarse pairs of a sample": made(
        tk.PkPerturbation(k=3, kept="known", sample=120, tells=(tk.tells.Subsets(2, cells=4), tk.tells.Subsets(1)))
    ),
    "groups": made(tk.GroupedPkPerturbation(k=3)),
    "groups, rounded": made(tk.GroupedPkPerturbation(k=3, kept="known", edges={"age": 2})),
    "groups, one column a row": made(
        tk.GroupedPkPerturbation(k=3, kept="known", partition=tk.partitions.Mondrian(min_size=12), tells=1)
    ),
    "pram": made(tk.PRAM({"sex": [[0.8, 0.2], [0.3, 0.7]]}), (tk.prepare.Drop("age"),)),
    "sampling": made(tk.Sampling(40, known=5)),
    "classes": made(tk.Generalization(k=3)),
    "constraints": made(
        tk.Generalization(
            k=3,
            constraints=(
                tk.constraints.LDiversity("ill", 2),
                tk.constraints.LDiversity("ill", 1.5, kind="entropy"),
                tk.constraints.LDiversity("ill", 1, kind="recursive", c=4),
                tk.constraints.TCloseness("ill", 0.9),
                tk.constraints.DeltaDisclosure("ill", 4),
                tk.constraints.BetaLikeness("ill", 4),
                tk.constraints.EnhancedBetaLikeness("ill", 4),
                tk.constraints.AlphaKAnonymity("ill", 0.9),
                tk.constraints.AlphaKAnonymity("ill", 0.9, ["yes"]),
                tk.constraints.KMap(3, POPULATION),
            ),
        )
    ),
    "presence": made(tk.Generalization(k=3, constraints=(tk.constraints.DeltaPresence(0.8, 0.01, POPULATION),))),
    "levels, suppressed": made(tk.Generalization(k=8, partition=tk.partitions.Optimal(), suppression_limit=0.3)),
    "rates": made(
        tk.Generalization(k=3, publish=(tk.rates.ValueRates(["age"]), tk.rates.ValueRates(["sex"], epsilon=1.0)))
    ),
    "records": made(tk.RecordSuppression(k=8)),
    "cells": made(tk.LocalSuppression(k=4)),
    "averages": made(tk.Microaggregation(k=3)),
    "swapped": made(tk.Swapping(k=3)),
    "classes of people": made(tk.Generalization(k=3), (), VISITS, VISITED),
}
# Whose k follows from who has which row, and whose δ from the population, neither of which a release tells.
WEAKER = {"classes of people", "presence"}


def guarantees(content: Any) -> Any:
    stated = content["declared"].get("guarantees")
    return content["disclosed"]["guarantees"]["value"] if stated is None else stated


def forgeries(value: Any) -> Iterator[Any]:
    """Return other values of the same kind."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, max(0, value - 1) if value else 7)
    elif isinstance(value, float):
        yield from (value * 1.01, value * 0.99)
    elif isinstance(value, str):
        yield from {"secret": ["known"], "known": ["secret"], "distinct": ["entropy"], "equal": ["ordered"]}.get(
            value, ["age"]
        )
    elif isinstance(value, list):
        yield [*value, "ill"]
        if value:
            yield value[1:]


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk over every leaf, and every list."""
    if isinstance(content, dict):
        for key, inner in content.items():
            yield from places(inner, (*path, key))
    elif isinstance(content, list) and path and path[-1] == "assumes":
        for place, inner in enumerate(content):
            yield from places(inner, (*path, place))
    else:
        yield path


def at(content: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        content = content[step]
    return content


def changes(stated: Any) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Return every forgery of a list of guarantees by what it does."""
    for number, guarantee in enumerate(stated):
        for path in places(guarantee):
            if path[-1] == "key":
                continue
            for other in NOTIONS if path == ("notion",) else forgeries(at(guarantee, path)):
                if other == at(guarantee, path):
                    continue

                def change(all_of_them: Any, number: int = number, path: Any = path, other: Any = other) -> None:
                    at(all_of_them[number], path[:-1])[path[-1]] = other

                yield f"{number} {path} = {other!r}", change
        for place in range(len(guarantee["assumes"])):
            yield f"{number} less {guarantee['assumes'][place]}", lambda g, n=number, p=place: g[n]["assumes"].pop(p)
        for more in (
            {"key": "assumption.one_row"},
            {"key": "assumption.seeded"},
            {"key": "assumption.hiding", "rows": 9},
        ):
            yield f"{number} more {more}", lambda g, n=number, m=more: g[n]["assumes"].append(dict(m))
        for part, other in (
            ("promise", {"key": "promise.agreement"}),
            ("attacker", {"key": "attacker.whole_table"}),
            ("attacker", {"key": "attacker.anyone"}),
        ):
            if guarantee[part] != other:
                yield f"{number} {part} = {other}", lambda g, n=number, p=part, o=other: g[n].update({p: dict(o)})
        yield f"{number} twice", lambda g, n=number: g.append(copy.deepcopy(g[n]))
        yield f"{number} gone", lambda g, n=number: g.pop(n)


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_every_forged_part_is_refused(kind: str, tmp_path: Path) -> None:
    release = KINDS[kind]()
    release.write(tmp_path / "true")
    assert tk.read_release(tmp_path / "true").guarantees == release.guarantees
    content = json.loads((tmp_path / "true" / "manifest.json").read_text(encoding="utf-8"))
    shutil.copytree(tmp_path / "true", tmp_path / "forged")
    passed, tried = [], 0
    for name, change in changes(guarantees(content)):
        forged = copy.deepcopy(content)
        change(guarantees(forged))
        sign(tmp_path / "forged", forged)
        tried += 1
        try:
            tk.read_release(tmp_path / "forged")
        except ReleaseError:
            continue
        if not (kind in WEAKER and "'value',) = " in name):
            passed.append(name)
    assert tried > 10
    stated = [each.notion for each in release.guarantees]
    optional = {"local differential privacy", *([] if asks_for_epsilon(release) else ["central differential privacy"])}
    unsaid = {f"{place} gone" for place, notion in enumerate(stated) if notion in optional}  # which need not be stated
    assert [name for name in passed if name not in unsaid] == []


def asks_for_epsilon(release: Any) -> bool:
    return release.method.get("epsilon") is not None


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
@pytest.mark.parametrize("kind", ["pk, unknown", "pk, known", "pk, chance", "pk, people", "groups", "classes"])
def test_central_privacy_cannot_be_added_where_something_was_taken_from_the_data(kind: str, tmp_path: Path) -> None:
    """What a whole, perturbed release states is put into one that keeps columns, has facts, or a size by chance."""
    KINDS["pk, perturbed"]().write(tmp_path / "true")
    true = json.loads((tmp_path / "true" / "manifest.json").read_text(encoding="utf-8"))
    central = next(each for each in guarantees(true) if each["notion"] == "central differential privacy")
    release = KINDS[kind]()
    release.write(tmp_path / "out")
    rewrite(tmp_path / "out", lambda content: guarantees(content).append(copy.deepcopy(central)))
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


def test_an_epsilon_that_is_asked_for_must_be_kept(tmp_path: Path) -> None:
    release = KINDS["pk, epsilon of a sample"]()
    for change in (
        lambda content: content["declared"]["method"].update(epsilon=0.1),
        lambda content: content["declared"]["method"].update(delta=1e-9),
        lambda content: content["declared"]["method"].update(delta=None),
    ):
        folder = tmp_path / str(id(change))
        release.write(folder)
        assert tk.read_release(folder).guarantees == release.guarantees
        rewrite(folder, change)
        with pytest.raises(ReleaseError, match=r"larger epsilon|another (delta|attacker)"):
            tk.read_release(folder)


def of_another_kind(release: Any) -> dict[str, Any]:
    """Return a guarantee that other rows would have, with everything that follows from these: Pk-anonymity, or k-anonymity."""
    kept, columns = list(release.mechanism.kept), list(release.schema.names("quasi_identifier"))
    observed = [a.name for a in release.schema if a.observed]
    people: list[Any] = [{"key": "assumption.one_row"}, {"key": "assumption.secret_key"}]
    stated = {"value": float(release.rows), "promise": {"key": "promise.linking"}, "numbers": {}}
    if release.mechanism.perturbed:
        codes = release.coded.class_of(tuple(columns))
        others = [name for name in release.schema.names() if name not in columns]
        known = (
            {"key": "assumption.others_unknown", "columns": others}
            if others
            else {"key": "assumption.no_other_columns"}
        )
        rest = [known, {"key": "assumption.class_linking_only"}, {"key": "assumption.chosen_from_rows"}]
        attacker = {"key": "attacker.knows_only", "columns": columns}
        smallest = float(np.bincount(codes).min())
        return stated | {
            "notion": "k-anonymity",
            "value": smallest,
            "attacker": attacker,
            "assumes": people + rest,
            "proof": "k",
        }
    domains: Any = {"key": "assumption.declared_domains"}
    if observed:
        domains = {"key": "assumption.observed_domains", "columns": observed}
    rest = [domains, {"key": "assumption.kept_unknown", "columns": kept}, {"key": "assumption.linking_only"}]
    rest.append({"key": "assumption.hiding", "rows": release.rows})
    attacker = {"key": "attacker.learns_nothing_from", "columns": kept}
    numbers = {"among": release.rows, "inside": release.rows}
    return stated | {
        "notion": "Pk-anonymity",
        "attacker": attacker,
        "assumes": people + rest,
        "numbers": numbers,
        "proof": "pk",
    }


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
@pytest.mark.parametrize("kind", ["classes", "averages", "cells", "records", "pk, unknown", "pk, perturbed", "pram"])
def test_a_guarantee_of_another_kind_cannot_be_added(kind: str, tmp_path: Path) -> None:
    """Rows made alike would seem to hide everybody in the whole table, and perturbed rows to have classes."""
    release = KINDS[kind]()
    release.write(tmp_path / "out")

    def add(content: Any) -> None:
        if release.mechanism.perturbed:
            content["declared"]["method"]["k"] = 1  # as if less had been asked for
        guarantees(content).append(of_another_kind(release))

    rewrite(tmp_path / "out", add)
    with pytest.raises(ReleaseError, match="of another kind"):
        tk.read_release(tmp_path / "out")


def _unknown(stated: Any, part: str) -> None:
    first = stated[0]
    if part == "notion":
        first["notion"] = "anonymity of tomorrow"
    elif part == "assumes":
        first["assumes"].append({"key": "assumption.tomorrow", "rows": 3})
    else:
        first[part] = {"key": f"{part}.tomorrow", "rows": 3}


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
@pytest.mark.parametrize("part", ["notion", "promise", "attacker", "assumes"])
@pytest.mark.parametrize("kind", ["pk, unknown", "classes", "sampling"])
def test_what_a_newer_version_promises_is_shown_as_not_checked(kind: str, part: str, tmp_path: Path) -> None:
    KINDS[kind]().write(tmp_path / "true")
    rewrite(tmp_path / "true", lambda content: _unknown(guarantees(content), part))
    release = tk.read_release(tmp_path / "true")
    assert not release.guarantees[0].checked
    said = release.guarantees[0].headline
    assert said.startswith("Not checked by this version")
    assert "tomorrow" in said
    assert "1/3" not in said
    assert "tomorrow" in repr(release)
    assert "Not checked" in release._repr_html_()
    for language in ("en", "ja"):
        written = tk.report(release, public=True, language=language)
        assert "tomorrow" in (written if isinstance(written, str) else written.html)
    with pytest.raises(tk.errors.InvalidParameter):
        tk.combine([release, release])
