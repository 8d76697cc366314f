"""Many releases against one original: the original is counted once, and nothing is learned or told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.errors import InvalidParameter
from tokumei.parallel import one_blas_thread
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.coded import CodedTable
from tokumei.utility.lines import Line, line_of
from tokumei.utility.measures import Counted, counted_side
from tokumei.utility.pairing import BINS, check_size
from tokumei.utility.results import Side
from tokumei.utility.tables import FITS, OriginalTables, ReconstructedTables, ReleasedTables, Tables


@dataclass(frozen=True)
class Off(Result):
    """How far a release is from its original, on average: total variation of a column, and of two columns together.

    ``pairs`` is ``None`` where there is one column only.
    """

    marginals: float
    pairs: float | None

    @property
    def utility(self) -> float:
        """One minus how far two columns together are off; of one column alone where there is one only."""
        return 1 - (self.marginals if self.pairs is None else self.pairs)


class Quick:
    """An original table, counted once.

    Parameters
    ----------
    table
        The original rows, prepared.
    columns
        The columns to compare; without it all that have a domain.
    n_bins
        Numbers and dates with more values are counted in this many intervals of equal width.

    Examples
    --------
    >>> import tokumei as tk
    >>> from tokumei.engines.local import prepared_table
    >>> people, schema = tk.example_census(rows=500), tk.example_schema()
    >>> quick = Quick(prepared_table(people, schema, ()))
    >>> few, many = (quick.released(tk.anonymize(people, schema, tk.Generalization(k=k))) for k in (2, 50))
    >>> few.utility > many.utility
    True
    """

    def __init__(self, table: CodedTable, columns: Sequence[str] | None = None, n_bins: int = BINS) -> None:
        known = [a.name for a in table.schema if a.domain is not None]
        self.table = table
        self.lines = tuple(line_of(table.schema[name], n_bins) for name in (known if columns is None else columns))
        if not self.lines:
            raise InvalidParameter("the table has no column with a domain to be compared.")
        check_size(self.lines)
        with stage("Counting the original") as shown:
            self.original: Counted = counted_side(self.lines, OriginalTables(table), None, shown)

    def lines_of(self, release: Release) -> tuple[Line, ...]:
        """Return the columns that a release has too."""
        present = set(release.schema.names())
        found = tuple(line for line in self.lines if line.name in present)
        if not found:
            raise InvalidParameter("the original and the release have no column with a domain in common.")
        return found

    def counted(self, release: Release) -> Counted:
        """Count a release as it is."""
        return self._counted(ReleasedTables(release), release)

    def undone(self, release: Release, n_init: int = FITS) -> Counted:
        """Count a release after reconstruction, which takes longer; ``n_init`` fits are averaged."""
        return self._counted(ReconstructedTables(release, n_init=n_init), release)

    def released(self, release: Release) -> Off:
        """Measure a release as it is."""
        return _off(self.counted(release).side)

    def reconstructed(self, tables: ReconstructedTables) -> Off:
        """Measure a release after reconstruction, which takes longer."""
        return _off(self._counted(tables, tables.release).side)

    @one_blas_thread()
    def _counted(self, tables: Tables, release: Release) -> Counted:
        lines = self.lines_of(release)
        with stage("Measuring", total=len(lines) * (len(lines) + 1) // 2) as shown:
            return counted_side(lines, tables, self.original, shown)


def _off(side: Side) -> Off:
    return Off(side.marginal_distance, side.pair_distance)
