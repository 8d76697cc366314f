"""The method and the steps before it as one form: what is filled in, the plan it stands for, and what is wrong with it."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import pydantic
import tomlkit

from tokumei.anonymizers import METHODS, AnyMethod
from tokumei.plan.writing import plan_sections
from tokumei.prepare import STEPS, AnyStep
from tokumei.studio.session.filling import Place, filled_from, read_filled, spread
from tokumei.studio.session.shapes import Each, Either, Many, Part, Whole, shape_of_kinds
from tokumei.studio.session.state import State
from tokumei.values import value

USUAL_K = 5


@value
class _Filled:
    """What the form makes."""

    method: AnyMethod
    prepare: tuple[AnyStep, ...] = ()


_READ = pydantic.TypeAdapter(_Filled).validate_python


def whole_form() -> Whole:
    """Return the form: every method and every step that is registered now."""
    method, steps = shape_of_kinds(METHODS), Many(shape_of_kinds(STEPS))
    return Whole(
        "plan", (Part("method", method, required=True, usual=None), Part("prepare", steps, required=False, usual=[]))
    )


@dataclass
class MethodForm:
    """What was filled in.

    Attributes
    ----------
    filled
        As a plan would hold it; it is changed in place.
    unshown
        Whether the method holds something that no form can show, such as a table.
    """

    filled: dict[str, Any] = field(default_factory=dict)
    unshown: bool = False

    @classmethod
    def of(cls, state: State) -> MethodForm:
        """Fill in what a state has."""
        if state.method is None:
            return cls({"prepare": [filled_from(each) or {} for each in state.prepare]})
        method, steps = filled_from(state.method), [filled_from(each) for each in state.prepare]
        if method is None or None in steps:
            return cls({"prepare": []}, unshown=True)
        return cls(spread(whole_form(), {"method": method, "prepare": steps}))

    def choose(self, method: str) -> None:
        """Begin with another method; what both have, such as k, stays."""
        kinds = whole_form().parts[0].shape
        assert isinstance(kinds, Either)
        shape, before = dict(kinds.choices)[method], self.filled.get("method", {})
        assert isinstance(shape, Whole)
        made = shape.begin()
        for part in shape.parts:
            if part.name in before and not isinstance(part.shape, Each):
                trial = {**made, part.name: copy.deepcopy(before[part.name])}
                if not any(part.name in place for place in read_filled(shape_of_kinds(METHODS), trial, _method)[1]):
                    made = trial
        if any(part.name == "k" and part.required for part in shape.parts):
            made.setdefault("k", USUAL_K)
        self.filled["method"] = made

    def read(self) -> tuple[AnyMethod | None, tuple[AnyStep, ...], dict[Place, str]]:
        """Return the method and the steps, or what is wrong, by its place."""
        made, wrong = read_filled(whole_form(), self.filled, _READ)
        return (None, (), wrong) if made is None else (made.method, made.prepare, {})

    def toml(self) -> str:
        """Return the sections of the plan; empty where something is wrong."""
        method, prepare, wrong = self.read()
        return "" if method is None or wrong else tomlkit.dumps(plan_sections(method, prepare)).strip()


_method = pydantic.TypeAdapter(AnyMethod).validate_python
