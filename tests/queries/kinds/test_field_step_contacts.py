"""Every element that comes near a field over a step is listed, in time, and none that stays away."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from oracles.swept_elements import distances_then, places_at
from when_asked import WhenAsked

TOLERANCE, HALF = 0.02, np.array([1.0, 0.5, 0.5])
FIELDS = WhenAsked(lambda margin: fc.DistanceField.of(fc.Box(2 * HALF), TOLERANCE, margin=margin))
TIMES = np.array([0.0, 0.375, 1.0])


def cases(rng, kind, n=40):
    """Elements around the box, some through it, with radii; frames of them; how many corners each has."""
    n_corners = {"points": 1, "strands": 2, "mesh": 3}[kind]
    starts = rng.uniform(-2, 2, (n, 1, 3)) + 0.3 * rng.normal(size=(n, n_corners, 3))
    ways = [rng.normal(size=(n, 1, 3)) + 0.2 * rng.normal(size=(n, n_corners, 3)) for _ in range(2)]
    frames = [x.reshape(-1, 3) for x in (starts, starts + ways[0], starts + ways[0] + ways[1])]
    radii = rng.choice([0.0, 0.05, 0.2], n)
    if kind == "mesh":
        return fc.Mesh(frames[0], np.arange(3 * n).reshape(-1, 3)), frames, np.zeros(n), n_corners
    if kind == "points":
        return fc.Points(frames[0], radii), frames, radii, n_corners
    return fc.Strands(frames[0], [2] * n, np.repeat(radii, 2)), frames, radii, n_corners


def pose_at(t):
    """Where the field of the tests is that moves."""
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_rotvec(t * np.array([0.2, -0.3, 0.8])).as_matrix()
    pose[:3, 3] = t * np.array([0.4, 0.1, -0.3])
    return pose


def seen_at(frames, times, t, n_corners, is_moving):
    """Corners (m, k, 3) at a time, as seen from the field."""
    corners = places_at(frames, times, t)
    if is_moving:
        corners = (corners - pose_at(t)[:3, 3]) @ pose_at(t)[:3, :3]
    return corners.reshape(-1, n_corners, 3)


@pytest.mark.parametrize("kind", ["points", "strands", "mesh"])
@pytest.mark.parametrize("within", [-0.15, 0.0, 0.1])
@pytest.mark.parametrize("is_moving", [False, True], ids=["field at rest", "field that moves"])
@pytest.mark.parametrize("n_frames", [2, 3])
def test_every_element_that_comes_near_is_listed_in_time(kind, within, is_moving, n_frames):
    rng = np.random.default_rng(n_frames + 10 * is_moving + int(1000 * (1 + within)))
    shape, frames, radii, n_corners = cases(rng, kind)
    frames, times = (frames, TIMES) if n_frames == 3 else (frames[:2], np.array([0.0, 1.0]))
    thing = shape.along(frames, times) if n_frames == 3 else shape.deforming(*frames)
    velocity, turn = pose_at(1.0)[:3, 3], np.array([0.2, -0.3, 0.8])
    field = FIELDS[1.0]
    b = (
        field.moving(np.eye(4), velocity=velocity, angular_velocity=turn, center=[0, 0, 0])
        if is_moving
        else field
    )
    found = fc.contacts(thing, b, within=within)
    listed = dict(zip(found.ids_a.tolist(), range(len(found)), strict=True))
    assert len(listed) == len(found) > 0
    assert (np.diff(found.time) >= 0).all()
    first = np.full(len(radii), np.inf)
    for t in np.linspace(0, 1, 129)[::-1]:
        seen, _ = distances_then(seen_at(frames, times, t, n_corners, is_moving), radii, HALF)
        first[seen <= within] = t
    for k in np.flatnonzero(first < np.inf):
        assert found.time[listed[k]] <= first[k]
    for row, k in enumerate(found.ids_a):
        t, upper = found.time[row], found.time_upper[row]
        seen, slack = distances_then(seen_at(frames, times, t, n_corners, is_moving), radii, HALF, 33)
        assert seen[k] - slack[k] <= within + 3 * TOLERANCE + 1e-6
        if upper < 1.0:
            assert t <= upper
            seen, slack = distances_then(seen_at(frames, times, upper, n_corners, is_moving), radii, HALF, 33)
            assert seen[k] - slack[k] <= within + 1e-9


@pytest.mark.parametrize("kind", ["points", "strands", "mesh"])
def test_places_weights_and_speeds_are_those_of_the_elements(kind):
    shape, frames, radii, n_corners = cases(np.random.default_rng(3), kind)
    field = FIELDS[1.0]
    found, swapped = (
        fc.contacts(*pair)
        for pair in ((shape.deforming(*frames[:2]), field), (field, shape.deforming(*frames[:2])))
    )
    assert found.kind.tolist() == [
        fc.ContactKind[{"mesh": "FACE", "points": "POINT"}.get(kind, "SEGMENT") + "_SHAPE"]
    ] * len(found)
    assert fc.ContactKind(int(swapped.kind[0])).name.startswith("SHAPE_")
    for own, other in (
        ("ids_a", "ids_b"),
        ("ids_b", "ids_a"),
        ("time", "time"),
        ("vertex_ids", "vertex_ids"),
    ):
        assert np.array_equal(getattr(found, own), getattr(swapped, other))
    assert np.array_equal(found.normals, -swapped.normals)
    assert np.array_equal(found.closing_speed, swapped.closing_speed)
    assert (found.ids_b == -1).all()
    assert (found.vertex_ids[:, n_corners:] == -1).all()
    assert np.isnan(found.weights[:, n_corners:]).all()
    weights, ids = found.weights[:, :n_corners], found.vertex_ids[:, :n_corners]
    assert np.array_equal(np.sort(ids, axis=1), np.sort(shape.faces[found.ids_a, :n_corners], axis=1))
    assert (weights >= 0).all()
    assert np.allclose(weights.sum(axis=1), 1)
    t = found.time[:, np.newaxis, np.newaxis]
    corners, ways = (1 - t) * frames[0][ids] + t * frames[1][ids], (frames[1] - frames[0])[ids]
    points = np.einsum("nk,nkx->nx", weights, corners)
    away = np.linalg.norm(points - found.points, axis=1)
    assert (away <= radii[found.ids_a] + 2 * TOLERANCE).all()
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
    speeds = np.einsum("nk,nkx,nx->n", weights, ways, found.normals)
    assert np.allclose(found.closing_speed, speeds)
    is_late = found.status == fc.Status.CONTACT
    assert is_late.any()
    assert (found.closing_speed[is_late] > -1e-9).all()
    assert (found.time[found.status == fc.Status.CONTACT_AT_START] == 0).all()


def test_the_first_is_that_of_first_contact_and_speeds_are_against_the_field():
    shape, frames, _, _ = cases(np.random.default_rng(8), "strands", 200)
    far = fc.Strands(frames[0][:2] + np.array([0, 0, 9]), [2]).positions
    thing = fc.Strands(far, [2]).deforming(far, far - [0, 0, 9])
    b = FIELDS[1.0].moving(np.eye(4), velocity=[0, 0, 2], angular_velocity=[0, 0, 1])
    found, first = fc.contacts(thing, b), fc.first_contact(thing, b)
    if first:
        assert first.time <= found.time_upper.min()
        assert found.time[0] <= first.time_upper
        assert abs(found.closing_speed[0] - 11) < 1e-6
    thing = shape.along(frames, TIMES)
    found, first = fc.contacts(thing, b), fc.first_contact(thing, b)
    assert first.time <= found.time_upper.min()
    assert found.time[0] <= first.time_upper
    assert fc.safe_step(thing, b) == first.time
    assert not fc.is_free(thing, b)


def test_a_field_along_a_curve_is_met_where_it_is():
    rope = fc.Strands([[0, -1, 3], [0, 1, 3]], [2], 0.1)
    thrown = FIELDS[1.0].moving(np.eye(4), velocity=[0, 0, 4], acceleration=[0, 0, -4])  # up to z = 2.5
    rises = rope.deforming(rope.positions, rope.positions + np.array([0.1, 0, 0]))
    assert len(fc.contacts(rises, thrown)) == 0
    found = fc.contacts(rises, thrown, within=0.6)
    true = 1 - np.sqrt(1 - 1.8 / 2)  # 4 t - 2 t^2 = 3 - 0.1 - 0.6 - 0.5
    assert len(found) == 1
    assert true - 0.05 < found.time[0] <= true
    steps = rope.along(
        [rope.positions, rope.positions + np.array([0.05, 0, 0]), rope.positions + np.array([0.1, 0, 0])]
    )
    found = fc.contacts(steps, thrown, within=0.6)
    assert len(found) == 1
    assert true - 0.05 < found.time[0] <= true
    first = fc.first_contact(steps, thrown, min_separation=0.6)
    assert true - 0.05 < first.time <= true <= first.time_upper


def test_degenerate_elements_are_listed_as_any():
    still = [[0.0, 0, 3], [0, 0, 3], [0, 0, 3], [5, 5, 5]]
    for thing in (
        fc.Strands(still, [3, 1]),
        fc.Points(still),
        fc.Mesh(still, [[0, 1, 2], [0, 0, 0], [3, 3, 1]]),
    ):
        found = fc.contacts(thing.deforming(still, np.array(still) - [0, 0, 3]), FIELDS[1.0])
        names = {"Strands": [0, 1], "Points": [0, 1, 2], "Mesh": [0, 1, 2]}[type(thing).__name__]
        assert sorted(found.ids_a.tolist()) == names
        assert (found.time <= 5 / 6).all()
        assert np.isfinite(found.weights[:, 0]).all()
        inside = fc.contacts(thing.deforming(np.array(still) * 0, np.array(still) * 0), FIELDS[1.0])
        assert inside.status.tolist() == [fc.Status.CONTACT_AT_START] * thing.n_faces
        assert (inside.time_upper == 0).all()
    nothing = fc.contacts(fc.Points([]).deforming([], []), FIELDS[1.0])
    assert len(nothing) == 0
    assert nothing.weights.shape == (0, 4)


def test_what_has_no_meaning_is_refused():
    thing = fc.Points(np.zeros((3, 3))).deforming(np.zeros((3, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"^more than 2 contacts"):
        fc.contacts(thing, FIELDS[1.0], max_contacts=2)
    assert len(fc.contacts(thing, FIELDS[1.0], max_contacts=3)) == 3
    rule = r"^min_separation has no meaning for fields: contacts with a field have within$"
    with pytest.raises(ValueError, match=rule):
        fc.contacts(thing, FIELDS[1.0], min_separation=0.1)
    union = FIELDS[1.0].union(fc.DistanceField.of(fc.Box([0.5, 0.5, 0.5]), TOLERANCE, margin=1.8))
    with pytest.raises(ValueError, match=r"^a within below 0 needs a field that is exact inside"):
        fc.contacts(thing, union, within=-0.1)
    with pytest.raises(ValueError, match=r"^b has a batch of 2 poses: contacts with a field are of one$"):
        fc.contacts(thing, FIELDS[1.0].at(np.stack([np.eye(4)] * 2)))
