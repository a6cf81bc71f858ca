import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.demo import cloth
from firstcontact.cli.demo.draping import NEVER_LESS, THICKNESS, Draping
from firstcontact.cli.demo.pushes import Pushes
from firstcontact.cli.demo.springs import springs_of

N_SIDE, N_STEPS = 20, 48


@pytest.fixture(scope="module")
def draping():
    return Draping(N_SIDE)


@pytest.fixture(scope="module")
def steps(draping):
    return list(draping.steps(N_STEPS))


@pytest.fixture(scope="module")
def frames(draping, steps):
    return np.stack([draping.cloth.vertices, *(step.cloth for step in steps)])


def test_nothing_passes_through_anything(draping, frames):
    assert cloth.count_free(draping, frames) == N_STEPS
    for start, end in zip(frames[::8], frames[1::8], strict=False):
        move = draping.cloth.deforming(start, end)
        assert not fc.first_contact(move, draping.ball, min_separation=0.99 * NEVER_LESS)
        assert not fc.first_contact(move, min_separation=0.99 * NEVER_LESS)
    assert (np.linalg.norm(frames, axis=2) > 0.31).all()  # the ball's radius is 0.32


def test_the_cloth_touches_the_ball_and_itself(draping, steps):
    with_ball = sum(draping.is_with_ball(step.contacts).sum() for step in steps)
    assert with_ball > 1000
    assert sum(len(step.contacts) for step in steps) > with_ball


def test_it_drapes(frames):
    assert frames[-1, :, 2].min() < -0.5
    assert frames[-1, :, 2].max() > 0.32


def test_a_step_that_passes_through_is_seen(draping, frames):
    through = frames[[0, 0, 0]]
    through[1] -= [0.0, 0.0, 2.0]
    assert cloth.count_free(draping, through) == 0


def test_the_same_every_time(frames):
    again = list(Draping(N_SIDE).steps(12))
    np.testing.assert_array_equal(again[-1].cloth, frames[12])


def test_the_story_says_so():
    story = cloth.tell(lambda words, share: None, n_side=16, n_steps=16)
    assert story.cells["proven"] == "16 of 16 steps kept free of contact"
    (section,) = story.sections
    assert "nothing has passed through anything" in section.text
    assert section.text.count("<svg") == 1
    assert section.view.bodies[0].frames.shape == (17, 17 * 17, 3)
    assert section.view.stop == section.view.moments[0].time


def test_springs_of_a_group_share_no_vertex():
    for group in springs_of(5, 2.0):
        ids = np.concatenate([group.a, group.b])
        assert len(np.unique(ids)) == len(ids)
    assert sum(len(group.a) for group in springs_of(5, 2.0)) == 2 * 30 + 2 * 25 + 2 * 24


def test_pushes_part_what_is_too_close():
    leaf = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    mesh = fc.Mesh(
        np.concatenate([leaf + np.array([0.0, 0.0, 0.01]), leaf - np.array([0.3, 0.3, 0.0])]),
        [[0, 1, 2], [3, 4, 5]],
    )
    near = fc.contacts(mesh, min_separation=THICKNESS)
    assert len(near) > 0
    ahead = mesh.vertices.copy()
    for _ in range(20):
        Pushes.of(near, 3, THICKNESS).apply(mesh.vertices, ahead)
    np.testing.assert_array_equal(ahead[3:], mesh.vertices[3:])
    assert len(fc.contacts(mesh.deforming(ahead, ahead), min_separation=0.99 * THICKNESS)) == 0
