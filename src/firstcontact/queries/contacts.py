"""Every contact of a step; and of an instant, with a field."""

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import ArrayLike

from firstcontact.advancement.ask import MOST_LISTED, Ask
from firstcontact.answers.contact_results import Contacts
from firstcontact.queries.look_up import answer_about, kind_of, refuse, refuse_options
from firstcontact.queries.registry import DEFORMED, FIELD, POINTS, ROWS, SEVERAL
from firstcontact.shapes.mesh import Mesh, as_moving

if TYPE_CHECKING:
    from firstcontact.answers.field_results import FieldContacts
    from firstcontact.deformable.culling import Culling
    from firstcontact.fields.distance_field import DistanceField


@overload
def contacts(a: ArrayLike | Mesh, b: "DistanceField", *, within: float | None = None) -> "FieldContacts": ...


@overload
def contacts(
    a: Any,
    b: Any = None,
    *,
    within: float | None = None,
    exact: bool = True,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    max_contacts: int = MOST_LISTED,
    assume_free_start: bool = False,
    self_contact: bool = False,
    culling: "Culling | None" = None,
    only_closing: bool = False,
    ignore_near: float | None = None,
    groups: Any = None,
    ignore_groups: Any = None,
    progress: bool = False,
    executor: Executor | None = None,
) -> Contacts: ...


def contacts(
    a: Any,
    b: Any = None,
    *,
    within: float | None = None,
    exact: bool = True,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    max_contacts: int = MOST_LISTED,
    assume_free_start: bool = False,
    self_contact: bool = False,
    culling: "Culling | None" = None,
    only_closing: bool = False,
    ignore_near: float | None = None,
    groups: Any = None,
    ignore_groups: Any = None,
    progress: bool = False,
    executor: Executor | None = None,
) -> "Contacts | FieldContacts":
    """Find every contact of a step, also edges through faces at the start; with `a` alone, with itself.

    Complete and never late. With ``exact=True`` the list is the mathematical truth for the given doubles;
    else pairs that floating point cannot decide are in it, too, as `Status.UNDECIDED`; with a rigid body in
    motion, pairs within the tolerance. Features that share a vertex are none. With a field, elements near it.

    Parameters
    ----------
    a, b : what deforms; a mesh, or a `trimesh.Trimesh`; one may move rigidly. Or a list of such, all pairs
    within : with a field, or points and a field, a length; 0 unless given; where it is negative, how deep
    min_separation, tolerance, time_tolerance : what counts as contact; beside what moves rigidly; of times
    assume_free_start, culling, self_contact : nothing crosses at the start; leave stages out; of lists
    only_closing : leave out what touches at the start and comes no nearer: steps can begin in contact
    ignore_near : leave out neighbours: an int, up to so many edges apart; a float, so near in `Mesh.vertices`
    groups, ignore_groups : an integer a vertex, in two arrays for two; pairs of them, whose features are none
    exact, max_contacts, progress, executor : decide ties exactly; at most; show; as for `first_contacts`

    Examples
    --------
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> c = contacts(leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]), floor)
    >>> c.time.round(6).tolist(), len(contacts(Mesh([], [])))
    ([0.25, 0.5, 0.5], 0)
    """
    ask = Ask.checked(
        within=within,
        exact=exact,
        tolerance=tolerance,
        min_separation=min_separation,
        time_tolerance=time_tolerance,
        max_contacts=max_contacts,
        assume_free_start=assume_free_start,
        self_contact=self_contact,
        culling=culling,
        only_closing=only_closing,
        ignore_near=ignore_near,
        groups=groups,
        ignore_groups=ignore_groups,
        progress=progress,
        executor=executor,
    )
    if kind_of(b) is FIELD and kind_of(a) not in DEFORMED:
        return _with_field(a, b, ask)
    found: Contacts = answer_about("contacts", a, b, ask)
    return found


def _with_field(a: Any, b: Any, ask: Ask) -> "FieldContacts":
    """Let who knows fields answer; what is no thing is taken for points."""
    kind = kind_of(a)
    row = ROWS["contacts", POINTS if kind is SEVERAL else kind, FIELD]
    refuse(row, "contacts", a, b)
    refuse_options(row, ask)
    found: FieldContacts = row.answer(a if kind is SEVERAL else as_moving(a), as_moving(b), ask)
    return found
