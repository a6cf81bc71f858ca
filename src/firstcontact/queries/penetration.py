"""How deep things are in each other, at one instant."""

from concurrent.futures import Executor
from typing import Any

from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.penetration_results import Penetration
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.proximity.penetration.convex_penetration import (
    ConvexPenetration,
    convex_penetrations,
)
from firstcontact.proximity.penetration.sphere_penetration import sphere_mesh_penetrations
from firstcontact.queries.kinds.resting import Resting, RestingPair, posed, sides
from firstcontact.queries.look_up import answer_about
from firstcontact.shapes.convex import KIND, POINT, RADIUS
from firstcontact.shapes.convex_shape import as_convex, table_of
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving


def penetration(
    a: Any, b: Any = None, *, self_contact: bool = False, executor: Executor | None = None
) -> Penetration:
    """How deep are two solids in each other, and which is the shortest way out?

    Of convex shapes, the shortest way of all: the depth is right to rounding, of ellipsoids, cylinders and
    cones to 1e-9 (where many ways are equally long but for 1e-5, any of them), and never less than it takes.
    Of closed meshes, the way out of the deepest region in which they overlap. Of a sphere and a mesh, the way
    by which its centre leaves the mesh through the nearest face, and the sphere after it. Any other convex
    shape stands in for its mesh when it meets one. Of a robot, the deepest pair, by name.

    Parameters
    ----------
    a, b : what `Shape.at` gives, of one or both a batch, of the same length; a shape, also a mesh of trimesh,
        is where it was made. A mesh must be closed. Or what `Robot.at` gives, and obstacles
    self_contact, executor : of robots, whether links in each other count; of a batch, as for `first_contacts`

    Examples
    --------
    >>> from firstcontact import Box, Sphere
    >>> import numpy as np
    >>> box, ball = Box([2, 2, 2]), Sphere(0.5)
    >>> p = penetration(box, ball.at((np.eye(3), [0.25, 1.25, 0])))
    >>> p.depth, p.direction.tolist(), p.points_b.tolist()
    (0.25, [0.0, 1.0, 0.0], [0.25, 0.75, 0.0])
    >>> penetration(box, ball.at((np.eye(3), [[0, 0, 1.5], [0, 0, 9]]))).is_overlapping.tolist()
    [True, False]
    """
    is_usual = executor is None and self_contact is False
    ask = USUAL if is_usual else Ask.checked(executor=executor, self_contact=self_contact)
    found: Penetration = answer_about("penetration", a, b, ask)
    return found


def resting_penetration(a: Moving, b: Moving, ask: Ask) -> Penetration:
    """Measure how deep two shapes are in each other, in one pose each or a batch of them."""
    pair = posed("penetration", a, b)
    found = _penetrations(pair)
    if pair.is_batch:
        return Penetration(*found)
    depth, direction, points_a, points_b, is_overlapping = (array[0] for array in found)
    return Penetration(float(depth), direction, points_a, points_b, bool(is_overlapping))


def _penetrations(pair: RestingPair) -> ConvexPenetration:
    """Measure two things in the way that is right for their kinds."""
    if pair.are_convex:
        return convex_penetrations(*sides(pair))
    mesh_a, mesh_b = _solid(pair.a, "a"), _solid(pair.b, "b")
    rows, (radius_a, radius_b) = (pair.a.rows, pair.b.rows), map(_ball_radius, pair[:2])
    if radius_a > 0.0:
        return sphere_mesh_penetrations(radius_a, mesh_b, *rows)
    if radius_b > 0.0:
        found = sphere_mesh_penetrations(radius_b, mesh_a, rows[1], rows[0])
        return found._replace(direction=-found.direction, points_a=found.points_b, points_b=found.points_a)
    from firstcontact.proximity.penetration.mesh_penetration import (
        mesh_penetrations,  # what convex shapes never need
    )

    return ConvexPenetration(*mesh_penetrations(mesh_a, mesh_b, *rows))


def _ball_radius(thing: Resting) -> float:
    """Radius of a ball, which is all around a point; 0 of any other shape."""
    record = table_of(thing.shape).records[0] if thing.is_convex else None
    return 0.0 if record is None or record[KIND] != POINT else float(record[RADIUS])


def _solid(thing: Resting, name: str) -> Mesh:
    """Closed mesh of a shape; an open one is an error."""
    if thing.is_convex:
        return as_convex(thing.shape).mesh
    mesh = thing.mesh
    if not mesh.has_inside:
        what = type(mesh).__name__
        raise ValueError(f"penetration needs solids; {name} is a {what}, a surface without an inside")
    check_closed(mesh, name, "penetration")
    return mesh
