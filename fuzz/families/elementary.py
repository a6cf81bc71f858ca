"""Vertex-face and edge-edge queries of random and degenerate points; the referee decides in whole numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.exact_ccd import first_time, moments
from shrinking import rounder

QUERY = {"vf": fc.vertex_face_ccd, "ee": fc.edge_edge_ccd}
PROVEN = (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Four points on their way: on a grid, anywhere, or in a plane; doubled, still, off by one rounding."""
    kind = rng.integers(4)
    ends = (
        rng.uniform(-2, 2, (2, 4, 3))
        if kind == 0
        else rng.integers(-3, 4, (2, 4, 3)) / rng.choice([1.0, 4.0])
    )
    if kind == 1:
        ends[:, :, 2] = 0.0
        ends = ends @ rng.integers(-2, 3, (3, 3))
    if rng.random() < 0.3:
        i, j = rng.integers(4, size=2)
        which = [slice(0, 1), slice(1, 2), slice(0, 2)][rng.integers(3)]
        ends[which, i] = ends[which, j]
    if rng.random() < 0.3:
        ends[1] = np.where(rng.random((4, 1)) < 0.5, ends[0], ends[1])
    if rng.random() < 0.3:
        ends = np.where(rng.random(ends.shape) < 0.2, np.nextafter(ends, rng.choice([-9.0, 9.0])), ends)
    if rng.random() < 0.15:
        ends = ends + rng.choice([2.0**20, 2.0**40, 1e6]) * rng.integers(-1, 2, 3)
    elif rng.random() < 0.25:
        ends = ends * 2.0 ** float(rng.choice([-1074, -1060, -500, -200, -30, 30, 140]))
    size = float(np.max(np.abs(ends)))
    separation = float(rng.choice([0.0, 1e-9, 0.01, 0.5]) * size) if rng.random() < 0.3 else 0.0
    max_time = float(rng.choice([0.5, 0.25, rng.random()])) if rng.random() < 0.2 else 1.0
    options = {"min_separation": separation, "max_time": max_time}
    return {
        "kind": str(rng.choice(["vf", "ee"])),
        "start": ends[0].tolist(),
        "end": ends[1].tolist(),
    } | options


def check(case: dict[str, Any]) -> str | None:
    """Compare the answer in floating point, and the exact one, with the truth."""
    truth = first_time(case["kind"], case["start"], case["end"], case["min_separation"]).within(
        case["max_time"]
    )
    options = {name: case[name] for name in ("min_separation", "max_time")}
    for exact in (False, True):
        found = QUERY[case["kind"]](case["start"], case["end"], exact=exact, **options)
        fault = _fault(found, truth, exact)
        if fault:
            times = f"found {found.time} to {found.time_upper}, truth {truth.lower} to {truth.upper}"
            return f"{case['kind']}, exact={exact}: {fault}; {times}"
    return _fault_of_all(case) if case["max_time"] == 1.0 else None


def _fault_of_all(case: dict[str, Any]) -> str | None:
    """Compare every time of contact with the truth, at every time at which something changes, and between."""
    options = {"min_separation": case["min_separation"]}
    found = QUERY[case["kind"]](case["start"], case["end"], all_times=True, **options)
    spans, seen = list(zip(found.touch.tolist(), found.part.tolist(), strict=True)), [0] * len(found.touch)
    for (low, high), touches in moments(case["kind"], case["start"], case["end"], **options):
        around = [k for k, (touch, part) in enumerate(spans) if touch[0] <= low and high <= part[1]]
        if touches and not around:
            return f"{case['kind']}: a contact from {low} to {high} is not in {spans}"
        if not touches and any(touch[1] <= low and high <= part[0] for touch, part in spans):
            return f"{case['kind']}: there is no contact from {low} to {high}, and it is in {spans}"
        for k in around:
            seen[k] += touches
    return None if all(seen) else f"{case['kind']}: a span without a contact is in {spans}"


def _fault(found: Any, truth: Any, exact: bool) -> str | None:
    if truth.hit and not found.hit:
        return "a contact is missed"
    if truth.hit and found.time > truth.lower:
        return "the time is late"
    is_proven = found.hit and (exact or found.status in PROVEN)
    if is_proven and not truth.hit:
        return "a contact that is none is called one"
    if is_proven and found.time_upper < truth.upper:
        return "time_upper is too early"
    if (found.status == fc.Status.CONTACT_AT_START) and truth.upper > 0.0:
        return "a later contact is called one at the start"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Simpler options, then rounder numbers."""
    for name, value in (("min_separation", 0.0), ("max_time", 1.0)):
        if case[name] != value:
            yield case | {name: value}
    yield from rounder(case)
