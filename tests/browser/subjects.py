"""What the browser tests look at: an answer of each kind."""

import numpy as np
import trimesh

import firstcontact as fc
from poses import at


def hammer() -> fc.Mesh:
    """A handle along x from the origin, with a head at its end."""
    handle = trimesh.creation.cylinder(0.035, 1.0, sections=24)
    handle.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, [0, 1, 0]))
    handle.apply_translation([0.5, 0, 0])
    head = trimesh.creation.cylinder(0.09, 0.42, sections=8)
    head.apply_translation([0.95, 0, 0])
    return fc.Mesh.from_trimesh(trimesh.util.concatenate([handle, head]))


def anvil() -> fc.Mesh:
    """A block on a waist on a foot; the top is in the plane z = 0."""
    parts = [([0.6, 0.26, 0.14], -0.07), ([0.26, 0.2, 0.2], -0.24), ([0.46, 0.28, 0.1], -0.39)]
    blocks = [trimesh.creation.box(size).apply_translation([0, 0, height]) for size, height in parts]
    return fc.Mesh.from_trimesh(trimesh.util.concatenate(blocks))


def swing() -> fc.Moving:
    """The hammer on its way around the end of its handle: from above, down and on below."""
    turn = 5 * np.pi / 6
    start = trimesh.transformations.rotation_matrix(-turn, [0, 1, 0])
    return hammer().moving(start, center=[0, 0, 0], angular_velocity=[0, 2 * turn, 0])


def rigid() -> fc.FirstContact:
    """A hammer strikes an anvil between two frames that are both free."""
    return fc.first_contact(swing(), anvil().at(at(0.95, 0, -0.14)))


def smithy() -> fc.Scene:
    """The same, with names."""
    return fc.Scene(hammer=swing(), anvil=anvil().at(at(0.95, 0, -0.14)))


def free() -> fc.FirstContact:
    """Two that never touch."""
    ball = fc.Sphere(0.3).moving(at(-1, 0, 0), velocity=[2, 0, 0])
    return fc.first_contact(ball, fc.Box([0.2, 0.2, 0.2]).at(at(0, 1, 0)))


def scene() -> fc.Scene:
    """Bodies of several kinds, two of which meet first."""
    made = fc.Scene()
    made.add("floor", fc.Box([2.4, 1.6, 0.1]).at(at(-0.2, 0.3, 0.0)))
    made.add("ball", fc.Sphere(0.3).moving(at(-1.2, 0, 0.6), velocity=[1.6, 0, 0]))
    made.add("pill", fc.Capsule(0.15, 0.4).moving(at(1.0, 0, 0.7), velocity=[-0.9, 0, 0]))
    hull = fc.ConvexHull(trimesh.creation.icosahedron().vertices * 0.25)
    made.add("stone", hull.moving(at(0, 1.0, 1.2), velocity=[0, 0, -0.5], angular_velocity=[2, 1, 0]))
    return made


def cloth() -> fc.Contacts:
    """A sheet that sinks over a ball, and all their contacts."""
    flat, faces = sheet(40)
    x, y = flat[:, 0], flat[:, 1]
    high = np.stack([x, y, 0.72 + 0.04 * np.cos(4 * x) * np.cos(3 * y)], axis=1)
    low = np.stack([0.9 * x, 0.9 * y, 0.62 - 0.7 * (x**2 + y**2)], axis=1)
    ball = fc.Mesh.from_trimesh(trimesh.creation.icosphere(3, 0.65))
    return fc.contacts(fc.Mesh(high, faces).deforming(high, low), ball.at(at(0, 0, 0)))


def arm() -> fc.Robot:
    """Four links one after the other on a foot, with a hand."""
    here = np.eye(3)
    limb = fc.Capsule(0.07, 0.5).at((here, [0, 0, 0.3]))
    links = {
        "foot": fc.Cylinder(0.2, 0.1),
        "shoulder": fc.Cylinder(0.12, 0.2).at((here, [0, 0, 0.1])),
        "upper": limb,
        "lower": limb,
        "hand": fc.Box([0.16, 0.06, 0.2]).at((here, [0, 0, 0.12])),
    }
    joints = [
        fc.Joint("turn", "revolute", "foot", "shoulder", (here, [0, 0, 0.06]), [0, 0, 1]),
        fc.Joint("lift", "revolute", "shoulder", "upper", (here, [0, 0, 0.25]), [0, 1, 0]),
        fc.Joint("elbow", "revolute", "upper", "lower", (here, [0, 0, 0.6]), [0, 1, 0]),
        fc.Joint("wrist", "revolute", "lower", "hand", (here, [0, 0, 0.6]), [0, 1, 0]),
    ]
    return fc.Robot(links, joints, name="arm")


def robot() -> fc.RobotContact:
    """An arm whose straight path clips a thin rod."""
    rod = fc.Cylinder(0.006, 1.3).at(at(0.75, 0.35, 0.6))
    path = arm().moving([-0.9, 0.5, 0.9, 0.4], [1.3, 0.7, 0.7, 0.2])
    return fc.first_contact(path, {"rod": rod, "table": fc.Box([1.5, 1.3, 0.04]).at(at(0.4, 0.0, -0.08))})


def closest() -> fc.Distance:
    """Two meshes at one instant, apart."""
    ring = fc.Mesh.from_trimesh(trimesh.creation.torus(0.6, 0.18))
    return fc.distance(ring.at(at(0, 0, 0)), hammer().at(at(0.3, 0.2, 0.55)))


def large() -> dict[str, fc.Moving]:
    """A body of 100,000 triangles that turns, and a sheet of 10,000 that waves."""
    ring = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.35, major_sections=250, minor_sections=200))
    vertices, faces = sheet(71)
    wave = vertices + np.stack(
        [0 * vertices[:, 0], 0 * vertices[:, 0], 0.4 * np.sin(4 * vertices[:, 0])], axis=1
    )
    assert len(ring.faces) == 100_000
    return {
        "ring": ring.moving(at(0, 0, 1), velocity=[1, 0, 0], angular_velocity=[3, 1, 0]),
        "sheet": fc.Mesh(vertices, faces).deforming(vertices, wave),
    }


def sheet(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of a square of side 2 in the plane z = 0, cut into n by n cells."""
    along = np.linspace(-1.0, 1.0, n + 1)
    x, y = (axis.ravel() for axis in np.meshgrid(along, along, indexing="ij"))
    corner = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)[:-1, :-1].ravel()
    halves = [
        np.stack([corner, corner + n + 1, corner + n + 2], 1),
        np.stack([corner, corner + n + 2, corner + 1], 1),
    ]
    return np.stack([x, y, 0 * x], axis=1), np.concatenate(halves)


def hair(n: int = 12) -> fc.FirstContact:
    """Strands that bend, thicker at their roots, until two of them meet."""
    along = np.linspace(0.0, 1.0, 9)
    roots = [[0.2 * i, 0.3 * np.sin(i // 4), 0.0] for i in range(n)]
    start = np.array(roots)[:, np.newaxis] + np.stack([0.0 * along, 0.0 * along, along], axis=1)
    bent = start + np.stack([0.3 * along**2, 0.0 * along, -0.2 * along**2], axis=1)
    bent[n // 2] -= np.array([0.9, 0.0, 0.0]) * along[:, np.newaxis]
    radius = np.tile(0.03 - 0.02 * along, n)
    strands = fc.Strands(start.reshape(-1, 3), [len(along)] * n, radius)
    return fc.first_contact(strands.deforming(start.reshape(-1, 3), bent.reshape(-1, 3)))


def scan(n: int = 300) -> fc.FirstContact:
    """A cloud of balls on its way into a box, turning."""
    rng = np.random.default_rng(5)
    cloud = fc.Points(rng.normal(size=(n, 3)) * 0.4, rng.uniform(0.0, 0.06, n))
    moving = cloud.moving(at(-2, 0, 0), velocity=[3, 0, 0], angular_velocity=[0, 0, 2])
    return fc.first_contact(moving, fc.Box([0.6, 0.6, 0.6]).at(at(1, 0, 0)))


def crowd() -> dict[str, fc.Moving]:
    """A hundred thousand points without a size that turn."""
    points = np.random.default_rng(6).normal(size=(100_000, 3)) * [1.0, 0.6, 0.3]
    return {"crowd": fc.Points(points).moving(at(-1, 0, 0), velocity=[2, 0, 0], angular_velocity=[0, 0, 1])}


def voxels() -> fc.FirstContact:
    """Three quarters of a ring in voxels turn, until a ball is in their way."""
    x, y, z = np.indices((24, 24, 24)) - 11.5
    ring = (np.hypot(np.hypot(x, y) - 8.0, z) < 3.0) & ~((x > 0) & (y > 0))
    grid = fc.Voxels(ring, 0.05, [-0.6, -0.6, -0.6])
    return fc.first_contact(
        grid.moving(at(0, 0, 0), angular_velocity=[0, 0, 2]), fc.Sphere(0.15).at(at(0.3, 0.3, 0))
    )
