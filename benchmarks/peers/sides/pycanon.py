"""pycanon's side: every measure by its own function."""

from __future__ import annotations


def checks(request):
    """The measures that both packages have."""
    import pandas as pd
    from pycanon import anonymity

    frame = pd.read_csv(request["data"], keep_default_na=False)
    columns, secret = request["columns"], [request["sensitive"]]

    def work():
        return {
            "k": anonymity.k_anonymity(frame, columns),
            "l, distinct": anonymity.l_diversity(frame, columns, secret),
            "l, entropy": anonymity.entropy_l_diversity(frame, columns, secret),
            "t": anonymity.t_closeness(frame, columns, secret),
            "beta": anonymity.basic_beta_likeness(frame, columns, secret),
            "delta": anonymity.delta_disclosure(frame, columns, secret),
        }

    return work, lambda found, _: {name: float(value) for name, value in found.items()}
