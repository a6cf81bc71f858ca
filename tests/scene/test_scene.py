from itertools import combinations

import numba
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.scene.scene import Scene
from scene.scenes import CUBE, SHAPES, random_motion, random_things

HERE = np.eye(3)
BALL = fc.Sphere(1.0)


def same(a, b):
    """Compare two lists of contacts byte for byte."""
    parts = ("time", "points", "normals", "status")
    return a.names == b.names and all(getattr(a, p).tobytes() == getattr(b, p).tobytes() for p in parts)


def brute_force(things, **options):
    """First contact of each pair that has one, by name."""
    found = {}
    for (a, x), (b, y) in combinations(things.items(), 2):
        hit = fc.first_contact(x, y, **options)
        if hit:
            found[a, b] = hit
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("min_separation", [0.0, 0.3])
def test_contacts_are_those_of_all_pairs(seed, min_separation):
    things = random_things(14, seed)
    options = {"tolerance": 1e-6, "min_separation": min_separation}
    expected = brute_force(things, **options)
    scene = Scene(things)
    assert set(expected) <= set(scene.pairs(**options))
    contacts = scene.contacts(**options)
    assert sorted(contacts.names) == sorted(expected)
    assert len(expected) > 1
    for k, names in enumerate(contacts.names):
        hit = expected[names]
        assert contacts.time[k] == hit.time
        assert contacts.status[k] == hit.status
        assert np.array_equal(contacts.points[k], hit.points[0])
        assert np.array_equal(contacts.normals[k], hit.normals[0])
        assert contacts.between(*names).time == hit.time
    assert (np.diff(contacts.time) >= 0.0).all()
    assert scene.safe_step(**options) == min(hit.time for hit in expected.values())
    first = scene.first_contact(**options)
    assert first.time == expected[first.a, first.b].time == contacts.time[0]
    assert first.stats.solved <= first.stats.due <= first.stats.pairs


def test_contacts_of_meshes_are_those_of_all_pairs():
    rng = np.random.default_rng(4)
    things = {f"mesh {i}": random_motion(CUBE, rng, size=1.5) for i in range(5)}
    for i in range(2):
        start = CUBE.vertices + rng.uniform(-1.5, 1.5, 3)
        things[f"cloth {i}"] = CUBE.deforming(start, start + 0.3 * rng.normal(size=start.shape))
    expected = brute_force(things, tolerance=1e-6)
    for i in range(2):
        hit = fc.first_contact(things[f"cloth {i}"])
        if hit:
            expected[f"cloth {i}", f"cloth {i}"] = hit
    scene = Scene(things)
    assert {("cloth 0", "cloth 0"), ("cloth 1", "cloth 1"), *expected} <= set(scene.pairs())
    contacts = scene.contacts(tolerance=1e-6)
    assert sorted(contacts.names) == sorted(expected)
    assert contacts.time.tolist() == sorted(hit.time for hit in expected.values())
    assert scene.first_contact(tolerance=1e-6).time == contacts.time[0]


@pytest.mark.parametrize("seed", range(2))
def test_contacts_of_shapes_and_meshes_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    things = random_things(8, seed, size=2.0)
    for i in range(8):
        things[f"mesh {i}"] = random_motion((CUBE, SHAPES[5].mesh)[i % 2], rng, size=2.0)
    things["cloth"] = CUBE.deforming(CUBE.vertices, CUBE.vertices + 0.3 * rng.normal(size=(8, 3)))
    expected = brute_force(things, tolerance=1e-6)
    alone = fc.first_contact(things["cloth"])
    if alone:
        expected["cloth", "cloth"] = alone
    scene = Scene(things)
    contacts = scene.contacts(tolerance=1e-6)
    assert sorted(contacts.names) == sorted(expected)
    for k, names in enumerate(contacts.names):
        assert (contacts.time[k], contacts.status[k]) == (expected[names].time, expected[names].status)
        assert np.min(contacts.between(*names).time) == pytest.approx(contacts.time[k], abs=1e-9)
        assert np.linalg.norm(contacts.normals[k]) == pytest.approx(1.0)
    assert scene.first_contact(tolerance=1e-6).time == contacts.time[0] == scene.safe_step(tolerance=1e-6)
    assert len(expected) > 10


def test_the_default_tolerance_is_at_most_that_of_a_pair():
    n_contacts = 0
    for seed in range(9, 13):
        things = random_things(14, seed)
        contacts = Scene(things).contacts()
        n_contacts += len(contacts.names)
        for names, time in zip(contacts.names, contacts.time, strict=True):
            a, b = (things[name] for name in names)
            gap = fc.distance(a.shape.at(a.pose(time)), b.shape.at(b.pose(time))).distance
            assert gap <= 1e-6 * max(np.ptp(a.shape.bounds), np.ptp(b.shape.bounds))
    assert n_contacts > 4


@pytest.mark.parametrize("broad_phase", ["sweep", "tree", "image"])
def test_a_walk_of_changes_equals_a_fresh_scene(broad_phase):
    rng = np.random.default_rng(8)
    things = random_things(20, 8)
    scene, n = Scene(things, broad_phase=broad_phase), 20
    for _ in range(30):
        names = list(things)
        for name in rng.choice(names, 3, replace=False):
            del things[name]
            scene.remove(name)
        for name in rng.choice(list(things), 5, replace=False):
            things[name] = random_motion(SHAPES[rng.integers(len(SHAPES))], rng)
            scene.update({name: things[name]})
        for _ in range(rng.integers(6)):
            things[f"body {n}"] = random_motion(SHAPES[rng.integers(len(SHAPES))], rng)
            scene.add(f"body {n}", things[f"body {n}"])
            n += 1
        fresh = Scene(things)
        assert scene.names == fresh.names == list(things)
        assert scene.pairs() == fresh.pairs()
        assert same(scene.contacts(), fresh.contacts())
        assert scene.safe_step() == fresh.safe_step()
        assert len(np.unique(scene.ids)) == len(scene)
    assert scene.ids.max() == n - 1


def test_ids_stay_when_many_leave():
    scene = Scene({f"ball {i}": BALL.at((HERE, [3.0 * i, 0, 0])) for i in range(10)})
    scene.remove(*(f"ball {i}" for i in range(8)))
    assert scene.ids.tolist() == [8, 9]
    scene.add(other=BALL)
    assert scene.ids.tolist() == [8, 9, 10]
    assert scene["ball 9"].pose(0)[0, 3] == 27.0
    assert scene.pairs() == []


def test_move_is_update_for_many():
    rng = np.random.default_rng(2)
    things = {f"body {i}": shape.at((HERE, rng.normal(size=3))) for i, shape in enumerate(SHAPES)}
    n = len(things)
    starts, ends = np.tile(np.eye(4), (2, n, 1, 1))
    starts[:, :3, :3], ends[:, :3, :3] = (
        Rotation.random(n, rng=1).as_matrix(),
        Rotation.random(n, rng=2).as_matrix(),
    )
    starts[:, :3, 3], ends[:, :3, 3] = 1.5 * rng.normal(size=(2, n, 3))
    velocity, spin = rng.normal(size=(2, n, 3))
    motions = [
        ({"end": ends}, [s.moving(starts[i], ends[i]) for i, s in enumerate(SHAPES)]),
        (
            {"velocity": velocity, "angular_velocity": spin},
            [
                s.moving(starts[i], velocity=velocity[i], angular_velocity=spin[i])
                for i, s in enumerate(SHAPES)
            ],
        ),
        ({}, [s.at(starts[i]) for i, s in enumerate(SHAPES)]),
    ]
    for options, moved in motions:
        by_id, by_name, one_by_one = Scene(things), Scene(things), Scene(things)
        by_id.move(by_id.ids, starts, **options)
        by_name.move(by_name.names, starts, **options)
        one_by_one.update(dict(zip(things, moved, strict=True)))
        assert same(by_id.contacts(), by_name.contacts())
        assert by_id.contacts().names == one_by_one.contacts().names
        assert by_id.contacts().time == pytest.approx(one_by_one.contacts().time, abs=1e-6)
        for name in things:
            assert by_id[name].pose(0).tobytes() == one_by_one[name].pose(0).tobytes()
            assert by_id[name].pose(1) == pytest.approx(one_by_one[name].pose(1), abs=1e-13)


def test_ignored_pairs_are_not_looked_at():
    scene = Scene(a=BALL, b=BALL, c=BALL.at((HERE, [0.5, 0, 0])))
    assert scene.pairs() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert scene.pair_ids().tolist() == [[0, 1], [0, 2], [1, 2]]
    scene.ignore("b", "a")
    assert scene.pairs() == [("a", "c"), ("b", "c")]
    scene.ignore_group("a", "b", "c")
    assert scene.pairs() == []
    assert scene.safe_step() == 1.0
    assert not scene.first_contact()
    scene.consider("c", "b")
    assert scene.pairs() == [("b", "c")]
    scene.ignore_group("b", "c")
    assert scene.pairs() == []
    scene.remove("b")
    scene.add(b=BALL)
    assert scene.pairs() == [("a", "b"), ("c", "b")]


def test_a_cloth_is_paired_with_itself_unless_ignored():
    folded = CUBE.vertices * [1.0, 1.0, -1.0]
    scene = Scene(cloth=CUBE.deforming(CUBE.vertices, folded), far=BALL.at((HERE, [9, 9, 9])))
    assert scene.pairs() == [("cloth", "cloth")]
    hit = scene.first_contact()
    assert (hit.a, hit.b) == ("cloth", "cloth")
    assert hit.time == pytest.approx(0.5)
    assert isinstance(scene.contacts().between("cloth", "cloth"), fc.Contacts)
    scene.ignore("cloth", "cloth")
    assert scene.pairs() == []


def test_groups_of_any_number():
    n = 150
    scene = Scene({f"{i}": BALL for i in range(n)})
    for i in range(0, n, 2):
        scene.ignore_group(f"{i}", f"{i + 1}")
    assert len(scene.pairs()) == n * (n - 1) // 2 - n // 2
    scene.ignore_group(*scene.names)
    assert scene.pairs() == []


@pytest.mark.parametrize("how", ["spline", "pieces", "frames"])
def test_an_empty_mesh_meets_nothing_however_it_moves(how):
    empty, poses = fc.Mesh([], []), np.stack([np.eye(4)] * 3)
    frames = [empty.vertices] * 3
    ways = {"spline": fc.Spline(None, poses), "pieces": poses, "frames": frames}
    scene = fc.Scene(ball=fc.Sphere(1), none=empty.along(ways[how]))
    assert len(scene.contacts()) == 0
    assert scene.safe_step() == 1.0


def test_empty_scenes_and_empty_meshes():
    assert Scene().pairs() == []
    assert Scene().safe_step() == 1.0
    assert len(Scene().contacts()) == 0
    assert not Scene().first_contact()
    lonely = Scene(ball=BALL)
    assert (lonely.pairs(), lonely.safe_step(), len(lonely)) == ([], 1.0, 1)
    nothing = fc.Mesh([], [])
    scene = Scene(ball=BALL, nothing=nothing, cloth=nothing.deforming([], []))
    assert scene.pairs() == []
    scene.remove("ball", "nothing", "cloth")
    assert scene.pairs() == []
    assert scene.ids.tolist() == []


def test_contacts_are_of_the_step_they_were_asked_about():
    falling = BALL.moving((HERE, [0, 0, 4]), velocity=[0, 0, -4])
    scene = Scene(floor=fc.Box([9, 9, 2]), ball=falling)
    contacts = scene.contacts()
    scene.update(ball=BALL.at((HERE, [0, 0, 9])))
    assert contacts.between("ball", "floor").time == contacts.time[0] == pytest.approx(0.5)
    assert not scene.contacts()


def test_most_pairs_are_never_searched():
    rng = np.random.default_rng(3)
    n = 400
    scene = Scene({f"{i}": fc.Sphere(0.5) for i in range(n)})
    places = 6.0 * rng.uniform(-1, 1, (n, 3))
    scene.move(scene.ids, (HERE, places), velocity=rng.normal(size=(n, 3)))
    everything, first = scene.contacts(), scene.first_contact()
    assert first.time == everything.time[0]
    assert everything.time[everything.names.index((first.a, first.b))] == first.time
    assert everything.stats.solved == everything.stats.due <= everything.stats.pairs
    assert first.stats.solved < everything.stats.solved


def test_answers_are_the_same_bytes_for_any_number_of_threads():
    rng = np.random.default_rng(6)
    n = 9000
    scene = Scene({f"{i}": SHAPES[i % len(SHAPES)] for i in range(n)})
    turns, places = Rotation.random(n, rng=rng).as_matrix(), 60.0 * rng.uniform(size=(n, 3))
    velocities, found = rng.normal(size=(n, 3)), []
    for n_threads in (1, 2):
        numba.set_num_threads(min(n_threads, numba.config.NUMBA_NUM_THREADS))
        scene.move(scene.ids, (turns, places), velocity=velocities, angular_velocity=0.1 * places)
        found.append(scene.contacts(min_separation=0.01))
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert same(*found)
    assert len(found[0]) > 1000


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda s: s.add("a", BALL), ValueError, "a scene has each name once; 'a' is there already"),
        (lambda s: s.add({"c": BALL}, c=BALL), ValueError, "a name must be given once; received 'c' twice"),
        (lambda s: s.add({3: BALL}), TypeError, "a name must be a text; received 3"),
        (lambda s: s.update(c=BALL), KeyError, "no body is named 'c'"),
        (lambda s: s.remove("c"), KeyError, "no body is named 'c'"),
        (lambda s: s.ignore("a", "c"), KeyError, "no body is named 'c'"),
        (lambda s: s.ignore_group("a", "c"), KeyError, "no body is named 'c'"),
        (lambda s: s["c"], KeyError, "no body is named 'c'"),
        (lambda s: s.contacts().between("a", "c"), KeyError, "no body is named 'c'"),
        (lambda s: s.add(c=3), TypeError, "'c': "),
        (lambda s: s.add(c=BALL.at(np.tile(np.eye(4), (2, 1, 1)))), ValueError, "'c' has a batch of 2"),
        (lambda s: s.contacts(tolerance=-1), ValueError, "tolerance must be a finite number at least 0"),
        (lambda s: s.pairs(min_separation=np.nan), ValueError, "min_separation must be a finite number"),
        (lambda s: s.move(["a", "a"], np.eye(4)), ValueError, "given twice"),
        (lambda s: s.move(np.array([7]), np.eye(4)), KeyError, "no body has the id 7"),
        (lambda s: s.move(["cloth"], np.eye(4)), TypeError, "'cloth' deforms"),
        (lambda s: s.move(["a"], np.tile(np.eye(4), (2, 1, 1))), ValueError, "one for each of 1; received 2"),
        (lambda s: s.move(["a"], np.eye(4), np.eye(4), velocity=[1, 0, 0]), TypeError, "not both"),
        (lambda s: s.move(["a"], np.eye(4), velocity=np.ones((2, 3))), ValueError, "batches of one length"),
        (lambda s: Scene(broad_phase="grid"), ValueError, "broad_phase must be 'auto' or"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_changes_nothing(change, error, message):
    scene = Scene(a=BALL, b=BALL, cloth=CUBE.deforming(CUBE.vertices + 9, CUBE.vertices + 9))
    before = scene.names, scene.ids.tolist()
    with pytest.raises(error, match=message):
        change(scene)
    assert (scene.names, scene.ids.tolist()) == before


def test_bodies_are_given_back_as_they_are():
    rng = np.random.default_rng(0)
    things = random_things(9, 5, meshes=True)
    scene = Scene(things)
    assert "body 3" in scene
    assert "body 30" not in scene
    for name, thing in things.items():
        assert scene[name].shape is thing.shape
        if name != "cloth":
            time = rng.uniform()
            assert scene[name].pose(time).tobytes() == thing.pose(time).tobytes()
    assert repr(scene) == "Scene(13 bodies)"
