"""The same bytes for any number of threads, for one mesh step after step, and for several callers at once."""

import threading

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.hierarchy.shares import PARALLEL_FROM
from oracles.brute_force_contacts import Body
from properties.meshes import ball, bent, fields_as_bytes, grid, moving, smooth
from samples import sample

needs_two_threads = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
OPTIONS = [{}, {"exact": False}, {"min_separation": 0.02}]


@pytest.fixture
def restore_threads():
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


def crumpled(n_side=33, strength=2.0, seed=0):
    """A rough sheet, large enough for all threads, drawn together and shaken."""
    vertices, faces = grid(n_side, n_side)
    assert n_side < 33 or len(faces) >= PARALLEL_FROM
    rng = np.random.default_rng(seed)
    start = vertices + rng.uniform(-0.2, 0.2, vertices.shape)
    waves = np.sin(vertices[:, :2] @ rng.uniform(-0.6, 0.6, (2, 3)) + rng.uniform(0.0, 6.0, 3))
    end = 0.8 * vertices + strength * waves + rng.normal(0.0, 0.2, vertices.shape)
    return Body(start, end, faces)


def first_as_bytes(hit):
    arrays = (hit.points, hit.normals, hit.features, np.array([hit.time, hit.time_upper, hit.status]))
    return [array.tobytes() for array in arrays]


def answers(*scene, **options):
    contacts, hit = fc.contacts(*scene, **options), fc.first_contact(*scene, **options)
    return fields_as_bytes(contacts), first_as_bytes(hit), fc.safe_step(*scene, **options)


@needs_two_threads
@pytest.mark.usefixtures("restore_threads")
@pytest.mark.parametrize("options", OPTIONS, ids=["exact", "floating point", "separation"])
def test_one_and_two_threads_give_the_same_bytes(options):
    scenes = [(moving(crumpled()),), (moving(crumpled()), moving(crumpled(seed=1)))]
    for scene in scenes:
        found = []
        for n_threads in (1, 2):
            numba.set_num_threads(n_threads)
            found.append(answers(*scene, **options))
        assert found[0] == found[1]
        assert found[0][0]["kind"][1], "there should be contacts"


def test_a_mesh_used_before_answers_like_a_new_one():
    steps = [crumpled(strength=strength, seed=2) for strength in (0.0, 2.0, 4.0, 0.5)]
    mesh = fc.Mesh(steps[0].start, steps[0].faces)
    for step in steps:
        used, fresh = mesh.deforming(step.start, step.end), moving(step)
        assert answers(used) == answers(fresh)


def test_asking_again_gives_the_same():
    scene = moving(crumpled(seed=3))
    assert answers(scene) == answers(scene)


def test_a_step_of_a_mesh_does_not_depend_on_the_one_before():
    wide, narrow = crumpled(12, 5.0, 4), crumpled(12, 0.1, 4)
    mesh = fc.Mesh(wide.start, wide.faces)
    first = answers(mesh.deforming(narrow.start, narrow.end))
    answers(mesh.deforming(wide.end, wide.start), min_separation=0.1)
    assert answers(mesh.deforming(narrow.start, narrow.end)) == first


def test_balls_that_change_places_answer_like_new_ones():
    rng, actions = np.random.default_rng(6), set()
    vertices, faces = ball()
    places = np.stack(np.unravel_index(np.arange(64), (4, 4, 4)), axis=1)
    all_faces = np.concatenate([faces + k * len(vertices) for k in range(len(places))])
    mesh = fc.Mesh(np.tile(vertices, (len(places), 1)), all_faces)
    for _ in range(4):
        places = rng.permutation(places)
        start = (0.4 * vertices + places[:, None]).reshape(-1, 3)
        velocities = np.repeat(rng.uniform(-0.4, 0.4, (len(places), 3)), len(vertices), axis=0)
        step = Body(start, start + velocities, all_faces)
        contacts = fc.contacts(mesh.deforming(step.start, step.end))
        assert len(contacts)
        assert fields_as_bytes(contacts) == fields_as_bytes(fc.contacts(moving(step)))
        actions.update(contacts.stats.trees)
    assert actions == {"rebuilt", "restructured"}


def test_small_meshes_used_step_after_step_answer_like_new_ones():
    for seed in range(sample(2, of=8)):
        rng = np.random.default_rng([5, seed])
        body = smooth(rng).a
        mesh, position = fc.Mesh(body.start, body.faces), body.start
        for _ in range(5):
            start, position = position, bent(rng, body.start)
            contacts = fc.contacts(mesh.deforming(start, position))
            fresh = fc.contacts(moving(Body(start, position, body.faces)))
            assert fields_as_bytes(contacts) == fields_as_bytes(fresh)


def test_four_python_threads_at_once_on_one_mesh():
    steps = [crumpled(strength=1.0, seed=seed) for seed in range(4)]
    mesh = fc.Mesh(steps[0].start, steps[0].faces)
    expected = [answers(moving(step)) for step in steps]
    found = [[] for _ in steps]
    barrier = threading.Barrier(len(steps))

    def work(slot, step):
        barrier.wait()
        for _ in range(2):
            found[slot].append(answers(mesh.deforming(step.start, step.end)))

    workers = [threading.Thread(target=work, args=item) for item in enumerate(steps)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [[answer] * 2 for answer in expected]
