"""Scenes with images of depth: the same contacts as by boxes, from fewer pairs."""

import numpy as np
import pytest

import firstcontact as fc
from scene.scenes import random_motion, random_things


def soups(rng):
    """Loose triangles of all sizes that turn, deform or rest on a lattice, some thick."""
    for _ in range(6):
        n = int(rng.integers(1, 9))
        vertices = 0.6 * rng.normal(size=(3 * n, 3)) * rng.choice([1, 0.2, 3], size=3)
        mesh = fc.Mesh(vertices, np.arange(3 * n).reshape(-1, 3))
        kind = int(rng.integers(3))
        if kind == 0:
            yield random_motion(mesh, rng, 2.0)
        elif kind == 1:
            yield mesh.deforming(vertices + 2 * rng.normal(size=3), vertices + rng.normal(size=3))
        else:
            flat = fc.Mesh(np.round(2 * vertices) / 2, mesh.faces, thickness=float(rng.choice([0.0, 0.05])))
            yield flat.at((np.eye(3), np.round(2 * rng.normal(size=3)) / 2))


@pytest.mark.parametrize("seed", range(4))
def test_contacts_are_those_by_boxes(seed):
    rng = np.random.default_rng(seed)
    things = random_things(6, seed, meshes=True) | {f"soup {i}": thing for i, thing in enumerate(soups(rng))}
    separation = float(rng.choice([0.0, 0.2]))
    by_boxes, by_images = (fc.Scene(things, broad_phase=name) for name in ("sweep", "image"))
    for _ in range(2):
        found, expected = (scene.contacts(min_separation=separation) for scene in (by_images, by_boxes))
        assert found.names == expected.names
        assert np.array_equal(found.time, expected.time)
        assert len(by_images.pairs()) <= len(by_boxes.pairs())
        motion = random_motion(fc.Box([1, 1, 1]).mesh, rng)
        for scene in (by_boxes, by_images):
            scene.update({"body 0": motion})


def test_two_bowls_in_each_other_s_box_are_kept_apart():
    ball = fc.Sphere(1).mesh
    below = ball.vertices[ball.faces].mean(axis=1)[:, 2] < -0.5
    bowl = fc.Mesh(ball.vertices, ball.faces[below])
    things = {"lower": bowl, "upper": bowl.at((np.eye(3), [0.0, 0.0, 0.3]))}
    assert len(fc.Scene(things, broad_phase="sweep").pairs()) == 1
    scene = fc.Scene(things, broad_phase="image")
    assert len(scene.pairs()) == 0
    assert not scene.contacts()
    scene.update(upper=bowl.moving((np.eye(3), [0.0, 0.0, 0.3]), velocity=[0, 0, -1]))
    assert 0.29 < scene.first_contact().time < 0.31


def test_pieces_of_what_breaks_come_and_go():
    rng = np.random.default_rng(3)
    ball = fc.Sphere(1).mesh
    cells = np.argmin(
        np.linalg.norm(ball.vertices[ball.faces].mean(axis=1)[:, None] - rng.normal(size=(8, 3)), axis=2),
        axis=1,
    )
    pieces = {f"piece {i}": fc.Mesh(ball.vertices, ball.faces[cells == i]) for i in np.unique(cells).tolist()}
    scene, other = (fc.Scene({"whole": ball}, broad_phase=name) for name in ("image", "sweep"))
    for one in (scene, other):
        one.remove("whole")
        one.add({name: piece.moving(np.eye(4), velocity=piece.centroid) for name, piece in pieces.items()})
    found, expected = scene.contacts(), other.contacts()
    assert found.names == expected.names
    assert np.array_equal(found.time, expected.time)
    assert len(found) > 4
