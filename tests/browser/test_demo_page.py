"""The page of the demo, in a real browser without a network."""

import subprocess
import sys

import pytest

from browser.viewer_page import NARROW, ViewerPage, share_changed, share_drawn

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    written = tmp_path_factory.mktemp("demo") / "demo.html"
    command = [sys.executable, "-m", "firstcontact", "demo", "-o", written]
    subprocess.run(command, check=True, capture_output=True)
    return written


@pytest.fixture(scope="module")
def stories(browser, path):
    page = ViewerPage(browser, path)
    yield page
    page.close()


def test_every_story_moves(stories):
    assert len(stories.viewers) >= 3
    for viewer in stories.viewers:
        first, last = viewer.span
        before = viewer.pixels()
        assert share_drawn(before) > 0.01
        viewer.seek(0.5 * (first + last))
        assert share_changed(before, viewer.pixels()) > 0.0005
    stories.check()


def test_playing_stops_at_the_first_contact(stories):
    with_contact = [viewer for viewer in stories.viewers if viewer.stop is not None]
    assert len(with_contact) >= 2
    for viewer in with_contact:
        first, last = viewer.span
        viewer.seek(viewer.stop - 0.02 * (last - first))
        viewer.press("Space")
        viewer.wait_until_paused()
        assert viewer.time == viewer.stop
    stories.check()


def test_it_fits_a_narrow_window(browser, path):
    page = ViewerPage(browser, path, NARROW)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    page.close()
