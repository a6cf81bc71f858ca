"""All stories: told side by side, summed up in a table, and written on one page."""

import os
import platform
import textwrap
import time
import webbrowser
from collections.abc import Sequence
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import firstcontact as fc
from firstcontact._whole_file import write_whole
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.demo.side_by_side import told_side_by_side
from firstcontact.cli.demo.story import NO_BREAK, ROWS, Story
from firstcontact.errors import MissingExtraError
from firstcontact.viz.page import page_of

_ROOM = "firstcontact.cli.demo"
_STORIES = {
    f"{_ROOM}.hammer": "hammer and anvil",
    f"{_ROOM}.cloth": "cloth over a ball",
    f"{_ROOM}.arm": "arm and rod",
}

_LABEL, _CELL = 13, 20  # widths of the summary's columns; with two blanks in between it is 77 wide

_LEAD = """<h1>When do moving things first touch?</h1>
<p>Three stories told by <code>firstcontact</code>, on shapes that it made itself. A time that it gives is
never later than the true first contact, and "free" is never wrong. Play the timelines: they stop where
things first touch. Drag to look around, scroll to come closer.</p>"""


def tell_all(out: Path, opens: bool) -> None:
    """Tell the stories, print the summary, write the page."""
    check_page(out)
    print("Three stories. The first time they are compiled, which takes most of a minute.\n", flush=True)
    started = time.perf_counter()
    stories = told_side_by_side(_STORIES)
    print(f"\n{summary(stories)}\n")
    write_page(out, stories)
    print(f"All in {time.perf_counter() - started:.1f} s. To see it, open {out.resolve()}")
    if opens:
        webbrowser.open(out.resolve().as_uri())


def check_page(out: Path) -> None:
    """See that the page can be made and written, before any work is done for it."""
    if find_spec("k3d") is None:
        raise MissingExtraError.of("k3d", "view")
    if out.is_dir() or not out.parent.is_dir():
        what = "it is a folder" if out.is_dir() else f"there is no folder {out.parent}"
        raise CommandError(f"{out} cannot be written: {what}")


def summary(stories: Sequence[Story]) -> str:
    """A column for each story, a few lines for each row; no wider than a terminal."""
    lines = [_line("", list(_STORIES.values())), "-" * (_LABEL + len(stories) * (_CELL + 2))]
    for row in ROWS:
        cells = [textwrap.wrap(story.cells[row], _CELL) for story in stories]
        for i in range(max(map(len, cells))):
            words = [cell[i].replace(NO_BREAK, " ") if i < len(cell) else "" for cell in cells]
            lines += [_line("" if i else row, words)]
    return "\n".join(lines)


def _line(label: str, cells: Sequence[str]) -> str:
    return (label.ljust(_LABEL) + "".join(f"  {cell:<{_CELL}}" for cell in cells)).rstrip()


def write_page(out: Path, stories: Sequence[Story]) -> None:
    """Write all sections on one page, which needs nothing else."""
    sections = [section for story in stories for section in story.sections]
    foot = (
        f"<footer>firstcontact {fc.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{date.today().isoformat()}. Times are of that run, compiling left out; the stories were told "
        f"side by side.</footer>"
    )
    page = page_of("firstcontact: three stories", sections, lead=_LEAD, foot=foot)
    try:
        write_whole(out, page)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}") from None
