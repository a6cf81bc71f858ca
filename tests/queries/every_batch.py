"""A small batch for every query that takes one, of every kind of things."""

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.cli.compiling.flat_sheet import flat_sheet
from queries.every_answer import ARM, BALL, BOX, CUBE, OBSTACLES

N = 45


def poses(n, seed, far):
    rng, found = np.random.default_rng(seed), np.tile(np.eye(4), (n, 1, 1))
    found[:, :3, :3] = Rotation.random(n, random_state=seed).as_matrix()
    found[:, :3, 3] = rng.uniform(-far, far, (n, 3))
    return found


RNG = np.random.default_rng(3)
A, B, NEAR = poses(N, 1, 3.0), poses(N, 2, 3.0), poses(N, 3, 0.7)
STONE = fc.ConvexHull(RNG.normal(size=(20, 3))).mesh
START, END = RNG.normal(size=(2, N, 4, 3))
Q0, Q1 = ARM.sample(N, 1), ARM.sample(N, 2)
POINTS, WAYS = RNG.normal(size=(2, N, 3))
THROWN = CUBE.moving(A, velocity=3 * POINTS, acceleration=[0, 0, -3])
PATHS = ARM.moving(Q0, Q1)
CRUMPLED = fc.Mesh(*flat_sheet(6))
SHEETS = CRUMPLED.vertices + RNG.normal(0.0, 0.3, (6, *CRUMPLED.vertices.shape))

# By a name: how to ask; all take an executor.
BATCHES = {
    "first_contacts of convex shapes": lambda **far: fc.first_contacts(BALL.moving(A, B), BOX, **far),
    "first_contacts of meshes": lambda **far: fc.first_contacts(CUBE.moving(A, B), STONE, **far),
    "first_contacts of two batches": lambda **far: fc.first_contacts(
        CUBE.moving(A, B), BALL.moving(B, A), **far
    ),
    "first_contacts of throws": lambda **far: fc.first_contacts(THROWN, BOX, **far),
    "first_contacts of solids": lambda **far: fc.first_contacts(
        CUBE.moving(NEAR, B), STONE, solid=True, tolerance=1e-3, **far
    ),
    "first_contacts of robots": lambda **far: fc.first_contacts(PATHS, OBSTACLES, **far),
    "is_free": lambda **far: fc.is_free(CUBE.moving(A, B), BOX, min_separation=0.1, **far),
    "is_free of robots": lambda **far: fc.is_free(PATHS, OBSTACLES, self_contact=True, **far),
    "is_free among what moves": lambda **far: fc.is_free(
        PATHS, {"ball": BALL.moving(A, B), "cube": CUBE}, **far
    ),
    "clearance": lambda **far: fc.clearance(CUBE.moving(A, B), BOX, **far),
    "clearance of robots": lambda **far: fc.clearance(PATHS, OBSTACLES, **far),
    "contact_intervals": lambda **far: fc.contact_intervals(CUBE.moving(A, B), BOX, **far),
    "contact_intervals of robots": lambda **far: fc.contact_intervals(PATHS, OBSTACLES, **far),
    "distance of meshes": lambda **far: fc.distance(CUBE.at(A), STONE, **far),
    "distance of convex shapes": lambda **far: fc.distance(BOX.at(A), BALL.at(B), **far),
    "distance of robots": lambda **far: fc.distance(ARM.at(Q0), OBSTACLES, **far),
    "intersects": lambda **far: fc.intersects(CUBE.at(NEAR), STONE, solid=True, **far),
    "intersects of robots": lambda **far: fc.intersects(ARM.at(Q0), self_contact=True, **far),
    "penetration": lambda **far: fc.penetration(BOX.at(NEAR), BALL, **far),
    "ray_cast": lambda **far: fc.ray_cast(CUBE.at(A[0]), POINTS, WAYS, **far),
    "ray_cast of one origin": lambda **far: fc.ray_cast(BALL, [3, 0, 0], WAYS, hits="any", **far),
    "ray_cast of all hits": lambda **far: fc.ray_cast(CUBE, POINTS, [1, 0, 0], hits="all", **far),
    "signed_distance": lambda **far: fc.signed_distance(STONE.at(A[0]), POINTS, **far),
    "signed_distance in many poses": lambda **far: fc.signed_distance(CUBE.at(A), POINTS[:3], **far),
    "signed_distance of one point": lambda **far: fc.signed_distance(BOX.at(A), POINTS[0], **far),
    "signed_distance in few poses": lambda **far: fc.signed_distance(CUBE.at(A[:2]), POINTS, **far),
    "signed_distance of own points": lambda **far: fc.signed_distance(
        CUBE.at(A[:2]), np.stack([POINTS, WAYS]), **far
    ),
    "contains": lambda **far: fc.contains(STONE.at(A[3]), POINTS, **far),
    "vertex_face_ccd": lambda **far: fc.vertex_face_ccd(START, END, exact=True, **far),
    "contacts of one step": lambda **far: fc.contacts(CRUMPLED.deforming(*SHEETS[:2]), **far),
    "contacts of two meshes": lambda **far: fc.contacts(
        CRUMPLED.along(SHEETS), CRUMPLED.deforming(*SHEETS[:2]), min_separation=0.02, **far
    ),
    "sequence": lambda **far: fc.sequence(SHEETS, CRUMPLED, **far),
    "sequence of first contacts": lambda **far: fc.sequence(SHEETS, CRUMPLED, only_first=True, **far),
    "edge_edge_ccd": lambda **far: fc.edge_edge_ccd(START, END, min_separation=0.01, **far),
}

# Of them, some that have little in common: where each is a matter of seconds.
FEW = (
    "first_contacts of meshes",
    "is_free of robots",
    "ray_cast of all hits",
    "vertex_face_ccd",
    "contacts of one step",
    "sequence",
)


def assert_same_bytes(one, other, path=""):
    """Compare two answers to the last bit, counters included, but for how long they took."""
    assert type(one) is type(other), path
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, path
        assert one.shape == other.shape, path
        assert one.tobytes() == other.tobytes(), path
        assert one.flags.writeable == other.flags.writeable, path
    elif hasattr(one, "__dataclass_fields__"):
        skipped = "_about", "seconds", "trees"  # how long it took, and what was done to make it quicker
        names = [name for name in one.__dataclass_fields__ if not name.startswith(skipped)]
        for name in names:
            assert_same_bytes(getattr(one, name), getattr(other, name), f"{path}.{name}")
        if hasattr(one, "things"):
            assert one.things.keys() == other.things.keys()
    else:
        assert repr(one) == repr(other), path
