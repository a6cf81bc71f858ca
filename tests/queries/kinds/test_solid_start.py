"""`solid=True` of what deforms: what is inside of another at the start is in contact then."""

from itertools import product

import numpy as np
import pytest

import firstcontact as fc
from samples import sample

SMALL, LARGE = fc.Box([0.5, 0.5, 0.5]).mesh, fc.Box([2.0, 2.0, 2.0]).mesh
POSE = np.eye(4)


def drifting(mesh, offset=(0, 0, 0), way=(0.1, 0, 0)):
    places = mesh.vertices + np.array(offset, float)
    return mesh.deforming(places, places + np.array(way, float))


def moving(mesh):
    return mesh.moving(POSE, velocity=[0.1, 0, 0.01])


def joined(meshes):
    """One mesh in several parts."""
    firsts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes])
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    return fc.Mesh(vertices, np.concatenate([m.faces + n for m, n in zip(meshes, firsts, strict=False)]))


def shifted(mesh, offset):
    return fc.Mesh(mesh.vertices + np.array(offset, float), mesh.faces)


def winds_around(vertices, faces, point):
    """By the solid angles of all faces (Van Oosterom and Strackee)."""
    a, b, c = np.moveaxis(vertices[faces] - point, 1, 0)
    x, y, z = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    volume = np.einsum("ni,ni->n", a, np.cross(b, c))
    rest = x * y * z + (a * b).sum(1) * z + (b * c).sum(1) * x + (c * a).sum(1) * y
    return abs(np.arctan2(volume, rest).sum()) > np.pi


def is_any_vertex_inside(a, b):
    pairs = (a, b), (b, a)
    return any(
        winds_around(other.vertices(0.0), other.surface.faces, point)
        for one, other in pairs
        for point in one.vertices(0.0)
    )


def is_in_contact_at_start(*things, **options):
    """The same of all three verbs."""
    hit = fc.first_contact(*things, solid=True, **options)
    assert fc.safe_step(*things, solid=True, **options) == min(hit.time, 1.0)
    assert fc.is_free(*things, solid=True) is not bool(hit)
    return hit.status == fc.Status.CONTACT_AT_START and hit.time == 0.0


FRAMES = SMALL.along(np.stack([SMALL.vertices, SMALL.vertices + 0.1, 0.5 * SMALL.vertices]))
NESTED = {
    "two that deform": (drifting(SMALL), drifting(LARGE)),
    "the outer rests": (drifting(SMALL), LARGE),
    "the inner rests": (SMALL, drifting(LARGE)),
    "the outer moves": (drifting(SMALL), moving(LARGE)),
    "the inner moves": (moving(SMALL), drifting(LARGE)),
    "frames": (FRAMES, drifting(LARGE)),
    "a ball": (fc.Sphere(0.2), drifting(LARGE)),
    "a ball in motion": (moving(fc.Sphere(0.2)), drifting(LARGE)),
    "points": (fc.Points([[9, 0, 0], [0, 0, 0]], 0.1), drifting(LARGE)),
    "a compound": (fc.Compound([fc.Sphere(0.1).at((np.eye(3), [9, 0, 0])), fc.Sphere(0.1)]), drifting(LARGE)),
    "voxels": (fc.Voxels(np.ones((2, 2, 2), bool), 0.1, (0, 0, 0)), drifting(LARGE)),
}


@pytest.mark.parametrize(("name", "is_swapped"), list(product(NESTED, (False, True))))
def test_what_is_inside_is_in_contact_only_if_solid(name, is_swapped):
    things = NESTED[name][::-1] if is_swapped else NESTED[name]
    assert not fc.first_contact(*things)
    assert is_in_contact_at_start(*things)
    hit = fc.first_contact(*things, solid=True)
    assert (len(hit.points), len(hit.normals), len(hit.features), len(hit.thing_ids)) == (0, 0, 0, 0)
    assert list(hit.things) == ["a", "b"]


@pytest.mark.parametrize("seed", range(sample(12, 400)))
def test_parts_in_parts_by_winding_numbers(seed):
    rng = np.random.default_rng(seed)
    things = []
    for size in (1.5, 0.3):
        sizes, places = size * rng.uniform(0.3, 1.2, 3), rng.uniform(-2, 2, (3, 3))
        stones = [
            fc.ConvexHull(s * rng.normal(size=(12, 3)) + p).mesh for s, p in zip(sizes, places, strict=True)
        ]
        things.append(drifting(joined(stones), way=0.3 * rng.normal(size=3)))
    surfaces = fc.first_contact(*things)
    truth = surfaces.time == 0.0 or is_any_vertex_inside(*things)
    for pair in (things, things[::-1]):
        assert is_in_contact_at_start(*pair) is truth
    if not truth:
        assert fc.first_contact(*things, solid=True).time == surfaces.time


def test_each_part_is_looked_at():
    parts = [shifted(SMALL, (5.0 * k, 0, 0)) for k in range(1, 4)]
    for inner in (joined([*parts, SMALL]), joined([SMALL, *parts])):
        assert is_in_contact_at_start(drifting(inner), LARGE)
        assert is_in_contact_at_start(moving(LARGE), drifting(inner))
    assert not is_in_contact_at_start(drifting(joined(parts)), LARGE)
    many = joined([*(shifted(SMALL, (0, 0, 3.0 * k)) for k in range(1, 30)), SMALL])
    assert is_in_contact_at_start(LARGE, drifting(many))
    # Between the walls of a hollow ball is inside, its void is not.
    turned = fc.Mesh(0.7 * LARGE.vertices, LARGE.faces[:, ::-1])
    hollow = drifting(joined([LARGE, turned]))
    assert not is_in_contact_at_start(drifting(SMALL), hollow)
    wall = fc.Mesh(0.1 * SMALL.vertices + [0.85, 0, 0], SMALL.faces)
    assert is_in_contact_at_start(drifting(wall), hollow)


def test_what_comes_inside_later_touches_then():
    coming = drifting(SMALL, (5, 0, 0), (-5, 0, 0))
    assert not is_in_contact_at_start(coming, LARGE)
    solid, surfaces = fc.first_contact(coming, LARGE, solid=True), fc.first_contact(coming, LARGE)
    assert (solid.time, solid.time_upper) == (surfaces.time, surfaces.time_upper)
    np.testing.assert_array_equal(solid.features, surfaces.features)
    leaving = fc.first_contact(drifting(SMALL, way=(5, 0, 0)), LARGE, solid=True)
    assert leaving.time == 0.0 < leaving.time_upper < 1.0  # by when surfaces meet for certain
    # Only the start of the first step counts as one.
    late = SMALL.along(np.stack([SMALL.vertices + np.array([x, 0, 0]) for x in (5.0, 4.0, 0.0)]))
    hit = fc.first_contact(late, LARGE, solid=True)
    assert hit.status == fc.Status.CONTACT
    assert hit.time == fc.first_contact(late, LARGE).time > 0.5
    crossing = fc.first_contact(drifting(SMALL, (1, 0, 0)), LARGE, solid=True)
    assert len(crossing.features) > 0  # of surfaces that cross the answer says where


def test_what_rounding_hides_counts_as_inside():
    inner = fc.Mesh(np.where(LARGE.vertices > 0, np.nextafter(1.0, 0.0), -0.5), LARGE.faces)
    still = inner.deforming(inner.vertices, inner.vertices)
    assert not fc.first_contact(still, LARGE)
    assert is_in_contact_at_start(still, LARGE)
    assert is_in_contact_at_start(LARGE, still)


def test_lists_of_things():
    assert is_in_contact_at_start([drifting(SMALL), drifting(SMALL, (9, 0, 0)), LARGE])
    assert is_in_contact_at_start({"ball": LARGE, "other": drifting(SMALL, (9, 0, 0)), "in": moving(SMALL)})
    assert not is_in_contact_at_start([drifting(SMALL, (5, 0, 0)), drifting(SMALL, (9, 0, 0)), moving(LARGE)])
    assert not is_in_contact_at_start([])
    assert not is_in_contact_at_start([drifting(LARGE)])
    assert not is_in_contact_at_start([fc.Mesh([], []), drifting(LARGE)])
    grid = [drifting(SMALL, 2.0 * np.array(place)) for place in product(range(5), repeat=3)]
    assert not is_in_contact_at_start(grid)
    last = fc.Mesh(0.1 * SMALL.vertices, SMALL.faces)
    assert is_in_contact_at_start([*grid, drifting(last, (8, 8, 8))])
    assert is_in_contact_at_start([drifting(last, (8, 8, 8)), *grid])


def test_what_cannot_be_asked_gets_one_sentence():
    sheet = fc.Mesh(np.eye(3), [[0, 1, 2]])
    for things, name in (
        ((drifting(sheet), LARGE), "a"),
        ((drifting(LARGE), sheet), "b"),
        ((moving(LARGE), drifting(sheet)), "b"),
        ((drifting(sheet), fc.Sphere(1.0)), "a"),
        (([LARGE, drifting(SMALL), moving(sheet)],), "thing 2"),
        (({"box": drifting(LARGE), "leaf": sheet},), "thing leaf"),
    ):
        for verb in (fc.first_contact, fc.safe_step, fc.is_free):
            with pytest.raises(
                ValueError, match=f"^solid=True needs closed meshes; {name} has 3 open edges$"
            ):
                verb(*things, solid=True)
    pair, groups = (drifting(SMALL), drifting(LARGE)), [np.zeros(8, int), np.ones(8, int)]
    for options in (
        {"assume_free_start": True},
        {"only_closing": True},
        {"groups": groups, "ignore_groups": [(0, 1)]},
    ):
        for things in (pair, (list(pair),)):
            with pytest.raises(
                ValueError, match=f"^solid=True is about all of the start, and {next(iter(options))} "
            ):
                fc.first_contact(*things, solid=True, **options)
    with pytest.raises(ValueError, match=r"^a has a batch of 2 motions: use first_contacts$"):
        fc.first_contact(LARGE.at(np.stack([POSE, POSE])), drifting(SMALL), solid=True)
    with pytest.raises(ValueError, match=r"^solid has no meaning for what deforms: it goes with the first"):
        fc.first_contact(drifting(LARGE), solid=True)
