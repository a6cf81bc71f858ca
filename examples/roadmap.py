"""An arm carries a can from one compartment of a shelf to another, along a roadmap with every edge proven.

A probabilistic roadmap is a graph: random configurations that touch nothing, and straight lines between
neighbours that touch nothing on the way. Usually a line is checked in samples, and what is in the way between
two of them is missed. Here `fc.is_free` answers for thousands of lines in one call, and what it calls free is
free everywhere. The way that is found comes with a certificate, which is verified by other means.
"""

import argparse
from itertools import combinations
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

import firstcontact as fc

# The arm with all joints at 0, stretched upwards. For each joint the axis that it turns about, a point of it,
# the least and the greatest angle; for the link that it turns a capsule's radius, and its segment's ends.
ARM = (
    ([0, 0, 1], [0, 0, 0.33], (-2.9, 2.9), 0.07, [0, 0, 0.25], [0, 0, 0.33]),
    ([0, 1, 0], [0, 0, 0.33], (-1.76, 1.76), 0.06, [0, 0, 0.33], [0, 0, 0.50]),
    ([0, 0, 1], [0, 0, 0.65], (-2.9, 2.9), 0.06, [0, 0, 0.56], [0.08, 0, 0.65]),
    ([0, -1, 0], [0.08, 0, 0.65], (-3.07, -0.07), 0.055, [0.08, 0, 0.65], [0, 0, 0.76]),
    ([0, 0, 1], [0, 0, 1.03], (-2.9, 2.9), 0.045, [0, 0, 0.83], [0, 0, 1.03]),
    ([0, -1, 0], [0, 0, 1.03], (0, 3.75), 0.045, [0, 0, 1.03], [0.1, 0, 1.03]),
    ([0, 0, -1], [0.1, 0, 1.03], (-2.9, 2.9), 0.04, [0.1, 0, 1.01], [0.1, 0, 0.97]),
)
# Seven angles, and how far each finger is from the middle: with the can in its hand, before it lets it go.
START = np.array([0.35, 0, 0, -2.05, 0, 3.62, 0, 0.03])
GOAL = np.array([-0.35, 0.1, 0, -1.1, 0, 2.77, 0, 0.03])

# What every question has in common: the arm must not touch itself, and keeps 5 mm away from everything.
CAREFUL = {"self_contact": True, "min_separation": 0.005}

PAINT = {"base": (0.6, 0.6, 0.6), "link 1": (0.6, 0.6, 0.6), "can": (0.8, 0.1, 0.15)}


def at(x, y, z):
    """Pose at a place, not turned."""
    return np.eye(3), [x, y, z]


def capsule(radius, start, end):
    """All points within a radius of a segment."""
    along = np.subtract(end, start)
    turn, _ = Rotation.align_vectors([along], [[0, 0, 1]])
    return fc.Capsule(radius, np.linalg.norm(along)).at((turn, np.add(start, end) / 2))


def arm():
    """Seven joints that turn, a hand, two fingers that move as one, and a can between them."""
    links, joints = {"base": fc.Cylinder(0.09, 0.2).at(at(0, 0, 0.1))}, []
    parent, origin = "base", [0, 0, 0]
    for i, (axis, point, limits, radius, start, end) in enumerate(ARM, 1):
        link, place = f"link {i}", at(*np.subtract(point, origin))
        links[link] = capsule(radius, np.subtract(start, point), np.subtract(end, point))
        joints.append(fc.Joint(f"joint {i}", "revolute", parent, link, place, axis, limits))
        parent, origin = link, point
    links["hand"] = fc.Box([0.05, 0.19, 0.07]).at(at(0, 0, -0.13))
    links["left"] = links["right"] = fc.Box([0.02, 0.014, 0.06])
    left, right = at(0, 0.007, -0.195), at(0, -0.007, -0.195)
    joints.append(fc.Joint("flange", "fixed", parent, "hand"))
    joints.append(fc.Joint("grip", "prismatic", "hand", "left", left, [0, 1, 0], (0, 0.04)))
    joints.append(fc.Joint("follow", "prismatic", "hand", "right", right, [0, -1, 0], mimic=("grip", 1, 0)))
    upright = Rotation.from_euler("y", 90, degrees=True), [0, 0, -0.21]
    can = fc.Cylinder(0.03, 0.1)
    return fc.Robot(links, joints).attach("hand", can, upright, name="can", touching=["left", "right"])


def shelf():
    """Boards, walls and a back, by name: two rows of two compartments, open towards the arm."""
    board, wall = fc.Box([0.3, 0.88, 0.02]), fc.Box([0.3, 0.02, 0.66])
    parts = {f"board {i}": board.at(at(0.65, 0, z)) for i, z in enumerate((0.48, 0.80, 1.12))}
    parts |= {f"wall {i}": wall.at(at(0.65, y, 0.80)) for i, y in enumerate((-0.45, 0.0, 0.45))}
    return fc.Scene(parts | {"back": fc.Box([0.02, 0.92, 0.66]).at(at(0.81, 0, 0.80))})


def random_configurations(robot, n, rng):
    """The start, the goal, and n others: anywhere within the limits, or not far from either."""
    near = [end + 0.4 * rng.normal(size=(n // 4, robot.dof)) for end in (START, GOAL)]
    others = np.concatenate([robot.sample(n - 2 * (n // 4), rng), *near]).clip(*robot.limits.T)
    others[:, -1] = START[-1]  # the fingers keep their hold
    return np.concatenate([[START, GOAL], others])


def roadmap(robot, obstacles, configurations, n_neighbours=10):
    """Configurations that are free, pairs of neighbours among them, and which of these a free line joins."""
    nodes = configurations[fc.is_free(robot.at(configurations), obstacles, **CAREFUL)]
    near = cKDTree(nodes).query(nodes, n_neighbours + 1)[1]
    pairs = np.stack(np.broadcast_arrays(near[:, :1], near[:, 1:]), axis=-1).reshape(-1, 2)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return nodes, pairs, fc.is_free(robot.moving(*nodes[pairs.T]), obstacles, **CAREFUL)


def shortest(nodes, edges, first, last):
    """Configurations on the shortest way between two nodes."""
    lengths = np.linalg.norm(nodes[edges[:, 0]] - nodes[edges[:, 1]], axis=1)
    graph = coo_array((lengths, edges.T), shape=(len(nodes), len(nodes)))
    before = dijkstra(graph, directed=False, indices=first, return_predecessors=True)[1]
    way = [last]
    while way[-1] != first:
        assert before[way[-1]] >= 0, "start and goal are not joined: more configurations are needed"
        way.append(before[way[-1]])
    return nodes[way[::-1]]


def shortened(robot, obstacles, way, n_points=40):
    """A shorter way: along free lines between any two of many points of a way, and of its corners."""
    motion = robot.along(way).motion
    points = [motion.configuration(t) for t in np.linspace(0, 1, n_points)]
    points = np.concatenate([points, way[1:-1]])
    pairs = np.array(list(combinations(range(len(points)), 2)))
    is_free = fc.is_free(robot.moving(*points[pairs.T]), obstacles, **CAREFUL)
    return shortest(points, pairs[is_free], 0, n_points - 1)


def length(way):
    """Length of a way through configurations, in radians."""
    return np.linalg.norm(np.diff(way, axis=0), axis=1).sum()


def look_free(robot, obstacles, start, end, n_samples=10):
    """Which lines are free in all of some samples? For comparison."""
    looks = np.ones(len(start), bool)
    for t in np.linspace(0, 1, n_samples):
        looks &= fc.is_free(robot.at(start + t * (end - start)), obstacles, **CAREFUL)
    return looks


def draw(robot, obstacles, way, path):
    """Write a picture: the arm at four times of the way, and how far it is from everything."""
    from matplotlib import colormaps
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5.4), dpi=100)
    FigureCanvasAgg(figure)
    motion, times, shown = robot.along(way).motion, np.linspace(0, 1, 301), np.array([0, 0.36, 0.68, 1])
    fine = np.array([motion.configuration(t) for t in times])
    colors = colormaps["viridis"](0.15 + 0.75 * shown)[:, :3]

    parts = [(obstacles[name].shape, obstacles[name].pose(0), (0.88, 0.80, 0.68)) for name in obstacles]
    for t, color in zip(shown, colors, strict=True):
        poses = robot.link_poses(motion.configuration(t))
        for link, shape, pose in robot.parts:
            if link not in ("base", "link 1") or t == 0:  # these two look the same at all times
                parts.append((shape, poses[link] @ pose, PAINT.get(link, color)))
    axes = figure.add_axes((0.01, 0.02, 0.56, 0.88))
    paint_solids(axes, parts)
    axes.plot(*seen(robot.link_poses(fine)["can"][:, :3, 3])[:, :2].T, color="black", lw=1.5)
    axes.set_title("an arm on its way, and the trace of the can")

    axes = figure.add_axes((0.64, 0.12, 0.34, 0.76))
    for obstacle, label, style in ((obstacles, "to the shelf", "-"), (None, "to itself", "--")):
        gaps = 1e3 * fc.distance(robot.at(fine), obstacle, self_contact=obstacle is None).distance
        axes.plot(times, gaps, style, color="0.25", label=label)
        axes.scatter(shown, np.interp(shown, times, gaps), c=colors, s=60, zorder=3)
    axes.axhspan(0, 1e3 * CAREFUL["min_separation"], color="tab:red", alpha=0.2, label="never, proven")
    axes.set(
        xlim=(-0.02, 1.02),
        ylim=(0, None),
        xlabel="time",
        ylabel="distance, mm",
        title="how far it is from everything",
    )
    axes.legend()
    figure.savefig(path)


def seen(points):
    """Coordinates to the right, upwards and towards the viewer, who stands behind the arm and above it."""
    return points @ Rotation.from_euler("zx", [118, -68], degrees=True).as_matrix().T


def paint_solids(axes, parts):
    """Paint shapes in poses, from back to front, as lit from above the viewer's shoulder."""
    import trimesh
    from matplotlib.collections import PolyCollection

    corners, colors = [], []
    for shape, pose, color in parts:
        vertices, faces = trimesh.remesh.subdivide_to_size(shape.mesh.vertices, shape.mesh.faces, 0.05)
        corners.append(seen(vertices @ pose[:3, :3].T + pose[:3, 3])[faces])
        colors.append(np.tile(color, (len(faces), 1)))
    corners, colors = np.concatenate(corners), np.concatenate(colors)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    colors = colors * (0.45 + 0.55 * np.clip(normals @ [-0.4, 0.65, 0.65], 0, 1))[:, None]
    order = np.argsort(corners[:, :, 2].mean(axis=1))
    order = order[normals[order, 2] > 0]  # what faces away is hidden
    paint = colors[order]
    axes.add_collection(PolyCollection(corners[order, :, :2], facecolors=paint, edgecolors=paint, lw=0.3))
    axes.margins(0.01)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set_axis_off()


def main():
    """Make a roadmap, find a way through it, and prove that it is free."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configurations", type=int, default=1000, metavar="N")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    robot, obstacles = arm(), shelf()
    assert fc.is_free(robot.at([START, GOAL]), obstacles, **CAREFUL).all()  # compiled before the clock starts
    direct = fc.first_contact(robot.moving(START, GOAL), obstacles, **CAREFUL)
    print(f"straight on, {direct.a} would come too close to {direct.b} at t = {direct.time:.3f}")

    began = perf_counter()
    samples = random_configurations(robot, options.configurations, np.random.default_rng(0))
    nodes, pairs, is_free = roadmap(robot, obstacles, samples)
    way = shortest(nodes, pairs[is_free], 0, 1)
    print(f"roadmap: {len(nodes)} configurations; {len(pairs):,} lines asked about, {is_free.sum():,} free")
    short = shortened(robot, obstacles, shortened(robot, obstacles, way))
    print(f"way: {length(way):.2f} rad in {len(way) - 1} lines; shortened to {length(short):.2f} rad")
    print(f"all of it in {perf_counter() - began:.2f} s")

    looks = look_free(robot, obstacles, *nodes[pairs.T])
    print(f"in ten samples each, {looks.sum():,} lines look free: {(looks & ~is_free).sum()} of them are not")
    assert looks[is_free].all()
    found = fc.first_contact(robot.along(short), obstacles, **CAREFUL)
    is_proven = found.certificate.verify()
    print(f"certificate of the way: {len(found.certificate):,} intervals, verified: {is_proven}")
    assert not found
    assert is_proven
    if options.picture:
        draw(robot, obstacles, short, options.picture)


if __name__ == "__main__":
    main()
