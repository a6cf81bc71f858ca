"""What a solver reads of contacts: gaps, velocities, which of them close, and frames."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.answers.contact_results import tangents_of
from properties.meshes import FAMILIES, generate, grid, moving_scene
from samples import sample

PLACES, FACES = grid(2, 2)
ABOVE = PLACES + np.array([0.3, 0.2, 1.0])


def at(body, ids, t):
    return (1.0 - t) * body.start[ids] + t * body.end[ids]


@pytest.mark.parametrize("family", FAMILIES)
def test_gaps_and_velocities_are_those_of_the_touching_points(family):
    for seed in range(sample(1, of=4)):
        scene = generate(family, seed)
        a, b = scene.a, scene.a if scene.b is None else scene.b
        found = fc.contacts(*moving_scene(scene), min_separation=0.125)
        for row in np.flatnonzero(found.vertex_ids[:, 0] >= 0).tolist():
            ids, weights, t = found.vertex_ids[row], found.weights[row], found.time[row]
            kind, is_swapped = found.kind[row], found.kind[row] == fc.ContactKind.FACE_VERTEX
            n = 2 if kind == fc.ContactKind.EDGE_EDGE else 1
            first, second = (b, a) if is_swapped else (a, b)
            p, q = weights[:n] @ at(first, ids[:n], t), weights[n:] @ at(second, ids[n:], t)
            moves = [body.end - body.start for body in (first, second)]
            speed = weights[:n] @ moves[0][ids[:n]] - weights[n:] @ moves[1][ids[n:]]
            size = 1.0 + np.abs(p).max()
            assert found.gap[row] == pytest.approx(np.linalg.norm(p - q), abs=1e-12 * size)
            assert found.velocities[row] == pytest.approx(-speed if is_swapped else speed, abs=1e-12 * size)
        along = np.einsum("ni,ni->n", found.velocities, found.normals)
        assert found.closing_speed == pytest.approx(along, abs=1e-12)
        assert found.closing.tolist() == (found.closing_speed > 0.0).tolist()


def test_a_gap_is_less_by_what_both_are_thick():
    thick, other = fc.Mesh(PLACES, FACES, 0.0625), fc.Mesh(PLACES, FACES, 0.1875)
    falling = thick.deforming(ABOVE, ABOVE - [0, 0, 1.5])
    assert fc.contacts(falling, other).gap == pytest.approx(0.0, abs=1e-12)
    assert fc.contacts(falling, other, min_separation=0.25).gap == pytest.approx(0.25, abs=1e-12)
    within = fc.contacts(thick.deforming(ABOVE - [0, 0, 0.9], ABOVE), other)
    assert within.gap.min() == pytest.approx(0.1 - 0.25)
    upright = ABOVE @ np.eye(3)[[2, 1, 0]] - [0.6, 0.0, 0.75]  # its x is up
    through = fc.contacts(thick.deforming(upright, upright), other)
    is_through = through.kind >= fc.ContactKind.EDGE_FACE
    assert is_through.any()
    assert through.gap[is_through] == pytest.approx(-0.25)


def test_bodies_that_turn_and_fields_have_them_too():
    sheet = fc.Mesh(PLACES, FACES)
    resting = sheet.deforming(ABOVE, ABOVE)
    rising = fc.Mesh(PLACES, FACES).moving(np.eye(4), velocity=[0, 0, 2], angular_velocity=[0, 0, 0.01])
    found = fc.contacts(resting, rising, min_separation=0.25, tolerance=1e-6)
    assert found.gap == pytest.approx(0.25, abs=1e-5)
    assert found.velocities[:, 2] == pytest.approx(-2.0, abs=1e-3)
    field = fc.DistanceField.of(fc.Sphere(0.5), 1e-3).at((np.eye(3), [1, 1, 0]))
    falling = sheet.deforming(ABOVE, ABOVE - [0, 0, 1.0])
    near = fc.contacts(falling, field, within=0.125)
    assert near.gap[near.time > 0.0] == pytest.approx(0.125, abs=5e-3)
    assert near.velocities == pytest.approx(np.tile([0.0, 0.0, -1.0], (len(near), 1)), abs=1e-9)


def test_frames_are_right_handed_and_follow_their_normals():
    rng = np.random.default_rng(5)
    normals = rng.normal(size=(500, 3)) * rng.choice([1.0, 1e-9], (500, 3))
    normals = np.concatenate([np.eye(3), -np.eye(3), normals / np.linalg.norm(normals, axis=1)[:, None]])
    tangents = tangents_of(normals)
    assert np.cross(tangents[:, 0], tangents[:, 1]) == pytest.approx(normals, abs=1e-12)
    assert np.linalg.norm(tangents, axis=2) == pytest.approx(1.0, abs=1e-12)
    nearby = normals + 1e-7 * rng.normal(size=normals.shape)
    nearby /= np.linalg.norm(nearby, axis=1)[:, None]
    same_side = (nearby[:, 2] < 0.0) == (normals[:, 2] < 0.0)
    assert np.abs(tangents_of(nearby) - tangents)[same_side].max() < 1e-5


def test_no_contacts_have_the_columns_of_some():
    cloth, floor = fc.Mesh(ABOVE, FACES), fc.Mesh(PLACES, FACES)
    none = fc.contacts(cloth.deforming(ABOVE, ABOVE), floor)
    some = fc.contacts(cloth.deforming(ABOVE, ABOVE - np.array([0.0, 0.0, 2.0])), floor)
    assert len(none) == 0 < len(some)
    names = "kind ids_a ids_b vertex_ids time time_upper points normals closing_speed weights status gap"
    for name in [*names.split(), "velocities"]:
        one, other = getattr(none, name), getattr(some, name)
        assert (one.dtype, one.shape[1:]) == (other.dtype, other.shape[1:]), name
