"""The lattice: every combination of levels of whole columns, two columns at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokumei.reports.numbers import percent
from tokumei.studio.parts import Text, box, button, card, choice, field, give, note, number, table, turn_off
from tokumei.studio.session.lattice import LatticeView, Tile

if TYPE_CHECKING:
    from tokumei.studio.frame import View

USUAL_K = 5
RANKED = 8


async def lattice(view: View) -> None:
    """Show the lattice."""
    session = view.session
    await view.fill("lattice", session.lattice, lambda found: _Explorer(view, found))


class _Explorer:
    """One look at the lattice: a k, two columns side by side, and the levels of the others."""

    def __init__(self, view: View, found: LatticeView) -> None:
        self.view, self.lattice = view, found
        self.k = min(max(view.k or USUAL_K, 2), found.largest_k)
        self.node = found.best(self.k).levels
        tall = sorted(range(len(found.columns)), key=lambda place: -found.heights[place])
        self.first = found.columns[tall[0]]
        self.second = found.columns[tall[1] if len(tall) > 1 else tall[0]]
        self.place = box("filled")
        self._draw()

    def _draw(self) -> None:
        words, found = self.view.words, self.lattice
        self.place.clear()
        with self.place:
            with card():
                with box("row bottom"):
                    field("k", str(self.k), self._set_k, kind="number", min="2", max=str(found.largest_k), step="1")
                    names = {name: name for name in found.columns}
                    choice(words("lattice_down"), names, self.first, partial(self._set, "first"))
                    choice(words("lattice_across"), names, self.second, partial(self._set, "second"))
                    button(words("lattice_best"), self._best)
                note(words("lattice_size", count=f"{found.size:,}", share=percent(found.suppressed)))
            with box("halves"):
                with card(words("lattice_tiles")):
                    self._tiles()
                with card(words("lattice_chosen")):
                    self._chosen()
            with card(words("lattice_ranked")):
                self._ranked()

    def _tiles(self) -> None:
        words, found = self.view.words, self.lattice
        if self.first == self.second:
            note(words("lattice_two"))
            return
        cut = found.slice(self.first, self.second, self.node)
        a, b = found.columns.index(self.first), found.columns.index(self.second)
        with (
            box("wide"),
            box("tiles").style(f"grid-template-columns: auto repeat({cut.loss.shape[1]}, minmax(58px, 1fr))"),
        ):
            Text("span", "", "note")
            for level in range(cut.loss.shape[1]):
                Text("span", f"{self.second} {level}", "note tile-head")
            for down in range(cut.loss.shape[0]):
                Text("span", f"{self.first} {down}", "note tile-head")
                for across in range(cut.loss.shape[1]):
                    node = list(self.node)
                    node[a], node[b] = down, across
                    self._tile(tuple(node), float(cut.loss[down, across]), int(cut.reach[down, across]))
        note(words("lattice_legend"))

    def _tile(self, node: tuple[int, ...], loss: float, reach: int) -> None:
        safe = reach >= self.k
        words = self.view.words
        said = words(
            "lattice_tile", loss=f"{loss:.0%}", state=words("lattice_safe" if safe else "lattice_unsafe", k=str(self.k))
        )
        made = button(f"{loss:.0%}", partial(self._go, node), f"tile {'' if safe else 'unsafe'}", said)
        made.classes(remove="button")
        give(made, aria_pressed="true" if node == self.node else "false", data_focus=f"tile {node}")
        made.style(f"--loss: {loss:.0%}")

    def _chosen(self) -> None:
        words, found = self.view.words, self.lattice
        tile = found.tile(self.node)
        with box("row"):
            for place, name in enumerate(found.columns):
                levels = {str(level): str(level) for level in range(found.heights[place])}
                choice(name, levels, str(self.node[place]), partial(self._level, place))
        with box("row"):
            number(percent(tile.loss), words("lattice_loss"))
            number(f"{tile.smallest:,}", words("lattice_smallest"))
            number(f"{tile.classes:,}", words("lattice_classes"))
        safe = tile.safe(self.k)
        kept = "lattice_safe" if tile.smallest >= self.k else "lattice_suppressing"
        share = percent(found.suppressed)
        Text("p", words(kept if safe else "lattice_unsafe", k=str(self.k), share=share), "fine" if safe else "problem")
        with box("row"):
            turn_off(button(words("lattice_apply"), self._apply, "primary"), not safe)

    def _ranked(self) -> None:
        words, found = self.view.words, self.lattice
        tiles = found.ranked(self.k, RANKED)
        if not tiles:
            note(words("lattice_none", k=str(self.k)))
            return
        head = (words("lattice_loss"), words("lattice_smallest"), *found.columns)
        table(
            head,
            [(percent(tile.loss), f"{tile.smallest:,}", *(str(level) for level in tile.levels)) for tile in tiles],
            words("lattice_ranked"),
            numbers=range(len(head)),
        )

    def _go(self, node: Tile | tuple[int, ...]) -> None:
        self.node = node.levels if isinstance(node, Tile) else node
        self._draw()

    def _level(self, place: int, level: str) -> None:
        self._go((*self.node[:place], int(level), *self.node[place + 1 :]))

    def _set(self, which: str, name: str) -> None:
        setattr(self, which, name)
        self._draw()

    def _set_k(self, given: str) -> None:
        if given.isdigit() and 2 <= int(given) <= self.lattice.largest_k:
            self.k = self.view.k = int(given)
        self._draw()

    def _best(self) -> None:
        self._go(self.lattice.best(self.k))

    async def _apply(self) -> None:
        await self.view.attempt(lambda: self.view.session.apply_levels(self.lattice.named(self.node), self.k))
