"""Motions by formulas and by splines: how far they are from the pieces that stand for them.

The referee works out where some points of a body truly are, by the same formula in many digits, or by the
spline's own polynomials in extended precision. In no stretch of time, of any length, is a point farther from
its piece than the piece says.
"""

from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline

import firstcontact as fc
from firstcontact.motions.rigid_motion import DEVIATION
from oracles.convex_cores import AXIS, CENTER, POSITION, RATE, ROTATION, START_TIME, VELOCITY
from shrinking import rounder
from things import Rng

mpmath.mp.dps = 40

SINGLE = ("sin", "cos", "exp", "tanh", "arctan", "square", "root", "log", "inverse", "arcsin", "abs", "cube")
DOUBLE = ("+", "-", "*", "/", "hypot", "power")

# How many ways a formula is nested, at the most.
DEEP = 4

# What has no bounds is refused, and what is no number; so are splines that SciPy could not make.
REFUSED = (
    "bounded second derivatives",
    "must be below",
    "has no derivatives",
    "the spline of",
    "finite",
    "infs or NaNs",
)

POINTS = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [-0.6, 0.8, 0], [0, 0, 0]])


def make(rng: Rng) -> dict[str, Any]:
    """A formula for a place, and at times for a rotation vector or a quaternion; or the knots of splines."""
    stretches = [_stretch(rng) for _ in range(6)]
    common = {"stretches": stretches, "reach": float(rng.choice([0.0, 0.1, 1.0, 100.0]))}
    if rng.random() < 0.3:
        times = np.cumsum([0.0, *rng.choice([1.0, 2.0, 0.1], int(rng.integers(2, 6)))])
        knots = len(times)
        turns = rng.normal(size=(knots, 3)) * float(rng.choice([1e-9, 0.1, 1.0, 3.0]))
        places = rng.normal(size=(knots, 3)) * float(rng.choice([1.0, 1e6, 1e-6]))
        return common | {
            "times": (times / times[-1]).tolist(),
            "turns": turns.tolist(),
            "places": places.tolist(),
        }
    n_turn = int(rng.choice([0, 3, 4]))
    return common | {
        "place": [_formula(rng, DEEP) for _ in range(3)],
        "turn": [_formula(rng, DEEP - 1) for _ in range(n_turn)],
    }


def _stretch(rng: Rng) -> list[float]:
    """From when to when: all of it, some of it, an instant, and next to nothing."""
    start = float(rng.choice([0.0, rng.random(), 0.5]))
    length = float(rng.choice([1.0, 10.0 ** rng.uniform(-12, 0), 0.0]))
    return [start, min(start + length, 1.0)]


def _formula(rng: Rng, depth: int) -> Any:
    kind = rng.random()
    if depth == 0 or kind < 0.25:
        return "t" if rng.random() < 0.6 else float(np.round(rng.normal() * rng.choice([1, 10]), 2))
    if kind < 0.6:
        return [str(rng.choice(SINGLE)), _formula(rng, depth - 1)]
    return [str(rng.choice(DOUBLE)), _formula(rng, depth - 1), _formula(rng, depth - 1)]


def worked_out(formula: Any, t: Any, how: Any) -> Any:
    """What a formula gives at t, by the functions of NumPy or of mpmath."""
    if formula == "t":
        return t
    if not isinstance(formula, list):
        return formula
    if how is mpmath and not _has_time(formula):  # numbers alone are what NumPy makes of them
        return mpmath.mpf(float(worked_out(formula, t, np)))
    x, *more = (worked_out(part, t, how) for part in formula[1:])
    name = formula[0]
    one = x if not more else more[0]
    sums = {"+": lambda: x + one, "-": lambda: x - one, "*": lambda: x * one, "/": lambda: x / one}
    if name in sums:
        return sums[name]()
    others = {
        "square": lambda: x * x,
        "cube": lambda: x**3,
        "root": lambda: how.sqrt(x),
        "inverse": lambda: 1 / (1 + x * x),
        "log": lambda: how.log(1 + x * x),
        "arcsin": lambda: (how.asin if how is mpmath else how.arcsin)(x),
        "arctan": lambda: (how.atan if how is mpmath else how.arctan)(x),
        "abs": lambda: abs(x),
        "hypot": lambda: how.hypot(x, one),
        "power": lambda: (x * x + 0.5) ** one,
    }
    return others[name]() if name in others else getattr(how, name)(x)


def _has_time(formula: Any) -> bool:
    return formula == "t" or (isinstance(formula, list) and any(map(_has_time, formula[1:])))


def check(case: dict[str, Any]) -> str | None:
    """Ask for pieces, and place points by them and truly."""
    reach = case["reach"]
    body = fc.Sphere(reach) if reach else fc.Mesh([[0, 0, 0]] * 3, [[0, 1, 2]])
    try:
        with np.errstate(all="ignore"):  # numbers alone, and SciPy, may overflow before the library is asked
            followed, truth = _splines(case) if "times" in case else _formulas(case)
        law = body.along(followed).motion.law
    except (ValueError, TypeError) as error:
        return None if any(words in str(error) for words in REFUSED) else f"refused: {error}"
    except (ZeroDivisionError, OverflowError):
        return None  # by Python itself, in numbers alone
    if law is None:
        return "a smooth motion has no law"
    starts, ends = np.array(case["stretches"], float).T
    rows = law.rows(np.zeros(len(starts), np.intp), starts, ends)
    for row, start, end in zip(rows, starts, ends, strict=True):
        for t in np.unique(start + (end - start) * np.array([0.0, 0.13, 0.5, 0.77, 1.0])):
            fault = _fault(row, float(min(t, end)), truth, reach)
            if fault:
                return f"{fault}, from {start} to {end}"
    return None


def _fault(row: Any, t: float, truth: Any, reach: float) -> str | None:
    """How far are points of the piece from where they truly are?"""
    true_turn, true_place = truth(t)
    passed = mpmath.mpf(t) - mpmath.mpf(float(row[START_TIME]))
    turn = _turn(_matrix(row[AXIS]) * (mpmath.mpf(float(row[RATE])) * passed)) * _square(row[ROTATION])
    place = _matrix(row[POSITION]) + _matrix(row[VELOCITY]) * passed
    for point in POINTS * reach:
        x = _matrix(point)
        off = mpmath.norm(place + turn * (x - _matrix(row[CENTER])) - true_place - true_turn * x)
        if not off <= mpmath.mpf(float(row[DEVIATION])):
            return f"off by {float(off)} at {t}, and the deviation is {row[DEVIATION]}"
    return None


def _formulas(case: dict[str, Any]) -> tuple[Any, Any]:
    places, turns = case["place"], case["turn"]

    def function(t: Any) -> Any:
        place = [worked_out(part, t, np) for part in places]
        return ([worked_out(part, t, np) for part in turns], place) if turns else place

    def truth(t: float) -> Any:
        time = mpmath.mpf(t)
        with np.errstate(all="ignore"):
            place = mpmath.matrix([worked_out(part, time, mpmath) for part in places])
            parts = mpmath.matrix([worked_out(part, time, mpmath) for part in turns]) if turns else None
        if parts is None:
            return mpmath.eye(3), place
        return (_turn(parts) if len(turns) == 3 else _from_quaternion(parts)), place

    return fc.motion(function), truth


def _splines(case: dict[str, Any]) -> tuple[Any, Any]:
    times = np.array(case["times"], float)
    place = CubicSpline(times, np.array(case["places"], float))
    turn = RotationSpline(times, Rotation.from_rotvec(np.array(case["turns"], float)))

    def truth(t: float) -> Any:
        # Of two pieces that meet, the later one.
        i = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2))
        passed = mpmath.mpf(t) - mpmath.mpf(times[i])
        vector = _polynomial(turn.interpolator.c[:, i], passed)
        start = _square(turn.rotations[i].as_matrix().ravel())
        return start * _turn(vector), _polynomial(place.c[:, i], passed)

    return (turn, place), truth


def _polynomial(coefficients: Any, x: Any) -> Any:
    value = mpmath.matrix([0, 0, 0])
    for row in coefficients:
        value = value * x + _matrix(row)
    return value


def _matrix(numbers: Any) -> Any:
    return mpmath.matrix([mpmath.mpf(float(x)) for x in numbers])


def _square(numbers: Any) -> Any:
    return mpmath.matrix([[mpmath.mpf(float(numbers[3 * i + j])) for j in range(3)] for i in range(3)])


def _turn(vector: Any) -> Any:
    """The rotation by a vector."""
    angle = mpmath.norm(vector)
    if angle == 0:
        return mpmath.eye(3)
    x, y, z = vector / angle
    across = mpmath.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return mpmath.eye(3) + mpmath.sin(angle) * across + 2 * mpmath.sin(angle / 2) ** 2 * (across * across)


def _from_quaternion(q: Any) -> Any:
    x, y, z, w = q / mpmath.norm(q)
    across = mpmath.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return mpmath.eye(3) + 2 * w * across + 2 * (across * across)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One stretch; simpler formulas; rounder numbers."""
    if len(case["stretches"]) > 1:
        yield from (case | {"stretches": [stretch]} for stretch in case["stretches"])
    for name in ("place", "turn"):
        for i, formula in enumerate(case.get(name, [])):
            for simpler in (0.0, *(formula[1:] if isinstance(formula, list) else [])):
                if formula != simpler:
                    yield case | {name: [*case[name][:i], simpler, *case[name][i + 1 :]]}
    if "times" not in case:
        yield from rounder(case)
