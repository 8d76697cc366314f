"""The JSON Schema of ``manifest.json``, made from the models that read it.

python -m tokumei.release.schema > docs/manifest.schema.json
"""

from __future__ import annotations

import json
from typing import Any

from pydantic.json_schema import models_json_schema

from tokumei.release.manifest import FORMAT
from tokumei.release.rates import Rates
from tokumei.release.shape import Described, Manifest, MechanismShape, Promise

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EITHER = "Stated once: here, or among the disclosed facts if it was taken from the data."


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest of this format.

    >>> json_schema()["properties"]["format"]
    {'const': 1}
    """
    models = [Manifest, MechanismShape, Promise, Described, Rates]
    places, made = models_json_schema([(model, "validation") for model in models])
    found = {model: places[model, "validation"] for model in models}
    parts = made["$defs"]
    fact = parts["Manifest"]["properties"]["disclosed"]["additionalProperties"]
    values = {
        "mechanism": found[MechanismShape],
        "guarantees": {"type": "array", "items": found[Promise]},
        "domains": {"type": "object", "additionalProperties": found[Described]},
        "rates": _inside(parts, found[Rates])["properties"]["columns"],
    }
    parts["Manifest"]["properties"]["disclosed"]["properties"] = {
        name: {"allOf": [fact], "properties": {"value": shape}} for name, shape in values.items()
    }
    parts["Declared"]["properties"]["mechanism"] = {**found[MechanismShape], "description": EITHER}
    parts["Manifest"]["properties"]["format"] = {"const": FORMAT}
    del parts["Rates"]
    whole = _plain(parts.pop("Manifest"))
    return {
        "$schema": DIALECT,
        "title": f"The manifest of a tokumei release, format {FORMAT}",
        **whole,
        "description": "What a reader must refuse beyond this shape is stated in the specification of the format.",
        "$defs": _plain(parts),
    }


def _plain(part: Any) -> Any:
    """Leave out titles, which only repeat names, and all but the first paragraph of descriptions; sort alternatives."""
    if isinstance(part, list):
        return [_plain(each) for each in part]
    if not isinstance(part, dict):
        return part
    made = {key: _plain(each) for key, each in part.items() if not (key == "title" and isinstance(each, str))}
    if isinstance(made.get("description"), str):
        made["description"] = " ".join(made["description"].split("\n\n")[0].split())
    for key in {"anyOf", "oneOf"} & set(made):
        made[key] = sorted(made[key], key=json.dumps)
    return made


def _inside(parts: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    inside: dict[str, Any] = parts[place["$ref"].rpartition("/")[2]]
    return inside


def text() -> str:
    """Return the schema as it stands in the documentation."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
