"""Makes the pictures of the viewer in docs/images: `PYTHONPATH=tests python tests/browser/pictures.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import firstcontact as fc
from browser import subjects
from browser.viewer_page import ViewerPage, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

# The file, what it shows, at its first contact, and what is switched on for it.
PICTURES = (
    ("viewer.png", "smithy", ("ghost",)),
    ("viewer-scene.png", "scene", ()),
    ("viewer-robot.png", "robot", ("ghost",)),
)
SIZE = (1100, 620)


def picture(browser: Browser, subject: str, toggles: tuple[str, ...], path: Path) -> None:
    """Write one picture."""
    made = getattr(subjects, subject)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        fc.show(made(), file)  # twice, so that the time it tells has no compiling in it
        page = ViewerPage(browser, fc.show(made(), file), SIZE)
        [viewer] = page.viewers
        viewer.press("c")
        for role in toggles:
            viewer.toggle(role)
        viewer.pixels()  # until all is drawn
        page.page.screenshot(path=path)
        page.close()


def main(folder: Path = IMAGES) -> None:
    """Write all of them."""
    with chromium() as browser:
        for name, subject, toggles in PICTURES:
            picture(browser, subject, toggles, folder / name)


if __name__ == "__main__":
    main()
