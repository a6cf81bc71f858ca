"""Exact stage of elementary CCD: degenerate queries with known answers, separations, published truth."""

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.status import Status
from samples import sample

SEPARATED = (False, math.inf, math.inf)
AT_START = (True, 0.0, 0.0)
FACE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
SEEDS_60 = list(product(range(sample(20, of=60)), (False, True)))
SEEDS_100 = list(product(range(sample(40, of=100)), (False, True)))
ABOVE_TO_BELOW = ([0.25, 0.25, 1], [0.25, 0.25, -1])


def vertex_face(vertex_t0, vertex_t1, face=FACE, **options):
    """Contact of a moving vertex with a face that stands still."""
    return contact([vertex_t0, *face], [vertex_t1, *face], False, **options)


def edge_edge(edge_t0, edge_t1, other, **options):
    """Contact of a moving edge with an edge that stands still."""
    return contact([*edge_t0, *other], [*edge_t1, *other], True, **options)


def contact(start, end, is_edge_edge, max_time=1.0, time_tolerance=0.0, min_separation=0.0):
    found = exact_contact(start, end, Options(is_edge_edge, max_time, time_tolerance, min_separation))
    return found.status != Status.SEPARATED, found.lower, found.upper


def at(time):
    """Answer of a first contact at a rational time."""
    nearest = float(time)
    if Fraction(nearest) == time:
        return True, nearest, nearest
    below = nearest if Fraction(nearest) < time else math.nextafter(nearest, 0.0)
    return True, below, math.nextafter(below, 1.0)


def test_vertex_through_a_face():
    assert vertex_face(*ABOVE_TO_BELOW) == at(Fraction(1, 2))
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, -2]) == at(Fraction(1, 3))
    assert vertex_face([2, 2, 1], [2, 2, -1]) == SEPARATED


@pytest.mark.parametrize("foot", [(0, 0), (1, 0), (0, 1), (0.5, 0.5), (0.5, 0), (0, 0.125)])
def test_vertex_through_the_border_of_a_face(foot):
    assert vertex_face([*foot, 1], [*foot, -2]) == at(Fraction(1, 3))


@pytest.mark.parametrize("foot", [(-5e-324, 0.5), (0.5, -5e-324), (0.5, 0.5000000000000001)])
def test_vertex_past_the_border_of_a_face_by_one_float(foot):
    assert vertex_face([*foot, 1], [*foot, -2]) == SEPARATED


def test_touch_at_the_ends_of_the_interval():
    assert vertex_face([0.25, 0.25, 0], [0.25, 0.25, 1]) == AT_START
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, 0]) == (True, 1.0, 1.0)
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, 5e-324]) == SEPARATED
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, -5e-324]) == (True, 1 - 2.0**-53, 1.0)


def test_interval_is_closed_at_max_time():
    assert vertex_face(*ABOVE_TO_BELOW, max_time=0.5) == at(Fraction(1, 2))
    assert vertex_face(*ABOVE_TO_BELOW, max_time=math.nextafter(0.5, 0.0)) == SEPARATED
    assert vertex_face(*ABOVE_TO_BELOW, max_time=0.0) == SEPARATED
    assert vertex_face([0.25, 0.25, 0], [0.25, 0.25, 1], max_time=0.0) == AT_START


def test_upper_bound_stays_below_max_time():
    hit, lower, upper = vertex_face([0.25, 0.25, 1], [0.25, 0.25, -2], max_time=0.34, time_tolerance=0.5)
    assert hit
    assert lower <= 1 / 3 <= upper <= 0.34


@pytest.mark.parametrize("time_tolerance", [0.3, 1e-3, 1e-12])
def test_bracket_is_within_the_tolerance(time_tolerance):
    face_t1 = [[0.1, 0, 0.3], [1, 0.2, -0.1], [0, 1, 0.4]]
    start, end = [[0.25, 0.25, 1], *FACE], [[0.2, 0.3, -1], *face_t1]
    _, lower, upper = contact(start, end, False, time_tolerance=time_tolerance)
    exact = contact(start, end, False)
    assert upper - lower <= time_tolerance
    assert lower <= exact[1] <= exact[2] <= upper


def test_nothing_moves():
    assert vertex_face([0.25, 0.25, 0], [0.25, 0.25, 0]) == AT_START
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, 1]) == SEPARATED
    assert vertex_face([2, 2, 0], [2, 2, 0]) == SEPARATED


def test_coplanar_vertex_slides_into_a_face():
    assert vertex_face([-1, 0.25, 0], [2, 0.25, 0]) == at(Fraction(1, 3))
    assert vertex_face([-1, 2, 0], [2, 2, 0]) == SEPARATED
    assert vertex_face([-1, -1, 0], [1, 1, 0]) == at(Fraction(1, 2))
    assert vertex_face([-1, 1, 0], [1, -1, 0]) == at(Fraction(1, 2))
    assert vertex_face([2, 0, 0], [0, 2, 0]) == SEPARATED
    assert vertex_face([1, -1, 0], [1, 1, 0]) == at(Fraction(1, 2))


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_coplanar_motion_in_any_plane(axes):
    start, end = (np.array([[x, 0.25, 0], *FACE])[:, axes] for x in (-1, 2))
    assert contact(start, end, False) == at(Fraction(1, 3))


def test_coplanar_motion_that_leaves_every_axis():
    face = [[0, 0, 0], [1, 1, -2], [1, -2, 1]]
    assert vertex_face([-2, 1, 1], [2, -1, -1], face) == at(Fraction(1, 2))


def test_face_grows_from_a_point_around_a_vertex():
    start, end = [[0.25, 0.25, 0], *[[-1, -1, 0]] * 3], [[0.25, 0.25, 0], [-1, -1, 0], [3, -1, 0], [-1, 3, 0]]
    # (5/4, 5/4) = w (4 t, 0) + v (0, 4 t) with w + v = 1
    assert contact(start, end, False) == at(Fraction(5, 8))


def test_collinear_vertex_meets_a_degenerate_face():
    sliver = [[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5]]
    assert vertex_face([-1, -1, -1], [1, 1, 1], sliver) == at(Fraction(1, 2))
    assert vertex_face([4, 4, 4], [1, 1, 1], sliver) == (True, 1.0, 1.0)
    assert vertex_face([4, 4, 4], [2, 2, 2], sliver) == SEPARATED


def test_collinear_at_one_moment_only():
    sliver = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    assert vertex_face([0.5, 1, 0], [0.5, -2, 0], sliver) == at(Fraction(1, 3))
    assert vertex_face([2.5, 1, 0], [2.5, -2, 0], sliver) == SEPARATED
    assert vertex_face([0.5, 1, 1], [0.5, -2, -2], sliver) == at(Fraction(1, 3))


def test_points_that_are_all_one():
    point = [0.1, 0.2, 0.3]
    assert vertex_face(point, point, [point] * 3) == AT_START
    assert vertex_face([0, 0, 0], [0.2, 0.4, 0.6], [point] * 3) == at(Fraction(1, 2))
    assert vertex_face([0, 0, 0], [0.2, 0.4, 0.5], [point] * 3) == SEPARATED


def test_edges_cross():
    other = [[0, -1, 0], [0, 1, 0]]
    edge_t0, edge_t1 = [[-1, 0, 1], [1, 0, 1]], [[-1, 0, -2], [1, 0, -2]]
    assert edge_edge(edge_t0, edge_t1, other) == at(Fraction(1, 3))
    beyond = [[0, 1, 0], [0, 2, 0]]
    assert edge_edge(edge_t0, edge_t1, beyond) == SEPARATED


def test_edges_meet_end_to_end():
    other = [[1, 0, 0], [3, 2, 1]]
    assert edge_edge([[-1, 0, 1], [1, 0, 1]], [[-1, 0, -2], [1, 0, -2]], other) == at(Fraction(1, 3))


def test_parallel_edges():
    other = [[0, 0, 0], [1, 0, 0]]
    assert edge_edge([[0.5, 0, 1], [2, 0, 1]], [[0.5, 0, -2], [2, 0, -2]], other) == at(Fraction(1, 3))
    assert edge_edge([[1, 0, 1], [2, 0, 1]], [[1, 0, -2], [2, 0, -2]], other) == at(Fraction(1, 3))
    assert edge_edge([[1.5, 0, 1], [2, 0, 1]], [[1.5, 0, -2], [2, 0, -2]], other) == SEPARATED


def test_collinear_edges_slide_along_their_line():
    other = [[0, 0, 0], [1, 2, 3]]
    assert edge_edge([[4, 8, 12], [5, 10, 15]], [[-2, -4, -6], [-1, -2, -3]], other) == at(Fraction(1, 2))
    assert edge_edge([[4, 8, 12], [5, 10, 15]], [[2, 4, 6], [3, 6, 9]], other) == SEPARATED
    assert edge_edge([[0, 0, 0], [5, 10, 15]], [[2, 4, 6], [3, 6, 9]], other) == AT_START


def test_edges_of_no_length():
    other = [[1, 1, 1], [1, 1, 1]]
    assert edge_edge([[0, 0, 0]] * 2, [[3, 3, 3]] * 2, other) == at(Fraction(1, 3))
    assert edge_edge([[0, 0, 0]] * 2, [[3, 3, 2]] * 2, other) == SEPARATED


def test_coplanar_moment_without_contact_comes_first():
    # The face is in the plane z = t y, the vertex at (0, 3 - 3 t, 1/2): coplanar when 6 t^2 - 6 t + 1 = 0.
    start, end = [[0, 3, 0.5], *FACE], [[0, 0, 0.5], [0, 0, 0], [1, 0, 0], [0, 1, 1]]
    hit, lower, upper = contact(start, end, False)
    assert hit
    assert lower > 0.5
    assert upper == math.nextafter(lower, 1.0)
    assert [6 * t * t - 6 * t + 1 > 0 for t in (Fraction(lower), Fraction(upper))] == [False, True]


def test_contact_with_a_corner_at_the_second_coplanar_moment():
    # The plane z = 3 t y, the vertex at (0, 3 - 3 t, 2).
    start, end = [[0, 3, 2], *FACE], [[0, 0, 2], [0, 0, 0], [1, 0, 0], [0, 1, 3]]
    assert contact(start, end, False) == at(Fraction(2, 3))


def test_contact_at_an_irrational_time_on_an_edge():
    # Always coplanar; the line through b and c reaches the vertex at the origin when 2 t^2 = 1.
    start = [[0, 0, 0], [0, -3, 0], [1, -1, 0], [-1, 0.5, 0]]
    end = [[0, 0, 0], [0, -3, 0], [1, 0, 0], [-2, 0.5, 0]]
    hit, lower, upper = contact(start, end, False)
    assert hit
    assert Fraction(lower) ** 2 < Fraction(1, 2) < Fraction(upper) ** 2
    assert upper == math.nextafter(lower, 1.0)


@pytest.mark.parametrize("exponent", [-1060, -300, -20, 0, 20, 300, 1000])
def test_scale_does_not_matter(exponent):
    start, end = (
        np.ldexp(np.array([p, *FACE], float), exponent) for p in ([0.25, 0.25, 1], [0.25, 0.25, -2])
    )
    assert contact(start, end, False) == at(Fraction(1, 3))


def test_huge_and_tiny_coordinates_together():
    start = [[5e-324, 5e-324, 1e300], [0, 0, 0], [1e300, 0, 0], [0, 1e300, 0]]
    end = [[5e-324, 5e-324, -1e300], *start[1:]]
    assert contact(start, end, False) == at(Fraction(1, 2))
    start[0][0] = end[0][0] = -5e-324
    assert contact(start, end, False) == SEPARATED


def test_the_callers_arrays_are_not_changed():
    start, end = (np.array([p, *FACE], float) for p in ABOVE_TO_BELOW)
    copies = start.copy(), end.copy()
    contact(start, end, False)
    np.testing.assert_array_equal((start, end), copies)


def test_separation_from_a_face():
    assert vertex_face(*ABOVE_TO_BELOW, min_separation=0.5) == at(Fraction(1, 4))
    assert vertex_face(*ABOVE_TO_BELOW, min_separation=1.0) == AT_START
    assert vertex_face([0.25, 0.25, 2], [0.25, 0.25, 0.5], min_separation=0.5) == (True, 1.0, 1.0)
    assert (
        vertex_face([0.25, 0.25, 2], [0.25, 0.25, 0.5], min_separation=math.nextafter(0.5, 0.0)) == SEPARATED
    )
    assert vertex_face(*ABOVE_TO_BELOW, min_separation=0.5, max_time=0.2) == SEPARATED


def test_separation_from_an_edge_and_from_a_vertex():
    assert vertex_face([0.5, -2, 0], [0.5, 0, 0], min_separation=0.5) == at(Fraction(3, 4))
    assert vertex_face([-2, 0, 0], [0, 0, 0], min_separation=0.5) == at(Fraction(3, 4))
    assert vertex_face([-3, -4, 0], [3, 4, 0], min_separation=2.5) == at(Fraction(1, 4))


def test_vertex_slides_along_at_exactly_the_separation():
    assert vertex_face([-1, 0.25, 1], [2, 0.25, 1], min_separation=1.0) == at(Fraction(1, 3))
    assert vertex_face([-1, -1, 0], [2, -1, 0], min_separation=1.0) == at(Fraction(1, 3))
    assert vertex_face([0.25, 0.25, 1], [0.25, 0.25, 1], min_separation=1.0) == AT_START
    assert (
        vertex_face([-1, 0.25, 1.0000000000000002], [2, 0.25, 1.0000000000000002], min_separation=1.0)
        == SEPARATED
    )


def test_separation_of_edges():
    other = [[0, -1, 0], [0, 1, 0]]
    falling = [[-1, 0, 1], [1, 0, 1]], [[-1, 0, -1], [1, 0, -1]]
    assert edge_edge(*falling, other, min_separation=0.5) == at(Fraction(1, 4))
    parallel = [[0, -3, 1], [0, 3, 1]], [[0, -3, -1], [0, 3, -1]]
    assert edge_edge(*parallel, other, min_separation=0.5) == at(Fraction(1, 4))
    collinear = [[0, 5, 0], [0, 6, 0]], [[0, 3, 0], [0, 4, 0]]
    assert edge_edge(*collinear, other, min_separation=3.0) == at(Fraction(1, 2))


def test_separation_of_degenerate_primitives():
    point = [[0, 0, 0]] * 3
    assert vertex_face([-3, -4, 0], [3, 4, 0], point, min_separation=2.5) == at(Fraction(1, 4))
    sliver = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    assert vertex_face([0.5, 2, 0], [0.5, -2, 0], sliver, min_separation=1.0) == at(Fraction(1, 4))


def clamped_distance_squared(p, a, b):
    """Squared distance of a point to a segment, rational."""
    e, r = b - a, p - a
    ee = e @ e
    s = min(max((r @ e) / ee, Fraction(0)), Fraction(1)) if ee else Fraction(0)
    return (r - s * e) @ (r - s * e)


def sides_distance_squared(points, is_edge_edge):
    """Squared distance of a point to a triangle or of two segments, rational."""
    p, a, b, c = points
    if is_edge_edge:
        pairs = [(p, b, c), (a, b, c), (b, p, a), (c, p, a)]
        origin, e, f = b - p, a - p, b - c
    else:
        pairs = [(p, a, b), (p, b, c), (p, c, a)]
        origin, e, f = p - a, b - a, c - a
    distances = [clamped_distance_squared(*pair) for pair in pairs]
    n = np.array([e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)])
    if nn := n @ n:
        # origin = v e + w f + (height) n
        v = np.array([origin[i - 2] * f[i - 1] - origin[i - 1] * f[i - 2] for i in range(3)]) @ n / nn
        w = np.array([e[i - 2] * origin[i - 1] - e[i - 1] * origin[i - 2] for i in range(3)]) @ n / nn
        if min(v, w) >= 0 and (max(v, w) <= 1 if is_edge_edge else v + w <= 1):
            distances.append((origin @ n) ** 2 / nn)
    return min(distances)


def rational_query(seed):
    """Small integer coordinates: many coplanar, collinear and coincident points."""
    random_source = random.Random(seed)
    reach = random_source.choice((1, 2, 6))
    flat = random_source.choice((0, 1, 1))
    values = [[random_source.randint(-reach, reach) for _ in range(3)] for _ in range(8)]
    points = [[x, y, z * flat] for x, y, z in values]
    return points[:4], points[4:], random_source.choice((0.25, 0.5, 1.0, 1.25))


@pytest.mark.parametrize(("seed", "is_edge_edge"), SEEDS_60)
def test_separation_against_dense_rational_sampling(seed, is_edge_edge):
    start, end, separation = rational_query(seed)
    hit, lower, upper = contact(start, end, is_edge_edge, min_separation=separation)
    rational_start, rational_end = (
        np.vectorize(Fraction, otypes=[object])(np.array(x)) for x in (start, end)
    )

    def squared_at(t):
        return sides_distance_squared(rational_start + t * (rational_end - rational_start), is_edge_edge)

    wanted = Fraction(separation) ** 2
    before = [t for t in (Fraction(i, 64) for i in range(65)) if t < lower]
    assert all(squared_at(t) > wanted for t in before)
    if hit:
        assert lower == 0.0 or squared_at(Fraction(lower)) >= wanted
        # No point moves by more than 12 sqrt(3) units in a step, no distance by more than twice as much.
        assert float(squared_at(Fraction(upper))) ** 0.5 <= separation + 42 * (upper - lower) + 1e-15


@pytest.mark.parametrize(("seed", "is_edge_edge"), SEEDS_100)
def test_touch_is_the_limit_of_small_separations(seed, is_edge_edge):
    start, end, _ = rational_query(seed)
    touch = contact(start, end, is_edge_edge)
    near = contact(start, end, is_edge_edge, min_separation=2.0**-200)
    assert touch[0] == near[0]
    if touch[0]:
        assert near[1] <= touch[1]
        # A grazing approach enters the separation earlier, by its square root and no more than that.
        assert touch[2] - near[1] < 2.0**-50


@pytest.mark.parametrize(("seed", "is_edge_edge"), SEEDS_60)
def test_swapped_sides_and_reversed_points_agree(seed, is_edge_edge):
    start, end, _ = rational_query(seed)
    order = [3, 2, 1, 0] if is_edge_edge else [0, 3, 1, 2]
    swapped = [start[i] for i in order], [end[i] for i in order]
    assert contact(start, end, is_edge_edge) == contact(*swapped, is_edge_edge)


@pytest.mark.shared_data
@pytest.mark.parametrize("kind", ["vf", "ee"])
@pytest.mark.parametrize("scene", ["handcrafted", "cloth-ball", "n-body-simulation"])
def test_published_truth(shared_data, scene, kind):
    truth = np.load(shared_data(f"ccd-truth/{scene}-{kind}.npz"))
    n_queries = len(truth["hit"])
    step = 1 if scene == "handcrafted" else n_queries // 1000
    ids = np.union1d(np.arange(0, n_queries, step), np.flatnonzero(truth["always_coplanar"]))
    hit, lower, upper = (truth[key] for key in ("hit", "time_lower", "time_upper"))
    start, end = truth["start"], truth["end"]
    for i in ids:
        expected = (True, lower[i], upper[i]) if hit[i] else SEPARATED
        assert contact(start[i], end[i], kind == "ee") == expected, f"query {i}"


@pytest.mark.parametrize(("seed", "is_edge_edge"), SEEDS_60)
@pytest.mark.parametrize("separation", [0.0, 0.25, 3.0])
def test_what_is_known_changes_nothing(seed, is_edge_edge, separation):
    rng = np.random.default_rng(seed)
    start, end = rng.integers(-4, 5, (2, 4, 3)) * (1.0 if seed % 3 else rng.random((2, 4, 3)))
    start[0 if not is_edge_edge else slice(0, 2)] += [0, 0, 6]
    options = Options(is_edge_edge, 1.0, 0.0, separation)
    found = exact_contact(start, end, options)
    if found.status != Status.CONTACT or found.lower == 0.0:
        return
    for width in (0.0, 2.0**-40, 2.0**-10):
        known = max(found.lower - width, found.lower / 2), min(found.upper + width, 1.0)
        assert exact_contact(start, end, options, known) == found
