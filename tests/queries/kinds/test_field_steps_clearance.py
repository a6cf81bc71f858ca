"""The clearance of what deforms and a field: what is told is kept, and is seen."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.swept_elements import distances_then, places_at
from when_asked import WhenAsked

TOLERANCE, HALF = 0.02, np.array([1.0, 0.5, 0.5])
FIELDS = WhenAsked(lambda margin: fc.DistanceField.of(fc.Box(2 * HALF), TOLERANCE, margin=margin))
TIMES = np.array([0.0, 0.375, 1.0])


def things(rng):
    """A mesh, strands and points that go by, with frames, radii and corners an element."""
    for n_corners in (1, 2, 3):
        starts = rng.uniform(-1, 1, (6, 1, 3)) + [0, 0, 1.5] + 0.2 * rng.normal(size=(6, n_corners, 3))
        frames = [starts.reshape(-1, 3)]
        for _ in TIMES[1:]:
            frames.append(frames[-1] + 0.4 * rng.normal(size=frames[-1].shape))
        radii = np.zeros(6) if n_corners == 3 else rng.choice([0.0, 0.1], 6)
        if n_corners == 3:
            yield fc.Mesh(frames[0], np.arange(18).reshape(6, 3)), frames, radii, n_corners
        elif n_corners == 2:
            yield fc.Strands(frames[0], [2] * 6, np.repeat(radii, 2)), frames, radii, n_corners
        else:
            yield fc.Points(frames[0], radii), frames, radii, n_corners


@pytest.mark.parametrize("seed", range(3))
def test_what_is_told_is_kept_and_is_seen(seed):
    for shape, frames, radii, n_corners in things(np.random.default_rng(seed)):
        found = fc.clearance(shape.along(frames, TIMES), FIELDS[1.5])
        least, then = np.inf, np.inf
        for t in [*np.linspace(0, 1, 201), found.time]:
            corners = places_at(frames, TIMES, t).reshape(-1, n_corners, 3)
            seen, slack = distances_then(corners, radii, HALF, 17)
            least = min(least, seen.min())
            then = (seen - slack).min()
        assert found.distance_lower <= max(least, 0.0)
        assert max(then, 0.0) <= found.distance
        assert found.distance - found.distance_lower <= 0.02 * found.distance + 5 * TOLERANCE
        assert (found.status == fc.Status.CONTACT) == (found.distance == 0.0)


def test_either_order_one_step_and_nothing():
    rope = fc.Strands([[0, 0, 2], [0.5, 0, 2]], [2], 0.05)
    falls = rope.deforming(rope.positions, rope.positions - [0, 0, 1])
    one, other = fc.clearance(falls, FIELDS[1.5]), fc.clearance(FIELDS[1.5], falls)
    assert (one.distance, one.distance_lower, one.time) == (other.distance, other.distance_lower, other.time)
    assert one.distance_lower <= 0.45 <= one.distance
    assert one.faces.tolist() == other.faces[::-1].tolist() == [0, -1]
    assert one.profile(3).distances[-1] <= 0.45
    with pytest.raises(ValueError, match=r"^a certificate is for rigid bodies and robots"):
        one.certificate  # noqa: B018
    assert fc.clearance(fc.Points([]).deforming([], []), FIELDS[1.5]).distance == np.inf
    thrown = FIELDS[1.5].moving(np.eye(4), velocity=[0, 0, 1], acceleration=[0, 0, -2])
    still = fc.clearance(rope.along([rope.positions] * 3), thrown)
    assert still.distance_lower <= 1.45 - 0.25 <= still.distance
    part = FIELDS[1.5].intersection(fc.DistanceField.of(fc.Box([1, 1, 1]), TOLERANCE, margin=1.5))
    with pytest.raises(ValueError, match=r"^clearance needs fields that are exact outside"):
        fc.clearance(falls, part)
