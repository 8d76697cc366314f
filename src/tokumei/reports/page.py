"""The page itself: one file without a program or a network, for screens, phones, dark rooms and paper."""

from __future__ import annotations

from tokumei.plots.theme import faint, ink, palette, paper
from tokumei.reports.html import Html, joined, safe, tag
from tokumei.words import Words

FONTS = (
    "system-ui, -apple-system, 'Segoe UI', 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP', 'Noto Sans JP', Meiryo, "
    "'IPAexGothic', 'DejaVu Sans', sans-serif"
)


def _colours(dark: bool) -> str:
    series = "".join(f"--series-{place}: {colour}; " for place, colour in enumerate(palette(dark)[:3]))
    soft, wash = ("#a5abb3", "#252a31") if dark else ("#555555", "#f4f6f8")
    return (
        f"--ink: {ink(dark)}; --paper: {paper(dark)}; --faint: {faint(dark)}; --soft: {soft}; --wash: {wash}; {series}"
        f"color-scheme: {'dark' if dark else 'light'};"
    )


STYLE = f"""
:root {{ {_colours(False)} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_colours(True)} }} }}
* {{ box-sizing: border-box; }}
html {{ -webkit-text-size-adjust: 100%; }}
body {{ margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 54rem; font: 1rem/1.6 {FONTS}; color: var(--ink);
  background: var(--paper); overflow-wrap: anywhere; }}
:lang(ja) {{ line-height: 1.8; line-break: strict; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; }}
h2 {{ font-size: 1.2rem; line-height: 1.3; margin: 2.4rem 0 .6rem; padding-top: .7rem; border-top: 1px solid var(--faint); }}
h3 {{ font-size: 1rem; line-height: 1.4; margin: 1.4rem 0 .3rem; }}
p {{ margin: .5rem 0; }}
ul, ol {{ margin: .5rem 0; padding-left: 1.4rem; }}
li {{ margin: .3rem 0; }}
nav ul {{ list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; font-size: .9rem; }}
nav li {{ margin: 0; }}
a {{ color: var(--series-0); }}
code, pre {{ font-family: ui-monospace, 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace; font-size: .86em; }}
pre {{ background: var(--wash); padding: .6rem .8rem; border-radius: .4rem; white-space: pre-wrap; }}
.variant {{ display: inline-block; margin: .2rem 0 .6rem; padding: .2rem .7rem; border-radius: .4rem; background: var(--wash);
  border-left: .3rem solid var(--series-1); font-size: .9rem; }}
.public .variant {{ border-left-color: var(--series-2); }}
#verdict h2 {{ border: 0; margin-top: 1rem; padding-top: 0; }}
.verdict {{ background: var(--wash); padding: .9rem 1.1rem; border-radius: .5rem; font-size: 1.05rem; }}
.promises li {{ font-weight: 600; }}
.note {{ color: var(--soft); font-size: .9rem; }}
.wide {{ overflow-x: auto; margin: .8rem 0; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92rem; }}
th, td {{ overflow-wrap: break-word; text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--faint); }}
thead th {{ color: var(--soft); font-weight: 600; white-space: nowrap; }}
.dictionary td:nth-child(2) {{ min-width: 8em; }}
.dictionary td:last-child {{ min-width: 14em; }}
tbody th {{ font-weight: 500; }}
.compared thead th {{ white-space: normal; }}
.number {{ font-variant-numeric: tabular-nums; white-space: nowrap; }}
figure {{ margin: 1.2rem 0; }}
figure svg {{ display: block; max-width: 100%; height: auto; }}
figure svg text {{ font-family: {FONTS}; }}
figure.light {{ overflow-x: auto; }}
figure.light svg {{ background: #ffffff; border-radius: .4rem; }}
figcaption {{ color: var(--soft); font-size: .9rem; }}
@media (max-width: 40rem) {{
  body {{ padding: 1rem .8rem 3rem; }}
  h1 {{ font-size: 1.35rem; }}
  figure.panels svg {{ max-width: none; width: 44rem; }}
  .dictionary thead {{ display: none; }}
  .dictionary tr, .dictionary th, .dictionary td {{ display: block; border: 0; padding: .1rem 0; }}
  .dictionary tr {{ border-bottom: 1px solid var(--faint); padding: .5rem 0; }}
  .dictionary tbody th {{ font-weight: 700; }}
  .dictionary th, .dictionary td {{ overflow-wrap: anywhere; }}
  .dictionary td::before {{ content: attr(data-title) " "; color: var(--soft); font-size: .85em; }}
}}
@media print {{
  @page {{ margin: 18mm 16mm; }}
  body {{ max-width: none; padding: 0; font-size: 10.5pt; }}
  nav {{ display: none; }}
  figure, tr, li, .verdict {{ break-inside: avoid; }}
  h2, h3 {{ break-after: avoid; }}
  .wide, figure.light {{ overflow: visible; }}
  figure svg {{ max-height: 85mm; width: auto; }}
}}
"""

# Nothing may be loaded or run: a browser refuses whatever a mistake of ours might let in.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def page(
    titles: list[tuple[str, str]], sections: list[Html], words: Words, *, public: bool, title: str | None = None
) -> str:
    """Put sections together as one page; ``titles`` are their places and headings."""
    title = words("title") if title is None else title
    contents = tag("ul", *(tag("li", tag("a", text, href=f"#{place}")) for place, text in titles))
    variant = words("variant_public" if public else "variant_private")
    head = joined(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<meta name="robots" content="noindex">'),
            tag("title", title),
            tag("style", Html(STYLE)),
        ]
    )
    top = tag(
        "header",
        tag("h1", title),
        tag("p", variant, class_="variant"),
        tag("nav", contents, aria_label=words("contents")),
    )
    body = tag("body", top, tag("main", *sections), class_="public" if public else "private")
    return f'<!DOCTYPE html>\n<html lang="{safe(words.language)}">\n<head>\n{head}\n</head>\n{body}\n</html>\n'
