from __future__ import annotations

import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import InvalidParameter


def test_dropped_columns_are_gone(make, people, schema) -> None:
    release = tk.anonymize(make(people), schema, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Drop("age")])
    assert list(columns_of(release.frame)) == ["sex", "ill"]
    assert release.schema.names() == ("sex", "ill")
    assert release.prepare == ({"step": "drop", "column": "age"},)


def test_dropping_what_is_not_there(make, people, schema) -> None:
    with pytest.raises(InvalidParameter, match="Did you mean 'age'"):
        tk.anonymize(make(people), schema, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Drop("agee")])
