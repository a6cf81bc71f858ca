"""When bodies touch a field and part from it again: are all contacts within the bounds, and proven ones real?

The referee is the formula of the distance to the box that the field was made of, at points of the body and
at many times: no point is in the shape outside the outer bounds; within the inner ones, where nothing is in
doubt, a ball is in contact at every time.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from shrinking import rounder
from things import Array

SECONDS_A_CASE = 60.0

N_TIMES = 2001


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Half sizes of the box, a tolerance, a body, how it moves, and how the field turns about its middle."""
    place = rng.normal(size=3)
    place *= rng.choice([0.0, 1.0, 2.0]) / np.linalg.norm(place)
    way = rng.choice([0.0, 1.0, 2.0]) * (0.4 * rng.normal(size=3) - place)
    return {
        "half": rng.choice([0.1, 0.4, 0.8], 3).tolist(),
        "tolerance": float(rng.choice([0.01, 0.05])),
        "body": str(rng.choice(["ball", "point", "strand", "box", "mesh", "field"])),
        "size": float(rng.choice([0.05, 0.2, 0.5])),
        "place": place.tolist(),
        "way": way.tolist(),
        "bend": (rng.choice([0.0, 4.0], p=[0.7, 0.3]) * rng.normal(size=3)).tolist(),
        "spin": (rng.choice([0.0, 3.0, 30.0]) * rng.normal(size=3)).tolist(),
        "turn": (rng.choice([0.0, 0.0, 2.0]) * rng.normal(size=3)).tolist(),
        "scale": float(rng.choice([1.0, 1.0, 1e-6, 1e9])),
        "seed": int(rng.integers(1 << 30)),
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask for the intervals, and look at points of the body."""
    scale, half = case["scale"], np.array(case["half"])
    field = fc.DistanceField.of(fc.Box(2 * half * scale), case["tolerance"] * scale, margin=0.5 * scale)
    body, points = _body(case)
    ways = {name: np.array(case[name]) for name in ("place", "way", "bend", "spin", "turn")}
    moves = {"velocity": ways["way"] * scale, "angular_velocity": ways["spin"]}
    if ways["bend"].any():
        moves["acceleration"] = ways["bend"] * scale
    moving = body.moving((np.eye(3), ways["place"] * scale), **moves)
    found = fc.contact_intervals(moving, field.moving(np.eye(4), angular_velocity=ways["turn"]))
    times = np.linspace(0.0, 1.0, N_TIMES)
    turns = Rotation.from_rotvec(times[:, np.newaxis] * ways["spin"]).as_matrix()
    middles = ways["place"] + times[:, np.newaxis] * ways["way"]
    middles = middles + 0.5 * times[:, np.newaxis] ** 2 * ways["bend"]
    places = np.einsum("tij,pj->tpi", turns, points) + middles[:, np.newaxis]
    back = Rotation.from_rotvec(-times[:, np.newaxis] * ways["turn"]).as_matrix()
    over = np.abs(np.einsum("tij,tpj->tpi", back, places)) - half
    away = np.linalg.norm(over.clip(0.0), axis=-1) + over.max(axis=-1).clip(None, 0.0)
    radius = case["size"] if case["body"] in ("ball", "point", "strand", "field") else 0.0
    return _fault(found, times, away.min(axis=1) - radius, radius > 0.0)


def _body(case: dict[str, Any]) -> tuple[Any, Array]:
    """A body, and points of it that are to be looked at, without the scale."""
    size, scale = case["size"], case["scale"]
    if case["body"] == "strand":  # of no length: a ball
        return fc.Strands(np.zeros((2, 3)), [2], size * scale), np.zeros((1, 3))
    if case["body"] == "point":
        return fc.Points(np.zeros((1, 3)), size * scale), np.zeros((1, 3))
    if case["body"] in ("ball", "field"):
        ball = fc.Sphere(size * scale)
        is_ball, nothing = case["body"] == "ball", np.zeros((1, 3))
        return ball if is_ball else fc.DistanceField.of(ball, 0.05 * size * scale), nothing
    box = fc.Box(np.array([2.0, 1.0, 0.5]) * size * scale)
    rng = np.random.default_rng(case["seed"])
    points = rng.uniform(-0.5, 0.5, (60, 3))
    axes = rng.integers(0, 3, 60)
    points[np.arange(60), axes] = 0.5 * np.sign(points[np.arange(60), axes])  # of the surface
    return box if case["body"] == "box" else box.mesh, points * np.array([2.0, 1.0, 0.5]) * size


def _fault(found: Any, times: Array, away: Array, is_all: bool) -> str | None:
    outer, inner = np.zeros(len(times), bool), np.zeros(len(times), bool)
    spans = zip(found.touch, found.part, found.doubt, found.is_proven, strict=True)
    for touch, part, doubt, is_proven in spans:
        outer |= (times >= touch[0]) & (times <= part[1])
        if is_proven and doubt == 0.0:
            inner |= (times >= touch[1]) & (times <= part[0])
    missed = (away < -1e-7) & ~outer
    if missed.any():
        return f"in contact at {times[missed][0]}, which is in no interval"
    apart = inner & (away > 1e-7)
    if is_all and apart.any():
        return f"proven to be in contact at {times[apart][0]}, and {away[apart][0]} apart"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """No scale, no turns, rounder numbers."""
    if case["scale"] != 1.0:
        yield case | {"scale": 1.0}
    for name in ("turn", "bend", "spin"):
        if any(case[name]):
            yield case | {name: [0.0] * 3}
    yield from rounder(case)
