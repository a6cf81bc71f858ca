"""Every contact of a step."""

from typing import TYPE_CHECKING, Any

from firstcontact.advancement.ask import MOST_LISTED, Ask
from firstcontact.answers.contact_results import Contacts
from firstcontact.queries.look_up import answer_about

if TYPE_CHECKING:
    from firstcontact.deformable.culling import Culling


def contacts(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    max_contacts: int = MOST_LISTED,
    assume_free_start: bool = False,
    culling: "Culling | None" = None,
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
    ask = Ask.checked(
        exact=exact,
        min_separation=min_separation,
        time_tolerance=time_tolerance,
        max_contacts=max_contacts,
        assume_free_start=assume_free_start,
        culling=culling,
        progress=progress,
    )
    found: Contacts = answer_about("contacts", a, b, ask)
    return found
