"""What a person sees and does in a viewer, in a real browser without a network."""

import numpy as np
import pytest

from browser.viewer_page import share_changed, share_drawn, share_red

MOVING = ["rigid", "free", "scene", "cloth", "robot", "large", "hair", "scan", "voxels"]
WITH_CONTACT = ["rigid", "scene", "cloth", "robot", "hair", "scan", "voxels"]

pytestmark = pytest.mark.browser


def of(*subjects):
    """Run a test on the pages of these subjects."""
    return pytest.mark.parametrize("page", subjects, indirect=True)


@of(*MOVING)
def test_the_slider_moves_what_is_drawn(viewer):
    first = viewer.pixels()
    assert share_drawn(first) > 0.01
    viewer.seek(0.5)
    middle = viewer.pixels()
    viewer.seek(1.0)
    last = viewer.pixels()
    assert viewer.time == 1.0
    assert share_changed(first, middle) > 0.001
    assert share_changed(middle, last) > 0.001
    viewer.seek(0.0)
    assert share_changed(first, viewer.pixels()) < 0.001


@of(*WITH_CONTACT)
def test_the_contact_appears_when_it_happens(viewer):
    flag = viewer.figure.locator(".flag.on")
    viewer.seek(viewer.stop - 0.001)
    before = share_red(viewer.pixels())
    assert flag.count() == 0
    viewer.figure.locator("button.contact").click()
    viewer.settle()
    assert viewer.time == viewer.stop
    assert flag.inner_text() == "first contact"
    assert share_red(viewer.pixels()) > before + 1e-5


@of("free")
def test_nothing_is_marked_where_nothing_touches(viewer):
    assert viewer.stop is None
    assert viewer.figure.locator("button.contact").count() == 0
    viewer.seek(1.0)
    assert share_red(viewer.pixels()) == 0.0
    assert viewer.panel["status"] == "separated"


@of("rigid", "robot")
def test_playing_stops_at_the_first_contact_and_then_at_the_end(viewer):
    viewer.figure.locator("select").select_option("2")
    viewer.figure.locator("button.play").click()
    viewer.wait_until_paused()
    assert viewer.time == viewer.stop
    viewer.figure.locator("button.play").click()
    viewer.wait_until_paused()
    assert viewer.time == 1.0


@of("free")
def test_the_slider_stops_what_plays(viewer):
    viewer.figure.locator("select").select_option("0.1")
    viewer.figure.locator("button.play").click()
    assert viewer.is_playing
    viewer.seek(0.25)
    assert not viewer.is_playing
    assert viewer.time == 0.25


@of(*WITH_CONTACT)
def test_toggles_change_the_picture_and_back(viewer):
    viewer.press("c")
    before = viewer.pixels()
    for role in ("body", "contact", "normal", "name", "ghost", "bound"):
        viewer.toggle(role)
        assert share_changed(before, viewer.pixels()) > 0.0, role
        viewer.toggle(role)
    assert share_changed(before, viewer.pixels()) < 0.001


@of("scene")
def test_names_are_shown_and_hidden(viewer):
    labels = viewer.canvas.get_by_text("pill", exact=True)
    assert labels.is_visible()
    viewer.toggle("name")
    assert not labels.is_visible()


@of("rigid")
def test_the_panel_tells_the_answer_and_what_it_took(viewer):
    panel = viewer.panel
    assert panel["status"] == "contact"
    assert float(panel["time"]) == pytest.approx(viewer.stop, abs=1e-11)
    assert float(panel["time"]) <= float(panel["proven at"])
    assert int(panel["iterations"]) > 0
    assert "triangles, moves" in panel["a"]
    assert "triangles, rests" in panel["b"]


@of("closest")
def test_the_panel_tells_the_distance_at_an_instant(viewer):
    assert viewer.slider.count() == 0
    assert float(viewer.panel["distance"]) > 0.0
    assert share_drawn(viewer.pixels()) > 0.01
    assert share_red(viewer.pixels()) > 0.0


@of("rigid")
def test_keys(viewer):
    for key, time in (
        ("ArrowRight", 0.01),
        ("Shift+ArrowRight", 0.011),
        ("ArrowLeft", 0.001),
        ("End", 1.0),
        ("Home", 0.0),
        ("c", viewer.stop),
    ):
        viewer.press(key)
        assert viewer.time == pytest.approx(time)
    viewer.press("Space")
    assert viewer.is_playing
    viewer.press("Space")
    assert not viewer.is_playing


@of("rigid")
def test_a_drag_turns_the_view_and_home_turns_it_back(viewer):
    before = viewer.pixels()
    box = viewer.canvas.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x + 150, y + 40, steps=4)
    viewer.page.mouse.up()
    viewer.settle()
    assert share_changed(before, viewer.pixels()) > 0.002
    viewer.figure.locator("button.home").click()
    viewer.settle()
    assert share_changed(before, viewer.pixels()) < 0.001


@of("large")
def test_a_hundred_thousand_triangles_follow_the_slider(viewer, capsys):
    asked, drawn = viewer.milliseconds_a_step(steps=20)
    with capsys.disabled():
        print(f"\n110,000 triangles to another time: {asked:.0f} ms, and drawn without a card {drawn:.0f} ms")  # noqa: T201
    assert viewer.time == 1.0


@of("voxels")
def test_voxels_have_flat_sides(viewer):
    pixels = viewer.pixels()
    _, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    assert np.sort(counts)[-9:-1].sum() > 0.4 * share_drawn(pixels) * counts.sum()  # beside the background
    assert viewer.panel["a"].endswith("voxels, moves")


@of("crowd")
def test_a_hundred_thousand_points_follow_the_slider(viewer, capsys):
    assert share_drawn(viewer.pixels()) > 0.01
    asked, drawn = viewer.milliseconds_a_step(steps=4)
    with capsys.disabled():
        print(f"\n100,000 points to another time: {asked:.0f} ms, and drawn without a card {drawn:.0f} ms")  # noqa: T201
    assert viewer.time == 1.0
