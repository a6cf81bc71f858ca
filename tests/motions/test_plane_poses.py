import numpy as np

from firstcontact.motions.plane_poses import (
    lifted_points,
    lifted_poses,
    lifted_spin,
    lifted_vectors,
    poses_in_plane,
)


def test_poses_go_up_and_down_again():
    rng = np.random.default_rng(0)
    angles, ways = rng.uniform(-9, 9, 5), rng.normal(size=(5, 2))
    poses = lifted_poses("poses", (angles, ways))
    assert poses.shape == (5, 4, 4)
    assert (poses[:, 2, :] == [0, 0, 1, 0]).all()
    flat = poses_in_plane(poses)
    assert lifted_poses("poses", flat).tobytes() == poses.tobytes()
    assert lifted_poses("poses", (flat[:, :2, :2], ways)).tobytes() == poses.tobytes()


def test_vectors_and_spins():
    assert lifted_points(np.ones((2, 2))).tolist() == [[1, 1, 0], [1, 1, 0]]
    assert lifted_points(np.ones((1, 3))).tolist() == [[1, 1, 1]]
    assert lifted_vectors("v", None) is None
    assert lifted_vectors("v", [1, 2]).tolist() == [1, 2, 0]
    assert lifted_spin("w", 3).tolist() == [0, 0, 3]
    assert lifted_spin("w", [1, 2]).shape == (2, 3)
    assert lifted_spin("w", None) is None
