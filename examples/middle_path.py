"""A disc's way through a hall, along the middle between walls and furniture: a planner on a Voronoi diagram.

Shows `voronoi` of outlines as an image, and the boundary of its regions as a graph: a way along it is as far
from the two nearest things as can be. An edge is kept if the image proves it: a distance is off by its error
at most, and changes by no more than the way between two places. The shortest way and the widest one are then
proven once more, by `distance` of whole polylines: what a disc sweeps is all within its radius of its way.
"""

import argparse
import os
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra, minimum_spanning_tree
from scipy.spatial import cKDTree

import firstcontact as fc

HALL = 8.0, 5.0  # metres
RADIUS = 0.22  # of the robot
START, GOAL = [0.5, 0.6], [7.4, 4.4]
WALLS = [[0, 0], [8, 0], [8, 5], [5.2, 5], [5.2, 3.9], [4.8, 3.9], [4.8, 5], [0, 5]]
FURNITURE = [
    [[1.2, 0.1], [1.5, 0.1], [1.5, 2.4], [1.2, 2.4]],
    [[0.1, 3.2], [1.9, 3.2], [1.9, 3.5], [0.1, 3.5]],
    [[2.4, 1.0], [3.6, 0.7], [3.9, 1.9], [2.7, 2.2]],
    [[3.0, 3.1], [3.5, 2.7], [4.1, 3.0], [3.9, 3.7], [3.2, 3.8]],
    [[4.75, 0.1], [5.05, 0.1], [5.05, 2.75], [4.75, 2.75]],
    [[5.7, 1.5], [6.9, 1.1], [7.3, 2.1], [6.1, 2.5]],
    [[5.9, 3.3], [6.9, 3.3], [6.9, 3.6], [6.2, 3.6], [6.2, 4.4], [5.9, 4.4]],
]


def closed(outline):
    """A polyline that ends where it begins."""
    return np.array([*outline, outline[0]], float)


def graph_of(diagram, cell):
    """Places in the middle, pairs of neighbours, lengths, and how far off everything all of an edge is."""
    border = diagram.boundary()
    places = border.points
    pairs = cKDTree(places).query_pairs(1.6 * cell, output_type="ndarray")
    lengths = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    # A place is half a cell from where the image was measured; no part of a segment is farther from the
    # nearer of its ends than half its length.
    room = border.distance[pairs].min(axis=1) - cell / 2 - diagram.error - lengths / 2
    return places, pairs, lengths, room


def way_through(n, pairs, weights, start, goal):
    """The numbers of the places on the lightest way."""
    graph = coo_array((weights, pairs.T), shape=(n, n)).tocsr()
    lengths, before = dijkstra(graph, directed=False, indices=start, return_predecessors=True)
    assert np.isfinite(lengths[goal])
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def widest_tree(n, pairs, room):
    """A tree in which the way between any two places is the widest there is."""
    tree = minimum_spanning_tree(coo_array((1 / room, pairs.T), shape=(n, n)).tocsr()).tocoo()
    return np.stack([tree.row, tree.col], axis=1), tree.data


def pulled(way, things, least):
    """Leave out corners of a way as long as it keeps a distance from everything."""
    kept = [0]
    while kept[-1] < len(way) - 1:
        here, reach = kept[-1], 1
        while here + 2 * reach < len(way) and distance(way[[here, here + 2 * reach]], things) >= least:
            reach *= 2
        kept.append(here + reach)
    return way[kept]


def distance(way, things):
    """How far is a polyline from the nearest thing?"""
    return min(fc.distance(fc.Polyline(way), thing).distance for thing in things)


def length(way):
    """The length of a polyline."""
    return np.linalg.norm(np.diff(way, axis=0), axis=1).sum()


def draw(diagram, places, ways, path):
    """Write the distances, the middle, and the ways with the disc on them."""
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(9, 5.4), layout="constrained")
    x, y = diagram.axes
    colors = ax.contourf(x, y, diagram.distance.T, np.linspace(0, 0.9, 19), cmap="YlGnBu", extend="max")
    for outline in FURNITURE:
        ax.fill(*np.array(outline).T, fc="0.25")
    ax.fill([4.8, 5.2, 5.2, 4.8], [3.9, 3.9, 5, 5], fc="0.25")
    ax.scatter(*places.T, s=0.4, color="white")
    for (name, way), color in zip(ways.items(), ("#d1495b", "#edae49", "#5c2a9d"), strict=True):
        ax.plot(*way.T, color=color, lw=2.2, label=f"{name}: {length(way):.2f} m")
    for place in (START, GOAL):
        ax.add_patch(plt.Circle(place, RADIUS, fc="#d1495b", ec="white"))
    ax.set(xlim=(0, HALL[0]), ylim=(0, HALL[1]), aspect="equal")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize="small", frameon=False)
    figure.colorbar(colors, ax=ax, label="distance, metres", shrink=0.85)
    figure.savefig(path, dpi=90)


def main():
    """Plan, prove and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    n_cells = 400 if "QUICK" in os.environ else 1600
    outlines = [closed(outline) for outline in (WALLS, *FURNITURE)]
    bounds, cell = [[0, 0], HALL], HALL[0] / n_cells
    fc.voronoi(outlines, bounds, 4)  # compiles, before the clock starts

    began = perf_counter()
    diagram = fc.voronoi(outlines, bounds, n_cells)
    print(f"{diagram} in {perf_counter() - began:.2f} s")
    places, pairs, lengths, room = graph_of(diagram, cell)
    is_wide = room >= RADIUS
    print(f"{len(places)} places in the middle; {is_wide.sum()} of {len(pairs)} edges are proven wide enough")

    # The disc joins the graph at the nearest place that it can go straight to.
    pairs, lengths, room = pairs[is_wide], lengths[is_wide], room[is_wide]
    on_graph = np.unique(pairs)
    start, goal = on_graph[cKDTree(places[on_graph]).query([START, GOAL])[1]]
    tree, weights = widest_tree(len(places), pairs, room)
    things = [fc.Polyline(outlines[0]), *(fc.Polygon(outline) for outline in FURNITURE)]
    ways = {
        "shortest in the middle": way_through(len(places), pairs, lengths, start, goal),
        "widest": way_through(len(places), tree, weights, start, goal),
    }
    ways = {name: np.array([START, *places[way], GOAL]) for name, way in ways.items()}
    ways["the shortest, pulled"] = pulled(ways["shortest in the middle"], things, RADIUS)
    for name, way in ways.items():
        gap = distance(way, things)
        print(f"{name}: {length(way):.2f} m, {len(way) - 1} edges, all of it {gap:.3f} m from everything")
        assert gap >= RADIUS
    if options.picture:
        draw(diagram, places, ways, options.picture)


if __name__ == "__main__":
    main()
