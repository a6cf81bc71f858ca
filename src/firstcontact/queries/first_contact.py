"""The first contact of moving things, and the step that is safe."""

from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import FirstContact, FirstContacts
from firstcontact.queries.look_up import answer, answer_about
from firstcontact.shapes.moving import Moving

if TYPE_CHECKING:
    from firstcontact.deformable.culling import Culling


def first_contact(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    exact: bool = True,
    culling: "Culling | None" = None,
    assume_free_start: bool = False,
    only_closing: bool = False,
    ignore_near: float | None = None,
    groups: Any = None,
    ignore_groups: Any = None,
    self_contact: bool = False,
    progress: bool = False,
) -> FirstContact:
    """When, where and between which features do moving things first touch? With `a` alone: itself.

    Never late, never missed. Of rigid bodies the distance at `time` is at most `tolerance`. Of deforming
    meshes the time is that of exact arithmetic, bracketed by neighbouring doubles. Convex shapes are solid.

    Parameters
    ----------
    a, b : what `Shape.moving`, `along`, `at` and `Mesh.deforming` give; a shape, or one of trimesh, rests.
        Or what `Robot.moving` gives, and obstacles as for `is_free`: a `RobotContact` then
    tolerance, min_separation : a millionth of the smaller size, and 0, unless given; the latter is contact
    method, solid, max_iterations, self_contact : as for `first_contacts`
    exact, culling, progress, and all that is not here : for deforming meshes, as for `contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> hit = first_contact(leaf.moving(np.eye(4), velocity=[0, 0, -4]), floor)
    >>> round(hit.time, 5), hit.features.tolist()
    (0.25, [[0, 0, 0]])
    >>> bool(first_contact(leaf, floor)), bool(first_contact(Mesh([], []), floor))
    (False, False)
    """
    ask = Ask.checked(
        tolerance=tolerance,
        min_separation=min_separation,
        method=method,
        max_iterations=max_iterations,
        solid=solid,
        exact=exact,
        culling=culling,
        assume_free_start=assume_free_start,
        only_closing=only_closing,
        ignore_near=ignore_near,
        groups=groups,
        ignore_groups=ignore_groups,
        self_contact=self_contact,
        progress=progress,
    )
    found: FirstContact = answer_about("first_contact", a, b, ask)
    if min_separation or solid:  # what a certificate is to prove
        found.__dict__.update(_kept=ask.min_separation, _is_solid=ask.solid)
    return found


def first_contacts(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    self_contact: bool = False,
    progress: bool = False,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> FirstContacts:
    """Answer `first_contact` for a batch of rigid motions, on all threads; one contact each.

    Parameters
    ----------
    a, b : rigid bodies, moving or at rest; of one or both a batch, of the same length. Or robots, as above
    tolerance, min_separation : as for `first_contact`
    method : to compare "c2a-2009", "ca", "interval", "algebraic"; "swept", "bisection", "extruded" if convex
    max_iterations : steps of advancement, a piece of a motion, before `Status.MAX_ITERATIONS`
    solid : whether what is inside another at the start, both closed, is in contact, though nothing touches
    self_contact, progress : as for `is_free`; show a progress bar
    executor : who works on the motions: processes, threads or a `cluster`, with the same bytes
    out : a folder for answers larger than memory; who is interrupted goes on where it stopped

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> falls = leaf.moving(np.eye(4), velocity=[[0, 0, -4], [0, 0, 4], [0, 0, -2]])
    >>> first_contacts(falls, floor).time.round(5).tolist()
    [0.25, inf, 0.5]
    >>> first_contacts(leaf.at(np.empty((0, 4, 4))), floor)
    FirstContacts(0 motions, 0 with contact)
    """
    ask = Ask.checked(
        tolerance=tolerance,
        min_separation=min_separation,
        method=method,
        max_iterations=max_iterations,
        solid=solid,
        self_contact=self_contact,
        progress=progress,
        executor=executor,
        out=out,
    )
    found: FirstContacts = answer_about("first_contacts", a, b, ask)
    return found


def safe_step(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    exact: bool = True,
    culling: "Culling | None" = None,
    assume_free_start: bool = False,
    only_closing: bool = False,
    ignore_near: float | None = None,
    groups: Any = None,
    ignore_groups: Any = None,
    self_contact: bool = False,
    progress: bool = False,
) -> float:
    """How far along the step, in [0, 1], is it before the first contact?

    The `time` of `first_contact`, and 1 where there is none: never later than the true first contact.

    Parameters
    ----------
    a, b, tolerance, min_separation, method, max_iterations, solid : as for `first_contact`
    exact, culling, assume_free_start, self_contact, progress : as for `first_contact`
    only_closing, ignore_near, groups, ignore_groups : for deforming meshes, as for `contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> falling = leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4])
    >>> safe_step(falling, floor), safe_step(falling, floor, min_separation=0.5), safe_step(leaf, floor)
    (0.25, 0.125, 1.0)
    """
    ask = Ask.checked(
        tolerance=tolerance,
        min_separation=min_separation,
        method=method,
        max_iterations=max_iterations,
        solid=solid,
        exact=exact,
        culling=culling,
        assume_free_start=assume_free_start,
        only_closing=only_closing,
        ignore_near=ignore_near,
        groups=groups,
        ignore_groups=ignore_groups,
        self_contact=self_contact,
        progress=progress,
    )
    time: float = answer("safe_step", a, b, ask)
    return time


def step_of_first(a: Moving, b: Any, ask: Ask) -> float:
    """The safe step, where nobody finds it faster than the first contact: its time, 1 where there is none."""
    first: FirstContact = answer("first_contact", a, b, ask)
    return min(first.time, 1.0)
