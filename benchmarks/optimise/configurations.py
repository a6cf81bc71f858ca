"""Distances of all pairs of a Panda and what stands around it, at configurations: `near`, and peers."""

from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from optimise.mujoco_pairs import hull_distances, of_hulls
from robot.cases import Numbers, World, panda, panda_worlds, scene
from robot.peers import HULLS, MESHES, MIXED, Peer

WITHIN, ALL = 0.1, 10.0  # metres; farther than the latter is nothing
_FAMILIES = ("table_pick_panda", "bookshelf_thin_panda", "cage_panda")


class Row(NamedTuple):
    """A way to ask: seconds of the processor a configuration, one by one and in a batch; pairs of each."""

    world: str
    method: str
    single: float
    batch: float
    pairs: float


class Agreement(NamedTuple):
    """The least distance of each configuration by both: where both are apart, and by how much they differ."""

    world: str
    beside: str
    configurations: int
    apart: int
    largest: float  # metres
    sides: int  # configurations that one calls apart and the other not


def worlds(data: Path) -> list[World]:
    """The first problem of three families."""
    return [panda_worlds(data, (family,))[0] for family in _FAMILIES]


def robot(data: Path) -> fc.Robot:
    """The Panda, of its meshes."""
    files = panda(data)
    return fc.Robot.from_urdf(files.urdf, srdf=files.srdf, package_dirs=(files.package_dir,))


def own_rows(arm: fc.Robot, world: World, q: Numbers, n_singles: int) -> tuple[list[Row], Numbers]:
    """Pairs within a distance, and all; and the least distance of each configuration."""
    methods = {f"near, within {WITHIN} m": WITHIN, "near, all pairs": ALL}
    return _timed(arm, world, q, n_singles, methods)


def _timed(
    arm: fc.Robot, world: World, q: Numbers, n_singles: int, methods: dict[str, float]
) -> tuple[list[Row], Numbers]:
    """Pairs within the distances that go with names; and the least distances by the last."""
    obstacles, rows, least = scene(world), [], np.empty(0)
    for method, within in methods.items():
        fc.near(arm.at(q[0]), obstacles, within=within, self_contact=True)
        fc.near(arm.at(q), obstacles, within=within, self_contact=True)  # what is kept with shapes is made
        began = process_time()
        for one in q[:n_singles]:
            fc.near(arm.at(one), obstacles, within=within, self_contact=True)
        single, began = (process_time() - began) / n_singles, process_time()
        found = fc.near(arm.at(q), obstacles, within=within, self_contact=True)
        batch, least = (process_time() - began) / len(q), found.least()
        rows.append(Row(world.family, method, single, batch, len(found) / len(q)))
    return rows, least


def peer_rows(peer: Peer, world: World, q: Numbers, least: Numbers) -> tuple[list[Row], Agreement]:
    """Pinocchio with coal, which has no batch: all pairs, with links as meshes and as hulls."""
    peer.place(world)
    rows = []
    for geometry in (HULLS, MIXED, MESHES):
        peer.distances(geometry, q[:2])
        seconds, found = peer.distances(geometry, q)
        each = seconds / len(q)
        rows.append(Row(world.family, f"pinocchio, {geometry}", each, each, float(found.shape[1])))
    return rows, _agreement(world, "pinocchio, meshes", least, found.min(axis=1))


def hull_rows(arm: fc.Robot, world: World, q: Numbers, n_singles: int) -> tuple[list[Row], Agreement]:
    """All pairs with links as hulls: `near`, and MuJoCo, which has no batch."""
    rows, least = _timed(of_hulls(arm), world, q, n_singles, {"near, all pairs, hulls": ALL})
    hull_distances(arm, world, q[:2])
    each, found = hull_distances(arm, world, q)
    rows.append(Row(world.family, "mujoco, hulls", each, each, float(found.shape[1])))
    return rows, _agreement(world, "mujoco, hulls", least, found.min(axis=1))


def _agreement(world: World, beside: str, least: Numbers, theirs: Numbers) -> Agreement:
    apart = (theirs > 0.0) & (least > 0.0)
    largest = float(np.abs(theirs - least)[apart].max(initial=0.0))
    sides = int(((theirs > 0.0) != (least > 0.0)).sum())
    return Agreement(world.family, beside, len(theirs), int(apart.sum()), largest, sides)
