"""Charts as files that need nothing else: SVG, PNG, or a page that works without a network."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from tokumei.errors import InvalidParameter, MissingDependency
from tokumei.files import atomic_file
from tokumei.plots.theme import altair, ink, paper
from tokumei.progress import stage
from tokumei.shown import marked

ENDINGS = (".svg", ".png", ".html")

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; font-src data:"
PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<style>body { background: $background; color: $ink; margin: 1rem; }</style>
<script>$program</script>
</head>
<body>
$places
<script>
$specs.forEach((spec, place) => vegaEmbed("#chart" + place, spec, {actions: false, renderer: "svg"}));
</script>
</body>
</html>
""")


def save(chart: Any, path: str | Path, *, overwrite: bool = False, scale: float = 2.0, private: bool = False) -> Path:
    """Write a chart to a file; its ending says whether as SVG, PNG or HTML.

    Parameters
    ----------
    chart, path
        The chart, and the file to make.
    overwrite
        Whether an older file may be replaced.
    scale
        How many dots of a PNG stand for one of the chart.
    private
        Whether nobody but its owner may read the file, as is right for charts of the original.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise InvalidParameter("{target} must end in .svg, .png or .html.", target=target)
    with stage("Drawing a chart"), atomic_file(target, overwrite=overwrite, private=private) as temporary:
        if ending == ".html":
            temporary.write_text(html(chart), encoding="utf-8")
        elif ending == ".svg":
            temporary.write_text(svg(chart), encoding="utf-8")
        else:
            temporary.write_bytes(_converter().vegalite_to_png(_spec(chart), vl_version=_version(), scale=scale))
    return target


def svg(chart: Any) -> str:
    """Return a chart as the text of an SVG file."""
    return str(_converter().vegalite_to_svg(_spec(chart), vl_version=_version()))


def _spec(chart: Any) -> Any:
    """Return what a chart is made of, names and labels written so that all of them is seen: some characters may stand in no SVG."""
    return _marked(json.loads(chart.to_json()))


def _marked(part: Any) -> Any:
    if isinstance(part, dict):
        return {_marked(name): _marked(each) for name, each in part.items()}
    if isinstance(part, list):
        return [_marked(each) for each in part]
    return marked(part) if isinstance(part, str) else part


def html(*charts: Any, title: str = "tokumei") -> str:
    """Return charts as one page with everything in it, its program too; hovering shows the numbers.

    The page forbids the browser to load anything from anywhere.
    """
    specs = [_spec(chart) for chart in charts]
    if not specs:
        raise InvalidParameter("a page needs at least one chart.")
    background = str(specs[0]["config"]["background"])
    return PAGE.substitute(
        title=escape(title),
        policy=POLICY,
        background=background,
        ink=ink(background != paper(False)),
        program=_converter().javascript_bundle(vl_version=_version()),
        places="\n".join(f'<div id="chart{place}"></div>' for place in range(len(specs))),
        # Names and labels may hold anything, also what would end a script.
        specs=json.dumps(specs).replace("<", "\\u003c"),
    )


def _version() -> str:
    """Return the version of Vega-Lite that charts are written in, as the converter calls it."""
    return "_".join(str(altair().SCHEMA_VERSION).split(".")[:2])


def _converter() -> Any:
    try:
        import vl_convert as found
    except ImportError:
        raise MissingDependency("Chart files need vl-convert; install it with: pip install 'tokumei[plots]'.") from None
    return found
