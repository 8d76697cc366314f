"""multi-freq-ldpy's side: generalized randomized response, as its tutorials do it."""

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
