"""A mosaic of a picture: stones move to the middle of their region until they fit, small where it is fine.

Shows `voronoi` of thousands of points, step after step by `moved`, and `neighbors`. The picture is made by
code. Where it changes much, more stones are thrown, and pull harder (Lloyd's method, with weights).
"""

import argparse
import os
from pathlib import Path
from time import process_time

import numpy as np

import firstcontact as fc

BOUNDS = [[0, 0], [3, 2]]
CONTRAST = 30.0  # how much more a pixel counts where the picture changes the most


def picture(x, y):
    """An evening by the sea: colours (nx, ny, 3) at places."""
    x, y = np.meshgrid(x, y, indexing="ij")
    sky = (
        np.array([0.98, 0.55, 0.25]) * (1.7 - y)[..., None]
        + np.array([0.2, 0.25, 0.6]) * (y - 0.7)[..., None]
    )
    waves = 0.5 + 0.5 * np.sin(60 * y / (0.3 + 0.9 - 0.7 * y) + 2 * np.sin(5 * x))
    sea = np.array([0.05, 0.2, 0.4]) + 0.25 * waves[..., None] * np.array([0.5, 0.8, 0.9])
    colors = np.where((y < 0.75)[..., None], sea, sky)
    colors[(np.hypot(x - 2.1, y - 1.0) < 0.28) & (y >= 0.75)] = 1.0, 0.93, 0.6
    colors[y < 0.45 + 0.15 * np.sin(2.5 * x + 1) - 0.25 * x] = 0.25, 0.17, 0.12
    sail = (y > 0.72) & (y < 1.5) & (np.abs(x - 0.95) < 0.32 * (1.5 - y))
    colors[sail] = 0.95, 0.95, 0.9
    colors[(np.abs(y - 0.66) < 0.06) & (np.abs(x - 0.95) < 0.3 + (y - 0.66))] = 0.4, 0.1, 0.1
    return colors.clip(0, 1)


def weights_of(colors):
    """How much each pixel counts: more where the picture changes."""
    change = sum(np.abs(np.gradient(colors, axis=axis)).sum(axis=-1) for axis in (0, 1))
    return 1 + CONTRAST * change / change.max()


def means(ids, weights, values, n):
    """The weighted mean of values (pixels, k) in each region; 0 where a region has no pixel."""
    total = np.maximum(np.bincount(ids, weights, n), 1e-300)
    return np.stack([np.bincount(ids, weights * column, n) / total for column in values.T], axis=1)


def draw(diagram, colors, stones, path):
    """Write the picture beside its mosaic, with joints between the stones."""
    from matplotlib import pyplot as plt

    mosaic = stones[diagram.ids]
    mosaic[tuple(diagram.boundary().cells[:, 0].T)] *= 0.6
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 3.6), layout="constrained")
    for ax, image in zip(axes, (colors, mosaic), strict=True):
        ax.imshow(image.swapaxes(0, 1), origin="lower", interpolation="antialiased")
        ax.set_axis_off()
    figure.savefig(path, dpi=72)


def main():
    """Lay the stones, and tell how well they fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    n_stones, resolution, n_steps = (300, 150, 5) if "QUICK" in os.environ else (2500, 900, 30)
    rng = np.random.default_rng(0)
    diagram = fc.voronoi(rng.random((2, 2)), BOUNDS, resolution)  # compiles; and has the pixels
    x, y = diagram.axes
    colors = picture(x, y)
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    weights = weights_of(colors).ravel()
    sites = places[rng.choice(len(places), n_stones, replace=False, p=weights / weights.sum())]

    began = process_time()
    diagram = fc.voronoi(sites, BOUNDS, resolution)
    for _ in range(n_steps):
        sites = means(diagram.ids.ravel(), weights, places, n_stones)
        before, diagram = diagram, diagram.moved(sites)
    seconds = process_time() - began
    print(f"{n_steps + 1} diagrams of {n_stones} stones, {diagram.ids.size:,} pixels: {seconds:.1f} s")
    strayed = [(weights * one.distance.ravel() ** 2).sum() for one in (before, diagram)]
    print(f"the last step made what stones are off by {1 - strayed[1] / strayed[0]:.2%} smaller")
    assert strayed[1] <= strayed[0]

    stones = means(diagram.ids.ravel(), np.ones(len(places)), colors.reshape(-1, 3), n_stones)
    error = np.abs(stones[diagram.ids] - colors).mean()
    touched = 2 * len(diagram.neighbors()) / n_stones
    print(f"each stone touches {touched:.2f} others; colours are off by {error:.3f}")
    if options.picture:
        draw(diagram, colors, stones, options.picture)


if __name__ == "__main__":
    main()
