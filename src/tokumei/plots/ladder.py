"""The ladder: what is promised against every kind of attacker, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, check_finite, finished, ink, palette


def ladder(
    bars: Sequence[Mapping[str, Any]],
    *,
    duties: Mapping[str, float] | None = None,
    title: str = "What is promised against whom",
    axis: str = "largest probability, or belief",
    dark: bool = False,
) -> Any:
    """Draw the rungs of a release: for each kind of attacker a bar from 0 to the largest probability, beside that of the original.

    Parameters
    ----------
    bars
        What ``tk.ladder(release, frame).bars()`` returns: ``rung``, ``when``, ``value`` between 0 and 1, ``label`` and ``how``.
    duties
        The largest value that is allowed, by the rung's name as it is shown: a line across its bars.
    title, axis
        The title, and what the axis shows.
    """
    if not bars:
        raise InvalidParameter("a ladder needs at least one rung.")
    check_finite([float(bar["value"]) for bar in bars])
    alt, colours = altair(), palette(dark)
    order = list(dict.fromkeys(str(bar["rung"]) for bar in bars))
    series = list(dict.fromkeys(str(bar["when"]) for bar in bars))
    rows = [
        {
            "rung": str(bar["rung"]),
            "when": str(bar["when"]),
            "value": float(bar["value"]),
            "told": str(bar.get("told") or (f"{bar['label']} ({bar['how']})" if bar["how"] else bar["label"])),
        }
        for bar in bars
    ]
    y = alt.Y("rung:N", sort=order, title=None, axis=alt.Axis(labelLimit=260), scale=alt.Scale(paddingInner=0.35))
    offset = alt.YOffset("when:N", sort=series)
    x = alt.X("value:Q", title=axis, scale=alt.Scale(domain=[0, 1.0]), axis=alt.Axis(format="%", tickCount=5))
    shades = [colours[1], colours[0]] if len(series) > 1 else [colours[0]]
    drawn = (
        chart_of(rows)
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=y,
            yOffset=offset,
            x=x,
            color=alt.Color(
                "when:N",
                scale=alt.Scale(domain=series, range=shades),
                title=None,
                legend=alt.Legend(orient="bottom") if len(series) > 1 else None,
            ),
            tooltip=[alt.Tooltip("rung:N"), alt.Tooltip("when:N"), alt.Tooltip("told:N")],
        )
    )
    text = (
        chart_of(rows)
        .mark_text(align="left", dx=4, color=ink(dark), fontSize=11)
        .encode(y=y, yOffset=offset, x=x, text=alt.Text("told:N"))
    )
    layers = [drawn, text]
    lines = [{"rung": name, "value": float(most)} for name, most in (duties or {}).items() if name in order]
    if lines:
        layers.append(
            chart_of(lines)
            .mark_tick(color=ink(dark), thickness=2, size=44)
            .encode(y=y, x=x, tooltip=[alt.Tooltip("value:Q")])
        )
    made = alt.layer(*layers, width=420, height=52 * len(order) if len(series) > 1 else 34 * len(order))
    return finished(made, dark, title)
