import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

import firstcontact as fc
from firstcontact.viz.triangles import MAX_TRIANGLES
from viz import things
from viz.things import arm, contacts, cube, hit, many, miss


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    """No window, no figure that stays, and triangles as large as they are, which is quick."""
    mpl.use("Agg")
    monkeypatch.setattr("firstcontact.viz.triangles.MAX_CUTS", 0)
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "name",
    ["hit", "edges", "miss", "contacts", "folded", "robot_hit", "scene", "apart", "inside", "ball", "cube"],
)
def test_everything_that_can_be_shown_can_be_plotted(name):
    ax = fc.plot(getattr(things, name)())
    assert ax.name == "3d"
    assert ax.figure is plt.gcf()
    assert ax.get_title()
    ax.figure.canvas.draw()


def test_the_time_is_that_of_the_first_contact_or_the_start():
    spots = [len(one.get_offsets()) for one in fc.plot(hit()).collections if hasattr(one, "_offsets3d")]
    assert spots == [len(hit().points)]
    assert len(fc.plot(hit(), time=0.1).collections) == 1
    alone = fc.plot(cube().moving(np.eye(4), velocity=[9, 0, 0]), ghosts=False)
    np.testing.assert_allclose(np.mean(alone.get_xlim()), 0.0, atol=0.1)
    later = fc.plot(cube().moving(np.eye(4), velocity=[9, 0, 0]), time=1, ghosts=False)
    np.testing.assert_allclose(np.mean(later.get_xlim()), 9.0, atol=0.1)


def test_axes_given_are_drawn_into_and_keep_their_view():
    ax = plt.figure().add_subplot(1, 2, 2, projection="3d", elev=10, azim=20)
    assert fc.plot(hit(), ax=ax) is ax
    assert (ax.elev, ax.azim) == (10, 20)
    assert len(plt.get_fignums()) == 1


def test_titles_and_names():
    assert fc.plot(hit(), title="mine").get_title() == "mine"
    ax = fc.plot(hit(), names={"a": "hammer"}, title="")
    assert ax.get_title() == ""
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["hammer", "b"]


def test_answers_about_many_are_a_histogram():
    ax = fc.plot(many())
    assert ax.name == "rectilinear"
    n_free = np.count_nonzero(~many().hit)
    assert ax.get_title() == f"{n_free} of 20 have no contact ({n_free / 20:.1%})"
    paths = fc.first_contacts(
        arm().moving([0, 0], np.array([[0.1, 0.1], [2.5, 0.3]])), {"b": fc.Box([4, 4, 0.1])}
    )
    assert "of 2 have no contact" in fc.plot(paths).get_title()
    start, end = np.random.default_rng(0).random((2, 50, 4, 3))
    found = fc.vertex_face_ccd(start, end)
    assert sum(bar.get_height() for bar in fc.plot(found).patches) == np.count_nonzero(found.hit)
    assert "of 1 have" in fc.plot(fc.vertex_face_ccd(start[0], end[0])).get_title()


WRONG = {
    "no thing": (3, {}, TypeError, "what is shown must be a thing"),
    "late": (hit, {"time": 1.5}, ValueError, r"time must be a finite number in \[0, 1\]; received 1.5"),
    "no number": (hit, {"time": "soon"}, TypeError, "time must be"),
    "no time": (hit, {"time": float("nan")}, ValueError, "time must be a finite number"),
    "no name": (hit, {"names": {"c": "d"}}, ValueError, "names must be of things that are there"),
    "ghosts": (hit, {"ghosts": 1}, TypeError, "ghosts must be True or False; received 1"),
    "time of many": (many, {"time": 0.5}, ValueError, "has neither a time nor names"),
    "no axes": (miss, {"ax": 7}, ValueError, "ax must be three-dimensional.*received int"),
}


@pytest.mark.parametrize(("what", "options", "error", "message"), WRONG.values(), ids=WRONG)
def test_bad_input_is_told_in_a_sentence(what, options, error, message):
    with pytest.raises(error, match=message):
        fc.plot(what() if callable(what) else what, **options)
    assert plt.get_fignums() == []


def test_axes_must_have_as_many_dimensions():
    with pytest.raises(ValueError, match=r"ax must be three-dimensional.*received rectilinear"):
        fc.plot(contacts(), ax=plt.figure().add_subplot())
    with pytest.raises(ValueError, match="ax must be two-dimensional; received 3d"):
        fc.plot(many(), ax=plt.figure().add_subplot(projection="3d"))


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        fc.MissingExtraError, match=r"matplotlib is missing: `pip install 'firstcontact\[view\]'`"
    ):
        fc.plot(hit())


def test_a_large_mesh_is_drawn_coarser():
    n = 320
    x, y = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1), indexing="ij")
    row = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = row[:-1, :-1].ravel(), row[1:, :-1].ravel(), row[1:, 1:].ravel(), row[:-1, 1:].ravel()
    wave = np.stack([x.ravel(), y.ravel(), 0.1 * np.sin(9 * x).ravel()], axis=1)
    sheet = fc.Mesh(wave, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
    ax = fc.plot(sheet)
    assert len(sheet.faces) > MAX_TRIANGLES
    assert 0.1 * MAX_TRIANGLES < len(ax.collections[0].get_facecolor()) <= MAX_TRIANGLES
