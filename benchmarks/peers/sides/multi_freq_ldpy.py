"""multi-freq-ldpy's side: as its tutorials do it."""

from __future__ import annotations


def response(request):
    """Every person's value is changed by the client's function, and the aggregator estimates the shares."""
    import numpy as np
    import pandas as pd
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_IBU, GRR_Aggregator_MI, GRR_Client

    values, epsilon = request["values"], request["epsilon"]
    column = pd.read_csv(request["data"], keep_default_na=False)[request["column"]]
    codes = column.map({value: code for code, value in enumerate(values)}).to_numpy()
    aggregate = {"MI": GRR_Aggregator_MI, "IBU": GRR_Aggregator_IBU}[request["estimator"]]
    k = len(values)
    aggregate([GRR_Client(code, k, epsilon) for code in codes[:10]], k, epsilon)  # compiles, and is not kept on disk

    def work():
        reports = [GRR_Client(code, k, epsilon) for code in codes]
        return aggregate(reports, k, epsilon)

    def told(first, _):
        found = [first, *(work() for _ in range(request["draws"] - 1))]
        return {"estimates": [np.asarray(each).tolist() for each in found]}

    return work, told


def several(request):
    """Every person's row is changed by the client's function of a protocol, and the aggregator estimates the shares of each column."""
    import importlib

    import numpy as np
    import pandas as pd

    protocol, epsilon = request["protocol"], request["epsilon"]
    solution = {"SPL": "SPL_solution", "SMP": "SMP_solution", "RSpFD": "RSpFD_solution"}[protocol.split("_")[0]]
    module = importlib.import_module(f"multi_freq_ldpy.mdim_freq_est.{solution}")
    client, aggregate = getattr(module, f"{protocol}_Client"), getattr(module, f"{protocol}_Aggregator_MI")
    rows = pd.read_csv(request["data"]).to_numpy()
    sizes = request["sizes"]
    d = len(sizes)
    unary = protocol in {"SPL_UE", "SMP_UE"}

    def estimated(some):
        reports = [client(row, sizes, d, epsilon) for row in some]
        return aggregate(reports, d, epsilon) if unary else aggregate(reports, sizes, d, epsilon)

    estimated(np.repeat(rows[:20], 20, axis=0))  # compiles, and is not kept on disk

    def told(first, _):
        found = [first, *(estimated(rows) for _ in range(request["draws"] - 1))]
        return {"estimates": [{"one": [np.asarray(column).tolist() for column in each]} for each in found]}

    return lambda: estimated(rows), told
