"""The built site in a real browser: opened from the file system, without a network."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from browser.viewer_page import ViewerPage
from documents.blocks import ROOT

pytestmark = pytest.mark.browser

WIDE, NARROW = (1300, 900), (420, 860)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def shown(browser):
    """Open pages; whatever goes wrong on one of them fails its test."""

    @contextmanager
    def open_page(path: Path, size: tuple[int, int] = WIDE):
        page = ViewerPage(browser, path, size)
        yield page.page
        page.close()

    return open_page


def test_search_works_without_a_server(site, shown):
    with shown(site / "index.html") as page:
        page.locator(".md-search__input").click()
        page.keyboard.type("safe_step")
        found = page.locator("a[href*='over-time.html'][href$='#safe_step']")
        found.first.wait_for()
        assert found.count() > 0


def test_every_page_opens_and_fits_a_narrow_window(site, shown):
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # which servers alone show
            with shown(path, NARROW) as page:
                assert page.locator("h1").count() == 1, path
                assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0], path
                broken = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"
                assert page.evaluate(broken) == 0, path
