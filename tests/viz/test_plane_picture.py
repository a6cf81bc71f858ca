"""Things of the plane, drawn: what is filled, what is said, and what is refused."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg

import firstcontact as fc
from firstcontact.viz.plane_picture import FILL, path_of

SQUARE = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], float)
HOLE = np.array([[1, 1], [3, 1], [3, 3], [1, 3]], float)
PART = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
FLOOR = fc.Polyline([[-2, 0], [3, 0]])
FALLS = PART.moving((0.0, [0, 3]), velocity=[0, -4], angular_velocity=1.0)
BESIDE = PART.at((0.0, [0.75, 0.1]))


@pytest.fixture(autouse=True)
def no_display():
    mpl.use("Agg")
    yield
    plt.close("all")


def are_filled(axes, points):
    """Whether a picture is not white at points (n, 2) of its axes."""
    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[::-1, :, :3]
    x, y = axes.transData.transform(points).astype(int).T
    return (image[y, x] != 255).any(axis=1)


@pytest.mark.parametrize("outline", [SQUARE, SQUARE[::-1]])
@pytest.mark.parametrize("hole", [HOLE, HOLE[::-1]])
def test_holes_are_left_empty_in_whichever_way_outlines_run(outline, hole):
    axes = fc.plot(fc.Polygon(outline, [hole]))
    assert are_filled(axes, [[2, 2], [0.5, 2]]).tolist() == [False, True]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_filled_is_what_is_inside(seed):
    """Of a polygon of random coasts that moved, at random pixels; those near an outline are left out."""
    rng = np.random.default_rng(seed)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], axis=1)[:: rng.choice([-1, 1])]
    coast, lake = (circle * rng.uniform(0.6, 1.0, (24, 1)) for _ in range(2))
    island = fc.Polygon(4 * coast, [0.6 * lake + [1, 0.5], 0.6 * lake[::-1] - [1, 0.5]])
    moved = island.moving((rng.uniform(0, 6), rng.normal(size=2)), velocity=[1, 2], angular_velocity=3)
    axes = fc.plot(moved, time=0.4, ghosts=False)
    lower, upper = moved.vertices(0.4).min(axis=0), moved.vertices(0.4).max(axis=0)
    points = rng.uniform(lower, upper, (400, 2))
    distance = fc.signed_distance(island.at(moved.pose(0.4)), points).distance
    is_clear = abs(distance) > 0.1
    np.testing.assert_array_equal(are_filled(axes, points[is_clear]), distance[is_clear] < 0)


ANSWERS = {
    "a polygon": (lambda: PART, "polygon"),
    "a polyline": (lambda: FLOOR, "polyline"),
    "what moves": (lambda: FALLS, "polygon"),
    "some": (lambda: {"a": FALLS, "b": FLOOR}, "a, b"),
    "a first contact": (lambda: fc.first_contact(FALLS, FLOOR), "First contact of a and b at t = 0.698884"),
    "none": (lambda: fc.first_contact(FALLS, FLOOR.at((0.0, [0, -9]))), "No contact"),
    "a distance": (lambda: fc.distance(PART, FLOOR.at((0.0, [0, -2]))), "Distance of a and b: 2"),
    "a depth": (lambda: fc.penetration(PART, BESIDE), "Depth of a and b in each other: 0.25"),
    "crossings": (lambda: fc.intersections(PART, BESIDE), "Intersections("),
    "contacts": (lambda: fc.contacts(PART, FLOOR, min_separation=0.1), "3 contacts"),
    "deforming": (
        lambda: fc.contacts(
            PART.deforming(np.add(PART.vertices, [0, 1]), np.subtract(PART.vertices, [0, 2])), FLOOR
        ),
        "4 contacts",
    ),
    "intervals": (lambda: fc.contact_intervals(FALLS, FLOOR), ""),
    "nothing": (lambda: fc.Polygon([]), "polygon"),
    "points alone": (lambda: fc.Polyline([[0, 0], [1, 1]], [1, 1]), "polyline"),
    "a loop": (lambda: fc.Polyline(SQUARE, closed=True), "polyline"),
}


@pytest.mark.parametrize(("what", "title"), ANSWERS.values(), ids=ANSWERS)
def test_everything_in_the_plane_can_be_plotted(what, title):
    axes = fc.plot(what())
    assert axes.name == "rectilinear"
    assert axes.get_title().startswith(title)
    axes.figure.canvas.draw()


def test_what_moves_is_faint_where_it_starts_and_ends():
    hit = fc.first_contact(FALLS, FLOOR)
    filled = [patch for patch in fc.plot(hit).patches if patch.get_fill()]
    assert len(filled) == 3
    np.testing.assert_array_equal(filled[2].get_path().vertices[:4], FALLS.vertices(hit.time))
    assert filled[2].get_alpha() == FILL
    assert len([patch for patch in fc.plot(hit, ghosts=False).patches if patch.get_fill()]) == 1
    assert len([patch for patch in fc.plot(FALLS, time=1).patches if patch.get_fill()]) == 2


def test_what_was_found_is_marked_from_then_on():
    hit = fc.first_contact(FALLS, FLOOR)
    np.testing.assert_array_equal(fc.plot(hit).lines[-1].get_xydata(), hit.points)
    assert len(fc.plot(hit, time=0.1).lines) == len(fc.plot(hit).lines) - 1
    depth = fc.penetration(PART, BESIDE)
    ends = fc.plot(depth).lines[0].get_xydata()
    np.testing.assert_array_equal(ends, [depth.points_a, depth.points_b])


def test_names_and_axes_are_kept():
    axes = plt.figure().add_subplot()
    assert fc.plot({"a": FALLS, "b": FLOOR}, ax=axes, names={"a": "$part"}, title="$x") is axes
    assert axes.get_title() == "$x"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["$part", "b"]


def test_rows_are_paths_of_their_own():
    rows = fc.Polyline([[0, 0], [1, 0], [2, 0], [2, 1], [9, 9]], [2, 0, 2, 1])
    assert path_of(rows, rows.vertices).codes.tolist() == [1, 2, 1, 2, 1]


WRONG = {
    "both": (
        {"part": PART, "ball": fc.Sphere(1)},
        {},
        ValueError,
        "'part' is in the plane and 'ball' is not",
    ),
    "many": (PART.at((np.zeros(2), np.zeros((2, 2)))), {}, ValueError, "is a batch of motions"),
    "late": (PART, {"time": 2}, ValueError, r"time must be a finite number in \[0, 1\]"),
    "names": (PART, {"names": {"x": "y"}}, ValueError, "names must be of things that are there"),
    "plane": (PART, {"plane": "z=0"}, ValueError, "plane is for a DistanceField or a Voronoi"),
    "no axes": (PART, {"ax": 3}, ValueError, "ax must be two-dimensional; received int"),
}


@pytest.mark.parametrize(("what", "options", "error", "message"), WRONG.values(), ids=WRONG)
def test_bad_input_is_told_in_a_sentence(what, options, error, message):
    with pytest.raises(error, match=message):
        fc.plot(what, **options)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("what", [PART, FALLS, {"a": FLOOR}])
def test_the_page_is_of_things_in_space(what, tmp_path):
    with pytest.raises(TypeError, match=r"^this shows things in space; plot draws those in the plane$"):
        fc.show(what, tmp_path / "page.html")
