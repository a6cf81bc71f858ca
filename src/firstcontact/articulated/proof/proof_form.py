"""Is a proof one by its form? What was tampered with may hold anything, and gets a sentence, not an error."""

from typing import Any

import numpy as np

from firstcontact.articulated.model.world_shapes import Things
from firstcontact.articulated.proof.proof_intervals import Intervals
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# The kinds of numbers in the columns of `Intervals`, and how many a row has besides.
_COLUMNS = {"pairs": ("i", ()), "times": ("f", (2,)), "at": ("f", ())}
_COLUMNS |= {"gaps": ("f", ()), "travels": ("f", ()), "directions": ("f", (3,))}


def malformed(proof: Any) -> str | None:
    """Say which part of a proof is none by its form; None where all are."""
    things, k = proof.things, proof.intervals
    if not isinstance(things, Things) or not _are_things(things):
        return "it is about no robot and obstacles"
    for name in ("min_separation", "tolerance", "end"):
        if not _is_length(getattr(proof, name)):
            return f"its {name} is no finite number of at least 0"
    if proof.end > 1.0:
        return "its end is beyond 1"
    is_robot = things.robot.kind is Kind.ROBOT
    if not isinstance(proof.solid, bool | np.bool_) or (is_robot and not proof.solid):
        return "it does not say that closed meshes are solid, as those of robots are"
    if not isinstance(proof.bodies, tuple) or not isinstance(proof.allowed, frozenset):
        return "its names are not in a tuple and a set"
    if not _is_array(proof.pairs, "i", (2,)) or not _is_array(proof.paddings, "f", ()):
        return "its pairs and paddings are not numbers"
    if not isinstance(k, Intervals) or not all(
        _is_array(getattr(k, one), *_COLUMNS[one]) for one in _COLUMNS
    ):
        return "the intervals are not numbers"
    if len({len(column) for column in k}) > 1:
        return "its intervals are not complete"
    return None


def _are_things(things: Things) -> bool:
    obstacles: Any = things.obstacles
    is_named = isinstance(obstacles, dict) and all(isinstance(name, str) for name in obstacles)
    return is_named and all(isinstance(thing, Moving) for thing in (things.robot, *obstacles.values()))


def _is_length(value: Any) -> bool:
    is_number = isinstance(value, int | float | np.floating) and not isinstance(value, bool)
    return is_number and 0.0 <= value < np.inf


def _is_array(array: Any, kind: str, tail: tuple[int, ...]) -> bool:
    is_one = isinstance(array, np.ndarray) and array.dtype.kind == kind and array.ndim > 0
    return is_one and array.shape[1:] == tail and (kind == "i" or bool(np.isfinite(array).all()))
