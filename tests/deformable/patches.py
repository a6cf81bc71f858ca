"""Small surfaces, flat and folded, and trees over their faces."""

import numpy as np


def tree_of(faces, split):
    """Children arrays of the tree that `split`, which cuts a list of faces in two, makes of all faces."""
    children = np.empty((max(2 * len(faces) - 1, 0), 2), np.int32)
    waiting = [(np.arange(len(faces)), 0)] if len(faces) else []
    while waiting:
        ids, node = waiting.pop()
        if len(ids) == 1:
            children[node] = ~ids[0]
            continue
        left, right = split(ids)
        children[node] = node + 1, node + 2 * len(left)
        waiting += [(left, node + 1), (right, node + 2 * len(left))]
    return children


def median_tree(vertices, faces):
    """Cut at the median of the face centres along the longest side of their box."""
    centres = vertices[faces].mean(axis=1)

    def split(ids):
        points = centres[ids]
        order = np.argsort(points[:, np.argmax(np.ptp(points, axis=0))], kind="stable")
        return ids[order[: len(ids) // 2]], ids[order[len(ids) // 2 :]]

    return tree_of(faces, split)


def random_tree(faces, rng):
    """Cut anywhere, most often into runs of faces that follow each other."""

    def split(ids):
        ids = rng.permutation(ids) if rng.random() < 0.2 else ids
        cut = rng.integers(1, len(ids))
        return ids[:cut], ids[cut:]

    return tree_of(faces, split)


def faces_below(children, node):
    """The faces of a node's region."""
    if children[node, 0] < 0:
        return [int(~children[node, 0])]
    return faces_below(children, children[node, 0]) + faces_below(children, children[node, 1])


def grid(nx, ny):
    """A flat grid of squares, each cut in two triangles that face +z."""
    x, y = np.meshgrid(np.arange(nx + 1.0), np.arange(ny + 1.0), indexing="ij")
    corner = (np.arange(nx)[:, None] * (ny + 1) + np.arange(ny)).ravel()
    a, b, c, d = corner, corner + ny + 1, corner + ny + 2, corner + 1
    faces = np.stack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)], 1).reshape(-1, 3)
    return np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1), faces.astype(np.int32)


def spiral_strip(n, angle, pitch, inner=1.0):
    """A strip that winds around the z axis through an angle, rising and facing up: it may lie over itself."""
    flat, faces = grid(n, 1)
    turn, radius = flat[:, 0] / n * angle, inner + 1.0 - flat[:, 1]
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), pitch * turn], axis=1), faces


def fan(n, angle, is_closed, pitch=0.0):
    """Triangles around an apex through an angle; closed ones meet again, after one turn or after several."""
    turn = np.arange(n + (not is_closed)) * (angle / n)
    rim = np.stack([np.cos(turn), np.sin(turn), pitch * turn], axis=1)
    k = np.arange(n)
    faces = np.stack([np.zeros(n, int), 1 + k, 1 + (k + 1) % len(rim)], axis=1)
    return np.vstack([[[0.0, 0.0, 0.0]], rim]), faces.astype(np.int32)


def moebius(n):
    """A strip of n squares, closed with half a turn."""
    turn = np.arange(n) * (2 * np.pi / n)
    across = np.stack([np.cos(turn / 2) * np.cos(turn), np.cos(turn / 2) * np.sin(turn), np.sin(turn / 2)], 1)
    middle = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    k = np.arange(n)
    low, high = k, k + n
    next_low, next_high = np.where(k == n - 1, n, k + 1), np.where(k == n - 1, 0, k + 1 + n)
    faces = np.concatenate([np.stack([low, next_low, next_high], 1), np.stack([low, next_high, high], 1)])
    return np.vstack([middle - 0.3 * across, middle + 0.3 * across]), faces.astype(np.int32)


def annulus(n):
    """A flat ring: a region with a hole."""
    vertices, faces = spiral_strip(n, 2 * np.pi, 0.0)
    ids = np.arange(len(vertices))
    ids[-2:] = 0, 1
    return vertices, ids[faces].astype(np.int32)
