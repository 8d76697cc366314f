from __future__ import annotations

from collections.abc import Iterator

import pytest

from tokumei.studio.desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk.example(rows=400) as made:
        yield made
