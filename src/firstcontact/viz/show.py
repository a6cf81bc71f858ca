"""Look at things as they move, in a browser or a notebook."""

import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from firstcontact.viz.page import Section, page_of
from firstcontact.viz.view_of import NO_NAMES, view_of

# Of a viewer in a notebook, in pixels.
HEIGHT = 560


def show(
    what: Any,
    path: str | PathLike[str] | None = None,
    *,
    title: str | None = None,
    names: Mapping[str, str] = NO_NAMES,
) -> Path | None:
    """Show moving things in 3-D, with a timeline that stops at the first contact. Needs the extra `view`.

    A page of its own, which holds all it needs: it opens anywhere, without a network. In a notebook it is
    shown in place; elsewhere in a browser, if there is one.

    Parameters
    ----------
    what : something that moves or rests, a mapping of several by their names, a `Scene` (with its first
        contact), or an answer: what `first_contact`, `contacts`, `distance`, `penetration` and those of a
        scene give
    path : where to write the page, instead of showing it
    title : a line above it; what the answer says unless given
    names : other names for things, by those that they have, as {"a": "hammer", "b": "anvil"}

    Returns
    -------
    Path of the page; None in a notebook

    Examples
    --------
    >>> from firstcontact import Box, Sphere, first_contact, show
    >>> import numpy as np
    >>> box = Box([1, 1, 1]).at((np.eye(3), [3, 0, 0]))
    >>> hit = first_contact(Sphere(1).moving(np.eye(4), velocity=[4, 0, 0]), box)
    >>> show(hit, getfixture("tmp_path") / "hit.html").name
    'hit.html'
    >>> show(3)
    Traceback (most recent call last):
    TypeError: what is shown must be a thing, several by name, a Scene or an answer; received int
    """
    view = view_of(what, title, names=names)
    page = page_of(view.title, [Section("", "", view)])
    if path is not None:
        return _written(page, Path(path))
    if _is_notebook():
        notebook: Any = import_module("IPython.display")
        frame = f'<iframe srcdoc="{escape(page)}" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        notebook.display(notebook.HTML(frame))
        return None
    folder = Path(tempfile.mkdtemp(prefix="firstcontact-"))
    file = _written(page, folder / "view.html")
    with suppress(webbrowser.Error):  # no display: the page is there all the same
        webbrowser.open(file.as_uri())
    return file


def _written(page: str, path: Path) -> Path:
    path.write_text(page, encoding="utf-8")
    return path


def _is_notebook() -> bool:
    """Is this run by a notebook?"""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")
