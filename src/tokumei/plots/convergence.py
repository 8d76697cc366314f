"""How an estimate came closer to the best there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair, chart_of, finished, ink, palette


def convergence(trace: Sequence[tuple[float, float]], tol: float | None = None, *, dark: bool = False) -> Any:
    """Draw, step by step, how far a log-likelihood could still be below the best: the proven gap, on a log scale.

    Parameters
    ----------
    trace
        The log-likelihood and its gap at each step, such as `IterativeBayes.trace_`.
    tol
        Where it was to stop.
    """
    if not all(isinstance(step, Sequence) and len(step) == 2 for step in trace):
        raise InvalidParameter("trace must hold pairs of a log-likelihood and its gap, such as IterativeBayes.trace_.")
    alt, colours = altair(), palette(dark)
    rows = [
        {"step": step, "gap": float(gap), "log-likelihood": float(value)}
        for step, (value, gap) in enumerate(trace)
        if 0 < gap < float("inf")
    ]
    if not rows:
        raise InvalidParameter("trace must hold at least one step with a gap above 0.")
    line = (
        chart_of(rows)
        .mark_line(color=colours[0], point=alt.OverlayMarkDef(color=colours[0], size=18))
        .encode(
            x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("gap:Q", title="at most this far below the best", scale=alt.Scale(type="log")),
            tooltip=[
                alt.Tooltip("step:Q"),
                alt.Tooltip("gap:Q", format=".3~g"),
                alt.Tooltip("log-likelihood:Q", format=",.2f"),
            ],
        )
    )
    layers = [line]
    if tol is not None:
        here = chart_of([{"at": float(tol), "says": f"tolerance {tol:g}"}])
        rule = here.mark_rule(color=ink(dark), strokeDash=[5, 4]).encode(y=alt.Y("at:Q"))
        label = here.mark_text(align="left", dy=-7, dx=4, color=ink(dark)).encode(
            x=alt.XValue(0), y=alt.Y("at:Q"), text=alt.Text("says:N")
        )
        layers += [rule, label]
    made = alt.layer(*layers, width=440, height=240)
    return finished(made, dark, "Convergence", f"log-likelihood {rows[-1]['log-likelihood']:,.2f} at the end")
