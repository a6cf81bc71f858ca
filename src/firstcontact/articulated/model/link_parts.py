"""The shapes of a link, and where they are on it."""

from typing import Any, NamedTuple

from firstcontact.arrays import Array
from firstcontact.shapes.compound import moving_parts
from firstcontact.shapes.mesh import as_moving, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, frozen, shape_of
from firstcontact.shapes.voxels import skinned


class LinkPart(NamedTuple):
    """A shape of a link, and its pose (4, 4) in the link's frame."""

    link: str
    shape: Shape
    pose: Array


def parts_of_link(link: str, shapes: Any) -> tuple[LinkPart, ...]:
    """Shapes of a link, as a user gives them."""
    if not link:
        raise TypeError("links must have names; received ''")
    things = shapes if isinstance(shapes, list | tuple) else (shapes,)
    return tuple(part for thing in things for part in _parts(link, thing))


def _parts(link: str, thing: Any) -> list[LinkPart]:
    """What a thing is made of: of a compound, its parts; of voxels, their surface, which is closed."""
    moving = as_moving(thing)
    if moving.kind is not Kind.COMPOUND:
        return [_part(link, skinned(moving))]
    return [_part(link, skinned(part)) for part in moving_parts(moving)]


def _part(link: str, moving: Moving) -> LinkPart:
    if moving.kind is Kind.ROBOT:
        raise TypeError(f"a link is made of shapes, and one of link {link!r} is a robot")
    if moving.shape.dimension == 2:
        raise TypeError(f"a link is made of shapes in space, and one of link {link!r} is in the plane")
    if moving.kind is Kind.FIELD:
        raise TypeError(f"a link is made of convex shapes and meshes, and one of link {link!r} is a field")
    if moving.kind is Kind.HALF_SPACE:
        raise TypeError(f"a link has bounds, and a shape of link {link!r} is a HalfSpace, which has none")
    if moving.kind is Kind.DEFORMING or not moving.motion.is_resting or moving.motion.is_batch:
        raise ValueError(f"a shape of link {link!r} must stand still in its frame: use shape.at(pose)")
    shape = shape_of(moving)
    if is_empty(shape):
        raise ValueError(f"a mesh of link {link!r} has no faces")
    return LinkPart(link, shape, frozen(moving.pose(0.0)))
