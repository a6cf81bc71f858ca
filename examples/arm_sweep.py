"""What an arm sweeps in its cell, as a mesh that contains all of it, cut open; and the hole of a drill.

Shows `swept_volume`: of a whole robot and of one link, around the sweep and, of the drill, inside of it. The
mesh is a shape like others: which things of the cell are in the way is one query each.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import firstcontact as fc

TOLERANCE = 0.06


def arm():
    """An arm with three hinges, and a plate in its hand."""
    up = np.eye(3)
    return fc.Robot(
        {
            "base": fc.Cylinder(0.16, 0.3),
            "upper": fc.Capsule(0.07, 0.6).at((up, [0, 0, 0.3])),
            "fore": fc.Capsule(0.06, 0.5).at((up, [0, 0, 0.25])),
            "hand": fc.Box([0.3, 0.2, 0.06]).at((up, [0, 0, 0.12])),
        },
        [
            fc.Joint("turn", "revolute", "base", "upper", (up, [0, 0, 0.15]), axis=[0, 0, 1]),
            fc.Joint("elbow", "revolute", "upper", "fore", (up, [0, 0, 0.65]), axis=[0, 1, 0]),
            fc.Joint("wrist", "revolute", "fore", "hand", (up, [0, 0, 0.55]), axis=[0, 0, 1]),
        ],
    )


def cell():
    """What stands around the arm."""
    here = np.eye(3)
    return {
        "column": fc.Cylinder(0.1, 2.0).at((here, [-0.9, 0.3, 0.5])),
        "table": fc.Box([0.5, 0.8, 0.1]).at((here, [0.75, 0.4, 0.2])),
        "lamp": fc.Sphere(0.12).at((here, [0.45, 0.45, 0.95])),
    }


def drill():
    """A twist drill: a flat bar that turns as it goes down."""
    bar = fc.Box([0.2, 0.05, 0.6])
    return bar.moving((np.eye(3), [0, 0, 0.5]), velocity=[0, 0, -0.5], angular_velocity=[0, 0, 12])


def draw(sweep, things, hole, path):
    """Write a picture: the sweep cut open, with the cell, and the hole."""
    from matplotlib import pyplot as plt
    from matplotlib.colors import LightSource
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(9.5, 4.6), layout="constrained")

    def show(axes, mesh, color, alpha=1.0, behind=np.inf):
        corners = mesh.vertices[mesh.faces]
        corners = corners[corners[:, :, 1].max(axis=1) < behind]
        light = LightSource(300, 40)
        axes.add_collection3d(
            Poly3DCollection(corners, facecolors=color, shade=True, lightsource=light, alpha=alpha)
        )

    whole = figure.add_subplot(1, 2, 1, projection="3d", box_aspect=(1, 1, 0.8), title="cut open at y = 0.12")
    show(whole, sweep.mesh, "#8fb8de", behind=0.12)
    for thing in things.values():
        body = thing.shape.mesh
        show(whole, fc.Mesh(body.vertices + thing.pose(0.0)[:3, 3], body.faces), "#e0a458", 0.9)
    whole.set(xlim=(-0.9, 0.9), ylim=(-0.9, 0.9), zlim=(-0.2, 1.3))
    whole.view_init(24, 75)
    cut = figure.add_subplot(
        1, 2, 2, projection="3d", box_aspect=(0.5, 0.5, 1), title="the hole of the drill"
    )
    show(cut, hole.mesh, "#9ac29a", behind=0.02)
    cut.set(xlim=(-0.2, 0.2), ylim=(-0.2, 0.2), zlim=(-0.35, 0.85))
    cut.view_init(20, 60)
    for axes in (whole, cut):
        axes.set_axis_off()
    figure.savefig(path, dpi=80)


def main():
    """Sweep the arm and the drill, and see what is in the way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    fc.swept_volume(fc.Box([1, 1, 1]), 0.5)  # compiles, before the clock starts
    moving = arm().along([[-0.4, 0.3, 0.0], [0.8, 1.2, 1.0], [2.2, 0.6, 2.0]])

    began = perf_counter()
    sweep = fc.swept_volume(moving, TOLERANCE)
    print(
        f"the arm: {len(sweep.faces):,} triangles, {sweep.volume:.3f} m3, in {perf_counter() - began:.1f} s"
    )
    print(f"all of it is inside, and the mesh no farther away than {sweep.outer_error:.3f}")
    hand = fc.swept_volume(moving, TOLERANCE, links="hand")
    print(f"its hand alone: {hand.volume:.3f} m3")

    things = cell()
    for name, thing in things.items():
        is_in_the_way = fc.intersects(sweep.mesh, thing, solid=True)
        time = fc.first_contact(moving, thing).time
        print(f"{name}: " + (f"may be in the way; touched at t = {time:.3f}" if is_in_the_way else "free"))
        assert is_in_the_way or time == np.inf  # what is outside of the mesh is never touched

    hole = fc.swept_volume(drill(), 0.016, inner=True)
    with TemporaryDirectory() as folder:
        hole.save(Path(folder) / "hole.stl")
        print(f"the drill takes away {hole.volume:.4f} m3 at least: {fc.load(Path(folder) / 'hole.stl')}")
    if options.picture:
        draw(sweep, things, hole, options.picture)


if __name__ == "__main__":
    main()
