"""anjana's side: one level for each column, as its README does it."""

from __future__ import annotations


def generalize(request):
    """Hierarchies come as frames read from the same files; rows that are suppressed are missing from the result."""
    import pandas as pd
    from anjana.anonymity import k_anonymity, l_diversity, t_closeness

    frame = pd.read_csv(request["data"], keep_default_na=False)
    trees = {
        name: dict(pd.read_csv(path, header=None, sep=";", keep_default_na=False))
        for name, path in request["hierarchies"].items()
    }
    columns, secret, k = request["columns"], request["sensitive"], request["k"]
    limit = 100 * request["suppressed"]

    def work():
        if "t" in request:
            return t_closeness(frame, [], columns, secret, k, request["t"], limit, trees)
        if "l" in request:
            return l_diversity(frame, [], columns, secret, k, request["l"], limit, trees)
        return k_anonymity(frame, [], columns, k, limit, trees)

    def told(made, folder):
        if len(made):
            made[[*columns, secret]].to_csv(folder / "released.csv", index=False)
        return {"rows": len(made)}

    return work, told
