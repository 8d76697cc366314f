"""Invented people whose values can be recognised anywhere, and every method on them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

import tokumei as tk

ROWS = 240
LOWEST, HIGHEST = 717177, 983383
CANARIES = ("CANARY", str(LOWEST), str(HIGHEST), f"{LOWEST:,}", f"{HIGHEST:,}")


def people() -> pa.Table:
    pay = [LOWEST + (i * 1597) % (HIGHEST - LOWEST) for i in range(ROWS)]
    pay[:2] = [LOWEST, HIGHEST]
    return pa.table(
        {
            "name": [f"CANARY name {i}" for i in range(ROWS)],
            "age": [20 + (7 * i) % 41 for i in range(ROWS)],
            "sex": ["Female" if i % 3 else "Male" for i in range(ROWS)],
            "town": [f"CANARY town {'' if i else 'alone'}{i % 6}" for i in range(ROWS)],
            "pay": pay,
            "ill": [f"CANARY illness {i % 4}" for i in range(ROWS)],
            "code": [f"CANARY code {i}" for i in range(ROWS)],
        }
    )


def schema() -> tk.Schema:
    """Age and sex are declared; town, pay and illness were read off the data."""
    rows = people().to_pydict()
    return tk.Schema(
        (
            tk.Attribute("name", "identifier"),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1)),
            tk.Attribute("sex", "quasi_identifier", tk.Categories(("Female", "Male"))),
            tk.Attribute("town", "quasi_identifier", tk.Categories(tuple(sorted(set(rows["town"])))), observed=True),
            tk.Attribute("pay", "insensitive", tk.Numbers(LOWEST, HIGHEST, step=1), observed=True),
            tk.Attribute("ill", "sensitive", tk.Categories(tuple(sorted(set(rows["ill"])))), observed=True),
            tk.Attribute("code", "insensitive"),
        )
    )


def declared() -> tuple[pa.Table, tk.Schema]:
    """The same people with few columns, all declared: for PRAM, whose every quasi-identifier needs categories."""
    return people().select(["sex", "ill"]), tk.Schema(
        (
            tk.Attribute("sex", "quasi_identifier", tk.Categories(("Female", "Male"))),
            tk.Attribute(
                "ill", "sensitive", tk.Categories(tuple(f"CANARY illness {i}" for i in range(4))), observed=True
            ),
        )
    )


METHODS: dict[str, Any] = {
    "pk": tk.PkPerturbation(k=5, tells="all"),
    "pk known": tk.PkPerturbation(k=2, kept="perturb", sample=0.5, tells="all"),
    "pk, one told": tk.PkPerturbation(k=5, tells=1),
    "pk, told coarser": tk.PkPerturbation(k=5, tells=[tk.tells.Subsets(2, cells=3), tk.tells.Subsets(("town",))]),
    "grouped": tk.GroupedPkPerturbation(k=5),
    "grouped, one told": tk.GroupedPkPerturbation(k=2, tells=1),
    "pram": tk.PRAM({"sex": [[0.7, 0.3], [0.3, 0.7]]}),
    "pram invariant": tk.PRAM({"sex": tk.transitions.Invariant(0.5)}, kept="known"),
    "sampling": tk.Sampling(60, known=20),
    "generalization": tk.Generalization(
        k=5, constraints=(tk.constraints.LDiversity("ill", 2), tk.constraints.TCloseness("ill", 0.9))
    ),
    "levels": tk.Generalization(k=2, partition=tk.partitions.Optimal(), suppression_limit=1.0),
    "rates": tk.Generalization(k=5, publish=(tk.rates.ValueRates(["sex"], epsilon=1), tk.rates.ValueRates(["town"]))),
    "records": tk.RecordSuppression(k=2, suppression_limit=1.0),
    "cells": tk.LocalSuppression(k=3),
    "cells, wildcards": tk.LocalSuppression(k=3, meaning="wildcard"),
    "microaggregation": tk.Microaggregation(k=4),
    "swapping": tk.Swapping(k=4),
    "intervals": tk.Microaggregation(k=4, cells="interval"),
    "people": tk.Generalization(k=3),
    "people, noise": tk.PkPerturbation(k=3, kept="known", tells="all"),
}


def case(name: str) -> tuple[pa.Table, tk.Schema, Any]:
    """Return rows, schema and method."""
    method = METHODS[name]
    if name.startswith("pram"):
        return *declared(), method
    rows, columns = people(), schema()
    if name.startswith("people"):  # who have two rows each, or three
        rows = rows.set_column(0, "name", pa.array([f"CANARY name {i % 100}" for i in range(ROWS)]))
        rows, columns = rows.drop_columns(["pay", "code"]), columns.without("pay", "code")
        return rows, columns.replacing(tk.Attribute("name", "person")), method
    if name == "pk known":  # which perturbs every column, so each needs a domain
        return rows.drop_columns(["code"]), columns.without("code"), method
    if name in {"grouped", "records"}:  # towns make every row rare, and reconstructing pay in groups takes long
        gone = "town" if name == "records" else "pay"
        return rows.drop_columns([gone]), columns.without(gone), method
    return rows, columns, method
