"""What is lost: the release beside the original, every combination of levels, and methods beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.errors import InvalidParameter
from tokumei.progress import Progress, Stop, listening
from tokumei.studio.session.before_after import BeforeAfter, Scores, measure_before_after, scores
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.frontier import SUPPRESSED, Frontier, LineName, Point, at_levels
from tokumei.studio.session.frontier_builder import FrontierBuilder
from tokumei.studio.session.judging import Judging
from tokumei.studio.session.lattice import LatticeView
from tokumei.studio.session.opening import (
    Opened,
)
from tokumei.studio.session.state import State
from tokumei.text import nearest
from tokumei.utility.quick import Quick


class Comparing(Judging):
    """The release beside the original, and methods beside each other."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self._counted = Cache[Quick](2)
        self._frontiers = Cache[FrontierBuilder](3)

    def before_after(
        self, *, reconstruct: bool = False, progress: Progress | None = None, cancelled: Stop | None = None
    ) -> BeforeAfter:
        """Return the release next to the original: shares, associations and cross tables; with its noise taken out if asked."""
        with listening(progress, cancelled):
            drawn, quick = self._drawn(progress, cancelled), self._quick()
            found: BeforeAfter = drawn.views.get(
                ("before_after", reconstruct),
                lambda: measure_before_after(quick, drawn.release, reconstruct=reconstruct),
            )
            return found

    def scores(
        self,
        target: str,
        *,
        reconstruct: bool = False,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
    ) -> Scores:
        """Return how well a model that has learned from the release predicts a column of the original."""
        with listening(progress, cancelled):
            release = self.release(progress, cancelled)
            known = [line.name for line in self._quick().lines_of(release)]
            if target not in known:
                raise InvalidParameter(
                    "{target!r} is not a column that can be predicted.{hint}",
                    target=target,
                    hint=nearest(target, known),
                )
            return scores(self._quick(), release, target, reconstruct=reconstruct)

    def _quick(self) -> Quick:
        state = self.state
        return self._counted.get(
            (state.source, state.schema, state.prepare),
            lambda: Quick(self._rows(state).coded(state.schema, state.prepare)),
        )

    # The lattice of full-domain recoding.

    def lattice(self, progress: Progress | None = None, cancelled: Stop | None = None) -> LatticeView:
        """Return every combination of levels: what it loses, and for which k it is safe."""
        with listening(progress, cancelled):
            return LatticeView(self._frontier_builder().nodes, SUPPRESSED)

    def apply_levels(self, levels: Mapping[str, int], k: int) -> State:
        """Take a combination of levels as the method, if it is safe for k."""
        tile = self.lattice().tile(levels)
        if not tile.safe(k):
            raise InvalidParameter("These levels do not keep k = {k}; choose coarser ones, or a smaller k.", k=k)
        return self.change(method=at_levels(k, levels))

    # Methods beside each other.

    def frontier(
        self,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
        partial: Callable[[Frontier], None] | None = None,
    ) -> Frontier:
        """Return risk against utility for every method and k.

        ``partial`` is called with what there is whenever there is more, coarse first. What was made is kept, also if the
        work is stopped.
        """
        with listening(progress, cancelled):
            found = None
            for found in self._frontier_builder().steps():
                if partial is not None:
                    partial(found)
            assert found is not None
            return found

    def frontier_now(self) -> Frontier:
        """Return as much of the frontier as has been made."""
        return self._frontier_builder().now()

    def point(
        self,
        line: LineName,
        k: int,
        *,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
    ) -> Point | None:
        """Return the point of one method for one k, measured now if it has not been; nothing where it cannot be."""
        with listening(progress, cancelled):
            return self._frontier_builder().point(line, k)

    def apply(self, point: Point) -> State:
        """Take the method of a point."""
        return self.change(method=point.method)

    def pin(self, point: Point) -> State:
        """Keep the method of a point to be compared."""
        pinned = self.state.pinned
        return self.state if point.method in pinned else self.change(pinned=(*pinned, point.method))

    def unpin(self, method: Anonymizer) -> State:
        """Keep a method no longer."""
        return self.change(pinned=tuple(each for each in self.state.pinned if each != method))

    def _frontier_builder(self) -> FrontierBuilder:
        state = self.state
        key = state.source, state.schema, state.prepare
        coded, rows = self._rows(state).coded, self._rows(state).table
        return self._frontiers.get(
            key,
            lambda: FrontierBuilder(
                rows(state.schema), coded(state.schema, state.prepare), state.schema, state.prepare
            ),
        )
