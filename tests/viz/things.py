"""Small things to look at, and one answer of each kind about them."""

from functools import cache

import numpy as np
import trimesh

import firstcontact as fc
from poses import at

# One that a page, a picture or a script could take for something else than a name.
NASTY = "<!--<script>alert(1)</script>\"&'$x^_</b>"


def cube(side: float = 1.0) -> fc.Mesh:
    return fc.Mesh.from_trimesh(trimesh.creation.box([side] * 3))


def ball() -> fc.Moving:
    return fc.Sphere(0.5).moving(at(-2, 0, 0), velocity=[4, 0, 0])


def leaf(z: float) -> np.ndarray:
    """Vertices of a flat square of two triangles."""
    return np.array([[-1, -1, z], [1, -1, z], [1, 1, z], [-1, 1, z]], float)


LEAF_FACES = np.array([[0, 1, 2], [0, 2, 3]])


def falling() -> fc.Moving:
    return fc.Mesh(leaf(0), LEAF_FACES).deforming(leaf(2), leaf(-2) * [0.5, 1, 1])


@cache
def hit() -> fc.FirstContact:
    """Two cubes: a face of one meets that of the other half-way."""
    return fc.first_contact(cube().moving(at(-2, 0, 0), velocity=[2, 0, 0]), cube().at(at(0, 0, 0)))


@cache
def edges() -> fc.FirstContact:
    """Two cubes, both turned by an eighth: an edge meets an edge."""
    one = trimesh.transformations.rotation_matrix(np.pi / 4, [0, 0, 1])
    other = trimesh.transformations.rotation_matrix(np.pi / 4, [0, 1, 0])
    one[0, 3] = -3
    return fc.first_contact(cube().moving(one, velocity=[3, 0, 0]), cube().at(other))


@cache
def miss() -> fc.FirstContact:
    return fc.first_contact(ball(), fc.Box([1, 1, 1]).at(at(0, 5, 0)))


@cache
def contacts() -> fc.Contacts:
    """A leaf falls on a cube that has corners up."""
    return fc.contacts(falling(), cube(0.5).at(at(0.1, 0, 0)))


@cache
def folded() -> fc.FirstContact:
    """A strip of three triangles, the last of which is folded through the first."""
    start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1.5, 1.5, 0], [0.3, 0.3, 1], [0.2, 0.4, 1.5]], float)
    end = start.copy()
    end[4:, 2] -= 2.0
    return fc.first_contact(fc.Mesh(start, [[0, 1, 2], [1, 3, 2], [3, 4, 5]]).deforming(start, end))


@cache
def arm() -> fc.Robot:
    """Two links on a foot."""
    limb = fc.Capsule(0.1, 0.8).at((np.eye(3), [0, 0, 0.5]))
    joints = [
        fc.Joint("shoulder", "revolute", "foot", "upper", axis=[0, 1, 0]),
        fc.Joint("elbow", "revolute", "upper", "lower", (np.eye(3), [0, 0, 1]), [0, 1, 0]),
    ]
    return fc.Robot({"foot": fc.Box([0.5, 0.5, 0.1]), "upper": limb, "lower": limb}, joints, name="arm")


@cache
def robot_hit() -> fc.RobotContact:
    rod = fc.Cylinder(0.02, 2).at(at(1, 0, 1))
    return fc.first_contact(arm().moving([-0.5, 0], [1.0, 0.2]), {"rod": rod})


@cache
def scene() -> fc.Scene:
    made = fc.Scene()
    made.add("floor", fc.Box([4, 4, 0.2]).at(at(0, 0, -0.8)))
    made.add("ball", ball())
    made.add("cube", cube().at(at(1.5, 0, 0)))
    return made


@cache
def apart() -> fc.Distance:
    return fc.distance(cube().at(at(-2, 0, 0)), cube().at(at(0, 0, 0.3)))


@cache
def inside() -> fc.Penetration:
    return fc.penetration(fc.Sphere(1).at(at(0, 0, 0)), fc.Box([1, 1, 1]).at(at(1.2, 0, 0)))


@cache
def many() -> fc.FirstContacts:
    """Balls of which some hit and some do not."""
    starts = np.stack([at(-2, y, 0) for y in np.linspace(0, 4, 20)])
    return fc.first_contacts(fc.Sphere(0.5).moving(starts, velocity=[4, 0, 0]), fc.Box([1, 1, 1]))


@cache
def scan_hit() -> fc.FirstContact:
    """Points with radii that differ meet a box, the second of them first."""
    cloud = fc.Points([[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]], [0.1, 0.2, 0.0])
    return fc.first_contact(cloud.moving(at(-2, 0, 0), velocity=[3, 0, 0]), fc.Box([1, 1, 1]).at(at(0, 0, 0)))


@cache
def hair_hit() -> fc.FirstContact:
    """Two strands of two segments each, the upper of which goes down onto the other across it."""
    low = np.array([[-1, 0, 0], [0.1, 0, 0], [1, 0, 0]], float)
    high = low[:, [1, 0, 2]] + [0, 0, 1]
    strands = fc.Strands(np.concatenate([low, high]), [3, 3], radius=0.1)
    return fc.first_contact(strands.deforming(strands.positions, np.concatenate([low, high - [0, 0, 1]])))
