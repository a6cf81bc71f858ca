"""Which pairs of features a user does not ask for: checked, and as a search takes it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.deformable.left_out import Groups, LeftOut, Near, left_out_of
from firstcontact.deformable.surface import topology_of
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


def seeks_itself(thing: Moving, ask: Ask) -> bool:
    """Is a thing of a list asked about itself: does it deform, and is self-contact asked for?"""
    return ask.self_contact and thing.kind is Kind.DEFORMING


def left_out_for(things: Sequence[Moving], ask: Ask) -> LeftOut | None:
    """What is left out of the contacts of some things; None where all is asked for."""
    near: Near | None = None if ask.ignore_near is None else Near(*ask.ignore_near)
    meshes = [thing.surface for thing in things]
    groups = _groups(meshes, ask)
    if near is None and groups is None:
        return None
    if near is None or groups is not None or len(meshes) > 1:
        return _made(meshes, near, groups)
    known = meshes[0].content.known
    if near not in known:  # to find the rings takes longer than to search for contacts
        known[near] = _made(meshes, near, None)
    found: LeftOut | None = known[near]
    return found


def _made(meshes: Sequence[Mesh], near: Near | None, groups: Groups | None) -> LeftOut | None:
    edges = [topology_of(mesh).edges for mesh in meshes]
    return left_out_of([mesh.vertices for mesh in meshes], edges, near, groups)


def _groups(meshes: Sequence[Mesh], ask: Ask) -> Groups | None:
    """Groups of all vertices, and which pairs of them are ignored."""
    if ask.groups is None and ask.ignore_groups is None:
        return None
    if ask.groups is None or ask.ignore_groups is None:
        raise ValueError("groups and ignore_groups go together: which vertices, and which pairs of groups")
    given = [ask.groups] if len(meshes) == 1 else ask.groups
    if len(meshes) > 1 and not (isinstance(given, list | tuple) and len(given) == len(meshes)):
        raise ValueError(f"groups of {len(meshes)} things are {len(meshes)} arrays, one for each")
    own = tuple(_whole("groups", values) for values in given)
    if len(own) == 1 and own[0].shape == (1, meshes[0].n_vertices):  # of a list of one thing
        own = (own[0][0],)
    for values, mesh in zip(own, meshes, strict=True):
        if values.shape != (mesh.n_vertices,):
            rule = f"groups must be one integer for each of {mesh.n_vertices} vertices"
            raise ValueError(f"{rule}; received {values.shape}")
    ignored = _whole("ignore_groups", ask.ignore_groups)
    if ignored.size == 0:
        return None
    if ignored.ndim != 2 or ignored.shape[1] != 2:
        raise ValueError(f"ignore_groups must be pairs of groups, (k, 2); received {ignored.shape}")
    return Groups(own, ignored)


def _whole(name: str, values: Any) -> NDArray[np.int64]:
    """Cast whole numbers."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be integers, in rows of one length") from None
    if array.size > 0 and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers; received {array.dtype}")
    if array.dtype == np.uint64 and array.max(initial=0) >= 1 << 63:
        raise ValueError(f"{name} must be integers below 2**63; received {array.max()}")
    return array.astype(np.int64)
