"""The screens, one file each, by name."""

from __future__ import annotations

from tokumei.studio.screens.data import data
from tokumei.studio.screens.risk import risk

SCREENS = {"data": data, "risk": risk}
