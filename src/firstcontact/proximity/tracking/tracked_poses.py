"""What a query pose after pose writes down: the columns of a single query, then both bodies as they stood."""

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array
from firstcontact.motions.short_rows import N_SHORT, read_pose, write_rest
from firstcontact.proximity.distance.single_distance import N_COLUMNS as N_MEASURED

# The rows of both bodies, after room for the columns of any query.
ROW_A = N_MEASURED
ROW_B = ROW_A + N_SHORT
N_COLUMNS = ROW_B + N_SHORT


@plain_driver(2, 2, 1)
def write_poses(pose_a: Array, pose_b: Array, out: Array) -> bool:
    """Write where both bodies stand; False where a pose is not rigid."""
    return stand(pose_a, pose_b, out)


@kernel
def stand(pose_a: Array, pose_b: Array, out: Array) -> bool:
    """Write where both bodies stand; False where a pose is not rigid."""
    is_rigid_a, (rotation_a, place_a) = read_pose(pose_a)
    is_rigid_b, (rotation_b, place_b) = read_pose(pose_b)
    if not (is_rigid_a and is_rigid_b):
        return False
    write_rest(rotation_a, place_a, out[ROW_A:ROW_B])
    write_rest(rotation_b, place_b, out[ROW_B:])
    return True
