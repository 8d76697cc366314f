"""The shape of a manifest: which parts it has and of what kind. What the parts must add up to, `manifest` checks.

The JSON Schema of the format is made from these models (`tokumei.release.schema`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from tokumei.mechanism.averaging import Average
from tokumei.mechanism.recoding import Scheme
from tokumei.table.domain import AnyDomain
from tokumei.table.hierarchy import AnyHierarchy
from tokumei.table.schema import Role

Count = Annotated[StrictInt, Field(ge=1)]
Place = Annotated[StrictInt, Field(ge=0)]


class Strict(BaseModel):
    """A part with these keys and no others."""

    model_config = ConfigDict(extra="forbid")


class Described(Strict):
    """What a column may hold."""

    domain: AnyDomain | None = None
    missing: bool | None = None
    hierarchy: AnyHierarchy | None = None


class Column(Described):
    """A released column; one whose domain was observed has it among the disclosed facts."""

    name: str
    role: Role
    label: str | None = None


class OriginalShape(Strict):
    """A column before the steps: its domain, and the codes of its values: how many, the first, and whether they rise."""

    domain: AnyDomain
    missing: bool
    codes: list[tuple[Count, Place, Literal[0, 1]]]


class Said(BaseModel):
    """A statement: a key, and the parameters that it has."""

    model_config = ConfigDict(extra="allow")

    key: str


class Promise(Strict):
    """A guarantee."""

    notion: str
    value: float
    promise: Said
    attacker: Said
    assumes: list[Said]
    proof: str
    numbers: dict[str, float]


class RetentionShape(Strict):
    """A value is kept, or drawn anew from all."""

    channel: Literal["retention"]
    size: StrictInt
    other: StrictInt
    keep: StrictInt
    bits: StrictInt


class GridLaplaceShape(Strict):
    """Noise along a grid."""

    channel: Literal["grid_laplace"]
    size: StrictInt
    decay: StrictInt
    shift: StrictInt


class FlaggedGridLaplaceShape(Strict):
    """Noise along a grid, for a column whose cells may be missing."""

    channel: Literal["grid_laplace_with_missing"]
    points: StrictInt
    decay: StrictInt
    shift: StrictInt
    flip: StrictInt


class TransitionMatrixShape(Strict):
    """Weights of each released value for each true one, out of 2^32."""

    channel: Literal["transition_matrix"]
    weights: list[list[StrictInt]]


Channel = Annotated[
    RetentionShape | GridLaplaceShape | FlaggedGridLaplaceShape | TransitionMatrixShape, Field(discriminator="channel")
]


class RecodedShape(Strict):
    """A column that was made coarser: what each released label stands for."""

    original: Described
    stretches: list[tuple[Place, Place]]
    missing: bool
    exact: bool = True


class RecodingShape(Strict):
    """The columns that were made coarser."""

    scheme: Scheme
    columns: dict[str, RecodedShape]


class AveragingShape(Strict):
    """The columns that were averaged over groups."""

    columns: dict[str, Average]
    how: str


class StretchesShape(Strict):
    """The boxes of a column in all groups: where each begins and ends, and whether cells may be missing."""

    low: list[Place]
    high: list[StrictInt]
    missing: list[Literal[0, 1]] | None = None


class SetsShape(Strict):
    """The boxes of a column in all groups: the places of each set, one set behind the other, and how many it has."""

    labels: list[Place]
    count: list[Place]
    missing: list[Literal[0, 1]] | None = None


class TellsShape(Strict):
    """How many parts each group has, and of each part the cluster of columns, how likely it is, and its channel, by its place among all channels."""

    count: list[Count]
    cluster: list[Place]
    weight: list[Count]
    channel: list[Place]


class GroupsShape(Strict):
    """All groups, one number for each in every list: rows, boxes by columns, and channels by columns, each by its place among all different ones.

    Rows that tell one thing each have channels of clusters of columns, and no others.
    """

    rows: Annotated[list[Count], Field(min_length=1)]
    among: list[Count]
    most: list[Count] | None = None
    of: list[Count] | None = None
    boxes: list[StretchesShape | SetsShape]
    channels: list[Channel]
    channel: list[list[Place]] | None = None
    tells: TellsShape | None = None


class GroupTellingShape(Strict):
    """What rows of groups may tell, the column that says it, and which columns had missing cells."""

    label: str
    clusters: list[list[str]]
    missing: list[str]


class GroupingShape(Strict):
    """The columns that were perturbed group by group."""

    columns: list[str]
    label: str | None
    telling: GroupTellingShape | None = None
    groups: GroupsShape


class SwappingShape(Strict):
    """The columns whose values were exchanged within groups of rows, and how many rows a group has at least."""

    columns: list[str]
    groups_of_at_least: Annotated[StrictInt, Field(ge=2)]
    how: str


class ToldShape(Strict):
    """A column that some rows tell: where the cells of its grids begin, or none where every value is a cell."""

    original: Described
    grids: list[list[Place] | None]


class ClusterShape(Strict):
    """Columns that are told together, on which of their grids, how likely, and by which retention."""

    columns: list[str]
    grids: list[Place]
    weight: Count
    channel: RetentionShape


class TellingShape(Strict):
    """The columns of which each row tells some."""

    label: str
    columns: dict[str, ToldShape]
    clusters: list[ClusterShape]


class LeftOutShape(Strict):
    """Rows that were left out."""

    rows: Count
    how: str


class InBlocks(Strict):
    """Rows that were shuffled within blocks only."""

    rows: Count = Field(alias="shuffled_in_blocks_of_at_least")


class RepeatShape(Strict):
    """Draws that repeat in other releases under the same key, by the public name of the key."""

    key: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class MechanismShape(Strict):
    """How released rows follow from true ones."""

    columns: dict[str, Channel]
    kept: list[str]
    rows: Literal["shuffled"] | InBlocks
    of: Count | None
    recoding: RecodingShape | None = None
    averaging: AveragingShape | None = None
    grouping: GroupingShape | None = None
    telling: TellingShape | None = None
    swapping: SwappingShape | None = None
    left_out: LeftOutShape | None = None
    repeat: RepeatShape | None = None


class Declared(Strict):
    """What follows from the declared schema, the number of rows and the plan alone."""

    tokumei: str
    columns: list[Column]
    prepare: list[dict[str, Any]]
    originals: dict[str, OriginalShape] | None = None
    method: dict[str, Any]
    randomness: Literal["seeded", "secret"]
    mechanism: dict[str, Any] | None = None
    guarantees: list[Promise] | None = None


class Disclosed(Strict):
    """A fact that was taken from the data, and why."""

    value: Any
    reason: Said


class DataFile(Strict):
    """The file of rows beside a manifest."""

    file: str
    format: str
    rows: Annotated[int, Field(ge=1)]
    sha256: str
    types: dict[str, str]
    formulas: Literal["keep", "quote"] | None = None  # of a CSV file: how cells that look like formulas are written


class Manifest(Strict):
    """The whole."""

    format: int
    declared: Declared
    disclosed: dict[str, Disclosed]
    data: DataFile
    sha256: str
