"""A single point is asked about in short: the same bits as at length, and the same sentences."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import firstcontact as fc
from firstcontact._validate import as_points
from firstcontact.queries.in_short.points import one_point_in_short
from firstcontact.queries.signed_distance import AUTO, PointBatch, _asked
from poses import pose, random_poses
from queries.in_both_ways import bits
from queries.in_short.test_convexes import AWAY, HERE, MESHES, SOLIDS
from samples import sample
from when_asked import WhenAsked

FIELDS = {
    "field of a box": (SOLIDS["cube"], 0.05),
    "field of a ring": (MESHES["ring"], 0.1),
    "field of a sheet": (MESHES["sheet"], 0.1),
}
SHAPES = MESHES | SOLIDS | {"ellipsoid": fc.Ellipsoid([0.4, 0.7, 1.1])}
NAMES = (*SHAPES, *FIELDS)
THINGS = WhenAsked(lambda name: SHAPES[name] if name in SHAPES else fc.DistanceField.of(*FIELDS[name]))
POINT = np.array([0.3, -0.2, 0.7])


def at_length(verb, thing, point):
    return _asked(thing, PointBatch(verb, as_points("points", point), AUTO, verb == "contains"))


def places(shape, rng):
    """Points anywhere, on the surface, on lattices, in the middle and far away."""
    bounds = shape.bounds
    yield from rng.uniform(*bounds, (sample(6, of=100), 3))
    yield from (
        3.0 * rng.normal(size=3),
        1e6 * rng.normal(size=3),
        np.zeros(3),
        -np.zeros(3),
        bounds[0].copy(),
    )
    yield from (np.round(2.0 * rng.normal(size=3)) / 2.0, bounds[1] * [1, 1, 0.5], bounds.mean(axis=0))


@pytest.mark.parametrize("name", NAMES)
def test_a_point_gets_the_same_bits(name):
    shape, rng = THINGS[name], np.random.default_rng(len(name))
    for matrix in (None, HERE, *random_poses(sample(3, of=40), seed=8)):
        thing = shape if matrix is None else shape.at(matrix)
        for own in places(shape, rng):
            point = own if matrix is None else matrix[:3, :3] @ own + matrix[:3, 3]
            for verb in ("signed_distance", "contains"):
                short = one_point_in_short(verb, thing, point)
                assert short is None or bits(short) == bits(at_length(verb, thing, point))
                asked = getattr(fc, verb)(thing, point)
                assert bits(asked) == bits(at_length(verb, thing, point))


def test_who_is_answered_in_short():
    for name in NAMES:
        shape = THINGS[name]
        is_told_by_winding = name in ("box", "sheet", "triangle", "sliver", "point")
        for thing in (shape, shape.at(AWAY)):
            is_short = one_point_in_short("signed_distance", thing, POINT) is not None
            assert is_short is not is_told_by_winding, name
            assert one_point_in_short("contains", thing, POINT) is not None
    empty = fc.Mesh([], [])
    assert one_point_in_short("signed_distance", empty, POINT) is None
    assert fc.signed_distance(empty, POINT).distance == np.inf
    assert fc.contains(empty, POINT) is False


@pytest.mark.parametrize("name", FIELDS)
def test_values_and_gradients_of_a_field_at_one_point(name):
    field, rng = THINGS[name], np.random.default_rng(3)
    lower, upper = field.box
    edge = [lower, upper, [*upper[:2], lower[2]], np.nextafter(upper, -np.inf), np.nextafter(upper, np.inf)]
    for point in (
        *places(field, rng),
        *rng.uniform(lower, upper, (sample(50, of=5000), 3)),
        *map(np.array, edge),
    ):
        many = np.array([point])
        assert bits(field(point)) == bits(float(field(many)[0]))
        assert bits(field.gradient(point)) == bits(field.gradient(many)[0])
    found = field.gradient(POINT)
    found[:] = 7.0  # it is the caller's own
    assert field.gradient(POINT)[0] != 7.0


def unusual(point):
    """The same point in other arrays: none of them is for the short way."""
    wide, frozen = np.zeros(6), point.copy()
    wide[::2] = point
    frozen.setflags(write=False)
    yield from (point.tolist(), wide[::2], frozen, point.astype(">f8"), point.view(np.matrix).ravel())
    yield from (point.astype(np.float32), point[:, np.newaxis].T[0], tuple(point.tolist()))


@pytest.mark.parametrize("name", ["cube", "ring", "field of a box"])
def test_unusual_arrays_get_the_same_answers(name):
    shape = THINGS[name]
    point = np.array([0.25, -0.5, 0.75])  # which singles hold, too
    for matrix in (None, pose((1, 2, 3), (0, 0, np.pi / 2))):
        thing = shape if matrix is None else shape.at(matrix)
        for other in unusual(point):
            if np.ndim(other) == 1:
                assert bits(fc.signed_distance(thing, other)) == bits(fc.signed_distance(thing, point))
                assert fc.contains(thing, other) == fc.contains(thing, point)
    if isinstance(shape, fc.DistanceField):
        for other in unusual(point):
            assert np.all(shape(other) == shape(point))


BAD = (
    (np.array([np.nan, 0, 0]), "points must be finite"),
    (np.array([0, 2.0**151, 0]), "points must lie within"),
    (np.zeros(2), "points must have shape"),
    (np.zeros(4), "points must have shape"),
    (np.zeros(0, complex), "points must"),
)


@pytest.mark.parametrize(("point", "message"), BAD, ids=str)
def test_a_bad_point_gets_its_sentence(point, message):
    for shape in (THINGS[name] for name in ("cube", "hull", "ring", *FIELDS)):
        for ask in (fc.signed_distance, fc.contains):
            with pytest.raises((ValueError, TypeError), match=f"^{message}"):
                ask(shape, point)
        if isinstance(shape, fc.DistanceField):
            for call in (shape, shape.gradient):
                with pytest.raises((ValueError, TypeError), match=r"^points must"):
                    call(point)


def test_what_moves_gets_its_sentence():
    for shape in (THINGS[name] for name in ("cube", "ring", "field of a box")):
        for ask in (fc.signed_distance, fc.contains):
            with pytest.raises(ValueError, match="is for one instant, and the shape moves"):
                ask(shape.moving(HERE, AWAY), POINT)
            batch = ask(shape.at(np.stack([HERE, AWAY])), POINT)
            assert len(batch if ask is fc.contains else batch.distance) == 2


def test_answers_are_plain_data():
    for shape in (THINGS[name] for name in ("cube", "ring", "field of a box")):
        short, long = fc.signed_distance(shape, POINT), at_length("signed_distance", shape, POINT)
        assert pickle.loads(pickle.dumps(short)) == copy.deepcopy(short) == long == short
        assert repr(fc.signed_distance(shape, POINT)) == repr(long)
        short.points[:] = 0.0
        assert fc.signed_distance(shape, POINT).points.any()


def test_threads_have_their_own_answers():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(sample(200, of=2000), 3))
    things = [THINGS[name] for name in ("ring", *FIELDS)]

    def ask(point):
        found = [bits(fc.signed_distance(thing, point)) for thing in things]
        return found, fc.contains(MESHES["ring"], point)

    alone = [ask(point) for point in points]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, points)) == alone
