"""Every contact of a step."""

from typing import Any

from firstcontact._validate import as_count, as_scalar
from firstcontact.answers.answer import about, named
from firstcontact.answers.contact_results import Contacts
from firstcontact.deformable.contact_list import MOST_LISTED
from firstcontact.deformable.culling import Culling
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.deforming import DeformingAsk, every_contact
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import as_moving


def contacts(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    max_contacts: int = MOST_LISTED,
    assume_free_start: bool = False,
    culling: Culling | None = None,
    progress: bool = False,
) -> Contacts:
    """Find every contact of a step, also edges through faces at the start; with `a` alone, with itself.

    Complete and never late. With ``exact=True`` the list is the mathematical truth for the given doubles;
    otherwise pairs that floating point cannot decide are in it too, as `Status.UNDECIDED`. Each pair of
    features is there once; pairs that share a vertex are left out. The same bytes for any number of threads.

    Parameters
    ----------
    a, b : what `Mesh.deforming` gives; a mesh, or a `trimesh.Trimesh`, stands still
    exact : decide ties and near ties in exact arithmetic
    min_separation : a distance up to this counts as contact
    time_tolerance : width to which each time is narrowed down
    max_contacts : more contacts than this are an error: coincident faces have millions
    assume_free_start : do not look for edges that pass through faces at the start: there are none
    culling, progress : stages to switch off, for study; show a progress bar

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> c = contacts(leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]), floor)
    >>> c.time.round(6).tolist(), len(contacts(Mesh([], [])))
    ([0.25, 0.5, 0.5], 0)
    """
    things = [as_moving(a)] if b is None else [as_moving(a), as_moving(b)]
    for name, thing in zip("ab", things, strict=False):
        if isinstance(thing.shape, ConvexShape):
            kind = type(thing.shape).__name__
            raise TypeError(f"contacts lists features of meshes, and {name} is a {kind}: use first_contact")
        if not isinstance(thing.motion, Deformation) and not thing.motion.is_resting:
            raise TypeError(
                f"contacts is for deforming meshes, and {name} moves rigidly: use first_contact, or "
                f"straight paths, {name}.shape.deforming({name}.vertices(0), {name}.vertices(1))"
            )
    ask = DeformingAsk.checked(min_separation, culling, exact, assume_free_start, progress)
    most = as_count("max_contacts", max_contacts)
    found = every_contact(things, ask, as_scalar("time_tolerance", time_tolerance, 0.0), most)
    return about(found, named(things))
