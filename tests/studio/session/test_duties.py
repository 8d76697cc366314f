"""Duties in the studio: green only where every rung that was ticked holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.progress import Stop
from tokumei.studio.figures import figures, tone_of
from tokumei.studio.session import Session
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session.example(rows=400) as made:
        made.change(method=tk.PkPerturbation(k=10))
        yield made


def header(session: Session, language: str = "en") -> tuple[str, str, str]:
    words = Words(language)  # type: ignore[arg-type]
    stop: Stop = lambda: False  # noqa: E731
    *_, last = figures(session, words, lambda *_: None, stop)
    (found,) = [each for each in last if each[0] == words("head_rungs")]
    return found


def test_the_header_shows_every_rung_and_no_green_without_duties(session: Session) -> None:
    caption, shown, tone = header(session)
    assert shown.startswith("10% · ")
    assert len(shown.split(" · ")) == len(caption.split(" · ")) == 5
    assert tone == ""


def test_green_only_where_every_duty_holds(session: Session) -> None:
    session.give_duty("linking", "1/10")
    assert header(session)[2] == "good"
    session.give_duty("inference", 0.5)
    assert session.state.duties == "linking 1/10, inference 1/2"
    assert header(session, "ja")[2] == "bad"
    session.give_duty("inference", None)
    assert header(session)[2] == "good"
    session.undo()
    assert header(session)[2] == "bad"
    assert tone_of(session.ladder(), "") == ""


def test_a_wrong_duty_is_refused(session: Session) -> None:
    with pytest.raises(InvalidParameter, match="a number above 0"):
        session.give_duty("linking", "often")
