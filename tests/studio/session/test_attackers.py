"""Who might try, before and after, in populations that can be counted by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.studio.session import Session
from tokumei.studio.session.population import Population
from tokumei.words import Words

CITIES, AGES = ("Kyoto", "Osaka"), ("40", "50", "60")
# Classes of 1, 2 and 3 rows: (Kyoto, 40) once, (Kyoto, 50) twice, (Osaka, 60) three times.
ROWS = [("Kyoto", "40", 4.0), *[("Kyoto", "50", 2.0)] * 2, *[("Osaka", "60", 1.0)] * 3]
# The population: 2, 8 and 3 people in these classes, and 7 others.
PEOPLE = [("Kyoto", "40")] * 2 + [("Kyoto", "50")] * 8 + [("Osaka", "60")] * 3 + [("Osaka", "40")] * 7


@pytest.fixture
def session(tmp_path: Path) -> Session:
    place = tmp_path / "people.csv"
    pd.DataFrame(ROWS, columns=["city", "age", "weight"]).to_csv(place, index=False)
    made = Session.open(place)
    for name, values in (("city", CITIES), ("age", (40, 50, 60))):
        role = tk.Attribute(name, "quasi_identifier", tk.Categories(list(map(str, values))))
        made.describe(role)
    made.give_role("weight", "insensitive")
    return made


def register(tmp_path: Path, rows: list[tuple[str, str]] = PEOPLE) -> Path:
    place = tmp_path / "register.csv"
    pd.DataFrame(rows, columns=["city", "age"]).to_csv(place, index=False)
    return place


def expected(f: int, people: float) -> float:
    """Return E(1/F) of a negative binomial F from f on, with success probability f / people, by summing its law."""
    p = f / people
    return sum(math.comb(j - 1, f - 1) * p**f * (1 - p) ** (j - f) / j for j in range(f, 4000) if p < 1 or j == f)


def highest(session: Session) -> list[float]:
    return [each.highest for each in session.tries_before().chances]


def test_without_a_population_the_prosecutor_bounds_the_others(session: Session) -> None:
    found = session.tries_before()
    assert [each.grounds for each in found.chances] == ["counted", "at_most", "at_most"]
    assert highest(session) == [1.0, 1.0, 1.0]
    assert [each.average for each in found.chances] == [pytest.approx(3 / 6)] * 3
    assert found.unique is None


@pytest.mark.parametrize("told", [Population("size", people=24), Population("share", share=0.25)])
def test_a_size_or_a_share_estimates_what_a_journalist_can_do(session: Session, told: Population) -> None:
    session.change(population=told)
    prosecutor, journalist, marketer = session.tries_before().chances
    by_class = [expected(f, 4.0 * f) for f in (1, 2, 3)]
    assert prosecutor.highest == 1.0
    assert journalist.highest == pytest.approx(max(by_class), rel=1e-9)
    assert marketer.average == pytest.approx(sum(f * risk for f, risk in zip((1, 2, 3), by_class, strict=True)) / 6)
    assert journalist.grounds == marketer.grounds == "estimated"
    assert session.tries_before().unique is not None


def test_survey_weights_say_whom_each_row_stands_for(session: Session) -> None:
    session.change(population=Population("weights", column="weight"))
    _, journalist, marketer = session.tries_before().chances
    by_class = [expected(1, 4.0), expected(2, 4.0), 1 / 3]  # the last class has a weight of one each: it is whole
    assert journalist.highest == pytest.approx(max(by_class), rel=1e-9)
    assert marketer.average == pytest.approx((by_class[0] + 2 * by_class[1] + 3 * by_class[2]) / 6)


def test_a_table_of_the_population_is_counted_before_and_after(session: Session, tmp_path: Path) -> None:
    session.give_population(register(tmp_path), "register.csv")
    prosecutor, journalist, marketer = session.tries_before().chances
    assert (prosecutor.highest, journalist.highest) == (1.0, 1 / 2)
    assert marketer.average == pytest.approx((1 / 2 + 2 / 8 + 3 / 3) / 6)
    assert journalist.grounds == "counted"
    unique = session.tries_before().unique
    assert unique is not None
    assert (unique.people, unique.population) == (0, 20)
    session.change(method=tk.Generalization(k=3))
    after = session.tries_after()
    assert after.problem is None
    assert after.chances[0].highest <= 1 / 3
    assert after.chances[1].highest <= after.chances[0].highest
    assert after.chances[1].grounds == "counted"


def test_what_attackers_can_do_with_a_release(session: Session) -> None:
    session.change(method=tk.Generalization(k=3), population=Population("size", people=600))
    before, after = session.tries_before(), session.tries_after()
    assert after.sizes is not None
    assert after.sizes.smallest >= 3
    for old, new in zip(before.chances, after.chances, strict=True):
        assert new.highest < old.highest
    assert after.chances[1].highest < 0.02 < after.chances[0].highest
    session.change(method=tk.PkPerturbation(k=2))
    proved = session.tries_after()
    assert proved.sizes is None  # classes of perturbed rows do not show the risk
    assert {(each.highest, each.grounds) for each in proved.chances} == {(1 / 2, "proved")}


def test_unique_rows_of_sets_of_columns(session: Session) -> None:
    sets = [["city"], ["age"], ["city", "age"]]
    assert session.unique_rows(sets) == ([0, 1, 1], None)
    session.change(method=tk.Generalization(k=3))
    assert session.unique_rows(sets) == ([0, 1, 1], [0, 0, 0])
    session.change(method=tk.PkPerturbation(k=2))
    assert session.unique_rows(sets)[1] is None  # they look unique by chance


def test_what_cannot_be_is_said_in_a_sentence(session: Session, tmp_path: Path) -> None:
    for bad in ({"people": 0}, {}):
        with pytest.raises(InvalidParameter, match="at least one person"):
            Population("size", **bad)  # type: ignore[arg-type]
    for share in (0.0, 1e-320, 1.5, None):
        with pytest.raises(InvalidParameter, match="over 0 and at most 1"):
            Population("share", share=share)
    with pytest.raises(InvalidParameter, match="column with the survey weights"):
        Population("weights")
    session.change(population=Population("size", people=5))
    found = session.tries_before()
    assert "fewer people (5) than the table has rows (6)" in str(found.problem)
    assert highest(session) == [1.0, 1.0, 1.0]  # and nothing better is told
    session.change(population=Population("weights", column="city"))
    assert "must be numbers" in str(session.tries_before().problem)
    assert "Kyoto" not in str(session.tries_before().problem)
    session.give_population(register(tmp_path, PEOPLE[1:]), "register.csv")
    assert session.tries_before().problem is None
    session.give_population(register(tmp_path, PEOPLE[2:]), "register.csv")
    assert isinstance(session.tries_before().problem, DataError)
    other = tmp_path / "other.csv"
    pd.DataFrame({"city": ["Kyoto"] * 9, "sex": ["F"] * 9}).to_csv(other, index=False)
    session.give_population(other, "other.csv")
    assert str(session.tries_before().problem).startswith("The population does not fit: There is no column 'age'")


def test_projects_keep_what_is_known_and_not_the_table(session: Session, tmp_path: Path) -> None:
    session.give_population(register(tmp_path), "register.csv")
    text = session.as_project()
    assert "register.csv" in text
    from tokumei.studio.session.project import Project

    place = tmp_path / "work.tokumei"
    place.write_text(text, encoding="utf-8")
    again = Session.reopen(Project.read(place))
    assert again.state.population == session.state.population
    assert "hand it over again" in str(again.tries_before().problem)
    assert [each.highest for each in again.tries_before().chances] == [1.0, 1.0, 1.0]
    assert "register.csv" in again.told(Words("en"))[-1]
    session.undo()
    assert session.state.population is None
