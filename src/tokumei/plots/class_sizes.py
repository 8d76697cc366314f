"""How many rows hide in classes of which size, and where k lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, finished, ink, palette


def class_sizes(sizes: Any, k: float | None = None, *, dark: bool = False) -> Any:
    """Draw the share of rows in classes of each size, those below k in another colour and left of a line.

    Parameters
    ----------
    sizes
        The size of each class, in any order.
    k
        The size that was asked for.
    """
    each = np.asarray(sizes, dtype=np.int64).reshape(-1)
    if not len(each) or each.min() < 1:
        raise InvalidParameter("sizes must hold the size of each equivalence class, whole numbers of at least 1.")
    alt, colours = altair(), palette(dark)
    edges = edges_of(int(each.max()), k)
    rows_in, _ = np.histogram(each, [*edges, np.inf], weights=each)
    share = rows_in / each.sum()
    names = [_name(low, high) for low, high in zip(edges, [*edges[1:], None], strict=True)]
    rows = [
        {
            "from": place + 0.06,
            "to": place + 0.94,
            "size": name,
            "share": float(part),
            "which": "below k" if k is not None and low < k else "k or more",
        }
        for place, (low, name, part) in enumerate(zip(edges, names, share, strict=True))
    ]
    written = "[" + ",".join(f"'{name}'" for name in names) + "][floor(datum.value)]"
    axis = alt.Axis(values=[place + 0.5 for place in range(len(names))], labelExpr=written, grid=False, ticks=False)
    x = alt.X(
        "from:Q", title="rows in an equivalence class", axis=axis, scale=alt.Scale(domain=[0, len(names)], nice=False)
    )
    scale = alt.Scale(domain=["below k", "k or more"], range=[colours[1], colours[0]])
    color = alt.Color("which:N", scale=scale, title=None) if k is not None else alt.ColorValue(colours[0])
    bars = (
        chart_of(rows)
        .mark_rect()
        .encode(
            x=x,
            x2=alt.X2("to:Q"),
            y=alt.Y("share:Q", title="share of rows", axis=alt.Axis(format="%"), scale=alt.Scale(domainMin=0)),
            y2=alt.Y2Datum(0),
            color=color,
            tooltip=[alt.Tooltip("size:N"), alt.Tooltip("share:Q", format=".2%")],
        )
    )
    layers = [bars]
    if k is not None:
        at = next((place for place, low in enumerate(edges) if low >= k), len(edges))
        here = chart_of([{"at": at, "says": f"k = {k:g}"}])
        dash = here.mark_rule(strokeDash=[5, 4], color=ink(dark), strokeWidth=1.5).encode(x=alt.X("at:Q"))
        label = here.mark_text(color=ink(dark)).encode(x=alt.X("at:Q"), y=alt.YValue(-8), text=alt.Text("says:N"))
        layers += [dash, label]
    made = alt.layer(*layers, width=max(300, 46 * len(names)), height=220)
    return finished(made, dark, "How many rows a person hides among")


def edges_of(largest: int, k: float | None) -> list[int]:
    """Return where the bars begin: 1, 2, 3, 5, 10, 20, 50, …, and k."""
    edges = {1, 2, 3}
    step = 5
    while step <= largest:
        edges |= {step, 2 * step, 4 * step}
        step *= 10
    if k is not None:
        edges.add(int(np.ceil(k)))
    top = max(largest, int(np.ceil(k or 1)))
    return sorted(edge for edge in edges if edge <= top)


def _name(low: int, high: int | None) -> str:
    if high is None:
        return f"{low:,} or more"
    return f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}"
