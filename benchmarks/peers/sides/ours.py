"""tokumei's side."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd


def read(request):
    return pd.read_csv(request["data"], keep_default_na=False)


def schema(request):
    """Numbers and categories; with trees where the job has them, else categories lie in a line."""
    import tokumei as tk

    attributes = []
    for name in request["columns"]:
        domain = request["domains"][name]
        tree = None
        if request.get("trees"):
            tree = tk.Hierarchy.read_csv(request["hierarchies"][name])
            leaves = [row[0] for row in tree.rows]
            if isinstance(domain, dict):
                domain = {"low": min(map(int, leaves)), "high": max(map(int, leaves))}
            else:
                domain = leaves
        if isinstance(domain, dict):
            of = tk.Numbers(domain["low"], domain["high"], step=1)
        else:
            of = tk.Categories(domain, ordered=tree is None)
        attributes.append(tk.Attribute(name, "quasi_identifier", of, tree))
    sensitive = tk.Attribute(request["sensitive"], "sensitive", tk.Categories(request["sensitive_values"]))
    return tk.Schema([*attributes, sensitive])


def partition(name):
    import tokumei as tk

    return {
        "automatic": tk.partitions.Automatic(),
        "mondrian": tk.partitions.Mondrian(),
        "gain": tk.partitions.Mondrian(choose="gain"),
        "optimal": tk.partitions.Optimal(),
    }[name]


def generalize(request):
    """Rows made alike: by groups, or by one level for each column."""
    import tokumei as tk

    frame, known = read(request), schema(request)
    constraints = []
    if "l" in request:
        constraints.append(tk.constraints.LDiversity(request["sensitive"], request["l"]))
    if "t" in request:
        constraints.append(tk.constraints.TCloseness(request["sensitive"], request["t"]))
    method = tk.Generalization(
        k=request["k"],
        partition=partition(request["partition"]),
        suppression_limit=request.get("suppressed", 0.0),
        constraints=constraints,
    )

    def told(release, folder):
        release.frame.to_csv(folder / "released.csv", index=False)
        return {}

    return lambda: tk.anonymize(frame, known, method), told


def checks(request):
    """How alike the rows of a table are, by every measure."""
    import pyarrow as pa

    import tokumei as tk
    from tokumei.privacy.recount import worst_class
    from tokumei.table.coded import encode

    frame = read(request)
    columns, secret = request["columns"], request["sensitive"]
    known = schema(request)

    def work():
        found = tk.check(frame, columns, secret, largest=1)
        coded = encode(pa.Table.from_pandas(frame[[*columns, secret]], preserve_index=False), known)
        of = found.sensitive[secret]
        return {
            "k": found.k,
            "l, distinct": of.distinct,
            "l, entropy": of.entropy,
            "t": of.t,
            "beta": worst_class(coded, columns, tk.constraints.BetaLikeness(secret, 1)),
            "delta": worst_class(coded, columns, tk.constraints.DeltaDisclosure(secret, 1)),
        }

    return work, lambda found, _: {name: None if math.isinf(value) else value for name, value in found.items()}


def response(request):
    """Randomized response of one column, and the shares of its values estimated from what was released."""
    import tokumei as tk

    values, column = request["values"], request["column"]
    frame = read(request)[[column]]
    odds = math.exp(request["epsilon"])
    keep = (odds - 1) / (odds + len(values) - 1)
    known = tk.Schema([tk.Attribute(column, "quasi_identifier", tk.Categories(values))])
    method = tk.PRAM({column: tk.transitions.KeepOrReplace(keep)})

    def work():
        release = tk.anonymize(frame, known, method)
        return tk.IterativeBayes([column]).fit(release).pmf_

    def told(first, _):
        found = [first, *(work() for _ in range(request["draws"] - 1))]
        return {"estimates": [np.asarray(each).tolist() for each in found]}

    return work, told


def several(request):
    """Rows that tell one thing each, with the epsilon asked for, and the tables of one column and of two that a model of them gives."""
    import itertools

    import tokumei as tk

    frame, columns = pd.read_csv(request["data"]), request["columns"]
    domains = [tk.Categories(range(size)) for size in request["sizes"]]
    known = tk.Schema([tk.Attribute(name, domain=of) for name, of in zip(columns, domains, strict=True)])
    k = 1 + (len(frame) - 1) * math.exp(-2 * request["epsilon"])  # the k whose noise has this epsilon
    method = tk.PkPerturbation(k=k, tells=request["tells"])

    def work():
        release = tk.anonymize(frame, known, method)
        model = tk.reconstruct(release)
        stated = next(each.value for each in release.guarantees if each.notion == "local differential privacy")
        assert stated <= request["epsilon"] * (1 + 1e-6)
        return [
            [model.table(list(each)).pmf_ for each in itertools.combinations(columns, together)] for together in (1, 2)
        ]

    def told(first, _):
        found = [first, *(work() for _ in range(request["draws"] - 1))]
        return {
            "estimates": [
                {
                    name: [np.asarray(of).tolist() for of in part]
                    for name, part in zip(("one", "two"), each, strict=True)
                }
                for each in found
            ]
        }

    return work, told


def learn(request):
    """A model of rows made alike, asked about raw rows: by the encoder that suits it."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    import tokumei as tk

    release = tk.read_release(request["release"])
    test = read(request)
    columns, target = request["columns"], request["sensitive"]
    frame = release.frame

    def work():
        model = LogisticRegression(max_iter=1000)
        model = make_pipeline(tk.encoders.encoder_for(model, release), model).fit(frame[columns], frame[target])
        return model.predict_proba(test[columns])[:, list(model.classes_).index(request["positive"])]

    return work, lambda found, _: {"scores": found.tolist()}


def reconstruct(request):
    """A model of perturbed rows, asked about raw rows: the noise taken out."""
    import tokumei as tk

    release = tk.read_release(request["release"])
    test = read(request)

    def work():
        model = tk.reconstruct(release, request["sensitive"])
        return model.predict_proba(test)[:, list(model.classes_).index(request["positive"])]

    return work, lambda found, _: {"scores": np.asarray(found).tolist()}


def groups(request):
    """Points into groups of at least k."""
    import tokumei as tk
    from tokumei.partition.microaggregation.points import Points

    points = Points(np.load(request["points"]), request["k"])
    chosen = {
        "farthest first": tk.partitions.FarthestFirst(),
        "local search": tk.partitions.LocalSearch(),
        "MDAV": tk.partitions.MDAV(),
    }
    way = chosen[request["partition"]]
    return lambda: way.group(points), lambda labels, _: {"labels": labels.tolist()}


def complete_rows(request):
    """A release by the method asked for, and rows completed by a model of it, or as they were released."""
    import tokumei as tk

    ordered, groups = set(request["ordered"]), request["groups"]
    kinds = {name: int if name in ordered else str for name in request["domains"]}
    frame = pd.read_csv(request["data"], dtype=kinds, keep_default_na=False)
    attributes = []
    for name, values in request["domains"].items():
        tree = tk.Hierarchy.groups(groups[name]) if name in groups else None
        role = "sensitive" if name == request["sensitive"] else "quasi_identifier"
        attributes.append(tk.Attribute(name, role, tk.Categories(values, ordered=name in ordered), tree))
    known = tk.Schema(attributes)
    method = getattr(tk, request["method"])(**request["settings"])

    def work():
        release = tk.anonymize(frame, known, method, seed=request["seed"])
        if request["copies"] == 0:
            return release, release.frame[list(kinds)]
        try:
            model = tk.reconstruct(release, random_state=request["seed"])
        except tk.errors.InvalidParameter as problem:
            raise NotImplementedError("tk.reconstruct does not take such a release yet") from problem
        copies = model.impute(request["copies"], random_state=request["seed"])
        return release, pd.concat(copies)[list(kinds)]

    def told(found, folder):
        release, made = found
        made.to_csv(folder / "rows.csv", index=False)
        stated = [each.value for each in release.guarantees if each.notion == "local differential privacy"]
        return {"epsilon": stated[0] if stated else None}

    return work, told
