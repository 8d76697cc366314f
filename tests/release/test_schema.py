"""The published JSON Schema: it is that of this version, and every kind of release fits it."""

from __future__ import annotations

import copy
import datetime as dt
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.anonymizers import METHODS
from tokumei.errors import ObservedDomainWarning, ReleaseError, TokumeiWarning
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.record import CHANNELS
from tokumei.release.schema import json_schema, text

ROOT = Path(__file__).parent.parent.parent
SETTINGS: dict[str, dict[str, Any]] = {
    "pk_perturbation": {"k": 5},
    "grouped_pk_perturbation": {"k": 2},
    "pram": {"columns": {"sex": tk.transitions.KeepOrReplace(keep=0.5), "marital": tk.transitions.Invariant(keep=0.5)}},
    "sampling": {"sample": 60, "known": 30},
    "generalization": {"k": 5},
    "microaggregation": {"k": 5},
    "swapping": {"k": 5},
    "record_suppression": {"k": 2},
    "local_suppression": {"k": 5},
}


def manifest_of(release: tk.Release, folder: Path) -> dict[str, Any]:
    release.write(folder)
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def released(method: Any, **given: Any) -> tk.Release:
    people = tk.example_census(rows=400, frame="pyarrow")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        return tk.anonymize(people, tk.example_schema(), method, **given)


def test_the_page_is_current() -> None:
    stored = (ROOT / "docs" / "manifest.schema.json").read_text(encoding="utf-8")
    assert stored == text(), "run: python -m tokumei.release.schema > docs/manifest.schema.json"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_every_channel_has_a_shape() -> None:
    parts = json_schema()["$defs"].values()
    shapes = {each["const"] for part in parts if "const" in (each := part.get("properties", {}).get("channel", {}))}
    assert shapes == {channel.kind for channel in CHANNELS} <= set(Channel.kinds)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_releases_of_every_method_fit(method: type, tmp_path: Path) -> None:
    name = method.__dataclass_fields__["method"].default
    dropped = [
        tk.prepare.Drop(each) for each in ("age", "region", "education", "occupation", "hours") if name == "pram"
    ]
    content = manifest_of(released(method(**SETTINGS[name]), prepare=dropped), tmp_path / "out")
    jsonschema.validate(content, json_schema())


def missing_dates() -> tk.Release:
    days = [dt.date(2020, 1, 1 + i % 28) if i % 5 else None for i in range(60)]
    kind = tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 31))
    schema = tk.Schema([tk.Attribute("day", domain=kind, missing=True)])
    return tk.anonymize(pa.table({"day": days}), schema, tk.PkPerturbation(k=3, tells="all"))


def observed() -> tk.Release:
    people = tk.example_census(rows=400, frame="pyarrow").select(["age", "sex"])
    with pytest.warns(ObservedDomainWarning):
        schema = tk.Schema.observe(people)
    return tk.anonymize(people, schema, tk.PkPerturbation(k=5, tells="all"))


SPECIAL: dict[str, Callable[[], tk.Release]] = {
    "a stratified sample": lambda: released(
        tk.PkPerturbation(k=3, sample=tk.samples.Stratified("income", size=0.5), tells="all")
    ),
    "steps before": lambda: released(
        tk.PkPerturbation(k=3, tells="all"), prepare=[tk.prepare.Recode("age"), tk.prepare.Drop("hours")]
    ),
    "rows left out": lambda: released(
        tk.RecordSuppression(k=2), prepare=[tk.prepare.Drop("hours"), tk.prepare.Drop("occupation")]
    ),
    "published rates": lambda: released(tk.Generalization(k=5, publish=[tk.rates.ValueRates(["sex"], epsilon=1)])),
    "levels of the whole table": lambda: released(tk.Generalization(k=5, partition=tk.partitions.Optimal())),
    "groups without overlap": lambda: released(tk.GroupedPkPerturbation(k=2, partition=tk.partitions.Mondrian())),
    "one thing a row in groups": lambda: released(tk.GroupedPkPerturbation(k=2, tells=1)),
    "missing dates": missing_dates,
    "observed domains": observed,
}


@pytest.mark.parametrize("name", SPECIAL)
def test_other_parts_of_the_format_fit(name: str, tmp_path: Path) -> None:
    content = manifest_of(SPECIAL[name](), tmp_path / "out")
    jsonschema.validate(content, json_schema())
    tk.read_release(tmp_path / "out", frame="pyarrow")


def test_rows_shuffled_in_blocks_fit() -> None:
    made = {"columns": {}, "kept": [], "rows": {"shuffled_in_blocks_of_at_least": 50}, "of": None}
    rule = {"$ref": "#/$defs/MechanismShape", "$defs": json_schema()["$defs"]}
    jsonschema.validate(made, rule)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**made, "rows": {"shuffled_in_blocks_of_at_least": 0}}, rule)


def changed(content: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    made = copy.deepcopy(content)
    *way, last = path.split("/")
    part = made
    for key in way:
        part = part[int(key) if key.isdigit() else key]
    part[last] = value
    return made


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", 2),
        ("seed", 1),
        ("declared/seed", 1),
        ("declared/randomness", "none"),
        ("declared/columns/0/role", "neighbour"),
        ("declared/columns/0/domain/kind", "letters"),
        ("declared/mechanism/columns/sex/channel", "unheard"),
        ("declared/mechanism/columns/sex/keep", 0.5),
        ("declared/mechanism/true_rows", [1, 2]),
        ("declared/mechanism/rows", "as they came"),
        ("declared/guarantees/0/notion", 3),
        ("data/rows", 0),
        ("disclosed/mechanism", {"value": {"columns": 1}, "reason": {"key": "reason.derived"}}),
        ("disclosed/anything", {"value": 1}),
    ],
)
def test_what_is_no_manifest_does_not_fit(path: str, value: Any, tmp_path: Path) -> None:
    content = manifest_of(released(tk.PkPerturbation(k=5, tells="all")), tmp_path / "out")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(content, path, value), json_schema())


def test_a_mechanism_with_more_than_the_format_knows_is_not_read(tmp_path: Path) -> None:
    manifest_of(released(tk.PkPerturbation(k=5, tells="all")), tmp_path / "out")
    rewrite(tmp_path / "out", lambda content: content["declared"]["mechanism"].update(true_rows=[1, 2]))
    with pytest.raises(ReleaseError, match="cannot be understood at true_rows"):
        tk.read_release(tmp_path / "out", frame="pyarrow")
