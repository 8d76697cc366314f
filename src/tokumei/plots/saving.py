"""Charts as files that need nothing else: SVG, PNG, or a page that works without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokumei.errors import InvalidParameter, MissingDependency
from tokumei.files import atomic_file
from tokumei.plots.theme import ink

ENDINGS = (".svg", ".png", ".html")


def save(chart: Any, path: str | Path, *, overwrite: bool = False, scale: float = 2.0) -> Path:
    """Write a chart to a file; its ending says whether as SVG, PNG or HTML.

    ``scale`` is how many dots of a PNG stand for one of the chart.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise InvalidParameter(f"{target} must end in .svg, .png or .html.")
    with atomic_file(target, overwrite=overwrite) as temporary:
        if ending == ".html":
            temporary.write_text(html(chart), encoding="utf-8")
        elif ending == ".svg":
            temporary.write_text(svg(chart), encoding="utf-8")
        else:
            temporary.write_bytes(_converter().vegalite_to_png(chart.to_json(), scale=scale))
    return target


def svg(chart: Any) -> str:
    """Return a chart as the text of an SVG file."""
    return str(_converter().vegalite_to_svg(chart.to_json()))


def html(chart: Any) -> str:
    """Return a chart as a page with everything in it, its program too; hovering shows the numbers."""
    _converter()
    page = str(chart.to_html(inline=True, embed_options={"actions": False, "renderer": "svg"}))
    background = str(chart.to_dict()["config"]["background"])
    dark = background != "#ffffff"
    style = f"<style>body {{ background: {background}; color: {ink(dark)}; margin: 1rem; }}</style>"
    return page.replace("</head>", f"{style}</head>", 1)


def _converter() -> Any:
    try:
        import vl_convert as found
    except ImportError:
        raise MissingDependency(
            "Files of charts need vl-convert; install it with: pip install 'tokumei[plots]'."
        ) from None
    return found
