"""For those who add something: the checks that every method must pass, and a place to try things that are forgotten afterwards.

from tokumei.testing import check_method

def test_my_method() -> None:
    check_method(MyMethod(k=5))
"""

from tokumei.testing.isolated import isolated
from tokumei.testing.suite import check_method

__all__ = ["check_method", "isolated"]
