"""Several things in one search, against each pair of them by itself."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.hierarchy import shares
from firstcontact.shapes.movable import Kind
from samples import sample

COLUMNS = (
    *("kind", "thing_ids", "ids_a", "ids_b", "vertex_ids", "time", "time_upper", "points", "normals"),
    *("closing_speed", "weights", "status", "gap", "velocities"),
)


def sheet(n, height=0.0):
    x, y = (axis.reshape(-1) for axis in np.meshgrid(*(np.linspace(0, 1, n),) * 2, indexing="ij"))
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.reshape(-1) for part in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return fc.Mesh(np.stack([x, y, np.full(n * n, height)], axis=1), faces)


def straight_things(rng, n):
    """Sheets that deform, or rest, some of them in one plane."""
    things = []
    for _ in range(n):
        mesh = sheet(rng.integers(2, 6), rng.choice([0.0, 0.1, 0.2 * rng.normal()]))
        start = mesh.vertices + rng.choice([0.0, 0.2]) * rng.normal(size=mesh.vertices.shape)
        way = rng.choice([0.0, 0.3]) * rng.normal(size=3) + 0.1 * rng.integers(2) * rng.normal(
            size=start.shape
        )
        things.append(mesh.deforming(start, start + way) if rng.random() < 0.8 else mesh)
    return things


def parts_of(things, self_contact):
    """What is asked about, pair by pair, with the places of both."""
    pairs = [((things[i], things[j]), (i, j)) for i, j in combinations(range(len(things)), 2)]
    is_deforming = [isinstance(thing, fc.Moving) and thing.kind == Kind.DEFORMING for thing in things]
    return pairs + [((thing,), (k, k)) for k, thing in enumerate(things) if self_contact and is_deforming[k]]


def pair_by_pair(things, self_contact, **options):
    columns = {name: [] for name in COLUMNS}
    for pair, places in parts_of(things, self_contact):
        found = fc.contacts(*pair, **options)
        assert np.array_equal(found.thing_ids, np.tile([0, len(pair) - 1], (len(found), 1)))
        for name in COLUMNS:
            columns[name].append(getattr(found, name))
        columns["thing_ids"][-1] = np.tile(np.array(places, np.int32), (len(found), 1))
    whole = {name: np.concatenate(parts) for name, parts in columns.items()}
    keys = whole["ids_b"], whole["ids_a"], *whole["thing_ids"].T[::-1], whole["kind"], whole["time"]
    order = np.lexsort(keys)
    return {name: column[order] for name, column in whole.items()}


@pytest.mark.parametrize("seed", range(sample(4, 12)))
@pytest.mark.parametrize("separation", [0.0, 0.05])
@pytest.mark.parametrize("self_contact", [False, True])
def test_straight_things_touch_as_each_pair_does(seed, separation, self_contact):
    things = straight_things(np.random.default_rng(seed), 2 + seed % 4)
    options = {"min_separation": separation}
    found = fc.contacts(things, self_contact=self_contact, **options)
    for name, column in pair_by_pair(things, self_contact, **options).items():
        assert getattr(found, name).tobytes() == column.tobytes(), name
    first = fc.first_contact(things, self_contact=self_contact, **options)
    firsts = [(fc.first_contact(*pair, **options), places) for pair, places in parts_of(things, self_contact)]
    time = min(one.time for one, _ in firsts)
    assert first.time == time
    expected = {
        (*places, *feature)
        for one, places in firsts
        for feature in one.features.tolist()
        if one.time <= first.time_upper < np.inf
    }
    named = np.concatenate([first.thing_ids, first.features], axis=1).tolist()
    # Two that rest are rigid bodies by themselves, of which fewer places are listed.
    rests = [isinstance(thing, fc.Mesh) for thing in things]
    assert {tuple(row) for row in named if not (rests[row[0]] and rests[row[1]])} <= expected
    assert bool(first) == (time < np.inf)
    assert fc.safe_step(things, self_contact=self_contact, **options) == min(time, 1.0)
    assert fc.is_free(things, self_contact=self_contact, **options) == (not first)


BALL = fc.Mesh(
    0.3 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]),
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
)
PIECES = 64


def pose(rotation, place):
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = rotation, place
    return made


def turning(rng):
    """A small body that turns and comes down."""
    start, end = rng.random(3) * [1, 1, 0.4] + [0, 0, 0.4], rng.random(3) * [1, 1, 0.4] - [0, 0, 0.4]
    return BALL.moving(pose(np.eye(3), start), pose(Rotation.random(random_state=rng).as_matrix(), end))


def keys_of(found):
    ids = np.column_stack([found.thing_ids, found.kind, found.ids_a, found.ids_b]).tolist()
    return {tuple(row): k for k, row in enumerate(ids)}


def by_chords(things):
    """Times by which pairs of features touch where all go straight in short pieces, as good as truly."""
    things = [x if isinstance(x, fc.Moving) else x.deforming(x.vertices, x.vertices) for x in things]
    seen = {}
    for k in range(PIECES):
        ends = [[thing.vertices(t / PIECES) for thing in things] for t in (k, k + 1)]
        part = [x.surface.deforming(*places) for x, *places in zip(things, *ends, strict=True)]
        found = fc.contacts(part, assume_free_start=k > 0)
        for key, row in keys_of(found).items():
            seen.setdefault(key, (k + found.time_upper[row]) / PIECES)
    return seen


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_bodies_that_turn_touch_as_on_many_short_chords(seed):
    rng = np.random.default_rng(seed)
    things = straight_things(rng, seed % 3)
    for _ in range(1 + seed % 2):
        things.insert(int(rng.integers(len(things) + 1)), turning(rng))
    found = fc.contacts(things, tolerance=1e-4)
    mine, seen = keys_of(found), by_chords(things)
    rests = [not isinstance(thing, fc.Moving) or thing.kind is not Kind.MESH for thing in things]
    straight = fc.contacts([thing for thing, is_straight in zip(things, rests, strict=True) if is_straight])
    of_straight = [row for key, row in mine.items() if rests[key[0]] and rests[key[1]]]
    assert found.time[of_straight].tobytes() == straight.time.tobytes()
    assert seen.keys() <= mine.keys()
    for key, upper in seen.items():
        assert found.time[mine[key]] <= upper + 1e-3
    assert len(mine) <= 1.02 * len(seen) + 2  # what is within the tolerance, besides
    first = fc.first_contact(things, tolerance=1e-4)
    assert bool(first) == (len(found) > 0)
    if first:
        assert first.time <= min(found.time_upper.min(), found.time[0] + 1e-3)
        assert {tuple(row) for row in first.thing_ids.tolist()} <= {key[:2] for key in mine}
    assert fc.safe_step(things, tolerance=1e-4) == min(first.time, 1.0)
    assert fc.is_free(things, tolerance=1e-4) == (not first)


def test_two_bodies_that_turn_need_nothing_that_deforms():
    rng = np.random.default_rng(3)
    for _ in range(4):
        a, b = turning(rng), turning(rng)
        found, pair = fc.first_contact([a, b], tolerance=1e-6), fc.first_contact(a, b, tolerance=1e-6)
        assert bool(found) == bool(pair)
        assert not found or abs(found.time - pair.time) < 1e-4
        assert found.time <= pair.time_upper


def test_lists_of_little():
    leaf, empty = sheet(2), fc.Mesh([], [])
    for nothing in ([], [leaf], [empty, leaf], {}, [empty], [empty, empty, empty]):
        assert len(fc.contacts(nothing, self_contact=True)) == 0
        assert not fc.first_contact(nothing)
        assert fc.safe_step(nothing) == 1.0
        assert fc.is_free(nothing)
    aside = leaf.vertices + np.array([0.2, 0.1, 0.0])
    falling = leaf.deforming(aside + np.array([0, 0, 1.0]), aside - np.array([0, 0, 1.0]))
    spinning = BALL.moving(pose(np.eye(3), [5, 5, 5]), angular_velocity=[0, 0, 1])
    assert len(fc.contacts([spinning])) == len(fc.contacts([spinning, empty])) == 0
    twice = fc.contacts({"above": falling, "empty": empty, "below": leaf, "away": spinning})
    assert list(twice.things) == ["above", "empty", "below", "away"]
    assert twice.thing_ids.tolist() == [[0, 2]] * len(twice)
    assert len(twice) == len(fc.contacts(falling, leaf)) > 0
    with pytest.raises(ValueError, match=r"max_contacts"):
        fc.contacts([falling, leaf, spinning], max_contacts=1)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([fc.Sphere(1)], TypeError, r"^a list is of meshes, and thing 0 is a Sphere: "),
        ({"rope": fc.Points([[0, 0, 0]], 1.0)}, TypeError, r"^a list is of meshes, and thing rope is a Po"),
        ([BALL, 7], TypeError, r"^a thing must be a shape, .*received int$"),
        (
            [BALL.at(np.tile(np.eye(4), (2, 1, 1)))],
            ValueError,
            r"^things in a list have one motion",
        ),
        ("meshes", TypeError, r"^a thing must be a shape, .*received str$"),
    ],
)
def test_what_is_in_no_list_is_told(given, error, words):
    for query in (fc.contacts, fc.first_contact, fc.safe_step, fc.is_free):
        with pytest.raises(error, match=words):
            query(given)
    with pytest.raises(TypeError, match=r"^a thing must be a shape"):
        fc.contacts(given, BALL)


def test_frames_at_different_times_are_one_list():
    leaf = sheet(3)
    ways = np.array([0.0, -1.0, -0.5])[:, np.newaxis, np.newaxis] * [0, 0, 1]
    falling = leaf.along(leaf.vertices + (ways + np.array([0.2, 0.1, 0.6])), [0.0, 0.4, 1.0])
    rising = leaf.deforming(leaf.vertices - [0, 0, 0.5], leaf.vertices)
    found, pair = fc.contacts([falling, rising, leaf]), fc.contacts(falling, rising)
    rows = (found.thing_ids == [0, 1]).all(axis=1)
    assert rows.sum() == len(pair) > 0
    assert found.time[rows].tobytes() == pair.time.tobytes()
    assert abs(fc.first_contact([falling, rising, leaf]).time - found.time[0]) < 1e-9


def test_any_number_of_threads_gives_the_same_bytes(monkeypatch):
    rng = np.random.default_rng(5)
    meshes = [sheet(24, 0.01 * k) for k in range(3)]
    ways = [0.05 * rng.normal(size=mesh.vertices.shape) for mesh in meshes]
    things = [x.deforming(x.vertices, x.vertices + way) for x, way in zip(meshes, ways, strict=True)]
    things.append(turning(rng))
    found = []
    for threads in (1, 2):
        monkeypatch.setattr(shares, "thread_count", lambda threads=threads: threads)
        found.append(fc.contacts(things, self_contact=True))
    assert len(found[0]) > 100
    for name in COLUMNS:
        assert getattr(found[0], name).tobytes() == getattr(found[1], name).tobytes()


def test_things_of_different_thickness_touch_as_each_pair_does():
    rng = np.random.default_rng(1)
    plain = sheet(3), sheet(5), sheet(4), sheet(2)
    thick = [fc.Mesh(x.vertices, x.faces, 0.01 * k) for k, x in enumerate(plain)]
    ways = [0.05 * rng.normal(size=mesh.vertices.shape) for mesh in thick]
    starts = [mesh.vertices + np.array([0.1, 0.0, 0.02 * k]) * (1 + k) for k, mesh in enumerate(thick)]
    things = [x.deforming(p, p + way) for x, p, way in zip(thick, starts, ways, strict=True)]
    found, pairs = fc.contacts(things, self_contact=True), pair_by_pair(things, True)
    assert len({tuple(row) for row in found.thing_ids.tolist()}) > 2
    for name in COLUMNS:
        assert getattr(found, name).tobytes() == pairs[name].tobytes(), name


def test_what_is_empty_and_goes_along_a_spline_is_in_nobodys_way():
    leaf = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    stops = np.tile(np.eye(3), (3, 1, 1)), np.array([[0, 0, 5], [1, 0, 4], [0, 0, 3.0]])
    nothing = fc.Mesh([], []).along(fc.Spline(None, stops))
    things = [leaf.along(stops), leaf, nothing]
    assert len(fc.contacts(things)) == 0
    assert fc.is_free(things)
    assert fc.Mesh([], []).reach == 0.0


def test_one_that_turns_fast_makes_no_other_wide():
    """What a body deviates from straight paths counts for its own pairs, not for those of slow ones."""
    box, beside = fc.Box([0.3, 0.3, 0.3]).mesh, 0.3005
    slow = [box.moving((np.eye(3), [k * beside, 0, 0]), velocity=[1e-5 * k, 0, 0]) for k in range(4)]
    turning = box.moving((np.eye(3), [0, 0.4, 0.4]), angular_velocity=[0, 0.9, 0])
    fan = fc.Box([1, 1, 1]).mesh.moving((np.eye(3), [50, 50, 50]), angular_velocity=[0, 0, 40 * np.pi])
    apart = fc.contacts([*slow, fan])
    assert len(apart) == 0
    assert apart.stats.elementary_tests == 0
    assert fc.is_free([*slow, fan])
    thick = fc.Mesh(box.vertices, box.faces, thickness=0.01)
    met = [thick.moving((np.eye(3), [-0.4, 0, 0]), velocity=[0.1, 0, 0]), *slow, turning]
    alone, among = fc.contacts(met), fc.contacts([*met, fan])
    assert len(alone) > 0
    for name in ("kind", "thing_ids", "ids_a", "ids_b"):
        np.testing.assert_array_equal(np.sort(getattr(alone, name)), np.sort(getattr(among, name)))
    for name in ("gap", "time"):
        np.testing.assert_allclose(np.sort(getattr(alone, name)), np.sort(getattr(among, name)), atol=1e-5)
