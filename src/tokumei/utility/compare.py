"""Several methods on the same table: what each costs for the same risk."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pydantic

from tokumei.anonymizers import AnyMethod
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.anonymizers.auto_tells import Auto
from tokumei.anonymizers.tells import Subsets
from tokumei.compiling import compiling
from tokumei.diagnostics import warn
from tokumei.engines.local import anonymize
from tokumei.errors import InvalidParameter, NotMeasuredWarning
from tokumei.parallel import one_blas_thread
from tokumei.plain_values import plain_value
from tokumei.plots.rung_axis import how_known
from tokumei.prepare.step import Step
from tokumei.privacy.rungs import RUNGS, Rung
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.release.artifact import Release
from tokumei.table.frames import Origin, from_arrow, to_arrow
from tokumei.table.loss import every_loss
from tokumei.table.schema import DROPPED, Schema, require_schema
from tokumei.utility.careful import carefully
from tokumei.utility.measures import utility_of
from tokumei.utility.pairing import BINS, pairing
from tokumei.utility.results import Side, Utility
from tokumei.utility.tables import ReconstructedTables
from tokumei.values import sentence
from tokumei.words import Statement

DEFAULT_METHODS = (
    "pk_perturbation",
    "grouped_pk_perturbation",
    "generalization",
    "microaggregation",
    "local_suppression",
)
DEFAULT_K = (2, 5, 10, 50)
CELLS = 15_000  # that methods are compared on, where nobody says otherwise
FEWEST = 1_000  # rows, however many columns
CLASSES = 6  # of a model of the whole table that is fitted once, to rank methods by
TELLS = "tells="  # after a method's name: what each row tells
LINKING = (
    "Pk-anonymity",
    "k-anonymity",
    "sampling anonymity",
    "probabilistic k-anonymity",
)  # promises whose value is a k

COLUMNS: Mapping[str, pa.DataType] = {
    "method": pa.string(),
    "k": pa.float64(),
    "side": pa.string(),
    "kept_k": pa.float64(),
    "risk": pa.float64(),
    "rungs": pa.float64(),  # in its place a number for each rung of the ladder, and how it is known
    "rows": pa.int64(),
    "losses": pa.float64(),  # in its place a column for each loss
    "marginals": pa.float64(),
    "pairs": pa.float64(),
    "associations": pa.float64(),
    "told_apart": pa.float64(),
    "score": pa.float64(),
    "score_original": pa.float64(),
    "seconds": pa.float64(),
    "note": pa.string(),
}

Methods = Sequence[str | Anonymizer] | Mapping[str, str | Anonymizer]


@stage("Comparing methods")
@one_blas_thread()
def compare(
    frame: Any,
    schema: Schema,
    methods: Methods = DEFAULT_METHODS,
    ks: Sequence[float] = DEFAULT_K,
    prepare: Sequence[Step] = (),
    columns: Sequence[str] | None = None,
    target: str | None = None,
    n_bins: int = BINS,
    reconstruct: bool = True,
    random_state: int | None = 0,
    sample: int | None = None,
) -> Any:
    """Make a release by each method for each k, measure it, and throw it away.

    Parameters
    ----------
    frame, schema, prepare
        The table, as it would be given to `anonymize`.
    methods
        Names such as ``"pk_perturbation"``, ``"generalization:mondrian"`` or ``"microaggregation:mdav"`` (after the colon
        the partition), ``"pk_perturbation:tells=2"`` (each row tells two columns), or methods whose k is replaced; a mapping gives them other names.
    ks
        The guarantees to compare.
    columns, target, n_bins, reconstruct
        As for `measure_utility`.
    random_state
        Makes the draws and the sample repeatable. Nothing is released.
    sample
        On how many rows methods are compared, drawn at random; all of them if it is as large as the table, and then a release is
        reconstructed as `tokumei.reconstruct` does it. By default as many as take about a second for each release, reconstructed by a single
        fit: enough to see which method suits, at k that is then large for so few rows. It warns where that is not all rows.

    Returns
    -------
    frame
        One row for each method, k and side (``"released"``, ``"reconstructed"``), of the kind that was given, with

        - ``kept_k`` and ``risk``: the k that the release has, and 1/k. For methods that form equivalence classes it is counted on
          the released rows, for Pk-anonymity it is proven from the mechanism; both bound the probability of a right link,
          against the attackers that each guarantee names,
        - ``linking``, ``whole_table``, ``inference``, ``differencing``, ``membership``: the number of each rung of the ladder
          (`tokumei.ladder`), the same attacker for every method, and ``linking_how``, …: ``"proved"``, ``"counted"`` or
          ``"nothing"``. `tokumei.plots.frontier` draws any of them,
        - ``rows``: how many were released,
        - ``loss``, ``ncp`` and every other registered loss: of a quasi-identifying cell, where cells are values or labels,
        - ``marginals``, ``pairs``, ``associations``: the mean distance from the original,
        - ``told_apart``: the pMSE as a share of the worst,
        - ``score``, ``score_original``: of a model that predicts the target,
        - ``seconds``: the CPU time of making the release, without measuring it and without compiling loops, which only a first run does,
        - ``note``: why something is missing.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=500, frame="pyarrow")
    >>> found = tk.compare(people, tk.example_schema(), ["local_suppression"], ks=[2, 5], columns=["age", "sex"])
    >>> found.column("risk").to_pylist()
    [0.5, 0.5, 0.2, 0.2]
    """
    require_schema(schema)
    asked = _asked(methods, ks)
    arrow, origin = to_arrow(frame)
    arrow = _some(arrow, schema, sample, random_state)
    rows: list[dict[str, Any]] = []
    with stage("Comparing", total=len(asked)) as shown:
        for title, size, method in asked:
            shown.say(f"{title}, k = {size:g}")
            notes: list[Statement] = []
            with compiling() as compiled:
                start = time.process_time()
                release = carefully(title, partial(anonymize, arrow, schema, method, prepare, random_state), notes)
                seconds = max(0.0, time.process_time() - start - compiled.seconds)
            known: dict[str, Any] = {"method": title, "k": size, "seconds": seconds}
            if release is None:
                rows.append({**known, "side": "released", "note": " ".join(map(str, notes))})
            else:
                known |= {"rows": release.rows, **_risk(release)}
                both = pairing(arrow, release, schema, prepare, columns, n_bins)
                rebuilding = rebuilt(release, quickly=sample is None) if reconstruct else None
                found = utility_of(both, rebuilding, target)
                rows += [{**known, **each} for each in _measured(found, notes)]
            shown.advance()
    made = {name: pa.array([row.get(name) for row in rows], kind) for name, kind in columns_found().items()}
    return from_arrow(pa.table(made), Origin(origin.kind))


def rebuilt(release: Release, *, quickly: bool) -> ReconstructedTables:
    """Return the tables of a release after reconstruction: by all fits, or by a single one of few classes."""
    if not quickly:
        return ReconstructedTables(release)
    boxed = release.mechanism.recoding is not None or release.mechanism.grouping is not None
    return ReconstructedTables(release, n_init=1, n_components=CLASSES if boxed else None)


def _some(table: pa.Table, schema: Schema, wanted: int | None, random_state: int | None) -> pa.Table:
    """Draw the rows that methods are compared on."""
    wanted = plain_value(wanted)
    if wanted is not None and (isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1):
        raise InvalidParameter("sample must be at least 1. Got {sample}.", sample=wanted)
    columns = max(1, sum(each.role not in DROPPED for each in schema))
    rows = max(FEWEST, CELLS // columns) if wanted is None else wanted
    if rows >= table.num_rows:
        return table
    if wanted is None:
        warn(
            "Compared on {rows:,} of {all:,} rows, drawn at random, which takes seconds; sample={all} compares on all of them. On all rows, methods usually lose less.",
            NotMeasuredWarning,
            rows=rows,
            all=table.num_rows,
        )
    return table.take(np.sort(generator(random_state).permutation(table.num_rows)[:rows]))


def columns_found() -> dict[str, pa.DataType]:
    """Return the columns of a comparison."""
    found: dict[str, pa.DataType] = {}
    for name, kind in COLUMNS.items():
        if name == "rungs":
            found |= {column: each for rung in RUNGS for column, each in ((rung, kind), (how_known(rung), pa.string()))}
        else:
            found |= dict.fromkeys(every_loss(), kind) if name == "losses" else {name: kind}
    return found


def rung_numbers(release: Release) -> dict[str, float | str | None]:
    """Return the number of each rung of a release and how it is known, by the columns of a comparison.

    Where nothing is promised the number is 1 for a probability, and missing for epsilon.

    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=500), tk.example_schema(), tk.LocalSuppression(k=5))
    >>> found = rung_numbers(release)
    >>> found["linking"], found["linking_how"], found["differencing"], found["differencing_how"]
    (0.2, 'counted', None, 'nothing')
    """
    return {name: each for rung in release.rungs for name, each in rung_columns(rung).items()}


def rung_columns(rung: Rung) -> dict[str, float | str | None]:
    """Return the number of a rung and how it is known, by the columns of a comparison."""
    return {rung.name: rung.value, how_known(rung.name): rung.how}


def linking_k(release: Release) -> float | None:
    """Return the k of the first promise about linking: counted on the rows, or proven; ``None`` where there is none."""
    return next((each.value for each in release.guarantees if each.notion in LINKING), None)


def _risk(release: Release) -> dict[str, Any]:
    found = linking_k(release)
    return {"kept_k": found, "risk": None if found is None else 1 / found, **rung_numbers(release)}


def _measured(found: Utility, notes: Sequence[Statement]) -> list[dict[str, Any]]:
    """Return one row for each view of a release, or one that says why there is none."""
    note = " ".join(map(str, [*notes, *found.notes]))
    rows = [_row(found, name, side, note) for name, side in found.sides().items()]
    return rows or [{"side": "released", "note": note}]


def _row(found: Utility, name: str, side: Side, note: str) -> dict[str, Any]:
    score, told = side.prediction, side.propensity
    return {
        "side": name,
        **(found.losses if name == "released" else {}),
        "marginals": side.marginal_distance,
        "pairs": side.pair_distance,
        "associations": found.association_distance(side),
        "told_apart": None if told is None else told.share,
        "score": None if score is None else score.score,
        "score_original": None if score is None else score.learned_from_original,
        "note": note,
    }


def _asked(methods: Methods, ks: Sequence[float]) -> list[tuple[str, float, Anonymizer]]:
    """Return every method with every k, each under its name."""
    ks = plain_value(ks)
    sizes = [ks] if isinstance(ks, int | float) else list(ks)
    given = methods.items() if isinstance(methods, Mapping) else [(_title(each), each) for each in _listed(methods)]
    if not sizes or not given:
        raise InvalidParameter("compare needs at least one method and one k.")
    titles = [title for title, _ in given]
    if len(set(titles)) < len(titles):
        raise InvalidParameter("two methods have the same name; give a mapping with a name for each.")
    return [(title, float(size), _method(each, size)) for title, each in given for size in sizes]


def _listed(methods: Any) -> list[str | Anonymizer]:
    return [methods] if isinstance(methods, str | Anonymizer) else list(methods)


def _title(method: str | Anonymizer) -> str:
    if isinstance(method, str):
        return method
    kind = getattr(getattr(method, "partition", None), "kind", "")
    tells = getattr(method, "tells", "auto")
    if tells != "auto":
        kind = f"{TELLS}{'+'.join(map(_told, tells if isinstance(tells, tuple) else [tells]))}"
    return f"{getattr(method, 'method', 'method')}:{kind}".rstrip(":")


def _told(part: Any) -> str:
    """Write in short what a part of the rows tells."""
    if isinstance(part, Auto):
        return part.purpose if part.target is None else part.target
    columns = part.columns if isinstance(part, Subsets) else part
    return "&".join(columns) if isinstance(columns, tuple) else str(columns)


def _method(given: str | Anonymizer, k: float) -> Anonymizer:
    """Return a method with its k; those that need a whole number say so where it is none."""
    size = int(k) if float(k).is_integer() else k
    if isinstance(given, Anonymizer):
        if not hasattr(given, "k"):
            raise InvalidParameter("{kind} has no k, so it cannot be compared by k.", kind=type(given).__name__)
        changed: Any = given
        made: Anonymizer = replace(changed, k=size)
        return made
    name, _, more = given.partition(":")
    content: dict[str, Any] = {"method": name, "k": size}
    if more.startswith(TELLS):
        told = more.removeprefix(TELLS)
        content["tells"] = int(told) if told.isdecimal() else told
    elif more:
        content["partition"] = {"kind": more}
    try:
        found: Anonymizer = pydantic.TypeAdapter(AnyMethod).validate_python(content)
    except pydantic.ValidationError as error:
        raise InvalidParameter(
            "the method {given!r} cannot be used: {problem}", given=given, problem=sentence(error, AnyMethod)
        ) from None
    return found
