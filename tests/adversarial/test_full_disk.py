"""Files that belong together are written all or not at all, also where the disk is full before the last is on it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

import tokumei as tk
from tokumei.errors import OutputError
from tokumei.files import atomic_files


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_disk_that_is_full_at_any_step_leaves_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool
) -> None:
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    if overwrite:
        for path in paths:
            path.write_text("old", encoding="utf-8")
    synced, left = os.fsync, [2]

    def full(place: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced(place)

    monkeypatch.setattr("tokumei.files.os.fsync", full)
    with (
        pytest.raises(OutputError, match="nothing was left behind"),
        atomic_files(paths, overwrite=overwrite, private=True) as places,
    ):
        for place in places:
            place.write_text("new", encoding="utf-8")
    there = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert there == ({path.name: "old" for path in paths} if overwrite else {})


def test_a_recommendation_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tk.example_census(rows=200)[["age", "sex"]].to_csv(tmp_path / "people.csv", index=False)
    found = tk.recommend(tmp_path / "people.csv", duty="linking 1/2")
    synced, left = os.fsync, [4]

    def full(place: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced(place)

    monkeypatch.setattr("tokumei.files.os.fsync", full)
    with pytest.raises(OutputError, match="nothing was left behind"):
        found.write(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
