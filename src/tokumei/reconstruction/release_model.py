"""One model of the original table, fitted to a release: any table, complete rows, and predictions from them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tokumei.arrays import Codes, Floats, Integers
from tokumei.diagnostics import warn
from tokumei.errors import AssumptionWarning, DataError, InvalidParameter
from tokumei.parallel import one_blas_thread
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._belief import believed
from tokumei.reconstruction._choosing import chosen
from tokumei.reconstruction._columns import check_release
from tokumei.reconstruction._counted import counted_rows
from tokumei.reconstruction._expected import expected_tables, impute
from tokumei.reconstruction._inference import About
from tokumei.reconstruction._intervals import Intervals
from tokumei.reconstruction._joint import check_cells, places_of
from tokumei.reconstruction._labelled import LabelledTable
from tokumei.reconstruction._mixture import STEPS, Mixture, Observed, marginals
from tokumei.reconstruction._mixture_size import best_size, fitted_apart, fitted_together
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction._predicting import ENOUGH, drawn_for, predictor, values_apart
from tokumei.reconstruction._routes import by_channels
from tokumei.reconstruction._some_rows import sampled, settled
from tokumei.reconstruction._told import never_together
from tokumei.reconstruction.honest import MeanInterval, mean_interval, share_intervals
from tokumei.reconstruction.imputed import Drawn
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.frames import from_arrow, to_arrow
from tokumei.table.hierarchy import Edge
from tokumei.text import nearest

Bins = Mapping[str, int | Sequence[Edge]]

DRAWN = 2**14  # released rows for which several true ones are drawn at a time
NEAR = 0.01  # fits whose tables are no further apart agree


class ReleaseModel(BaseEstimator):  # type: ignore[misc]
    """A model of the original rows, fitted to a release through its public mechanism.

    The original is taken as a mixture of classes within which columns are independent, which the released rows determine
    through the channel that made them. Several fits from different starts are averaged; the number of classes is chosen by the
    likelihood of released rows that were held out. Where rows tell some columns each, and one class was released unchanged, as many
    fits have the other columns for each of its values. Where groups of rows have boxes (generalized rows, and noise in groups), the
    model knows that a box is the smallest around its rows; of boxes that overlap, that rows are rather in the narrower ones; and it is believed
    the less the larger the groups. Columns released unchanged or averaged are taken as they are. Cells that were suppressed one by one are spread
    evenly over what they may stand for, whatever a model says, and none is fitted.

    Parameters
    ----------
    weights
        A column of survey weights, released unchanged: shares are then of the people whom the rows stand for.
    n_components
        How many classes a fit has; without it this is chosen.
    n_init
        How many fits are averaged.
    random_state
        For the starts of the fits, and for the rows that predictions are learned from.
    backend
        Where mixtures are fitted: ``"numpy"``, or on a GPU ``"torch"`` or ``"cupy"``, all starts at once, with the same numbers up
        to rounding.
    max_iter
        How many steps a fit takes at most, and where groups of rows have boxes no more than 60. Fewer take less time, and usually tell less.

    Attributes
    ----------
    columns_
        The columns that the model has.
    n_components_
        How many classes a fit has; 0 where rows are taken as they are, and 1 where suppressed cells are spread evenly.
    log_likelihood_
        The log-likelihood of the released rows, averaged over the fits; 0 where none is needed.
    spread_
        How far fits from different starts are apart: the mean total variation distance between a fit's tables of two columns
        and those of all fits.
    boxed_
        Whether rows were put into boxes of several values, which are taken as the smallest around their rows.
    believed_
        The power that what the model says of cells in boxes is raised to; 1 where it is believed altogether.
    even_
        Whether what is hidden is spread evenly over the values it may stand for, so that any model gives the same tables and rows.
    hides_
        Whether some cells stand for several values.
    suppressed_
        Whether cells were suppressed one by one.
    determined_
        Whether that is little, or less than how far columns are from independent by all fits, and the model agrees with what single columns
        say of groups with noise. Otherwise the noise leaves open how columns go together.

    Examples
    --------
    >>> import tokumei as tk
    >>> rows = tk.example_census(rows=5000)
    >>> release = tk.anonymize(rows, tk.example_schema(), tk.PkPerturbation(k=5, tells=2), seed=1)
    >>> model = tk.reconstruct(release)
    >>> model.table(["sex", "income"]).pmf_.shape
    (2, 4)
    >>> model.impute(random_state=1).shape == (5000, 8)
    True
    """

    def __init__(
        self,
        weights: str | None = None,
        n_components: int | None = None,
        n_init: int = 6,
        random_state: int | np.random.Generator | None = 0,
        backend: str = "numpy",
        max_iter: int = STEPS,
    ) -> None:
        self.weights = weights
        self.n_components = n_components
        self.n_init = n_init
        self.random_state = random_state
        self.backend = backend
        self.max_iter = max_iter

    @stage("Fitting")
    def fit(self, release: Release, y: None = None, counts: Any = None) -> ReleaseModel:
        """Fit the model to a release.

        Where the released rows are too many for one memory, ``counts`` is a frame of them counted elsewhere: one row for each kind of
        row, with all columns that have a domain and a column ``count``. The model then has no rows to complete, and no intervals.
        """
        check_release(release)
        for name in ("n_components", "n_init", "max_iter"):
            given = getattr(self, name)
            whole = isinstance(given, int | np.integer) and not isinstance(given, bool) and given >= 1
            if not whole and not (name == "n_components" and given is None):
                raise InvalidParameter("{name} must be a whole number of at least 1.", name=name)
        arrays(self.backend)  # refused before any work
        rng = generator(self.random_state)
        self._people, many = release.mechanism.population(release.rows), None
        if counts is not None:
            release, many = self._counted(release, counts)
        found = modelled(release, self.weights, many)
        self._release, self._observed = release, replace(found.observed, backend=self.backend)
        self._by_columns = self._observed.trust
        self._columns = {each.name: each for each in found.columns}
        self.columns_ = list(self._columns)
        self._apart: dict[str, list[Mixture]] = {}
        self._estimators: dict[Any, Any] = {}
        self._rows: dict[str, Drawn] = {}
        counts = self._observed.counted(self._observed.weights)
        plain = all(each.kept for each in found.columns)  # rows are taken as they are
        if plain or (self.n_components is None and self._observed.needs_no_model):
            self.n_components_, self.log_likelihood_ = int(not plain), 0.0
            alone = marginals(self._observed, counts)
            self._mixture = Mixture(np.ones(1), tuple(each[None, :] for each in alone))
            self._parts = [self._mixture]
            self.spread_, self.determined_, self.boxed_ = 0.0, True, False
            return self
        with stage("Fitting a model of all columns") as shown:
            some = sampled(self._observed, rng)
            self.n_components_ = self.n_components or best_size(some, rng, shown)
            fits = fitted_together(some, self.n_components_, self.n_init, rng, shown, self.max_iter)
            self._apart = self._by_class(some, rng, shown)
        self._parts = [each.mixture for each in fits]
        self._mixture = Mixture.together([*self._parts, *itertools.chain(*self._apart.values())])
        self.boxed_ = self._observed.tight
        self.log_likelihood_ = float(np.mean([each.log_likelihood for each in fits]))
        self.spread_, dependent = _spread(self._parts, Mixture.together(self._parts))
        starts = len(self._parts) if self.n_components_ > 1 else 1  # one class says nothing about pairs, from any start
        fitted = self._mixture, starts, self.spread_, dependent
        self._observed, self._by_columns, contradicted = believed(self._observed, some, *fitted)
        self._observed = chosen(settled(self._observed, self._mixture), self._mixture, rng)
        self.determined_ = self.spread_ < max(dependent, NEAR) and not contradicted
        if contradicted:
            warn(
                "The boxes of groups say too little about their rows: the model of all columns contradicts those of single columns, so it is believed less, "
                "and cells are spread over what the noise leaves of their boxes.",
                AssumptionWarning,
            )
        elif not self.determined_ and not self.even_:
            warn(
                "The noise leaves open how columns go together: models fitted from different starts disagree. Tables of one "
                "column are not affected.",
                AssumptionWarning,
            )
        return self

    @property
    def believed_(self) -> float:
        """The power that what the model says of cells in boxes is raised to."""
        return self._observed.trust

    def by_columns(self) -> ReleaseModel:
        """Return the model, believed as far as it agrees with single columns, however much its fits disagree: intervals of regressions were measured so."""
        made = copy(self)
        made._observed = replace(self._observed, trust=self._by_columns)
        made._rows, made._estimators = {}, {}
        return made

    @property
    def even_(self) -> bool:
        """Whether what is hidden is spread evenly over the values it may stand for."""
        return self._observed.needs_no_model or (self._observed.bent and self._observed.all_even)

    @property
    def hides_(self) -> bool:
        """Whether some cells stand for several values."""
        return any(each.any() for each in self._observed.loose)

    @property
    def suppressed_(self) -> bool:
        """Whether cells were suppressed one by one."""
        return self._release.method.get("method") == "local_suppression"

    def _by_class(self, observed: Observed, rng: np.random.Generator, shown: Any) -> dict[str, list[Mixture]]:
        """Fit the other columns for each value of the only class that was released unchanged, where rows tell some columns each.

        Both kinds of fit are averaged: tables are as good as those of either, and complete rows tell more about the class.
        """
        found = (
            {name: values_apart(self, name) for name in self.columns_}
            if self._release.mechanism.telling is not None
            else {}
        )
        classes = {name: present for name, present in found.items() if present is not None}
        if len(classes) != 1:
            return {}
        ((name, present),) = classes.items()
        place = self.columns_.index(name)
        fits = fitted_apart(observed, place, present, self.n_components_, self.n_init, rng, shown, self.max_iter)
        return {name: [each.mixture for each in fits]}

    def _counted(self, release: Release, counts: Any) -> tuple[Release, Floats]:
        """Return a release with one row for each kind of row, and how many there are of it."""
        if self.weights is not None:
            raise InvalidParameter(
                "counts do not include the weights of rows; fit on the rows, or leave out the weights."
            )
        aside = {*release.mechanism.made_up, *release.pseudonyms}
        return counted_rows(
            release, [a.name for a in release.schema if a.domain is not None and a.name not in aside], counts
        )

    def _with_rows(self) -> None:
        """Refuse what needs the released rows themselves."""
        if self._observed.many is not None:
            raise InvalidParameter(
                "This model was fitted to counts. Complete rows, their copies, intervals, and models of columns through noise need the "
                "released rows; draw rows with sample(n_samples), or fit the model to the rows."
            )

    def table(self, columns: str | Sequence[str], bins: Bins | None = None) -> LabelledTable:
        """Estimate the joint table that the original had in a few columns.

        Parameters
        ----------
        columns
            The columns of the table, in order.
        bins
            For columns of numbers or dates: how many intervals of equal width, or their edges. Columns with more than 128
            values get 20 intervals unless asked otherwise.
        """
        check_is_fitted(self, "columns_")
        telling, asked = self._release.mechanism.telling, self._asked(columns)
        for one, other in never_together(telling, asked) if telling is not None else ():
            warn(
                "No row tells {one!r} and {other!r} together, so how they go together is estimated only from the columns "
                "that are told with each of them.",
                AssumptionWarning,
                one=one,
                other=other,
            )
        return self.estimated_table(columns, bins)

    def estimated_table(self, columns: str | Sequence[str], bins: Bins | None = None) -> LabelledTable:
        """Do what `table` does, for callers who say themselves which columns no row tells together."""
        return self.estimated_tables([columns], [bins])[0]

    @one_blas_thread()
    def estimated_tables(
        self, tables: Sequence[str | Sequence[str]], bins: Sequence[Bins | None] | None = None
    ) -> list[LabelledTable]:
        """Do it for several tables at once, which takes less than one by one."""
        check_is_fitted(self, "columns_")
        given = [None] * len(tables) if bins is None else bins
        every = [(self._asked(columns), each) for columns, each in zip(tables, given, strict=True)]
        labels, wanted = [], []
        for asked, own in every:
            for name in own or {}:
                if name not in asked:
                    raise InvalidParameter(
                        "bins names {name!r}, which is not among the columns.{hint}",
                        name=name,
                        hint=nearest(name, asked),
                    )
            axes = [places_of(self._columns[name].attribute, (own or {}).get(name)) for name in asked]
            check_cells([len(each) for each, _ in axes])
            matrices = [
                self._columns[name].onto(places, len(each)) for name, (each, places) in zip(asked, axes, strict=True)
            ]
            labels.append(tuple(each for each, _ in axes))
            wanted.append(([self.columns_.index(name) for name in asked], matrices))
        found = expected_tables(self._observed, self._mixture, wanted)
        return [
            LabelledTable(
                tuple(asked),
                pmf,
                pmf * self._people,
                own,
                self._release.origin,
                partial(self._intervals, asked, binned),
                shares_only=self._observed.many is not None,
            )
            for (asked, binned), pmf, own in zip(every, found, labels, strict=True)
        ]

    @one_blas_thread()
    def _intervals(self, columns: Sequence[str], bins: Bins | None, level: float, about: About) -> Intervals:
        self._with_rows()
        return share_intervals(self._release, columns, bins, self.weights, level, about)

    @one_blas_thread()
    def mean(self, column: str, level: float = 0.9, about: About = "population") -> MeanInterval:
        """Return the mean of a column of numbers in the original, with an interval that covers it as often as it says, or why there is none.

        It comes from the released rows and the public mechanism alone, not from the model.
        """
        check_is_fitted(self, "columns_")
        (column,) = self._asked([column])
        self._with_rows()
        return mean_interval(self._release, column, self.weights, level, about)

    @stage("Completing rows")
    def impute(self, copies: int | None = None, random_state: int | np.random.Generator | None = None) -> Any:
        """Draw a true row for each released row, given all that the row shows; columns released unchanged stay.

        A row that was drawn is nobody's row: it is one of those that the released row may come from. Fit other models to such
        rows, with several ``copies``, a list of frames that differ by what the release leaves open.
        """
        check_is_fitted(self, "columns_")
        self._with_rows()
        rng = generator(random_state)
        if copies is None:
            return self._frame(self._codes(self._mixture, np.arange(self._release.rows), rng))
        _check_count(copies, "copies")
        return [self._frame(self._codes(self._mixture, np.arange(self._release.rows), rng)) for _ in range(copies)]

    @stage("Drawing rows")
    def sample(self, n_samples: int | None = None, random_state: int | np.random.Generator | None = None) -> Any:
        """Draw rows as the original may have had: released rows are drawn with replacement, and a true row for each.

        Only columns with a domain are there: anything else of a released row belongs to one person.
        """
        check_is_fitted(self, "columns_")
        rng = generator(random_state)
        many = self._observed.many
        count = n_samples if n_samples is not None else self._release.rows if many is None else int(many.sum())
        _check_count(count, "n_samples")
        codes = self._codes(self._mixture, self._some(count, rng), rng)
        return self._made({name: self._values(name, codes[name]) for name in self.columns_})

    def _some(self, count: int, rng: np.random.Generator) -> Integers:
        """Draw released rows with replacement, each as often as it counts."""
        return rng.choice(self._release.rows, count, p=self._observed.weights / self._observed.weights.sum())

    def expectation(
        self,
        function: Callable[[Any], Any],
        copies: int = 5,
        random_state: int | np.random.Generator | None = 0,
    ) -> Any:
        """Estimate the mean of a function over the original rows.

        Parameters
        ----------
        function
            Takes a frame of complete rows, and gives a number for each, or several numbers.
        copies
            How many times a true row is drawn for each released one.
        """
        check_is_fitted(self, "columns_")
        _check_count(copies, "copies")
        found, weights, rng = [], self._observed.weights, generator(random_state)
        if self._observed.many is not None:
            frames, weights = [self.sample(ENOUGH, rng) for _ in range(copies)], np.ones(ENOUGH)
        else:
            frames = self.impute(copies, rng)
        for each in frames:
            values = np.asarray(function(each), dtype=np.float64)
            if values.ndim not in (1, 2) or len(values) != len(weights) or not np.all(np.isfinite(values)):
                raise InvalidParameter("function must give a finite number, or several, for each row of a frame.")
            found.append(np.average(values, axis=0, weights=weights))
        mean = np.mean(found, axis=0)
        return float(mean) if mean.ndim == 0 else mean

    def estimator(self, target: str, columns: str | Sequence[str] | None = None) -> Any:
        """Return a fitted classifier or regressor of a column from others.

        Categories give logistic regression, numbers linear regression, on rows that the model completes. For categories that were released unchanged it
        is averaged with a simpler model: of rows that tell some columns with the class-conditional one, of generalized rows with a regression on their labels. Where
        every row shows every column through noise, it is the model that suits the noise, as `tokumei.reconstruct` picks it.
        """
        check_is_fitted(self, "columns_")
        (target,) = self._asked([target])
        others = [name for name in self.columns_ if name != target] if columns is None else self._asked(columns)
        if columns is None and not others:
            raise InvalidParameter("There is no column to predict from.")
        if target in others or not others:
            raise InvalidParameter("columns must name at least one column, and not {target!r} itself.", target=target)
        key = (target, tuple(others))
        if self._release.mechanism.channels and key not in self._estimators:
            self._with_rows()
            suited = by_channels(self._release, target, others, self.weights)
            if suited is not None:
                self._estimators[key] = suited[0]
        if key not in self._estimators:
            if target not in self._rows:
                self._rows[target] = drawn_for(self, target)
            self._estimators[key] = predictor(self, target, others, self._rows[target])
        return self._estimators[key]

    def predict(self, rows: Any, target: str) -> npt.NDArray[Any]:
        """Predict a column of true rows from those of the model's columns that they have."""
        return self._from_columns_of(rows, target).predict(rows)

    def predict_proba(self, rows: Any, target: str) -> Floats:
        """Return the probability of each class; ``estimator(target).classes_`` lists them."""
        found = self._from_columns_of(rows, target)
        if not hasattr(found, "predict_proba"):
            raise InvalidParameter("{target!r} has numbers, so there are no classes; use predict.", target=target)
        return found.predict_proba(rows)

    def _from_columns_of(self, rows: Any, target: str) -> Any:
        check_is_fitted(self, "columns_")
        there = set(to_arrow(rows)[0].column_names)
        columns = [name for name in self.columns_ if name in there and name != target]
        if not columns:
            raise DataError("The rows have none of the columns that the model predicts from.")
        return self.estimator(target, columns)

    def _asked(self, columns: str | Sequence[str]) -> list[str]:
        asked = [columns] if isinstance(columns, str) else list(columns)
        for name in asked:
            if name not in self._columns:
                raise InvalidParameter(
                    "The model has no column {name!r}.{hint}", name=name, hint=nearest(str(name), self.columns_)
                )
        if not asked or len(set(asked)) < len(asked):
            raise InvalidParameter("columns must name at least one column, and each once.")
        return asked

    def _codes(
        self, mixture: Mixture, rows: Integers, rng: np.random.Generator, names: Sequence[str] | None = None
    ) -> dict[str, Integers]:
        """Draw the codes of true rows, or of some of their columns, those of kept columns being as released."""
        return dict(self._by_column(mixture, rows, rng, names))

    def _by_column(
        self, mixture: Mixture, rows: Integers, rng: np.random.Generator, names: Sequence[str] | None = None
    ) -> Iterator[tuple[str, Integers]]:
        drawn = impute(self._observed, mixture, self._observed.which[rows], rng)
        for place, each in enumerate(self._columns.values()):
            if names is None or each.name in names:
                kept = self._release.coded.codes(each.name)[rows].astype(np.int64) if each.kept else None
                yield each.name, each.codes(drawn[:, place], rows, rng) if kept is None else kept

    @stage("Completing rows")
    def completed_codes(self, random_state: int | np.random.Generator | None = None) -> dict[str, Codes]:
        """Draw what `impute` does, as codes of the domains that columns had before."""
        self._with_rows()
        every, rng = np.arange(self._release.rows), generator(random_state)
        return {
            name: codes.astype(np.min_scalar_type(self._columns[name].attribute.states))
            for name, codes in self._by_column(self._mixture, every, rng)
        }

    @stage("Drawing rows")
    def drawn_codes(self, names: Sequence[str], copies: int, rng: np.random.Generator) -> list[dict[str, Integers]]:
        """Draw some columns of several true rows for each released one, as codes: what is believed of a row is worked out once for all copies."""
        many, found = self._release.rows, {name: list[Integers]() for name in names}
        for low in range(0, many, DRAWN):
            rows = np.arange(low, min(low + DRAWN, many))
            for name, codes in self._codes(self._mixture, np.repeat(rows, copies), rng, names).items():
                found[name].append(codes)
        made = {name: np.concatenate(each).reshape(many, copies) for name, each in found.items()}
        return [{name: np.ascontiguousarray(each[:, copy]) for name, each in made.items()} for copy in range(copies)]

    def _values(self, name: str, codes: Integers) -> Any:
        domain = self._columns[name].attribute.domain
        assert domain is not None
        return domain.values_of(codes)

    def _frame(self, codes: Mapping[str, Integers]) -> Any:
        """Return complete rows in the order of the release; what is not modelled stays."""
        table, made_up = self._release.table, self._release.mechanism.made_up
        made = {
            name: self._values(name, codes[name])
            if name in self._columns and not self._columns[name].kept
            else table.column(name)
            for name in table.column_names
            if name not in made_up
        }
        return self._made(made)

    def _made(self, cells: Mapping[str, Any]) -> Any:
        labels = {
            name: each.attribute.domain.values
            for name, each in self._columns.items()
            if isinstance(each.attribute.domain, Categories)
        }
        return from_arrow(pa.table(dict(cells)), self._release.origin, labels)


def _check_count(given: Any, name: str) -> None:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
        raise InvalidParameter("{name} must be a whole number of at least 1.", name=name)


def _spread(fits: Sequence[Mixture], together: Mixture) -> tuple[float, float]:
    """Return the mean distance of each fit's tables of two columns from those of all, and of these from independence."""
    apart, dependent = [], []
    for pair in itertools.combinations(range(len(together.thetas)), 2):
        matrices = [np.eye(together.thetas[at].shape[1]) for at in pair]
        of_all = together.table(pair, matrices)
        apart += [float(np.abs(each.table(pair, matrices) - of_all).sum() / 2) for each in fits]
        alone = of_all.sum(axis=1)[:, None] * of_all.sum(axis=0)
        dependent.append(float(np.abs(of_all - alone).sum() / 2))
    return (float(np.mean(apart)), float(np.mean(dependent))) if apart else (0.0, 1.0)
