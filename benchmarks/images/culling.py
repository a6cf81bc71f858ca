"""A vase that bursts into shards: pairs that are left by boxes and by images, and the time of each."""

from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import firstcontact as fc
from report.section import Lines

METHODS = {"sorted lists": "sweep", "tree": "tree", "images": "image"}
N_FRAMES, SPEED = 12, 0.02  # of the vase's height, a frame
HEAD = "boxes by", "shards", "triangles", "pairs left", "pairs, ms", "touch", "all contacts, ms"


class Shards(NamedTuple):
    """Meshes about their own middle, where that is, and how each flies and turns in a frame."""

    meshes: list[fc.Mesh]
    middles: NDArray[np.float64]
    velocities: NDArray[np.float64]
    spins: NDArray[np.float64]


def culled(is_quick: bool) -> tuple[Lines, Any]:
    """Burst vases of more and more triangles."""
    lines: Lines = [HEAD]
    figures = []
    for n_shards, n_around in ((40, 120),) if is_quick else ((40, 120), (100, 120), (100, 400)):
        shards = vase(n_shards, n_around)
        n_faces = sum(mesh.n_faces for mesh in shards.meshes)
        touching = set()
        for name, method in METHODS.items():
            burst(shards, method, 2)  # compiles
            left, pairs, touch, contacts = burst(shards, method, N_FRAMES)
            touching.add(touch)
            row = name, n_shards, n_faces, left, 1e3 * pairs, touch, 1e3 * contacts
            figures.append(row)
            texts = f"{left:.1f}", f"{1e3 * pairs:.2f}", f"{touch:.1f}", f"{1e3 * contacts:.1f}"
            lines.append((name, f"{n_shards}", f"{n_faces:,}", *texts))
        if len(touching) != 1:
            raise AssertionError("the broad phases differ in which shards touch")
    return lines, figures


def vase(n_shards: int, n_around: int) -> Shards:
    """A surface of revolution, cut where another shard's middle is nearer, and blown up by a hundredth."""
    rng, n_high = np.random.default_rng(4), n_around
    turn = np.linspace(0, 2 * np.pi, n_around, endpoint=False)
    high = np.linspace(0, 1, n_high)
    radius = 0.2 + 0.1 * np.sin(5 * high)
    rows = np.stack([np.outer(radius, np.cos(turn)), np.outer(radius, np.sin(turn))], axis=-1)
    points = np.concatenate([rows, np.broadcast_to(high[:, None, None], (n_high, n_around, 1))], axis=-1)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n_high - 1), np.arange(n_around), indexing="ij"))
    a, b = i * n_around + j, i * n_around + (j + 1) % n_around
    faces = np.concatenate([np.stack([a, b, b + n_around], 1), np.stack([a, b + n_around, a + n_around], 1)])
    vertices = points.reshape(-1, 3)
    seeds = vertices[rng.choice(len(vertices), n_shards, replace=False)]
    owners = cKDTree(seeds).query(vertices[faces].mean(axis=1))[1]
    meshes, middles = [], []
    for shard in range(n_shards):
        used, own = np.unique(faces[owners == shard], return_inverse=True)
        middles.append(vertices[used].mean(axis=0))
        meshes.append(fc.Mesh(vertices[used] - middles[-1], own.reshape(-1, 3)))
    places = np.array(middles)
    outwards = places - [0, 0, 0.5]
    velocities = (
        SPEED * rng.uniform(0.2, 1.0, (n_shards, 1)) * outwards / np.linalg.norm(outwards, axis=1)[:, None]
    )
    return Shards(meshes, places + 0.01 * outwards, velocities, rng.normal(scale=0.05, size=(n_shards, 3)))


def burst(shards: Shards, method: str, n_frames: int) -> tuple[float, float, float, float]:
    """Of a frame: pairs left, median seconds for them, pairs that touch, median seconds for all contacts."""
    scene = fc.Scene({f"{i}": mesh for i, mesh in enumerate(shards.meshes)}, broad_phase=method)
    left, seconds, touch, in_all = [], [], [], []
    for frame in range(n_frames):
        places = shards.middles + frame * shards.velocities
        starts = np.tile(np.eye(4), (len(places), 1, 1))
        starts[:, :3, 3] = places
        scene.move(scene.ids, starts, velocity=shards.velocities, angular_velocity=shards.spins)
        began = process_time()
        left.append(len(scene.pair_ids()))
        listed = process_time()
        touch.append(len(scene.contacts()))
        seconds.append(listed - began)
        in_all.append(process_time() - began)
    return float(np.mean(left)), median(seconds), float(np.mean(touch)), median(in_all)
