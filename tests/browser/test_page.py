"""Pages as a whole, in a real browser without a network."""

from html import escape
from pathlib import Path

import pytest

import firstcontact as fc
from browser import subjects, viewer_page
from browser.viewer_page import NARROW, ViewerPage, share_drawn

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("subject", ["scene", "closest"])
def test_a_narrow_window_has_it_all(opened, subject):
    page = opened(subject, NARROW)
    [viewer] = page.viewers
    assert page.page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    for part in (".canvas", ".controls", "aside"):
        box = viewer.figure.locator(part).bounding_box()
        assert box["x"] >= 0.0
        assert box["x"] + box["width"] <= NARROW[0]
        assert box["height"] > 30
    assert share_drawn(viewer.pixels()) > 0.01
    page.close()


def test_a_name_is_text_and_never_code(browser, tmp_path):
    name = "<img src=x onerror=fail()></script>&amp;"
    path = fc.show({name: fc.Sphere(1)}, tmp_path / "page.html", title=name)
    page = ViewerPage(browser, path)
    assert page.page.title() == name
    assert page.viewers[0].canvas.get_by_text(name, exact=True).count() == 2
    page.close()


def test_a_page_shown_in_a_frame_as_notebooks_do(browser, tmp_path):
    page = fc.show(subjects.free(), tmp_path / "page.html").read_text(encoding="utf-8")
    (tmp_path / "notebook.html").write_text(
        f'<iframe srcdoc="{escape(page)}" width="900" height="500"></iframe>'
    )
    context = browser.new_context(offline=True)
    outer = context.new_page()
    outer.goto((tmp_path / "notebook.html").as_uri())
    viewer = outer.frame_locator("iframe").locator(".viewer[data-state=ready]")
    viewer.wait_for(timeout=120_000)
    assert viewer.count() == 1
    context.close()


def test_without_a_browser_it_is_told_how_to_get_one(monkeypatch):
    monkeypatch.setattr(viewer_page, "CHROMIUM", Path("/nowhere/chromium"))
    with pytest.raises(
        FileNotFoundError, match=r"no browser at /nowhere/chromium: run tests/browser/install.sh"
    ):
        viewer_page.chromium().__enter__()
