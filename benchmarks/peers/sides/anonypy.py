"""anonypy's side: Mondrian, as its README does it."""

from __future__ import annotations


def generalize(request):
    """Columns that are not numbers are categories; the result has a row for each class and sensitive value, with a count."""
    import anonypy
    import pandas as pd

    frame = pd.read_csv(request["data"], keep_default_na=False)
    for name in [*request["columns"], request["sensitive"]]:
        if frame[name].dtype == object:
            frame[name] = frame[name].astype("category")

    def work():
        preserver = anonypy.Preserver(frame, request["columns"], request["sensitive"])
        if "t" in request:
            rows = preserver.anonymize_t_closeness(k=request["k"], p=request["t"])
        elif "l" in request:
            rows = preserver.anonymize_l_diversity(k=request["k"], l=request["l"])
        else:
            rows = preserver.anonymize_k_anonymity(k=request["k"])
        return pd.DataFrame(rows)

    def told(made, folder):
        for name in request["columns"]:
            made[name] = [cell[0] for cell in made[name]]  # each cell is a list of one text
        made.to_csv(folder / "released.csv", index=False)
        return {}

    return work, told
