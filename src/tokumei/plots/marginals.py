"""A column before and after, mirrored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, check_finite, finished, ink, palette, paper


def marginals(
    labels: Sequence[str],
    original: Sequence[float],
    released: Sequence[float],
    reconstructed: Sequence[float] | None = None,
    *,
    name: str = "",
    dark: bool = False,
) -> Any:
    """Draw the shares of a column's values: the original to the left, the release to the right.

    Parameters
    ----------
    labels
        The values, or intervals, in order.
    original, released
        Their shares.
    reconstructed
        The shares after reconstruction, drawn as diamonds to the right.
    name
        What the column is called.
    """
    lengths = {len(labels), len(original), len(released), len(reconstructed if reconstructed is not None else labels)}
    if len(lengths) > 1 or not len(labels):
        raise InvalidParameter("labels and shares must have the same length, and at least one entry.")
    if len(set(labels)) < len(labels):
        raise InvalidParameter("each label must occur once.")
    check_finite(original, released, () if reconstructed is None else reconstructed)
    alt, colours = altair(), palette(dark)
    rows: list[dict[str, Any]] = []
    for which, shares, sign in (("original", original, -1), ("released", released, 1)):
        rows += [
            {"value": str(label), "which": which, "share": float(share), "drawn": sign * float(share)}
            for label, share in zip(labels, shares, strict=True)
        ]
    rebuilt = [
        {"value": str(label), "which": "reconstructed", "share": float(share), "drawn": float(share)}
        for label, share in zip(
            labels, [] if reconstructed is None else reconstructed, strict=reconstructed is not None
        )
    ]
    series = ["original", "released", *(["reconstructed"] if rebuilt else [])]
    scale = alt.Scale(domain=series, range=list(colours[: len(series)]))
    y = alt.Y("value:N", sort=[str(label) for label in labels], title=name or None)
    top = max(row["share"] for row in [*rows, *rebuilt]) * 1.05 or 1.0
    axis = alt.Axis(labelExpr="format(abs(datum.value), '.0%')")
    x = alt.X("drawn:Q", title="share of rows", axis=axis, scale=alt.Scale(domain=[-top, top], nice=False))
    color = alt.Color("which:N", scale=scale, title=None, legend=alt.Legend(orient="top"))
    tooltip = [alt.Tooltip("value:N"), alt.Tooltip("which:N"), alt.Tooltip("share:Q", format=".2%")]
    layers = [chart_of(rows).mark_bar(opacity=1).encode(y=y, x=x, color=color, tooltip=tooltip)]
    if rebuilt:
        marks = chart_of(rebuilt).mark_point(
            shape="diamond", size=80, filled=True, opacity=1, stroke=paper(dark), strokeWidth=1.5
        )
        layers.append(marks.encode(y=y, x=x, color=color, tooltip=tooltip))
    middle = chart_of([{"at": 0}]).mark_rule(color=ink(dark)).encode(x=alt.X("at:Q"))
    made = alt.layer(*layers, middle, width=420, height=18 * len(labels))
    return finished(made, dark, f"{name}: original and release" if name else "Original and release")
