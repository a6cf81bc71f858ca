"""Points and strands that deform, and what moves rigidly: brute force over elements at many times."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.mesh_distance import all_pairs
from properties.cloud_families import CLOUDS, OTHERS, gap, made, pose

# Times at which the referee looks, and how far anything may go from one to the next is what it may miss.
TIMES = np.linspace(0.0, 1.0, 81)
TOLERANCE = 1e-5
HERE = np.eye(4)


def deforming(rng, kind, spread=1.2):
    """A cloud that deforms, some in two steps, around a place."""
    cloud = made(rng, kind)
    n_frames = int(rng.integers(2, 4))
    frames = cloud.positions + rng.normal(size=(n_frames, 1, 3)) * spread
    return cloud.along(frames + 0.2 * rng.normal(size=(n_frames, cloud.n_vertices, 3)))


def rigid(rng, kind):
    """A body that turns and goes somewhere."""
    shape = made(rng, kind)
    start = pose(rng, 0.3)
    return shape.moving(start, velocity=rng.normal(size=3) * 0.5, angular_velocity=rng.normal(size=3) * 2)


def gaps(bent, body, times=TIMES):
    return np.array([gap(bent.shape.placed(bent.vertices(t)), HERE, body.shape, body.pose(t)) for t in times])


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("other", [*OTHERS, "points", "strands"])
def test_first_contacts_and_clearances_are_true(cloud, other):
    n_hits = n_free = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        bent, body = deforming(rng, cloud), rigid(rng, other)
        found = fc.first_contact(bent, body, tolerance=TOLERANCE)
        truth = gaps(bent, body)
        early = TIMES[truth <= 0.0]
        assert found.time <= early.min(initial=np.inf)
        least = fc.clearance(bent, body, tolerance=TOLERANCE)
        assert least.distance_lower <= max(truth.min(), 0.0)
        at_time = max(gaps(bent, body, [least.time])[0], 0.0)
        assert least.distance == pytest.approx(at_time, abs=1e-9)
        assert least.distance - least.distance_lower <= 2 * TOLERANCE
        assert fc.safe_step(bent, body, tolerance=TOLERANCE) == min(found.time, 1.0)
        assert fc.is_free(bent, body, tolerance=TOLERANCE) == (not found)
        back = fc.first_contact(body, bent, tolerance=TOLERANCE)
        assert back.time == pytest.approx(found.time, abs=1e-3)
        assert bool(back) == bool(found)
        if not found:
            n_free += 1
            continue
        n_hits += 1
        assert gaps(bent, body, [found.time])[0] <= TOLERANCE * (1 + 1e-6)
        if found.time_upper <= 1.0:
            fine = np.linspace(found.time, found.time_upper, 9)
            assert gaps(bent, body, fine).min() <= 1e-9
        names = fc.ContactKind(int(found.features[0, 0])).name.split("_")
        assert names[0] in ("POINT", "SEGMENT")
        assert back.normals[0] @ found.normals[0] < 0.0 or found.status == fc.Status.CONTACT_AT_START
    assert n_hits > 0
    assert n_free + n_hits == 3


def features(thing, shape, t, word):
    """Features of a shape at a time, as triangles without area or with it, and their radii."""
    places = thing.vertices(t)
    if word == "FACE":
        return fc.Mesh(places, shape.faces), np.zeros(len(shape.faces))
    if word == "EDGE":
        return fc.Mesh(places, shape.edges[:, [0, 1, 1]]), np.zeros(len(shape.edges))
    if word == "VERTEX" or (word == "POINT" and not isinstance(shape, fc.Points)):
        n = shape.n_vertices
        radii = np.zeros(n)
        if shape.is_cloud:
            np.maximum.at(radii, shape.faces[:, :2].reshape(-1), np.repeat(shape.radii, 2))
        return fc.Mesh(places, np.repeat(np.arange(n), 3).reshape(-1, 3)), radii
    return fc.Mesh(places, shape.faces), shape.radii


def distances(a, b, kind, t):
    """Distances of all features of two things that a kind of contact is about, less their radii."""
    words = kind.name.split("_")
    (one, radii_a), (other, radii_b) = (
        features(thing, thing.shape, t, word) for thing, word in zip((a, b), words, strict=True)
    )
    return all_pairs(one, HERE, other, HERE).distances - np.add.outer(radii_a, radii_b)


KINDS = {
    ("strands", "mesh"): ["POINT_FACE", "SEGMENT_EDGE"],
    ("points", "mesh"): ["POINT_FACE"],
    ("strands", "points"): ["SEGMENT_POINT"],
    ("strands", "strands"): ["SEGMENT_SEGMENT"],
    ("mesh", "mesh"): ["VERTEX_FACE", "EDGE_EDGE", "FACE_VERTEX"],
}


@pytest.mark.parametrize("pair", KINDS)
def test_all_contacts_with_a_rigid_body_are_listed(pair):
    n = 0
    for seed in range(3):
        rng = np.random.default_rng(10 + seed)
        bent = bent_mesh(rng) if pair[0] == "mesh" else deforming(rng, pair[0], 0.1)
        body, separation = rigid(rng, pair[1]), 0.05 * (seed % 2)
        found = fc.contacts(bent, body, tolerance=TOLERANCE, min_separation=separation)
        n += len(found)
        rows = zip(found.kind, found.ids_a, found.ids_b, found.time, found.time_upper, strict=True)
        times = {(int(k), int(i), int(j)): (t, upper) for k, i, j, t, upper in rows}
        assert len(times) == len(found)
        for name in KINDS[pair]:
            kind = fc.ContactKind[name]
            seen = np.stack([distances(bent, body, kind, t) for t in TIMES]) - separation
            for i, j in zip(*np.nonzero((seen <= 0.0).any(axis=0)), strict=True):
                first = TIMES[np.argmax(seen[:, i, j] <= 0.0)]
                assert times[int(kind), int(i), int(j)][0] <= first, (name, i, j)
            for (number, i, j), (time, upper) in times.items():
                if number == kind:
                    gap_then = distances(bent, body, kind, time)[i, j] - separation
                    assert gap_then <= TOLERANCE * (1 + 1e-6)
                    if upper < 1.0:
                        after = [distances(bent, body, kind, t)[i, j] for t in (time, upper)]
                        assert min(after) - separation <= 1e-9
        swapped = fc.contacts(body, bent, tolerance=TOLERANCE, min_separation=separation)
        assert len(swapped) == len(found)
        first = fc.first_contact(bent, body, tolerance=TOLERANCE, min_separation=separation)
        assert bool(first) == (len(found) > 0)
        assert np.allclose(np.linalg.norm(found.normals, axis=1), 1.0)
    assert n > 1


def bent_mesh(rng):
    mesh = made(rng, "mesh")
    frames = mesh.vertices + 0.6 * rng.normal(size=(2, 1, 3)) + 0.1 * rng.normal(size=(2, 9, 3))
    return mesh.deforming(*frames)


def test_contacts_with_what_turns_are_limited_and_start_where_they_start():
    rope = fc.Strands([[0, 0, -1], [0, 0, 1]], [2])
    still = rope.deforming(rope.positions, np.add(rope.positions, [0, 0, 0.5]))
    plate = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    turning = plate.moving(np.eye(4), angular_velocity=[0, 0, 1])
    found = fc.contacts(still, turning)
    assert found.kind.tolist() == [fc.ContactKind.SEGMENT_FACE]
    assert found.status.tolist() == [fc.Status.CONTACT_AT_START]
    assert np.abs(found.closing_speed) == pytest.approx([0.5])
    assert len(fc.contacts(still, turning, assume_free_start=True)) == 0
    near = fc.Points(np.random.default_rng(0).normal(size=(50, 3)), 1.0)
    with pytest.raises(ValueError, match="max_contacts"):
        fc.contacts(near.deforming(near.positions, near.positions + 1), turning, max_contacts=10)
    for option in ("exact", "time_tolerance"):
        with pytest.raises(ValueError, match=option):
            fc.contacts(still, turning, **{option: False if option == "exact" else 1e-3})


def test_clouds_that_deform_in_scenes_at_rest_and_without_points():
    rope = fc.Strands([[-1, 0, 0], [1, 0, 0]], [2], 0.25)
    falling = rope.deforming(np.add(rope.positions, [0, 0, 3]), rope.positions)
    ball = fc.Sphere(1.0)
    first = fc.Scene(rope=falling, ball=ball).first_contact()
    assert (first.a, first.b) == ("rope", "ball")
    assert first.time == pytest.approx(1.75 / 3, abs=1e-5)
    assert fc.Scene(rope=falling, ball=ball).clearance().distance == 0.0
    assert not fc.Scene(
        rope=rope.deforming(*[np.add(rope.positions, [0, 0, 9])] * 2), ball=ball
    ).first_contact()
    still = rope.deforming(*[np.add(rope.positions, [0, 0, 3])] * 2)
    assert fc.distance(still, ball).distance == pytest.approx(1.75)
    assert not fc.intersects(still, ball)
    assert fc.signed_distance(still, [0, 0, 3.5]).distance == pytest.approx(0.25)
    assert fc.ray_cast(still, [0, 0, 0], [0, 0, 1]).time == pytest.approx(2.75)
    empty = fc.Points([]).deforming([], [])
    assert not fc.first_contact(empty, ball.moving(np.eye(4), velocity=[1, 0, 0]))
    assert len(fc.contacts(empty, ball.mesh.moving(np.eye(4), velocity=[1, 0, 0]))) == 0
    assert fc.clearance(empty, ball).distance == np.inf
