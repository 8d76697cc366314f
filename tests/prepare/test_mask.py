from __future__ import annotations

import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import DataError, InvalidParameter


def masked(text: str, show: int, side: str, fill: str) -> str:
    """The same, one at a time."""
    if len(text) <= show:
        return fill
    return text[:show] + fill if side == "start" else fill + text[-show:]


@pytest.mark.parametrize("side", ["start", "end"])
@pytest.mark.parametrize(("show", "fill"), [(1, "*"), (4, "…"), (8, "[hidden]"), (40, "*")])
def test_a_few_characters_are_shown(make, people, schema, show: int, side: str, fill: str) -> None:
    named = {**people, "name": [("大阪の人" if i % 2 else "person ") + str(i) for i in range(60)]}
    step = tk.prepare.Mask("name", show=show, side=side, fill=fill)
    release = tk.anonymize(make(named), schema, tk.PkPerturbation(k=2, tells="all"), [step])
    assert sorted(columns_of(release.frame)["name"]) == sorted(masked(n, show, side, fill) for n in named["name"])
    assert release.schema["name"] == tk.Attribute("name", "insensitive")
    assert release.prepare == ({"step": "mask", "column": "name", "show": show, "side": side, "fill": fill},)


def test_the_length_is_not_told() -> None:
    made = tk.prepare.Mask("card", show=2).changed(pa.array(["12345", "123456789"])).to_pylist()
    assert len({len(each) for each in made}) == 1


def test_missing_cells_and_numbers(people, schema) -> None:
    cells = pa.array([None, *range(1000, 1059)])
    table = pa.table(people).set_column(0, "name", cells)
    with pytest.raises(DataError, match="1 missing value"):
        tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Mask("name")])
    allowed = schema.replacing(tk.Attribute("name", "identifier", missing=True))
    found = (
        tk.anonymize(table, allowed, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Mask("name", show=1)])
        .table["name"]
        .to_pylist()
    )
    assert found.count(None) == 1
    assert set(found) - {None} == {f"*{digit}" for digit in range(10)}


def test_promises_say_what_is_shown_and_known_characters_count(people, schema) -> None:
    table = pa.table(people)
    release = tk.anonymize(table, schema, tk.Generalization(k=3), [tk.prepare.Mask("name", show=1)])
    assert any("'name' shows some characters of an identifier" in str(each) for each in release.guarantees[0].assumes)
    known = tk.anonymize(
        table.drop_columns("ill"),
        schema.without("ill"),
        tk.PkPerturbation(k=2, kept="known", tells="all"),
        [tk.prepare.Mask("name", show=1)],
    )
    assert known.guarantees[0].numbers["among"] == 6  # of sixty people, six have a name that ends in each digit


def test_bad_masks_are_refused(people, schema) -> None:
    for show in (0, 2**70):
        with pytest.raises(InvalidParameter, match="show must be"):
            tk.prepare.Mask("name", show=show)
    with pytest.raises(InvalidParameter, match="fill must be"):
        tk.prepare.Mask("name", fill="")
    with pytest.raises(InvalidParameter, match="side"):
        tk.prepare.Mask("name", side="middle")
    with pytest.raises(InvalidParameter, match="'mask' is for identifiers, and 'sex' has the role 'quasi_identifier'"):
        tk.anonymize(pa.table(people), schema, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Mask("sex")])
    with pytest.raises(InvalidParameter, match="kept='perturb' cannot perturb"):
        tk.anonymize(
            pa.table(people), schema, tk.PkPerturbation(k=2, kept="perturb", tells="all"), [tk.prepare.Mask("name")]
        )
