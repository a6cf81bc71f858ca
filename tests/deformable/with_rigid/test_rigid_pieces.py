"""A deforming mesh against a rigid body in motion: never late, within the tolerance, none missed."""

from math import asin, pi

import numba
import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.advancement.goal import Options
from firstcontact.deformable.contact_list import Wanted, first_contacts
from firstcontact.deformable.problem import pose_problem
from firstcontact.deformable.rows import contact_rows
from firstcontact.deformable.simultaneous import simultaneous
from firstcontact.deformable.with_rigid.rigid_pieces import first_contact_with_rigid
from firstcontact.deformable.with_rigid.rigid_segment import segment_of
from oracles.closest_triangles import Real, closest_points, norm
from poses import at, random_poses
from properties.meshes import grid
from samples import sample

TOLERANCE = 1e-6
STATUS = fc.Status


def meet(a, b, tolerance=TOLERANCE, separation=0.0, **goal):
    return first_contact_with_rigid([a, b], Options(tolerance, separation, **goal), fc.Culling())


def rows_of(met):
    return contact_rows(met.problem, met.search.found, met.rounding)


def sheet(n=4, size=2.0, rise=0.0):
    """A flat square around the origin, in the plane z = 0, that rises."""
    vertices, faces = grid(n, n)
    vertices = size * (2.0 * vertices / n - np.array([1.0, 1.0, 0.0]))
    return fc.Mesh(vertices, faces).deforming(vertices, vertices + np.array([0.0, 0.0, rise]))


def rod():
    """A thin triangle along x, with its tip at 1."""
    return fc.Mesh([[1.0, 0.0, 0.0], [-1.0, -0.05, 0.0], [-1.0, 0.05, 0.0]], [[0, 1, 2]])


def dipping(height, rate=1.0):
    """The rod, above the origin, turning its tip down."""
    return rod().moving(at(0, 0, height), angular_velocity=[0, rate, 0], center=[0, 0, 0])


# The oracle: the distance of all pairs of triangles, and the top speed of anything.


def gap(a, b, t):
    """Distance at a time; zero where surfaces cross."""
    x, y = (thing.vertices(t)[thing.shape.faces].astype(Real) for thing in (a, b))
    first, second = np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1, 1))
    p, q = closest_points(first.transpose(2, 1, 0), second.transpose(2, 1, 0))
    return float(norm(q - p).min())


def top_speed(a, b):
    speed = 0.0
    for thing in (a, b):
        motion = thing.motion
        if hasattr(motion, "vertices_t0"):
            speed += np.linalg.norm(motion.vertices_t1 - motion.vertices_t0, axis=1).max()
            continue
        segments = [segment_of(motion, k, thing.shape.vertices, 0.0) for k in range(len(motion.times) - 1)]
        speed += max(np.linalg.norm(segment.velocity) + segment.rate * segment.radius for segment in segments)
    return speed


def free_until(a, b, separation, near):
    """Advance by what the top speed allows, up to within `near` of contact; infinite if that never comes."""
    t, speed = 0.0, 1.001 * top_speed(a, b)
    while t < 1.0:
        excess = gap(a, b, t) - separation
        if excess <= near:
            return t
        t += excess / speed
    return np.inf


def witness(a, b, separation, begin):
    """A time, from `begin` on, at which there is contact; sampled ever more coarsely."""
    for step in np.geomspace(1e-9, 1.0, 60):
        if gap(a, b, min(begin + step, 1.0)) <= separation:
            return min(begin + step, 1.0)
    return np.inf


def assert_right(a, b, tolerance=TOLERANCE, separation=0.0):
    met = meet(a, b, tolerance, separation)
    free = free_until(a, b, separation, 0.01 * tolerance)
    contact = witness(a, b, separation, free) if free <= 1.0 else np.inf
    assert met.time <= contact
    assert contact <= 1.0 or met.status == STATUS.SEPARATED or gap(a, b, met.time) <= separation + tolerance
    if met.status == STATUS.SEPARATED:
        assert met.time == met.time_upper == np.inf
        assert len(met.search.found.time) == 0
    else:
        assert met.status in (STATUS.CONTACT, STATUS.CONTACT_AT_START)
        assert gap(a, b, met.time) <= separation + tolerance
        assert met.time <= met.time_upper
        assert len(met.search.found.time) > 0
    if met.time_upper < np.inf:
        assert free <= met.time_upper
    return met


def random_scene(rng):
    """A wrinkled sheet that moves at random, and a few triangles above it, moving in one of all ways."""
    vertices, faces = grid(2, 2)
    start = (vertices - np.array([1.0, 1.0, 0.0])) + rng.normal(0.0, 0.1, vertices.shape)
    end = start + rng.normal(0.0, 0.3, start.shape) + np.array([0.0, 0.0, rng.uniform(-0.5, 1.0)])
    n = rng.integers(1, 5)
    body = fc.Mesh(rng.normal(0.0, 0.4, (3 * n, 3)), np.arange(3 * n).reshape(n, 3))
    poses = random_poses(3, rng.integers(2**31))
    poses[:, :3, 3] *= 0.4
    poses[:, 2, 3] += [2.0, 0.5, 1.0]
    ways = (
        lambda: body.moving(poses[0], poses[1]),
        lambda: body.moving(poses[0], poses[1], path="screw"),
        lambda: body.moving(poses[0], (poses[0, :3, :3], poses[1, :3, 3])),
        lambda: body.moving(poses[0], angular_velocity=6.0 * rng.normal(size=3), velocity=[0, 0, -1.0]),
        lambda: body.along(poses, [0, 0.4, 1]),
    )
    return fc.Mesh(start, faces).deforming(start, end), ways[rng.integers(len(ways))]()


@pytest.mark.parametrize("seed", range(sample(4, of=30)))
def test_random_scenes_against_dense_sampling(seed):
    rng = np.random.default_rng(seed)
    cloth, body = random_scene(rng)
    tolerance = rng.choice([1e-3, 1e-5])
    met = assert_right(cloth, body, tolerance)
    assert met.time_upper == np.inf
    assert_right(cloth, body, tolerance, 0.05)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_two_does_not_matter(seed):
    cloth, body = random_scene(np.random.default_rng(seed))
    one, other = meet(cloth, body), meet(body, cloth)
    assert one.status == other.status
    assert one.time == pytest.approx(other.time, abs=1e-9)
    first, second = rows_of(one), rows_of(other)
    kinds = 2 - second.kind  # of a face and a vertex, that of a vertex and a face
    swapped = normals_by_pair(kinds, second.ids_b, second.ids_a, -second.normals)
    normals = normals_by_pair(first.kind, first.ids_a, first.ids_b, first.normals)
    assert normals.keys() == swapped.keys()
    assert all(np.allclose(normals[pair], swapped[pair], atol=1e-6) for pair in normals)


def normals_by_pair(*columns):
    return {tuple(pair): normal for *pair, normal in zip(*columns, strict=True)}


@pytest.mark.parametrize("rate", [1.0, pi, 20.0])
def test_a_rod_dips_into_a_sheet_at_rest(rate):
    met = meet(sheet(), dipping(0.5, rate))
    truth = asin(0.5) / rate
    assert met.status == STATUS.CONTACT
    assert truth - 2.0 * TOLERANCE / rate <= met.time <= truth
    rows = rows_of(met)
    assert set(rows.kind.tolist()) <= {fc.ContactKind.FACE_VERTEX, fc.ContactKind.EDGE_EDGE}
    assert np.allclose(rows.points, [np.sqrt(0.75), 0.0, 0.0], atol=1e-5)
    assert np.allclose(rows.normals, [0.0, 0.0, 1.0], atol=1e-5)


def test_a_rod_dips_into_a_rising_sheet():
    met = meet(sheet(rise=0.4), dipping(0.5))
    t = met.time
    height = 0.5 - np.sin(t) - 0.4 * t
    assert 0.0 <= height <= TOLERANCE


@pytest.mark.parametrize("separation", [1e-3, 0.1])
def test_contact_within_a_separation_is_proven(separation):
    met = meet(sheet(), dipping(0.5), separation=separation)
    truth = asin(0.5 - separation)
    assert truth - 2.0 * TOLERANCE <= met.time <= truth <= met.time_upper <= truth + 2.0 * TOLERANCE


def test_a_smaller_tolerance_is_kept_up_to_rounding():
    truth = asin(0.5)
    for tolerance in (1e-2, 1e-4, 1e-8, 1e-11):
        met = meet(sheet(), dipping(0.5), tolerance)
        assert 0.0 <= truth - met.time <= 2.0 * tolerance
    met = meet(sheet(), dipping(0.5), 0.0)
    assert 0.0 < truth - met.time <= 1e-12


def test_a_straight_motion_takes_one_stretch():
    body = rod().moving(at(0, 0, 1), velocity=[0, 0, -4])
    met = meet(sheet(rise=1.0), body)
    assert met.iterations == 2  # the second one lists what touches
    assert 0.0 <= 0.2 - met.time <= 1e-12
    assert len(rows_of(met).time) >= 3


def test_a_body_at_rest_is_met_as_by_a_plain_search():
    body = rod().at(at(0.1, 0.2, 0.5))
    cloth = sheet(rise=1.5)
    met = meet(cloth, body)
    problem = pose_problem([cloth, body], 0.0, fc.Culling())
    plain = simultaneous(problem, first_contacts(problem, Wanted(1e-9, exact=True), any_will_do=False), True)
    assert 0.0 <= plain.time.min() - met.time <= 1e-12
    pairs = {tuple(row) for row in plain.ids.tolist()}
    assert pairs <= {tuple(row) for row in met.search.found.ids.tolist()}


def test_a_path_in_several_legs():
    down, up, bottom = at(0, 0, 1), at(0, 0, 3), at(0, 0, -1)
    met = meet(rod().along(np.stack([down, up, bottom])), sheet())
    assert 0.0 <= 0.875 - met.time <= TOLERANCE
    quarter = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    poses = np.stack([np.eye(3), np.eye(3), quarter]), np.array([[0, 0, 0.5]] * 3)
    met = meet(sheet(), rod().along(poses, [0.0, 0.25, 1.0], center=[0, 0, 0]))
    truth = 0.25 + 0.75 * asin(0.5) / (0.5 * pi)
    assert truth - TOLERANCE <= met.time <= truth


def test_a_long_path_in_many_legs():
    turns = np.stack([Rotation.from_euler("z", angle).as_matrix() for angle in np.linspace(0.0, 9.0, 40)])
    heights = np.linspace([0.0, 0.0, 1.0], [0.0, 0.0, -0.5], 40)
    met = meet(sheet(), rod().along((turns, heights), center=[0, 0, 0]))
    assert 2.0 / 3.0 - TOLERANCE <= met.time <= 2.0 / 3.0
    assert met.iterations < 80


def test_contact_on_the_very_end_of_a_leg_and_of_the_step():
    poses = np.stack([np.eye(3)] * 3), np.array([[0, 0, 1.0], [0, 0, 0], [0, 0, 1.0]])
    met = meet(sheet(), rod().along(poses))
    assert met.status == STATUS.CONTACT
    assert 0.5 - TOLERANCE <= met.time <= 0.5
    met = meet(sheet(), rod().moving(at(0, 0, 1), velocity=[0, 0, -1]))
    assert met.status == STATUS.CONTACT
    assert 1.0 - TOLERANCE <= met.time <= 1.0


def test_contact_at_the_start():
    for body in (dipping(0.0), dipping(0.3 * TOLERANCE), rod().moving(at(0, 0, 0), velocity=[1, 0, 5])):
        met = meet(sheet(), body)
        assert (met.status, met.time) == (STATUS.CONTACT_AT_START, 0.0)
        assert len(rows_of(met).time) > 0
    met = meet(sheet(), dipping(0.05), separation=0.1)
    assert (met.status, met.time, met.time_upper) == (STATUS.CONTACT_AT_START, 0.0, 0.0)


def test_far_away_is_free_at_once_however_much_it_turns():
    for rate in (pi, 1e3, 1e30):
        met = meet(sheet(), dipping(10.0, rate))
        assert (met.status, met.iterations) == (STATUS.SEPARATED, 1)


def spinning(height, rate=pi):
    return rod().moving(at(0, 0, height), angular_velocity=[0, 0, rate], center=[0, 0, 0])


def test_a_half_turn_along_a_sheet():
    met = meet(sheet(), spinning(1.1 * TOLERANCE))
    assert met.status == STATUS.SEPARATED
    assert met.iterations < 4000
    met = meet(sheet(), spinning(0.01))
    assert met.status == STATUS.SEPARATED
    assert met.iterations < 40


def test_the_limit_of_iterations_gives_a_safe_time():
    met = meet(sheet(), spinning(1.1 * TOLERANCE), max_iterations=50)
    assert met.status == STATUS.MAX_ITERATIONS
    assert met.iterations == 50
    assert 0.0 < met.time < 1.0
    assert len(rows_of(met).time) == 0
    for limit in range(1, 8):
        assert meet(sheet(), dipping(0.5), max_iterations=limit).time <= asin(0.5)


def test_so_many_turns_that_nothing_is_known_of_them():
    met = meet(sheet(), dipping(0.5, 1e30))
    assert met.status == STATUS.CONTACT_AT_START


@pytest.mark.parametrize("scale", [2.0**-60, 1e-6, 1e6, 2.0**60])
def test_any_scale(scale):
    small, body = sheet(), rod()
    vertices = scale * small.motion.vertices_t0
    cloth = fc.Mesh(vertices, small.shape.faces).deforming(vertices, vertices)
    turning = fc.Mesh(scale * body.vertices, body.faces).moving(
        at(0, 0, 0.5 * scale), angular_velocity=[0, 1, 0], center=[0, 0, 0]
    )
    met = meet(cloth, turning, scale * TOLERANCE)
    assert asin(0.5) - 2.0 * TOLERANCE <= met.time <= asin(0.5)


def test_far_from_the_origin():
    away, above = np.array([1e6, -2e6, 3e6]), np.array([0.0, 0.0, 0.5])
    cloth = sheet()
    vertices = cloth.motion.vertices_t0 + away
    moved = fc.Mesh(vertices, cloth.shape.faces).deforming(vertices, vertices)
    body = rod().moving((np.eye(3), away + above), angular_velocity=[0, 1, 0], center=[0, 0, 0])
    met = meet(moved, body)
    assert asin(0.5) - 1e-5 <= met.time <= asin(0.5) + 1e-9


def test_vertices_that_no_face_uses_are_in_nobodys_way():
    stray = fc.Mesh(np.vstack([rod().vertices, [[1e9, 0, 0]]]), rod().faces)
    moving = stray.moving(at(0, 0, 0.5), angular_velocity=[0, 1, 0], center=[0, 0, 0])
    met = meet(sheet(), moving)
    plain = meet(sheet(), dipping(0.5))
    assert met.time == pytest.approx(plain.time, abs=1e-12)
    assert met.iterations == plain.iterations


def test_empty_and_degenerate_meshes():
    nothing = fc.Mesh([], [])
    assert meet(sheet(), nothing.moving(at(0, 0, 0), velocity=[1, 0, 0])).status == STATUS.SEPARATED
    assert meet(nothing.deforming([], []), dipping(0.5)).status == STATUS.SEPARATED
    point = fc.Mesh([[0.1, 0.2, 0.0]] * 3, [[0, 1, 2]])
    met = meet(sheet(), point.moving(at(0, 0, 1), velocity=[0, 0, -2], angular_velocity=[1, 1, 1]))
    assert 0.0 <= 0.5 - met.time <= TOLERANCE
    still = point.deforming(point.vertices, point.vertices)
    assert meet(still, point.moving(at(0, 0, 1), angular_velocity=[1, 1, 1])).status == STATUS.SEPARATED


def test_a_batch_of_motions_is_refused():
    batch = rod().moving(np.stack([np.eye(4)] * 2), velocity=[0, 0, 1])
    with pytest.raises(TypeError, match="one rigid motion at a time"):
        meet(sheet(), batch)
    with pytest.raises(TypeError, match="one rigid motion at a time"):
        meet(sheet(), sheet())


@pytest.mark.parametrize("options", [{"representatives": False}, {"triangle_bounds": False}, {"dop": 6}])
def test_no_choice_of_culling_changes_the_answer(options):
    plain = meet(sheet(), dipping(0.5))
    met = first_contact_with_rigid([sheet(), dipping(0.5)], Options(TOLERANCE, 0.0), fc.Culling(**options))
    assert met.time == pytest.approx(plain.time, abs=1e-12)
    assert len(rows_of(met).time) == len(rows_of(plain).time)


def test_what_it_took_is_counted():
    reports = []
    goal = Options(TOLERANCE, 0.0)
    met = first_contact_with_rigid(
        [sheet(), dipping(0.5)], goal, fc.Culling(), lambda *counts: reports.append(counts)
    )
    assert met.search.tally["triangle_pairs"] == reports[-1][0] > 0
    assert met.search.tally["elementary_tests"] > 0
    assert met.problem.seconds > 0.0
    assert met.seconds >= met.search.seconds_settling > 0.0


def test_the_same_bytes_for_any_number_of_threads():
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.5)
    body = fc.Mesh(np.array(ball.vertices), np.array(ball.faces))
    poses = random_poses(2)
    poses[:, :3, 3] = [[0.1, 0.2, 0.8], [0.3, 0.1, 0.2]]
    moving = body.moving(*poses)
    answers = []
    for n in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(n)
        met = meet(sheet(20, rise=0.2), moving)
        rows = rows_of(met)
        answers.append((met.time, met.time_upper, *(array.tobytes() for array in rows)))
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert answers[0] == answers[1]
