"""dpmm's side: as its README does it."""

from __future__ import annotations


def complete_rows(request):
    """A model of marginals measured with noise. All domains are declared, so that nothing is spent on finding them.

    It works in one process, so that all its seconds are counted.
    """
    import pandas as pd
    from dpmm.pipelines import MSTPipeline, PrivBayesPipeline

    frame = pd.read_csv(request["data"], dtype=str, keep_default_na=False).astype("category")
    domains = {name: {"categories": [str(value) for value in values]} for name, values in request["domains"].items()}
    pipeline = {"MST": MSTPipeline, "PrivBayes": PrivBayesPipeline}[request["model"]]

    def work():
        model = pipeline(epsilon=request["epsilon"], delta=request["delta"], proc_epsilon=None, n_jobs=1)
        model.fit(frame, domains, random_state=request["seed"])
        return model.generate(n_records=request["copies"] * len(frame), random_state=request["seed"])

    def told(made, folder):
        made.sample(frac=1, random_state=request["seed"]).to_csv(folder / "rows.csv", index=False)
        return {}

    return work, told
