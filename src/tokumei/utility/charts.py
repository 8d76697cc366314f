"""Line charts of scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokumei.errors import InvalidParameter, MissingDependency, OutputError

SUFFIXES = {".svg", ".png", ".html"}


def lines(
    rows: Sequence[dict[str, Any]], score: str, line: str, panel: str, row: str | None, path: str | Path | None
) -> Any:
    """Draw a score against k: a line for each value of ``line``, a column of panels for each of ``panel``."""
    if score not in {"accuracy", "auc"}:
        raise InvalidParameter(f"score must be 'accuracy' or 'auc'. Got {score!r}.")
    if path is not None and Path(path).suffix not in SUFFIXES:
        raise InvalidParameter(f"{path} must end in {', '.join(sorted(SUFFIXES))}.")
    try:
        import altair
    except ImportError:
        raise MissingDependency("Charts need altair; install it with: pip install 'tokumei[plots]'.") from None
    data: Any = {"values": [each for each in rows if each[score] is not None]}
    chart = (
        altair.Chart(data)
        .mark_line(point=True)
        .encode(
            x=altair.X("k:Q", title="k", axis=altair.Axis(tickMinStep=1)),
            y=altair.Y(f"{score}:Q", title="mean " + score, scale=altair.Scale(zero=False)),
            color=altair.Color(f"{line}:N", title=None, sort=None),
            tooltip=[f"{line}:N", "k:Q", f"{score}:Q"],
        )
    )
    facets: dict[str, Any] = {"column": altair.Column(f"{panel}:N", title=None, sort=None)}
    if row is not None and len({each[row] for each in rows}) > 1:
        facets["row"] = altair.Row(f"{row}:N", title=None, sort=None)
    made = chart.properties(width=260, height=200).facet(**facets)
    if path is not None:
        try:
            made.save(str(path))
        except ImportError:
            raise MissingDependency(
                "Writing charts needs vl-convert-python; install it with: pip install 'tokumei[plots]'."
            ) from None
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}.") from None
    return made
