"""What a manifest says of groups, group by group: for attackers, who look at one after the other, and forgers, who change one."""

from __future__ import annotations

import itertools
from typing import Any


def apart(grouping: dict[str, Any]) -> list[dict[str, Any]]:
    """Take the lists of a described grouping apart: rows, boxes as ``[low, high, missing]`` or ``[[place, ...], missing]``, and channels of each group."""
    packed, found = grouping["groups"], list[dict[str, Any]]()
    for number, rows in enumerate(packed["rows"]):
        group = {"rows": rows, **{name: packed[name][number] for name in ("among", "most", "of") if name in packed}}
        group["boxes"] = [_box(column, number) for column in packed["boxes"]]
        if "channel" in packed:
            group["channels"] = [dict(packed["channels"][column[number]]) for column in packed["channel"]]
        else:
            tells = packed["tells"]
            first = sum(tells["count"][:number])
            group["tells"] = [
                {
                    "cluster": tells["cluster"][at],
                    "weight": tells["weight"][at],
                    "channel": dict(packed["channels"][tells["channel"][at]]),
                }
                for at in range(first, first + tells["count"][number])
            ]
        found.append(group)
    return found


def _box(column: dict[str, Any], number: int) -> list[Any]:
    missing = column["missing"][number] if "missing" in column else 0
    if "low" in column:
        return [column["low"][number], column["high"][number], missing]
    first = sum(column["count"][:number])
    return [column["labels"][first : first + column["count"][number]], missing]


def together(groups: list[dict[str, Any]]) -> dict[str, Any]:
    """Pack groups again, whatever was made of them, and say nothing twice: what one group lacks and another has is shorter then."""
    made: dict[str, Any] = {}
    for name in ("rows", "among", "most", "of"):
        if any(name in group for group in groups):
            made[name] = [group[name] for group in groups if name in group]
    made["boxes"] = []
    for column in zip(*(group["boxes"] for group in groups), strict=True):
        sets = [box for box in column if len(box) == 2]
        stretches = [box for box in column if len(box) == 3]
        packed: dict[str, Any] = {"missing": [box[-1] for box in column]} if any(box[-1] != 0 for box in column) else {}
        if sets:
            packed["labels"] = list(itertools.chain.from_iterable(box[0] for box in sets))
            packed["count"] = [len(box[0]) for box in sets]
        if stretches:
            packed["low"], packed["high"] = [box[0] for box in stretches], [box[1] for box in stretches]
        made["boxes"].append(packed)
    made["channels"] = []

    def place(channel: Any) -> int:
        if channel not in made["channels"]:
            made["channels"].append(channel)
        return made["channels"].index(channel)

    if any("channels" in group for group in groups):
        places = [[place(channel) for channel in group["channels"]] for group in groups if "channels" in group]
        made["channel"] = [list(column) for column in itertools.zip_longest(*places)]
    if any("tells" in group for group in groups):
        parts = list(itertools.chain.from_iterable(group["tells"] for group in groups))
        made["tells"] = {"count": [len(group["tells"]) for group in groups]} | {
            name: [part[name] for part in parts] for name in ("cluster", "weight")
        }
        made["tells"]["channel"] = [place(part["channel"]) for part in parts]
    return made
