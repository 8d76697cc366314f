"""What a careful forger does."""

from tokumei.testing.promising import rewrite

__all__ = ["rewrite"]
