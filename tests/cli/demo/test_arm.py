import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.demo import arm
from firstcontact.cli.demo.workbench import DETOUR, GOAL, START, samples, surroundings
from firstcontact.cli.demo.workbench import arm as made


@pytest.fixture(scope="module")
def robot():
    return made()


def test_samples_miss_what_first_contact_finds(robot):
    things = surroundings()
    assert arm.look(robot, things, arm.RESOLUTIONS[0]) == (32, True)
    assert arm.look(robot, things, 0.001)[1] is False
    hit = arm.straight(robot, things)
    assert (hit.a, hit.b, hit.status) == ("probe", "rod", fc.Status.CONTACT)
    assert 0.0 < hit.time <= hit.time_upper < 1.0


def test_the_detour_is_proven(robot):
    things = surroundings()
    assert fc.is_free(robot.along([START, DETOUR, GOAL]), things, self_contact=True)
    found = arm.detour(robot, things)
    assert not found
    assert found.certificate.verify()


def test_samples_keep_to_the_resolution():
    q = samples(START, GOAL, 0.05)
    np.testing.assert_array_equal(q[[0, -1]], [START, GOAL])
    assert np.abs(np.diff(q, axis=0)).max().round(12) <= 0.05


def test_the_story_says_so():
    story = arm.tell(lambda words, share: None)
    assert "free in all 32 samples" in story.cells["samples say"]
    assert "probe meets rod" in story.cells["found"]
    assert story.cells["proven"] == "detour free, certificate verified"
    first, second = story.sections
    assert "It is not." in first.text
    assert "it holds" in second.text
    assert 0.0 < first.view.stop < 1.0
    assert second.view.stop is None
