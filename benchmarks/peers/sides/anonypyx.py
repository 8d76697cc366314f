"""anonypyx's side: Mondrian, as its README does it."""

from __future__ import annotations


def generalize(request):
    """Columns that are not numbers are categories; the result is in the form that people read."""
    import anonypyx
    import pandas as pd

    frame = pd.read_csv(request["data"], keep_default_na=False)
    for name in [*request["columns"], request["sensitive"]]:
        if frame[name].dtype == object:
            frame[name] = frame[name].astype("category")
    more = {name: request[name] for name in ("l", "t") if name in request}

    def work():
        anonymiser = anonypyx.Anonymiser(
            frame,
            k=request["k"],
            algorithm="Mondrian",
            feature_columns=request["columns"],
            sensitive_column=request["sensitive"],
            generalisation_strategy="human-readable",
            **more,
        )
        return anonymiser.anonymise()

    def told(made, folder):
        pd.DataFrame(made).to_csv(folder / "released.csv", index=False)
        return {}

    return work, told
