"""A sheet falls on a ball in one step: every vertex of each against every face of the other, in two calls.

Shows how to turn two deforming meshes into batches of vertex-face queries, and how to read the answers: the
largest step that is safe, and where the contacts are.
"""

import numpy as np

import firstcontact as fc


def sheet(n):
    """Flat square of n x n vertices, as a mesh."""
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    ids = np.arange(n * n).reshape(n, n)
    a, b, c, d = ids[:-1, :-1].ravel(), ids[1:, :-1].ravel(), ids[1:, 1:].ravel(), ids[:-1, 1:].ravel()
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(n * n)], axis=1)
    return fc.Mesh(vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


def ball(n):
    """Unit ball with n rings of 2 n vertices; its poles are rings too, of degenerate faces."""
    height, angle = np.meshgrid(np.linspace(0, np.pi, n), np.linspace(0, 2 * np.pi, 2 * n, endpoint=False))
    vertices = np.stack([np.sin(height) * np.cos(angle), np.sin(height) * np.sin(angle), np.cos(height)], 2)
    ids = np.arange(2 * n * n).reshape(2 * n, n)
    beyond = np.roll(ids, -1, axis=0)
    a, b, c, d = ids[:, :-1].ravel(), beyond[:, :-1].ravel(), beyond[:, 1:].ravel(), ids[:, 1:].ravel()
    faces = np.concatenate([np.stack([a, c, b], axis=1), np.stack([a, d, c], axis=1)])
    return fc.Mesh(vertices.reshape(-1, 3), faces)


def all_pairs(vertices, corners):
    """Queries of every vertex with every face: (n m, 4, 3)."""
    n, m = len(vertices), len(corners)
    return np.concatenate([np.repeat(vertices, m, axis=0)[:, None], np.tile(corners, (n, 1, 1))], axis=1)


def main():
    """Drop the sheet, and say when it touches."""
    cloth, obstacle = sheet(21), ball(12)
    rng = np.random.default_rng(0)
    cloth_t0 = cloth.vertices * 1.5 + [0, 0, 1.3] + 0.02 * rng.random((cloth.n_vertices, 3))
    cloth_t1 = cloth_t0 - [0, 0, 0.6]
    ball_t0 = obstacle.vertices
    ball_t1 = ball_t0 + np.array([0.1, 0, 0.1])

    ball_corners = ball_t0[obstacle.faces], ball_t1[obstacle.faces]
    cloth_corners = cloth_t0[cloth.faces], cloth_t1[cloth.faces]
    contacts = {
        "cloth vertices, ball faces": fc.vertex_face_ccd(
            all_pairs(cloth_t0, ball_corners[0]), all_pairs(cloth_t1, ball_corners[1]), exact=True
        ),
        "ball vertices, cloth faces": fc.vertex_face_ccd(
            all_pairs(ball_t0, cloth_corners[0]), all_pairs(ball_t1, cloth_corners[1]), exact=True
        ),
    }
    for name, found in contacts.items():
        stats = found.stats
        print(f"{name}: {stats.queries:,} queries, {stats.culled:,} culled, {found.hit.sum()} contacts")
    first = min(found.time.min() for found in contacts.values())
    print(f"the step is safe up to t = {first:.6f}")
    assert 0.2 < first < 0.7


if __name__ == "__main__":
    main()
