"""First contacts by intervals: against the oracle, algebra and the default; threads, laws, refusals."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.rigid.interval import interval_first as module
from firstcontact.rigid.interval.interval_first import interval_first_times
from firstcontact.status import Status
from properties.rigid_claims import complaints, options, size_of
from properties.rigid_families import FAMILIES, generate
from rigid.algebraic.test_algebraic_first import MESHES, motions
from samples import sample

HERE = np.eye(3)
LEAF, BOX = MESHES["leaf"], MESHES["box"]
FLOOR = fc.Box([20, 20, 1]).mesh
NEEDLE = fc.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
BY_INTERVALS = {"method": "interval"}


def ask(case, asked):
    return interval_first_times(body_of(case.mesh_a), body_of(case.mesh_b), (case.rows_a, case.rows_b), asked)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("separation", [0.0, 0.1])
def test_the_claims_hold(family, separation):
    cases = [generate(family, 400 + seed) for seed in range(sample(1, of=16))]
    sizes = [size_of(case) for case in cases]
    all_asked = [options((1e-6, 1e-3)[k % 2] * size, separation * size) for k, size in enumerate(sizes)]
    found = [ask(case, asked) for case, asked in zip(cases, all_asked, strict=True)]
    assert complaints(cases, all_asked, found) == []
    assert not any((one.status == Status.MAX_ITERATIONS).any() for one in found)


def test_a_limit_of_intervals_gives_a_time_that_is_safe():
    for limit in (1, 10, 40):
        cases = [generate("both moving", 200 + seed) for seed in range(2)]
        all_asked = [options(1e-6 * size_of(case), max_iterations=limit) for case in cases]
        found = [ask(case, asked) for case, asked in zip(cases, all_asked, strict=True)]
        assert complaints(cases, all_asked, found) == []
        assert any((one.status == Status.MAX_ITERATIONS).any() for one in found)


@pytest.mark.parametrize("seed", [1, 2])
def test_algebra_finds_it_not_late(seed):
    for one, other in (("tetrahedron", "leaf"), ("box", "tetrahedron")):
        a, b = motions(seed, MESHES[one], MESHES[other], sample(5, of=500))
        truth, found = fc.first_contacts(a, b, method="algebraic"), fc.first_contacts(a, b, **BY_INTERVALS)
        assert (found.time <= truth.time_upper).all()
        assert (found.time_upper >= truth.time).all()
        hits = np.isfinite(found.time)
        assert np.isfinite(truth.time)[hits].mean() > 0.9
        both = hits & np.isfinite(truth.time)
        assert (truth.time[both] - found.time[both] < 1e-4).all()


def test_thousands_of_triangles_as_the_default():
    ball = fc.Sphere(1.0).mesh
    rng, turns = np.random.default_rng(4), Rotation.random(20, random_state=4).as_matrix()
    moving = ball.moving(
        (turns, rng.normal([-3, 0, 0], 0.3, size=(20, 3))),
        velocity=rng.normal([3, 0, 0], size=(20, 3)),
        angular_velocity=rng.normal(size=(20, 3)) * 2,
    )
    found, usual = fc.first_contacts(moving, ball, **BY_INTERVALS), fc.first_contacts(moving, ball)
    assert ((found.time <= usual.time_upper) & (usual.time <= found.time_upper)).all()
    assert (np.isfinite(found.time) == np.isfinite(usual.time)).all()
    assert 5 < np.isfinite(found.time).sum() < 20
    hits = np.isfinite(found.time)
    assert np.abs(found.time[hits] - usual.time[hits]).max() < 1e-5
    assert (found.stats.iterations < 400).all()
    assert (found.features[hits, 0] >= 0).all()


def test_the_same_bytes_from_any_number_of_threads(monkeypatch):
    a, b = motions(1, BOX, MESHES["tetrahedron"], 40)
    rows = a.motion.rows(), b.motion.rows()
    asked = options(1e-6)

    def found():
        return [
            array.tobytes() for array in interval_first_times(body_of(BOX), body_of(b.shape), rows, asked)
        ]

    monkeypatch.setattr(module, "WORTH_A_THREAD", 10**9)
    serial = found()
    monkeypatch.setattr(module, "WORTH_A_THREAD", 1)
    assert found() == serial
    with ThreadPoolExecutor(4) as pool:
        assert all(one.result() == serial for one in [pool.submit(found) for _ in range(8)])


@pytest.mark.parametrize(
    ("a", "b", "time"),
    [
        (LEAF.moving((HERE, [-3, 0.25, 0]), velocity=[4, 0, 0]), LEAF, 0.5),
        (BOX.moving((HERE, [-3, 2.0, 0.5]), velocity=[4, 0, 0]), BOX, 0.5),  # an edge along an edge
        (BOX.moving((HERE, [-3, 0, 0]), velocity=[4, 0, 0]), BOX, 0.5),  # face on face
        (BOX.moving((HERE, [-3, 0, 0]), velocity=[4, 0, 0]), LEAF.at((HERE, [0, 0, 9])), np.inf),
        (BOX.moving((HERE, [-3, 2.1, 0]), velocity=[6, 0, 0]), BOX, np.inf),
        (BOX.at((HERE, [1, 0, 0])), BOX, 0.0),  # rests at it
        (BOX, BOX, 0.0),
        (BOX.moving((HERE, [3, 0, 0]), angular_velocity=[0, 0, 400]), LEAF, np.inf),
        (
            fc.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]).moving(
                (HERE, [-3, 0.25, 0]), velocity=[4, 0, 0]
            ),
            LEAF,
            0.25,
        ),
        (BOX.moving((HERE, [1e6 - 3, 0, 0]), velocity=[4, 0, 0]), BOX.at((HERE, [1e6, 0, 0])), 0.5),
        (fc.Mesh([], []), LEAF, np.inf),
        (fc.Points([[0, 0, 0]], 0.1).moving((HERE, [0.2, 0.2, 2.1]), velocity=[0, 0, -4]), LEAF, 0.5),
    ],
)
def test_known_times(a, b, time):
    found = fc.first_contact(a, b, **BY_INTERVALS)
    assert found.time <= time
    assert found.time == pytest.approx(time, abs=1e-6)
    assert fc.is_free(a, b, **BY_INTERVALS) == (time == np.inf)
    assert fc.safe_step(a, b, **BY_INTERVALS) == min(found.time, 1.0)


def test_what_slides_past_takes_few_intervals():
    for gap, most in ((1e-3, 20), (1e-5, 20)):
        slide = BOX.moving((HERE, [-5, 0.3, 0.75 + gap]), velocity=[10, 0, 0])
        found = fc.first_contact(slide, FLOOR, **BY_INTERVALS)
        assert (found.status, found.stats.iterations <= most) == (Status.SEPARATED, True)
        turning = BOX.moving((HERE, [-5, 0.3, 0.75 + gap]), velocity=[10, 0, 0], angular_velocity=[0, 0, 3])
        found = fc.first_contact(turning, FLOOR, **BY_INTERVALS)
        assert (found.status, found.stats.iterations < 8 / np.sqrt(gap)) == (Status.SEPARATED, True)


def test_a_separation_and_solids():
    falling = LEAF.moving((HERE, [0, 0, 2]), velocity=[0, 0, -4])
    assert fc.first_contact(falling, LEAF, min_separation=0.5, **BY_INTERVALS).time == pytest.approx(
        0.375, abs=1e-6
    )
    small = fc.Box([0.1, 0.1, 0.1]).mesh
    assert fc.first_contact(small, BOX, **BY_INTERVALS).status == Status.SEPARATED
    assert fc.first_contact(small, BOX, solid=True, **BY_INTERVALS).status == Status.CONTACT_AT_START


def test_motions_that_are_not_made_of_pieces():
    meets = 0.5 * (np.sqrt(3) - 1)
    cube, off = fc.Box([1, 1, 1]).mesh, (HERE, [0, 0.1, 0.2])
    laws = [
        cube.moving((HERE, [-2, 0, 0]), velocity=[2, 0, 0], acceleration=[4, 0, 0]),
        cube.along(fc.motion(lambda t: [-2 + 2 * t + 2 * t * t, 0, 0])),
        cube.along(fc.motion(lambda t: np.array([-2 + 2 * t + 2 * t * t, 0, 0]), acceleration_bound=4.1)),
    ]
    for law in laws:
        found = fc.first_contact(law, cube.at(off), **BY_INTERVALS)
        assert meets - 1e-6 < found.time <= meets <= found.time_upper < meets + 1e-5
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 0, 3] = -3.0, -2.0, 1.0
    found = fc.first_contact(cube.along(poses, [0, 0.25, 1]), cube, **BY_INTERVALS)
    assert found.time == pytest.approx(0.5, abs=1e-6)


def test_what_it_does_not_take():
    with pytest.raises(ValueError, match=r"method must be .*'interval'"):
        fc.first_contact(LEAF, LEAF, method="intervals")
    with pytest.raises(ValueError, match="method has no meaning for what deforms"):
        fc.first_contact(LEAF.deforming(LEAF.vertices, LEAF.vertices + 1), LEAF, **BY_INTERVALS)
