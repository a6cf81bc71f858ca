"""Contacts of every step of an animation."""

from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from firstcontact._validate import as_flag, as_positions
from firstcontact.advancement.ask import MOST_LISTED, Ask
from firstcontact.answers.sequence_results import SequenceContacts, steps_joined
from firstcontact.arrays import Array
from firstcontact.errors import MeshFileError
from firstcontact.queries.frames import FileFrames, Frames, as_frames
from firstcontact.queries.kinds.deforming import as_culling, every_contact, first_listed
from firstcontact.queries.look_up import refuse_options
from firstcontact.queries.registry import DEFORMING, NOTHING, ROWS
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.queries.spread.spread_things import options_sent
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.spreading.batch import Batch

if TYPE_CHECKING:
    from firstcontact.deformable.culling import Culling


def sequence(
    frames: Any,
    mesh: Any = None,
    *,
    only_first: bool = False,
    skip_damaged: bool = False,
    exact: bool = True,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    max_contacts: int = MOST_LISTED,
    assume_free_start: bool = False,
    culling: "Culling | None" = None,
    progress: bool = False,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> SequenceContacts:
    """Find the contacts of a mesh with itself in every step, from each frame to the next.

    Each step is one of `contacts`, with its guarantee. Frames are read where, and when, they are solved.

    Parameters
    ----------
    frames : paths of mesh files with the same faces; or, with `mesh`, which lends its faces, (k, n_vertices,
        3) numbers, also an `np.memmap` or a `dask.array`
    only_first : find the contacts that come first in each step, as `first_contact` does
    skip_damaged : leave out the steps of frames that cannot be read or do not match; else they are errors
    exact, min_separation, time_tolerance, max_contacts, assume_free_start, culling : as for `contacts`
    progress, executor, out : of steps, as for `first_contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> places = [[-9, -9, 0], [9, -9, 0], [0, 9, 0], [0, 0, 3], [1, 0, 4], [0, 1, 4]]
    >>> two = Mesh(places, [[0, 1, 2], [3, 4, 5]])
    >>> fall = np.arange(6)[:, None] // 3 * [0, 0, 2]  # of the second triangle
    >>> found = sequence([two.vertices - i * fall for i in range(3)], two)
    >>> found.counts.tolist(), found[1].time.round(6).tolist(), len(sequence([]))
    ([0, 3], [0.5, 1.0, 1.0], 0)
    """
    ask = Ask.checked(
        exact=exact,
        min_separation=min_separation,
        time_tolerance=time_tolerance,
        max_contacts=max_contacts,
        assume_free_start=assume_free_start,
        culling=culling,
        progress=progress,
        executor=executor,
        out=out,
    )
    as_culling(culling)
    own = None if mesh is None else as_mesh(mesh)
    found = as_frames(frames, own)
    if ask.out is not None and isinstance(found, FileFrames):
        found = found.stamped()
    whole = Steps(
        own, options_sent(ask), as_flag("only_first", only_first), as_flag("skip_damaged", skip_damaged)
    )
    if whole.only_first:
        refuse_options(ROWS["first_contact", DEFORMING, NOTHING], Ask(**whole.options))
    batch = Batch(whole, (found,), max(len(found) - 1, 0), "steps", is_heavy=True)
    contacts: SequenceContacts = spread_answer(batch, ask)
    return contacts


class Pose(NamedTuple):
    """A frame that was read: the mesh that lends its faces, and the places of its vertices."""

    mesh: Mesh
    places: Array


class Steps:
    """What all steps of a sequence share; the rows are frames.

    The mesh that lends its faces is kept where steps are worked on, and with it what depends on these.
    """

    names_rows: ClassVar[bool] = True

    def __init__(self, mesh: Mesh | None, options: dict[str, Any], only_first: bool, skips: bool) -> None:
        self.mesh, self.options, self.only_first, self.skips = mesh, options, only_first, skips
        self._last = mesh

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_last": self.mesh}

    def answer(self, rows: tuple[Any, ...]) -> SequenceContacts:
        """Find the contacts of some steps, each frame read once."""
        frames: Frames = rows[0]
        found, problems, seconds = [], [], []
        before: Pose | str = ""
        for k in range(len(frames) if len(frames) > 1 else 0):
            after = self._read(frames, k, before)
            if k > 0:
                problem = _problem(frames, k, before, after)
                if problem and not self.skips:
                    fault = MeshFileError if self.mesh is None else ValueError
                    raise fault(f"step {frames.first + k - 1}: {problem}")
                began = perf_counter()
                found.append(None if problem else self._contacts(frames.first + k - 1, before, after))
                seconds.append(0.0 if problem else perf_counter() - began)
                problems.append(problem)
            before = after
        return steps_joined(found, problems, seconds)

    def _read(self, frames: Frames, k: int, before: Pose | str) -> Pose | str:
        """Read a frame, or say why it cannot be; those with the same faces share one mesh."""
        try:
            read: Any = frames.read(k)
            if self.mesh is not None:
                return Pose(self.mesh, as_positions(frames.name(k), read, self.mesh.n_vertices))
        except OSError as error:
            return f"{frames.name(k)} cannot be read: {error.strerror}" if error.strerror else str(error)
        except (TypeError, ValueError) as error:
            return str(error)
        known = before.mesh if isinstance(before, Pose) else None
        for mesh in (known, self._last):  # another thread may have kept its own in the meantime
            if (
                mesh is not None
                and mesh.n_vertices == len(read.vertices)
                and np.array_equal(mesh.faces, read.faces)
            ):
                return Pose(mesh, read.vertices)
        self._last = read
        return Pose(read, read.vertices)

    def _contacts(self, step: int, before: Any, after: Any) -> Any:
        moving, ask = before.mesh.deforming(before.places, after.places), Ask(**self.options)
        try:
            return first_listed(moving, None, ask) if self.only_first else every_contact(moving, None, ask)
        except ValueError as error:
            raise ValueError(f"step {step}: {error}") from error


def _problem(frames: Frames, k: int, before: Pose | str, after: Pose | str) -> str:
    """Say why a step to frame k cannot be worked on; nothing where it can."""
    faults = [pose for pose in (before, after) if isinstance(pose, str)]
    if faults:
        return "; ".join(faults)
    a, b = before.mesh, after.mesh  # type: ignore[union-attr]
    if a is b:
        return ""
    names = frames.name(k - 1), frames.name(k)
    if a.n_vertices != b.n_vertices:
        return f"{names[1]} has {b.n_vertices} vertices, {names[0]} has {a.n_vertices}"
    return f"{names[1]} has other faces than {names[0]}"
