"""Every contact of a step."""

from typing import Any

from firstcontact._validate import as_flag, as_length, as_scalar
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.problem import pose_problem
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.answer import about, named
from firstcontact.queries.contact_results import Contacts
from firstcontact.queries.deforming import as_culling, every_contact
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import as_moving


def contacts(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    culling: Culling | None = None,
    progress: bool = False,
) -> Contacts:
    """Find every vertex-face and edge-edge contact of a step; with `a` alone, every self-contact.

    Complete and never late. With ``exact=True`` the list is the mathematical truth for the given doubles;
    otherwise pairs that floating point cannot decide are in it too, as `Status.UNDECIDED`. Each pair of
    features is there once; pairs that share a vertex are left out. The same bytes for any number of threads.

    Parameters
    ----------
    a, b : what `Mesh.deforming` gives; a mesh, or a `trimesh.Trimesh`, stands still
    exact : decide ties and near ties in exact arithmetic
    min_separation : a distance up to this counts as contact
    time_tolerance : width to which each time is narrowed down
    culling : stages to switch off, for study
    progress : show a progress bar

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
    separation = as_length("min_separation", min_separation)
    tolerance, is_exact = as_scalar("time_tolerance", time_tolerance, 0.0), as_flag("exact", exact)
    problem = pose_problem(things, separation, as_culling(culling))
    return about(every_contact(problem, tolerance, is_exact, progress), named(things))
