"""A constraint of somebody else's package: no value has more than a share of a class."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import StrictFloat, StrictInt, StrictStr

from tokumei.errors import InvalidParameter
from tokumei.privacy.attackers import Promise
from tokumei.privacy.constraints import Measure, Sensitive, register_constraint
from tokumei.privacy.notions import Notion, register_notion
from tokumei.table.coded import CodedTable
from tokumei.values import value
from tokumei.words.catalogue import add_words

TOY = register_notion(Notion("toy majority", "α", False, of_classes=True, sensitive=True, summed=True))


class ToyNoMajority(Promise):
    """No value of a sensitive column has more than a share of a class."""

    column: StrictStr


@register_constraint
@value
class ToyMajority(Sensitive):
    """In every class no sensitive value has more than a share of the rows."""

    column: str
    share: StrictInt | StrictFloat
    constraint: Literal["toy_majority"] = field(default="toy_majority", kw_only=True, repr=False)
    notion: ClassVar[Notion] = TOY

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InvalidParameter(f"share must be above 0 and at most 1. Got {self.share:g}.")

    @property
    def asked(self) -> float:
        return float(self.share)

    def measure(self, table: CodedTable, values: Any, share: Any) -> Measure:
        return lambda counts: np.max(counts, axis=1) / np.sum(counts, axis=1)

    @property
    def promise(self) -> Promise:
        return ToyNoMajority(column=self.column)


add_words(
    "en",
    {
        "notion.toy majority": "toy majority",
        "promise.toy_no_majority": "{attacker} finds a value of {column:name} with a share above {value} in a class ({notion}).",
    },
)
add_words(
    "ja",
    {
        "notion.toy majority": "おもちゃの多数",
        "promise.toy_no_majority": "{attacker}、同値類の中で割合が{value}を超える{column:name}の値を見つけません（{notion}）。",
    },
)
