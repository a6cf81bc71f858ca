"""Pages that hold all they show: k3d's code, the drawings and what drives them."""

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple
from zlib import compress

from firstcontact.errors import MissingExtraError
from firstcontact.viz.drawing import DURATION, drawing_of
from firstcontact.viz.view import View

# What a page is made of, beside this file.
TEMPLATE, STYLE, SCRIPT = "page.html", "page.css", "page.js"


class Section(NamedTuple):
    """A part of a page: a heading and a text, both HTML, and what there is to see."""

    heading: str
    text: str
    view: View


def page_of(title: str, sections: Sequence[Section], *, lead: str = "", foot: str = "") -> str:
    """Make one page, which needs nothing but a browser.

    Parameters
    ----------
    title : of the page, plain text
    sections : a viewer each; one alone without a heading fills the window
    lead, foot : HTML before and after them
    """
    parts = {
        "TITLE": escape(title),
        "STYLE": _own(STYLE),
        "LIBRARY": _library(),
        "SCRIPT": _own(SCRIPT),
        "LEAD": lead,
        "FOOT": foot,
        "KIND": "single" if len(sections) == 1 and not sections[0].heading else "story",
        "SECTIONS": "\n".join(_section(section) for section in sections),
    }
    page = _own(TEMPLATE)
    for name, text in parts.items():
        page = page.replace(f"<!--{name}-->", text)
    return page


def _own(name: str) -> str:
    return (files("firstcontact.viz") / name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    """The code of k3d, packed."""
    try:
        import k3d
    except ImportError as error:
        raise MissingExtraError.of("k3d", "view") from error
    source = (files(k3d) / "static" / "standalone.js").read_bytes()
    return b64encode(compress(source, 6)).decode()


def _section(section: Section) -> str:
    view = section.view
    drawing = drawing_of(view)
    text = f"<h2>{section.heading}</h2>\n{section.text}" if section.heading else section.text
    told = _json(_told(view, drawing.layers, drawing.camera))
    return (
        f'<section>{text}\n<figure class="viewer" data-state="waiting">'
        f'<script type="application/json">{told}</script>'
        f'<script type="text/plain">{b64encode(drawing.packed).decode()}</script></figure></section>'
    )


def _told(view: View, layers: Any, camera: Any) -> dict[str, Any]:
    """What the page's script has to know of a view."""
    return {
        "title": view.title,
        "span": view.span,
        "unit": view.unit,
        "stop": view.stop,
        "duration": DURATION,
        "seconds": view.seconds,
        "is_moving": view.is_moving,
        "moments": [{"time": moment.time, "label": moment.label} for moment in view.moments],
        "panel": view.panel,
        "things": [{"name": name, "color": color} for name, color in view.colors.items()],
        "layers": [layer._asdict() for layer in layers],
        "camera": camera,
    }


def _json(value: Any) -> str:
    """JSON that ends no script element."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
