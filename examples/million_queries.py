"""A million vertices and triangles, all moving: which of them meet, and when?

Shows the elementary queries in batches: what each status means, how the queries were decided, and what exact
arithmetic settles. The first million is random. The second has its points on a grid of tenths, where much
touches at a corner, along an edge, or from the start, and much misses by a rounding error.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np

import firstcontact as fc

N = 1_000_000


def ask(name, start, end, *, exact=False):
    """Ask about a batch, and say what came out."""
    began = perf_counter()
    found = fc.vertex_face_ccd(start, end, exact=exact)
    seconds = perf_counter() - began
    print(f"{name}: {found.hit.sum():,} of {len(start):,} hit; {1e9 * seconds / len(start):.0f} ns a query")
    for status in fc.Status:
        if count := np.count_nonzero(found.status == status):
            print(f"  {status.name:<17}{count:>8,}")
    return found


def draw(batches, path):
    """Write a picture: when contacts begin, and which stage decided."""
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    times = [found.time[found.hit] for found in batches.values()]
    left.hist(times, bins=np.linspace(0, 1, 61), histtype="step", lw=1.8, label=list(batches))
    left.set(xlabel="time of first contact", ylabel="queries", title="when they first touch", yscale="log")
    left.legend(loc="lower center", frameon=False)
    stages = ["culled", "solved", "advanced", "ties", "refined", "exact"]
    for row, found in enumerate(batches.values()):
        shares = [100 * getattr(found.stats, stage) / found.stats.queries for stage in stages]
        right.barh(np.arange(6) + 0.36 * (row - 0.5), np.maximum(shares, 1e-4), 0.36, color=f"C{row}")
    right.set(xscale="log", xlim=(1e-4, 100), xlabel="per cent of the queries", title="which stage decided")
    right.set_yticks(range(6), stages)
    right.invert_yaxis()
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


def main():
    """Ask about both millions, and compare what floating point and exact arithmetic say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    rng = np.random.default_rng(0)

    # A query is four points at t = 0 and at t = 1: a vertex, and the corners of a triangle.
    start, end = rng.random((2, N, 4, 3))
    fc.vertex_face_ccd(start[:1000], end[:1000])  # compiles, before the clock starts
    random = ask("random points", start, end)

    # A contact comes with weights: where on the face the vertex is, at that time.
    i = int(np.argmax(random.hit))
    vertex, *face = start[i] + random.time[i] * (end[i] - start[i])
    gap = np.linalg.norm(vertex - random.weights[i, 1:] @ face)
    print(f"  query {i}: t = {random.time[i]:.9f}, weights {random.weights[i, 1:].round(3)}, gap {gap:.0e}")

    start, end = rng.integers(0, 4, (2, N, 4, 3)) / 10
    rounded = ask("points on a grid", start, end)
    exact = ask("the same, exactly", start, end, exact=True)

    # What floating point leaves open counts as a hit, at a time that is safe: nothing is ever missed.
    is_open = rounded.status == fc.Status.UNDECIDED
    assert not (exact.hit & ~rounded.hit).any()
    assert (rounded.time[exact.hit] <= exact.time_upper[exact.hit]).all()
    print(f"of the {is_open.sum():,} left open, {exact.hit[is_open].sum():,} touch and the others do not")
    if options.picture:
        draw({"random points": random, "points on a grid, exactly": exact}, options.picture)


if __name__ == "__main__":
    main()
