"""Look at things as they move, in a browser or a notebook."""

import os
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

import firstcontact as fc
from firstcontact._validate import as_path, shown
from firstcontact._whole_file import write_whole
from firstcontact.viz.field_view import field_view
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
    plane: str | None = None,
) -> Path | None:
    """Show moving things in 3-D, with a timeline that stops at the first contact. Needs the extra `view`.

    It is one page that holds all it needs, and is returned as a path. In a notebook it is shown in place, and
    nothing returned; elsewhere a browser opens it, if there is a display.

    Parameters
    ----------
    what : something that moves or rests, several by their names, a `Scene`, an answer about them, or a
        `DistanceField`
    path : where to write the page, instead of showing it
    title : a line above it; what the answer says unless given
    names : other names for things, by those that they have, as {"a": "hammer", "b": "anvil"}
    plane : of a field, as "z=0.5": its distances there are shown, too

    Examples
    --------
    >>> from firstcontact import Box, Sphere, first_contact
    >>> import numpy as np
    >>> ball, box = Sphere(1).moving(np.eye(4), velocity=[4, 0, 0]), Box([1, 1, 1])
    >>> show(first_contact(ball, box.at((np.eye(3), [3, 0, 0]))), getfixture("tmp_path") / "hit.html").name
    'hit.html'
    >>> show(3)
    Traceback (most recent call last):
    TypeError: what is shown must be a thing, several by name, a Scene or an answer; received int
    """
    file = None if path is None else as_path("path", path)
    if file is not None and file.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"path must end in .html; received {shown(str(file))}")
    if isinstance(what, fc.DistanceField):
        view = field_view(what, plane, title, names)
    elif plane is not None:
        raise ValueError(f"plane is for a DistanceField; received {type(what).__name__}")
    else:
        view = view_of(what, title, names=names)
    page = page_of(view.title, [Section("", "", view)])
    if file is not None:
        return write_whole(file, page)
    if _is_notebook():
        notebook: Any = import_module("IPython.display")
        frame = f'<iframe srcdoc="{escape(page)}" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        notebook.display({"text/html": frame}, raw=True)
        return None
    folder = Path(tempfile.mkdtemp(prefix="firstcontact-"))
    file = write_whole(folder / "view.html", page)
    if _has_display():
        with suppress(webbrowser.Error):  # no browser: the page is there all the same
            webbrowser.open(file.as_uri())
    return file


def _has_display() -> bool:
    """Can a window open? Where none can, some systems would start a browser in the terminal."""
    return sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())


def _is_notebook() -> bool:
    """Is this run by a notebook?"""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")
