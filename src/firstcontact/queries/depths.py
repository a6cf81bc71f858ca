"""How deep each vertex is in another solid, or in its own, at one instant."""

from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.depth_results import Depths
from firstcontact.arrays import Array
from firstcontact.bodies.closed_faces import closed_faces
from firstcontact.proximity.penetration.vertex_depths import Inside, inside_solid
from firstcontact.queries.kinds.resting import Resting, rested
from firstcontact.queries.look_up import answer_about
from firstcontact.shapes.convex_shape import ConvexShape, as_convex
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


class Solid(NamedTuple):
    """A solid at a pose, with its vertices in the world."""

    shape: Mesh | ConvexShape
    pose: Array
    vertices: Array


def depths(a: Any, b: Any = None) -> Depths:
    """Which vertices of two solids are inside the other, how deep, and which is the way out of each?

    To rounding: the depth is the distance to the nearest point of the other's surface, its direction leads
    there (Hoff 2001). Inside a mesh is what it winds around. With `a` alone: which vertices are inside a
    itself, whose surface passes through itself? Those with an inside before them: just outside the surface
    there, it winds around once or more. Their way out leads to the nearest point of the surface that has the
    outside before it. Faces with a common vertex count as not passing through each other, and of parts that
    lie on each other, nearer than a millionth of a face's height, either may be before the other.

    Parameters
    ----------
    a, b : closed meshes and convex shapes, at rest: what `Shape.at` gives, or `Mesh.deforming` from a place
        to the same; a convex shape lends the vertices of its mesh, and is itself what others are inside of

    Examples
    --------
    >>> import numpy as np
    >>> from firstcontact import Box, Mesh, depths
    >>> box = Box([2, 2, 2]).mesh
    >>> found = depths(box.at((np.eye(3), [1.75, 1.5, 1.5])), box)
    >>> found.depth.tolist(), (found.directions.round(9) + 0.0).tolist(), found.is_of_b.tolist()
    ([0.25, 0.25], [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], [False, True])
    >>> len(depths(box)), len(depths(Mesh([], []), box))
    (0, 0)
    """
    found: Depths = answer_about("depths", a, b)
    return found


def depths_of_two(a: Moving, b: Moving, ask: Ask) -> Depths:
    """Measure the vertices of each of two solids in the other."""
    solids = _solid(a, "a"), _solid(b, "b")
    found = [_inside(one, other) for one, other in (solids, solids[::-1])]
    n_a, n_b = (len(rows.ids) for rows in found)
    points = [solid.vertices[rows.ids] for solid, rows in zip(solids, found, strict=True)]
    ids, depth, directions, feet, faces = (np.concatenate(pair) for pair in zip(*found, strict=True))
    is_of_b = np.repeat([False, True], [n_a, n_b])
    return Depths(is_of_b, ids, depth, directions, np.concatenate(points), feet, faces)


def depths_in_itself(a: Moving, b: None, ask: Ask) -> Depths:
    """Measure the vertices of a mesh that are inside itself."""
    from firstcontact.proximity.penetration.self_overlap import self_overlap

    solid = _solid(a, "a")
    assert isinstance(solid.shape, Mesh)  # the registry says so
    mesh = Mesh(solid.vertices, solid.shape.faces)
    found = self_overlap(mesh, _closed(mesh, "a"))
    points = mesh.vertices[found.ids]
    is_of_b = np.zeros(len(points), np.bool_)
    own = found.ids, found.depths, found.directions, points, found.points, found.faces
    return Depths(is_of_b, *own)


def _solid(thing: Moving, name: str) -> Solid:
    """A closed mesh or a convex shape at rest; what is none is an error."""
    if thing.motion.is_batch:
        raise ValueError(f"{name} has a batch of {len(thing.motion)} poses: depths are of one")
    resting = rested("depths", name, thing)
    surface = as_convex(resting.shape).mesh if resting.is_convex else _mesh(thing, resting, name)
    shape = as_convex(resting.shape) if resting.is_convex else surface
    return Solid(shape, resting.motion.pose(0.0), resting.motion.vertices(0.0, surface.vertices))


def _mesh(thing: Moving, resting: Resting, name: str) -> Mesh:
    mesh = resting.mesh
    if not mesh.has_inside:
        raise ValueError(f"depths needs solids; {name} is a HeightField, a surface without an inside")
    # What deforms has the faces that it had: they are looked at once.
    if thing.kind is Kind.DEFORMING and closed_faces(thing.surface).is_closed_by_ids:
        return mesh
    _closed(mesh, name)
    return mesh


def _closed(mesh: Mesh, name: str) -> Any:
    """Faces of a closed mesh, one number for vertices at one place; an open mesh is an error."""
    found = closed_faces(mesh)
    if found.n_open_edges > 0:
        n = found.n_open_edges
        raise ValueError(f"depths needs closed meshes; {name} has {n} open edge{'s' if n > 1 else ''}")
    return found.faces


def _inside(one: Solid, other: Solid) -> Inside:
    """The vertices of one solid inside another, with all in the world."""
    turn, place = other.pose[:3, :3], other.pose[:3, 3]
    if np.array_equal(other.pose, np.eye(4)):
        return inside_solid(other.shape, one.vertices)
    found = inside_solid(other.shape, np.ascontiguousarray((one.vertices - place) @ turn))
    return found._replace(directions=found.directions @ turn.T, points=found.points @ turn.T + place)
