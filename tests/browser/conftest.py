from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import firstcontact as fc
from browser import subjects
from browser.viewer_page import WIDE, Viewer, ViewerPage, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., ViewerPage]:
    """Open the page of one of the subjects, in a window of some size."""

    def open_page(subject: str, size: tuple[int, int] = WIDE) -> ViewerPage:
        what: Any = getattr(subjects, subject)()
        path = fc.show(what, tmp_path_factory.mktemp("page") / f"{subject}.html")
        return ViewerPage(browser, path, size)

    return open_page


@pytest.fixture(scope="module")
def page(opened: Callable[..., ViewerPage], request: pytest.FixtureRequest) -> Iterator[ViewerPage]:
    """The page of the subject that a test is parametrised with: opened once for all its tests."""
    shown = opened(request.param)
    yield shown
    shown.close()


@pytest.fixture
def viewer(page: ViewerPage, request: pytest.FixtureRequest) -> Iterator[Viewer]:
    """The viewer of that page as it looks when opened; nothing may go wrong while a test uses it.

    Pictures of what each test leaves go to the folder SCREENSHOTS, if there is one.
    """
    [only] = page.viewers
    only.reset()
    yield only
    keep_picture(page, request)
    page.check()


def keep_picture(page: ViewerPage, request: pytest.FixtureRequest) -> None:
    """Write a picture of the page, if that was asked for."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.page.screenshot(path=Path(folder) / f"{request.node.name}.png")
