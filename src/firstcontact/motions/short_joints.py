"""The motion of joints between two configurations that are plain arrays: checked and copied in one call.

What is anything else, and what is wrong with it, is left to who makes it at length: here it has no motion.
"""

from typing import Any, cast

import numpy as np

from firstcontact._jit import NotPlainError, plain_driver
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.arrays import Array
from firstcontact.motions.joint_motion import JointMotion

# From when to when.
WHOLE = np.array([0.0, 1.0])
WHOLE.setflags(write=False)

_new, _ndarray, _empty = object.__new__, np.ndarray, np.empty


def joints_between(q0: Any, q1: Any, dof: int) -> JointMotion | None:
    """Go straight from one configuration to another; None where these are not two plain ones.

    Of robots that have no quaternions.
    """
    if type(q0) is not _ndarray or type(q1) is not _ndarray or not (q0.shape == q1.shape == (dof,)):
        return None
    values = _empty((1, 2, dof))
    try:
        if not _write(q0, q1, values):
            return None
    except NotPlainError:
        return None
    values.setflags(write=False)
    motion: Any = _new(JointMotion)
    motion.__dict__.update(
        configurations=values, times=WHOLE, quaternions=(), is_batch=False, law=None, bases=None
    )
    return cast(JointMotion, motion)


@plain_driver(1, 1, 3, is_brief=True)
def _write(q0: Array, q1: Array, values: Array) -> bool:
    for k in range(len(q0)):
        if not (abs(q0[k]) <= COORDINATE_LIMIT and abs(q1[k]) <= COORDINATE_LIMIT):
            return False
        values[0, 0, k], values[0, 1, k] = q0[k], q1[k]
    return True
