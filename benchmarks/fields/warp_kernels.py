"""What warp compiles: its functions must be in a file."""

import warp as wp


@wp.kernel
def closest(mesh: wp.uint64, points: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    """The distance of each point."""
    i = wp.tid()
    found = wp.mesh_query_point_no_sign(mesh, points[i], 1.0e6)
    at = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
    out[i] = wp.length(points[i] - at)


@wp.kernel
def signed(mesh: wp.uint64, points: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    """The same, with a sign: by the normals around."""
    i = wp.tid()
    found = wp.mesh_query_point_sign_normal(mesh, points[i], 1.0e6)
    at = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
    out[i] = found.sign * wp.length(points[i] - at)
