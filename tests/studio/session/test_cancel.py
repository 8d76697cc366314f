"""Work on the lattice can be watched and stopped between its parts."""

from __future__ import annotations

import pytest

from tokumei import progress
from tokumei.errors import Cancelled
from tokumei.studio.session import Session


def test_the_lattice_moves_on_in_parts_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    shares: list[float] = []
    with Session.example(rows=200) as session:
        with pytest.raises(Cancelled):
            session.lattice(cancelled=lambda: len(shares) >= 2, progress=lambda share, note: shares.append(share))
        assert shares[-1] < 1
        shares.clear()
        session.lattice(progress=lambda share, note: shares.append(share))
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
