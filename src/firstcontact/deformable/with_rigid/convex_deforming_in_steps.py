"""First contact of a convex shape and a mesh that deforms from frame to frame: one step after the other.

A step has a clock of its own, from 0 to 1. The pieces of the shape's motion are told by it, which rounds
their times and velocities: what that moves the shape by is added to its deviation.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.arrays import Array
from firstcontact.deformable.with_rigid.convex_deforming_first import (
    DeformingContact,
    Faces,
    convex_deforming_first,
)
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    RATE,
    START_TIME,
    VELOCITY,
)
from firstcontact.motions.step_times import times_above, times_below
from firstcontact.motions.stepped_deformation import DeformationStep
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.moving import Deforms
from firstcontact.status import Status

# Rounding of the times and velocities of a piece on another clock, in units of how far it takes a point in
# the times that they are about. A base time is off by 3 u of itself, a velocity by 2 u, an end by 3 u.
RETIMED = 16.0 * UNIT_ROUNDOFF


class ShapeAndMesh(NamedTuple):
    """The first shape of a table, and a mesh that deforms; no point of the shape is farther from its origin.

    faces : of the mesh
    deforms : how its vertices move
    """

    table: ConvexTable
    faces: Faces
    deforms: Deforms
    reach: float


def convex_deforming_steps(pair: ShapeAndMesh, rows: Array, options: Options) -> DeformingContact:
    """Find the first contact over all steps; never late.

    rows : (k, 26), pieces of the shape's motion, over the whole time or a part of it
    """
    table, faces, deforms, reach = pair
    if isinstance(deforms, Deformation):
        return convex_deforming_first(table, rows, (deforms.frames[0], deforms.frames[1]), faces, options)
    first = int(np.searchsorted(deforms.times, rows[0, START_TIME], side="right")) - 1
    n_tests, found = 0, _apart(0)
    for k in range(max(min(first, len(deforms.times) - 2), 0), len(deforms.times) - 1):
        step = deforms.step(k)
        own = rows_in_step(rows, step, reach)
        if len(own) == 0:
            break
        ends = step.deformation.vertices_t0, step.deformation.vertices_t1
        left = options._replace(max_iterations=options.max_iterations - n_tests)
        found = convex_deforming_first(table, own, ends, faces, left)
        n_tests += found.triangle_tests
        if found.status != Status.SEPARATED:
            return _in_whole(found, step, n_tests)
    return found._replace(triangle_tests=n_tests)


def rows_in_step(rows: Array, step: DeformationStep, reach: float) -> Array:
    """Pieces (k, 26) of what reaches that far from its origin, by the clock of a step, those in it."""
    starts, ends = np.maximum(rows[:, START_TIME], step.start), np.minimum(rows[:, END_TIME], step.end)
    own = rows[starts <= ends].copy()
    if len(own) > 1:  # a piece that only touches the step is none of it
        own = own[np.maximum(own[:, START_TIME], step.start) < np.minimum(own[:, END_TIME], step.end)]
    span = step.end - step.start
    arms = reach + np.linalg.norm(own[:, CENTER:END_TIME], axis=1)
    speeds = np.linalg.norm(own[:, VELOCITY:AXIS], axis=1) + own[:, RATE] * arms
    lasts = np.abs(own[:, BASE_TIME] - step.start) + span
    own[:, DEVIATION] += RETIMED * np.max(speeds * lasts, initial=0.0)
    own[:, VELOCITY:AXIS] *= span
    own[:, RATE] *= span
    own[:, BASE_TIME] = (own[:, BASE_TIME] - step.start) / span
    for column in (START_TIME, END_TIME):
        own[:, column] = np.clip((own[:, column] - step.start) / span, 0.0, 1.0)
    return own


def _in_whole(found: DeformingContact, step: DeformationStep, n_tests: int) -> DeformingContact:
    """What was found in a step, by the clock of the whole motion."""
    start, end, _ = step
    time = float(times_below(start, end, np.array(found.time)))
    upper = float(times_above(start, end, np.array(found.time_upper)))
    is_later = found.status == Status.CONTACT_AT_START and time > 0.0
    status = Status.CONTACT if is_later else found.status
    return found._replace(status=status, time=time, time_upper=upper, triangle_tests=n_tests)


def _apart(n_tests: int) -> DeformingContact:
    nowhere = np.full((2, 3), np.nan)
    return DeformingContact(Status.SEPARATED, np.inf, np.inf, -1, nowhere, nowhere[0].copy(), n_tests)
