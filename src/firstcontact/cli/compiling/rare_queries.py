"""Queries of a rare kind, for warm-up: what they need, no others do."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import firstcontact as fc
from firstcontact.cli.compiling.flat_sheet import flat_sheet

# Spheres at one place of which there are more pairs than a scene lists.
_CROWD = 3_000

# Squares along the side of a sheet, each of two triangles.
_LARGE = 182

_HERE = np.eye(3)


def resting_sheets() -> None:
    """Contacts of a sheet that rests on itself: without a gap, normals come from what is around."""
    vertices, faces = flat_sheet(4)
    sheet = fc.Mesh(vertices, faces)
    fc.contacts(sheet.deforming(vertices, vertices), sheet)


def scattered_triangles() -> None:
    """Contacts of a mesh whose tree no longer fits and is mended: a tenth of its triangles went elsewhere."""
    rng = np.random.default_rng(0)
    n, n_moved = 600, 60
    corners = 10.0 * rng.random((n, 1, 3)) + 0.1 * rng.random((n, 3, 3))
    soup = fc.Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3))
    fc.contacts(soup.deforming(soup.vertices, soup.vertices))
    corners[:n_moved] += 10.0 * (rng.random((n_moved, 1, 3)) - 0.5)
    places = corners.reshape(-1, 3)
    fc.contacts(soup.deforming(places, places))


def large_sheet() -> None:
    """The safe step of a sheet of so many triangles that threads share the work on its tree."""
    vertices, faces = flat_sheet(_LARGE)
    fc.safe_step(fc.Mesh(vertices, faces).deforming(vertices, vertices + np.array([0.0, 0.0, 1.0])))


def manifolds() -> None:
    """Points of contacts of boxes that rest on each other, and of meshes."""
    box = fc.Box([1.0, 1.0, 1.0])
    for shape in (box, box.mesh):
        scene = fc.Scene(low=shape, high=shape.at((_HERE, [0.0, 0.0, 1.001])))
        scene.contacts(min_separation=0.01).manifold()


def crowd() -> None:
    """A scene with more pairs than are listed."""
    fc.Scene({str(i): fc.Sphere(1.0) for i in range(_CROWD)}).first_contact()


def events() -> None:
    """Events of a scene: of balls, of a mesh, with bounces, and the bodies asked for afterwards."""
    ball = fc.Sphere(1.0)
    scene = fc.Scene(a=ball.moving(np.eye(4), velocity=[1.0, 0.0, 0.0]), b=ball.at((_HERE, [5.0, 0.0, 0.0])))
    scene.add("mesh", fc.Box([1.0, 1.0, 1.0]).mesh.at((_HERE, [3.0, 9.0, 0.0])))
    scene.advance(scene.next_contact().time)
    scene.set("a", velocity=[0.0, 1.0, 0.0])
    scene.bounce(20.0, [1.0, 1.0, 1.0])
    _ = scene.things


def sweeps() -> None:
    """Swept volumes: around what moves, and inside of it."""
    turning = fc.Box([1.0, 1.0, 1.0]).mesh.moving(np.eye(4), velocity=[1.0, 0.0, 0.0])
    fc.swept_volume(turning, 0.5)
    fc.swept_volume(turning, 0.5, inner=True)


def near_miss() -> None:
    """A ball that comes within the tolerance of a mesh and passes by: no contact can be proven."""
    passing = fc.Sphere(1.0).moving((_HERE, [-3.0, 0.0, 1.6]), (_HERE, [3.0, 0.0, 1.6]))
    _ = fc.first_contact(passing, fc.Box([1.0, 1.0, 1.0]).mesh, tolerance=0.3).time_upper


def by_intervals() -> None:
    """Convex shapes by intervals of time, with each other and with a mesh."""
    for other in (fc.Box([1.0, 1.0, 1.0]), fc.Box([1.0, 1.0, 1.0]).mesh):
        falling = fc.Sphere(1.0).moving((_HERE, [0.0, 0.0, 3.0]), velocity=[0.0, 0.0, -3.0])
        _ = fc.first_contact(falling, other, method="interval").time_upper


def compared_shapes() -> None:
    """First contacts of convex shapes by methods that are there to be compared: one driver has them all."""
    falling = fc.Sphere(1.0).moving((_HERE, [0.0, 0.0, 3.0]), velocity=[0.0, 0.0, -3.0])
    fc.first_contact(falling, fc.Box([1.0, 1.0, 1.0]), method="swept")


def scattered_points() -> None:
    """Signed distances of points that are so many, and so far apart, that they are put in order first."""
    fc.signed_distance(fc.Box([1.0, 1.0, 1.0]).mesh, np.random.default_rng(0).random((99, 3)))


def clouds() -> None:
    """Points and strands, which rays and points meet in ways of their own; and many, in a closed mesh."""
    for cloud in (fc.Points([[0.0, 0.0, 0.0]], 0.1), fc.Strands([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [2])):
        _ = fc.ray_cast(cloud, [4.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).points
        fc.signed_distance(cloud, [4.0, 0.0, 0.0])
    many = fc.Points([[float(k), 0.0, 9.0] for k in range(20)])
    fc.distance(fc.Box([1.0, 1.0, 1.0]).mesh, many, solid=True)


def in_the_plane() -> None:
    """Polygons: points, rays, edges that meet, the way out, and when they touch for certain."""
    square = fc.Polygon([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    there = square.at((0.5, [0.5, 0.25]))
    fc.signed_distance(square, [[0.5, 0.5]])
    fc.contains(square, [[0.5, 0.5]])
    fc.ray_cast(square, [-1.0, 0.5], [1.0, 0.0])
    beside = square.at((0.5, [9.0, 0.25]))
    fc.distance(square, beside)
    fc.intersects(square, beside)
    _ = fc.intersections(square, there).segments
    _ = fc.penetration(square, there).depth
    fc.first_contact(square.moving((0.0, [0.0, 3.0]), velocity=[0.0, -4.0]), square)  # side on side


def sheet_that_falls() -> None:
    """Sheets that touch, or come near, on their way: their first time is brought between doubles."""
    vertices, faces = flat_sheet(2)
    above = vertices + np.array([0.1, 0.2, 1.0])
    falling = fc.Mesh(above, faces).deforming(above, above * np.array([0.9, 0.9, -1.0]))
    for separation in (0.0, 0.1):
        fc.safe_step(falling, fc.Mesh(vertices, faces), min_separation=separation)
    exactly_above = vertices + np.array([0.0, 0.0, 1.0])  # with ties
    falling = fc.Mesh(exactly_above, faces).deforming(
        exactly_above, exactly_above * np.array([1.0, 1.0, -1.0])
    )
    fc.safe_step(falling, fc.Mesh(vertices, faces))


def listed_pairs() -> None:
    """Pairs of features that are listed once, asked about again and again."""
    vertices, faces = flat_sheet(2)
    sheet = fc.Mesh(vertices, faces)
    for separation in (0.0, 0.1):
        listed = fc.candidates(sheet, inflate=2.0, min_separation=separation)
        listed.safe_step(vertices[::-1].copy() * 0.5 + vertices * 0.5)
        listed.distances(within=0.5, gradient=True)


def near_points() -> None:
    """Points near each other, and others that are so far apart that the gaps are taken out first."""
    for radius in (1.0, 0.0):
        fc.neighbors([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], radius)


def diagrams() -> None:
    """Voronoi diagrams: anew, of the same sites elsewhere, of what is solid, and of the farthest."""
    box = fc.Box([1.0, 1.0, 1.0]).mesh
    area = [[-1.0, -1.0, -1.0], [2.0, 2.0, 2.0]]
    fc.voronoi([box], area, 4, solid=True).moved([box.at((_HERE, [0.5, 0.0, 0.0]))])
    fc.voronoi([box], area, 4, farthest=True)


def field_from_file() -> None:
    """A field that is written and read again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "field.npz")
        fc.DistanceField.of(fc.Sphere(1.0), 0.1).save(path)
        fc.DistanceField.load(path)


def crossed_meshes() -> None:
    """Depth of meshes that no plane parts where they overlap."""
    bent, rng = two_boxes([1.0, 1.0, 3.0], [3.0, 1.0, 1.0], [1.0, 0.0, 1.0]), np.random.default_rng(0)
    for _ in range(10):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.sign(np.linalg.det(turn))
        fc.penetration(bent.at((turn, 0.5 * rng.normal(size=3))), bent)


def poses_by_numbers() -> None:
    """A pose by a quaternion, of one and of many."""
    ball, numbers = fc.Sphere(1.0), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    for poses in (numbers, numbers[np.newaxis]):
        fc.intersects(ball.at(poses), ball)


def solid_arm() -> None:
    """A path of a robot with closed meshes, which something may be inside of, one of them convex."""
    hinge = fc.Joint("hinge", "revolute", "base", "arm", axis=[0.0, 1.0, 0.0])
    arm = two_boxes([0.2, 0.2, 1.0], [0.2, 0.2, 1.0], [5.0, 0.0, 0.0])
    robot = fc.Robot({"base": fc.Box([0.1, 0.1, 0.1]).mesh, "arm": arm}, [hinge])
    fc.is_free(robot.moving([0.0], [[0.1]]), fc.Box([1.0, 1.0, 1.0]).at((_HERE, [9.0, 0.0, 0.0])))


def arm_asked_again() -> None:
    """One path of a robot of shapes, and of meshes, asked about until it is answered in short."""
    hinge = fc.Joint("hinge", "revolute", "base", "arm", axis=[0.0, 1.0, 0.0])
    wall, start = fc.Box([1.0, 1.0, 1.0]).at((_HERE, [9.0, 0.0, 0.0])), np.zeros(1)
    for arm in (fc.Box([0.2, 0.2, 1.0]), two_boxes([0.2, 0.2, 1.0], [0.2, 0.2, 1.0], [5.0, 0.0, 0.0])):
        robot = fc.Robot({"base": (), "arm": arm}, [hinge])
        for _ in range(2):
            fc.is_free(robot.moving(start, start + 0.1), wall)


def arm_among_fields() -> None:
    """Paths of a robot with a closed mesh beside a field: straight ones, and along a spline."""
    from scipy.interpolate import CubicSpline  # which takes a quarter of a second to load

    hinge = fc.Joint("hinge", "revolute", "base", "arm", axis=[0.0, 1.0, 0.0])
    arm = two_boxes([0.2, 0.2, 1.0], [0.2, 0.2, 1.0], [5.0, 0.0, 0.0])
    robot = fc.Robot({"base": (), "arm": arm}, [hinge])
    field = fc.DistanceField.of(fc.Sphere(0.1), 0.05).at((_HERE, [2.0, 0.0, 0.0]))
    for way in (robot.moving([0.0], [0.1]), robot.along(CubicSpline([0.0, 1.0], [[0.0], [0.1]]))):
        fc.is_free(way, field)


def two_boxes(one: list[float], other: list[float], between: list[float]) -> fc.Mesh:
    """Make a closed mesh of two boxes, which is not convex."""
    first, second = fc.Box(one).mesh, fc.Box(other).mesh
    vertices = np.concatenate([first.vertices, second.vertices + between])
    return fc.Mesh(vertices, np.concatenate([first.faces, second.faces + len(first.vertices)]))
