"""A vase bursts into a hundred shards that fly, turn and knock against each other: pairs culled by images.

Shows `Scene(broad_phase="image")`. Shards are bent, so their boxes overlap long after they have parted: of
these pairs images of depth keep most apart, and lose none, since no pixel is sampled. Both scenes have the
same contacts in every frame, which is checked; where two shards meet they exchange what they have of speed
along the normal. How many pairs there are by boxes, by images, and in contact is counted frame by frame.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

import firstcontact as fc

N_SHARDS, N_AROUND = 100, 96
STEP, GRAVITY = 0.01, np.array([0.0, 0.0, -2.0])
SPEED, SPIN = 1.2, 4.0


def vase():
    """A surface of revolution without a lid."""
    turn, high = np.linspace(0, 2 * np.pi, N_AROUND, endpoint=False), np.linspace(0, 1, N_AROUND)
    radius = 0.2 + 0.1 * np.sin(5 * high)
    points = [radius[:, None] * np.cos(turn), radius[:, None] * np.sin(turn), high[:, None] + 0 * turn]
    i, j = (x.ravel() for x in np.mgrid[: N_AROUND - 1, :N_AROUND])
    a, b = i * N_AROUND + j, i * N_AROUND + (j + 1) % N_AROUND
    faces = np.concatenate([np.stack([a, b, b + N_AROUND], 1), np.stack([a, b + N_AROUND, a + N_AROUND], 1)])
    return np.stack(points, axis=-1).reshape(-1, 3), faces


def shards_of(vertices, faces, rng):
    """Meshes about their middles, and these middles: each face goes with the nearest of some places."""
    places = vertices[rng.choice(len(vertices), N_SHARDS, replace=False)]
    owners = cKDTree(places).query(vertices[faces].mean(axis=1))[1]
    meshes, middles = [], []
    for shard in range(N_SHARDS):
        used, own = np.unique(faces[owners == shard], return_inverse=True)
        middles.append(vertices[used].mean(axis=0))
        meshes.append(fc.Mesh(vertices[used] - middles[-1], own.reshape(-1, 3)))
    return meshes, np.array(middles)


def turned(poses, spins):
    """Rotations after a frame in which each turns about its middle."""
    angles = np.linalg.norm(spins, axis=1) * STEP
    x, y, z = (spins / np.linalg.norm(spins, axis=1, keepdims=True)).T
    k = np.stack([0 * x, -z, y, z, 0 * x, -x, -y, x, 0 * x], axis=1).reshape(-1, 3, 3)
    s, c = np.sin(angles)[:, None, None], 1 - np.cos(angles)[:, None, None]
    return (np.eye(3) + s * k + c * k @ k) @ poses


def burst(meshes, middles, rng, n_frames):
    """Fly on, frame by frame; counts (n_frames, 3), and where all vertices are in some frames."""
    names = [f"shard {k}" for k in range(len(meshes))]
    scenes = [fc.Scene(dict(zip(names, meshes, strict=True)), broad_phase=how) for how in ("auto", "image")]
    outwards = middles - [0, 0, 0.5]
    places, velocities = middles + 0.02 * outwards, SPEED * outwards * rng.uniform(0.3, 1, (len(meshes), 1))
    spins, poses = rng.normal(scale=SPIN, size=middles.shape), np.tile(np.eye(4), (len(meshes), 1, 1))
    counts, seen = [], {}
    for frame in range(n_frames):
        poses[:, :3, 3] = places
        for scene in scenes:
            scene.move(scene.ids, poses, velocity=STEP * velocities, angular_velocity=STEP * spins)
        by_boxes, by_images = (len(scene.pair_ids()) for scene in scenes)
        found, same = (scene.contacts() for scene in scenes)
        assert np.array_equal(found.ids, same.ids)
        assert np.array_equal(found.time, same.time)
        counts.append((by_boxes, by_images, len(found)))
        if frame in (0, n_frames // 3, n_frames - 1):
            corners = [
                (mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[mesh.faces]
                for mesh, pose in zip(meshes, poses, strict=True)
            ]
            seen[frame] = corners, set(found.ids.ravel().tolist())
        for (i, j), normal in zip(found.ids.tolist(), found.normals, strict=True):
            closing = (velocities[j] - velocities[i]) @ normal
            if closing < 0:
                velocities[i] += closing * normal
                velocities[j] -= closing * normal
        places = places + STEP * velocities
        velocities = velocities + STEP * GRAVITY
        poses[:, :3, :3] = turned(poses[:, :3, :3], spins)
    return np.array(counts), seen


def draw(counts, seen, path):
    """Draw shards at three times, those that touch in red, and the pairs of all frames."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure = plt.figure(figsize=(10, 3.6), layout="constrained")
    light = np.array([0.5, -0.7, 0.5])
    for k, (frame, (shards, touching)) in enumerate(seen.items()):
        ax = figure.add_subplot(1, 4, k + 1, projection="3d")
        for shard, corners in enumerate(shards):
            across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            shade = 0.45 + 0.5 * np.abs(across @ light) / np.linalg.norm(across, axis=1)
            color = np.array([0.82, 0.29, 0.36] if shard in touching else [0.25, 0.55, 0.75])
            ax.add_collection3d(
                Poly3DCollection(corners, facecolors=np.clip(shade[:, None] * color * 1.2, 0, 1))
            )
        ax.set(xlim=(-0.6, 0.6), ylim=(-0.6, 0.6), zlim=(-0.2, 1.2))
        ax.set_box_aspect((1.2, 1.2, 1.4), zoom=1.5)
        ax.set_title(f"frame {frame}", fontsize="small")
        ax.set_axis_off()
    ax = figure.add_subplot(1, 4, 4)
    for name, column, color in zip(
        ("by boxes", "by images", "that touch"), counts.T, ("0.5", "#2b8cbe", "#d1495b"), strict=True
    ):
        ax.plot(column, color=color, label=name)
    ax.set(xlabel="frame", ylabel="pairs", ylim=(0, None))
    ax.legend(fontsize="small", frameon=False)
    figure.savefig(path, dpi=80)


def main():
    """Burst, count and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="write a picture; needs matplotlib")
    options = parser.parse_args()
    rng = np.random.default_rng(4)
    meshes, middles = shards_of(*vase(), rng)
    counts, seen = burst(meshes, middles, rng, 6 if "QUICK" in os.environ else 60)
    print(f"{len(meshes)} shards, {sum(mesh.n_faces for mesh in meshes):,} triangles, {len(counts)} frames")
    boxes, images, touch = counts.mean(axis=0)
    print(f"pairs a frame: {boxes:.0f} by boxes, {images:.0f} by images, {touch:.1f} touch")
    print(f"images leave {images / boxes:.0%} of the pairs; the contacts are the same in every frame")
    if options.picture:
        draw(counts, seen, options.picture)


if __name__ == "__main__":
    main()
