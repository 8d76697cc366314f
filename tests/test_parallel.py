"""Threads of linear algebra are held back where they would only wait for each other."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest
import threadpoolctl

from tokumei.parallel import _libraries, one_blas_thread


def blas_threads() -> list[int]:
    return [each["num_threads"] for each in threadpoolctl.threadpool_info() if each["user_api"] == "blas"]


def test_blas_has_one_thread_in_the_block_and_as_many_as_before_after_it() -> None:
    np.linalg.norm(np.eye(2))
    with threadpoolctl.threadpool_limits(2, "blas"):
        before = blas_threads()
        assert set(before) == {2}
        for _ in range(2):  # the second time with what was found the first time
            with one_blas_thread():
                assert set(blas_threads()) == {1}
            assert blas_threads() == before


def test_libraries_are_looked_for_again_once_something_was_imported_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []
    found = threadpoolctl.ThreadpoolController
    monkeypatch.setattr(threadpoolctl, "ThreadpoolController", lambda: looked.append(1) or found())
    _libraries.cache_clear()
    for _ in range(3):
        with one_blas_thread():
            pass
    assert len(looked) == 1
    monkeypatch.setitem(sys.modules, "a_module_that_brings_a_library", types.ModuleType("brings"))
    for _ in range(2):
        with one_blas_thread():
            pass
    assert len(looked) == 2
    _libraries.cache_clear()
