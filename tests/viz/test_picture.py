import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Path3DCollection, Poly3DCollection

import firstcontact as fc
from firstcontact.viz.picture import FILLED, MAX_NAMES, RED, picture
from firstcontact.viz.view_of import view_of
from poses import at
from viz.things import LEAF_FACES, NASTY, apart, contacts, cube, edges, hair_hit, hit, leaf, miss, scan_hit


@pytest.fixture(autouse=True)
def quick(monkeypatch, request):
    """Triangles as large as they are, but where it matters."""
    if "hides" not in request.node.name:
        monkeypatch.setattr("firstcontact.viz.triangles.MAX_CUTS", 0)


def drawn(what, time=0.0, ghosts=True, **options):
    ax = Figure(figsize=(3, 3)).add_axes((0, 0, 1, 1), projection="3d")
    picture(view_of(what, **options), time, ax, ghosts)
    return ax


def of_kind(ax, kind):
    return [one for one in ax.collections if type(one) is kind]


def image(ax):
    """What is seen, (n, m, 3) from 0 to 255."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(ax.figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


def test_all_surfaces_are_sorted_together():
    (faces,) = of_kind(drawn(hit(), hit().time), Poly3DCollection)
    assert faces.get_rasterized()


def test_a_first_contact_has_points_arrows_and_a_face_in_its_colour():
    ax = drawn(hit(), hit().time)
    (points,) = of_kind(ax, Path3DCollection)
    assert np.array_equal(np.stack(points._offsets3d, axis=1), hit().points)
    assert of_kind(ax, Line3DCollection)
    assert is_red(image(ax)).any()
    assert not is_red(image(drawn(hit(), 0.9 * hit().time))).any()


def is_red(pixels):
    return (np.abs(pixels - 255 * np.array(to_rgb(RED))) < 12).all(axis=2)


def test_edges_in_contact_are_lines():
    lines = of_kind(drawn(edges(), edges().time), Line3DCollection)
    assert len(lines) == 2  # the edges, and the arrow


def test_ghosts_are_of_what_moves_and_only_if_asked_for():
    def opacities(ax):
        ax.figure.canvas.draw()
        return np.unique(of_kind(ax, Poly3DCollection)[0].get_facecolor()[:, 3])

    assert len(opacities(drawn(miss(), 0.5))) == 2
    assert opacities(drawn(miss(), 0.5, ghosts=False)).tolist() == [1.0]
    assert opacities(drawn(apart())).tolist() == [1.0]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_what_is_drawn_fills_the_axes_and_is_not_squeezed(scale):
    box = fc.Box([scale, 2 * scale, 5 * scale]).at(at(10 * scale, 0, 0))
    is_drawn = (image(drawn(box, title="", names={"box": " "}))[35:] < 250).any(axis=2)
    rows, columns = np.flatnonzero(is_drawn.any(axis=1)), np.flatnonzero(is_drawn.any(axis=0))
    assert np.ptp(rows) == pytest.approx(FILLED * 300, abs=30)
    # Of a box of 1 by 2 by 5 seen from elevation 30 and azimuth -60.
    width = 1 * np.sin(np.radians(60)) + 2 * np.cos(np.radians(60))
    height = 5 * np.cos(np.radians(30)) + (1 * 0.5 + 2 * np.sin(np.radians(60))) * np.sin(np.radians(30))
    assert np.ptp(columns) / (FILLED * 300) == pytest.approx(width / height, rel=0.05)


@pytest.mark.parametrize(("is_cut", "share"), [(True, 1.0), (False, 0.0)])
def test_what_is_in_front_hides_what_is_behind(monkeypatch, is_cut, share):
    """A cube far back on a floor of two triangles, which hide it unless they are cut."""
    if not is_cut:
        monkeypatch.setattr("firstcontact.viz.triangles.MAX_CUTS", 0)
    floor, block = fc.Mesh(leaf(0) * 5, LEAF_FACES), cube(0.8).at(at(-2.5, 2.5, 0.45))
    ax = Figure(figsize=(3, 3)).add_axes((0, 0, 1, 1), projection="3d", elev=22, azim=-54)
    picture(
        view_of({"floor": floor, "block": block}, "", names={"floor": " ", "block": "  "}), 0.0, ax, False
    )
    ax.get_legend().remove()
    pixels = image(ax)
    is_blue, is_tan = pixels[..., 2] > pixels[..., 0] + 20, pixels[..., 0] > pixels[..., 2] + 20
    up, around = np.radians([22, -54])
    towards = np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])
    seen = 0.8**2 * np.abs(towards).sum() / (10**2 * towards[2])  # of the cube, in parts of the floor
    assert is_tan.sum() / (is_tan | is_blue).sum() == pytest.approx(share * seen, abs=0.1 * seen)


def test_names_are_text_whatever_is_in_them():
    ax = drawn({NASTY: cube(), "_hidden": cube(), "$x^$": cube()}, title="$\\frac$")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [NASTY, "_hidden", "$x^$"]
    assert ax.get_title() == "$\\frac$"
    image(ax)


def test_very_many_names_are_left_out():
    assert drawn({str(i): cube() for i in range(MAX_NAMES + 1)}).get_legend() is None
    assert drawn({}).get_legend() is None


@pytest.mark.parametrize(
    "what",
    [
        {},
        fc.Mesh(np.zeros((3, 3)), [[0, 1, 2]]),
        fc.Mesh(leaf(0), LEAF_FACES),
        fc.Box([1, 1, 1]).at(at(1e12, 0, 0)),
    ],
    ids=["nothing", "a point", "flat", "far away"],
)
def test_odd_things_can_be_drawn(what):
    assert (np.ptp(image(drawn(what))) > 0) == (what != {})


def test_a_vector_file_is_small(tmp_path):
    ball = fc.Sphere(1).at(np.eye(4))
    for kind in ("pdf", "svg"):
        drawn({"ball": ball}).figure.savefig(tmp_path / f"ball.{kind}")
        assert (tmp_path / f"ball.{kind}").stat().st_size < 300_000


def test_all_contacts_until_a_time_are_there():
    (points,) = of_kind(drawn(contacts(), 1.0), Path3DCollection)
    assert len(points._offsets3d[0]) == len(contacts())


def test_points_and_strands_are_as_large_as_they_are():
    for cloud, width, height in (
        (fc.Points([[0, 0, 0]], 1.0), 2.0, 2.0),
        (fc.Strands([[0, -1, 0], [0, 1, 0]], [2], 0.5), 3.0, 1.0),
    ):
        ax = Figure(figsize=(3, 3)).add_axes((0, 0, 1, 1), projection="3d", elev=0, azim=0)
        picture(view_of(cloud, "", names={type(cloud).__name__.lower(): " "}), 0.0, ax, False)
        ax.get_legend().remove()
        is_drawn = (image(ax) < 250).any(axis=2)
        rows, columns = np.flatnonzero(is_drawn.any(axis=1)), np.flatnonzero(is_drawn.any(axis=0))
        assert np.ptp(columns) / np.ptp(rows) == pytest.approx(width / height, rel=0.05)


def test_what_touches_of_points_and_strands_is_red():
    for what in (scan_hit(), hair_hit()):
        colors = of_kind(drawn(what, what.time), Poly3DCollection)[0].get_facecolor()
        red = np.array(to_rgb(RED))
        shares = colors[:, :3] / red
        assert (np.ptp(shares, axis=1) < 1e-6).any()
        before = of_kind(drawn(what, 0.9 * what.time), Poly3DCollection)[0].get_facecolor()
        assert not (np.ptp(before[:, :3] / red, axis=1) < 1e-6).any()


def test_a_point_without_a_size_can_be_seen():
    assert (image(drawn({"a": fc.Points([[0, 0, 0], [1, 1, 1]])}, title="")) < 250).any()
