from __future__ import annotations

from collections.abc import Iterator

import pytest

from tokumei.studio.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    with Session.example(rows=400) as made:
        yield made
