"""CoACD in a process of its own, which may take long, or fail: python coacd_process.py GIVEN FOUND.

It stands alone: nothing of the library is imported.
"""

import sys

import numpy as np

# Cuts that are tried before each is made, of 150 that CoACD has: as many parts of a torus in 0.4 of the time.
MCTS_ITERATIONS = 30


def main(given: str, found: str) -> None:
    """Take vertices, faces and the threshold from a file, and write the points of all parts to another."""
    import coacd

    coacd.set_log_level("error")
    with np.load(given) as file:
        mesh, threshold = coacd.Mesh(file["vertices"], file["faces"]), float(file["threshold"])
    parts = coacd.run_coacd(
        mesh, threshold=threshold, real_metric=True, seed=0, mcts_iterations=MCTS_ITERATIONS
    )
    points = [np.empty((0, 3)), *(np.asarray(own, float) for own, _ in parts)]
    np.savez(found, points=np.concatenate(points), counts=[len(own) for own in points[1:]])


if __name__ == "__main__":
    main(*sys.argv[1:])
