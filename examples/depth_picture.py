"""A camera and a lamp made of rays: a quarter of a million look at a landscape with a ring and a ball.

Shows `ray_cast`: the first hit of each ray gives depths and normals. A second cast, from all that is seen to
the lamp, with `hits="any"`, finds the shadows.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc

WIDTH, HEIGHT = 640, 400
LAMP = np.array([-3.0, -9.0, 9.0])


def things():
    """A landscape, a ring and a ball, and a colour for each."""
    x, y = np.meshgrid(np.linspace(-6, 6, 241), np.linspace(-6, 6, 241), indexing="ij")
    heights = 0.3 * np.sin(1.3 * x) * np.cos(1.1 * y) + 0.12 * np.sin(3.1 * x + 2.3 * y)
    land = fc.HeightField(heights, spacing=0.05).at((np.eye(3), [-6, -6, 0]))
    ring = fc.Mesh.from_trimesh(trimesh.creation.torus(1.2, 0.4, major_sections=96, minor_sections=48))
    tilt = Rotation.from_euler("xz", [72, 40], degrees=True)
    return [
        (land, (0.66, 0.74, 0.55)),
        (ring.at((tilt, [0.3, 0.4, 1.35])), (0.85, 0.45, 0.25)),
        (fc.Sphere(0.7).at((np.eye(3), [-1.2, -1.6, 0.9])), (0.30, 0.52, 0.75)),
    ]


def camera(place, target, angle):
    """One direction for each pixel, (HEIGHT * WIDTH, 3), of length one along the middle of the view."""
    forward = np.subtract(target, place) / np.linalg.norm(np.subtract(target, place))
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    x = np.tan(np.radians(angle) / 2) * np.linspace(-1, 1, WIDTH)
    y = x[-1] * HEIGHT / WIDTH * np.linspace(1, -1, HEIGHT)
    directions = forward + x[:, None] * right + y[:, None, None] * np.cross(right, forward)
    return directions.reshape(-1, 3)


def draw(light, colors, depth, path):
    """Write two pictures: what the camera sees, and how far away it is."""
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    seen = np.where(np.isfinite(depth)[:, None], light[:, None] * colors, 1.0)
    left.imshow(seen.reshape(HEIGHT, WIDTH, 3).clip(0, 1))
    left.set_title("first hits, their normals, and what is in the shade")
    shown = right.imshow(np.where(np.isfinite(depth), depth, np.nan).reshape(HEIGHT, WIDTH), cmap="magma_r")
    right.set_title("depth")
    figure.colorbar(shown, ax=right, shrink=0.85)
    for axes in (left, right):
        axes.set_axis_off()
    figure.savefig(path, dpi=92)


def main():
    """Cast the rays, and say what they met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    place, scene = [4.0, -8.0, 5.0], things()
    directions = camera(place, [-0.3, 0, 0.8], angle=42)
    for thing, _ in scene:
        fc.ray_cast(thing, place, directions[0])  # compiles, and builds the trees, before the clock starts

    # What each ray meets first is the nearest of what it meets first of each thing.
    began = perf_counter()
    hits = [fc.ray_cast(thing, place, directions) for thing, _ in scene]
    seconds = perf_counter() - began
    times = np.stack([found.time for found in hits])
    nearest = np.argmin(times, axis=0)
    pixels = np.arange(len(directions))
    depth = times[nearest, pixels]  # directions have length one along the view: times are depths
    points = np.stack([found.points for found in hits])[nearest, pixels]
    normals = np.stack([found.normals for found in hits])[nearest, pixels]
    print(f"{len(directions):,} rays at {len(scene)} things in {1e3 * seconds:.0f} ms")
    seen = np.flatnonzero(depth < np.inf)
    print(f"{len(seen):,} meet something, {depth.min():.2f} to {depth[seen].max():.2f} away")

    # From just off the surface to the lamp: is anything between? Any hit will do.
    outward = -np.sign(np.sum(normals * directions, axis=1, keepdims=True)) * normals
    off = points[seen] + 1e-6 * outward[seen]
    shade = np.any([fc.ray_cast(thing, off, LAMP - off, hits="any", max_time=1).hit for thing, _ in scene], 0)
    print(f"{shade.sum():,} of them are in the shade")

    towards = (LAMP - off) / np.linalg.norm(LAMP - off, axis=1, keepdims=True)
    light = np.ones(len(depth))
    light[seen] = 0.35 + 0.75 * np.sum(outward[seen] * towards, axis=1).clip(0) * ~shade
    if options.picture:
        draw(light, np.array([color for _, color in scene])[nearest], depth, options.picture)


if __name__ == "__main__":
    main()
