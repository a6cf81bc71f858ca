"""Motions of ten families, many at once: is a first contact ever late, or missed?

The bodies are such that their distance has a closed form wherever they are: a capsule, a box or a planar arm
of capsules, and a ball at rest. Where they are at a time is worked out here, by NumPy and SciPy, and not by
what is on trial. They are looked at at many times of the whole motion, and at times ever closer to the one
that was found.

    python fuzz/motion_referee.py --motions 100000
"""

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import firstcontact as fc
from motion_families import FAMILIES, ROBOTS, Array, Poses, Rng

# Evenly spaced times, and how far before the time that was found, in parts of it.
EVEN, BEFORE = np.linspace(0.0, 1.0, 193), 2.0 ** -np.arange(1.0, 33.0, 2.0)

# Distances are right to this, in units of the sizes and places: some of what SciPy gives is.
RIGHT = 1e-9
TOLERANCE = 1e-6

# Motions of each batch that are asked about by themselves as well.
N_ALONE = 4
RADIUS, LENGTH, EXTENTS, BALL = 0.15, 0.9, np.array([0.8, 0.5, 0.3]), 0.4


def check_family(name: str, seed: int, n: int) -> str | None:
    """Ask about n motions of a family; say what is wrong."""
    rng = np.random.default_rng(seed)
    is_robot = name in ROBOTS
    shape, gap = (None, _arm_gap) if is_robot else _body(rng)
    try:
        case = FAMILIES[name](rng, n) if is_robot else FAMILIES[name](rng, n, shape)
    except ValueError as error:
        if "bounded second derivatives" in str(error):
            return None  # refused in a sentence: wheels that turn fast may be
        raise
    center = rng.normal(size=3) * (0.7 if is_robot else 0.5)
    center[1] *= 0.0 if is_robot else 1.0
    ball = fc.Sphere(BALL).at((np.eye(3), center))
    found = [fc.first_contacts(thing, ball, tolerance=TOLERANCE) for thing in case.things]
    status, time, upper = (
        np.concatenate([getattr(one, key) for one in found]) for key in ("status", "time", "time_upper")
    )
    if not is_robot and len(case.things) == 1:
        other = _alone(case.things[0], ball, status, time)
        if other:
            return other
    until = np.minimum(time, 1.0)
    times = np.concatenate([np.broadcast_to(EVEN, (n, len(EVEN))), until[:, None] * (1.0 - BEFORE)], axis=1)
    gaps = gap(case.poses(times), center)
    return _fault(status, time, upper, times, gaps, gap(case.poses(until[:, None]), center)[:, 0])


def _alone(things: fc.Moving, ball: fc.Moving, status: Array, time: Array) -> str | None:
    """Ask about some motions of a batch by themselves: they must be the same to the last bit."""
    for i in range(min(len(time), N_ALONE)):
        one = fc.Moving(things.shape, things.motion.chosen(slice(i, i + 1), False))
        hit = fc.first_contact(one, ball, tolerance=TOLERANCE)
        if (hit.status, hit.time) != (status[i], time[i]):
            return f"alone {hit.time}, and {time[i]} in a batch (motion {i})"
    return None


def _fault(status: Array, time: Array, upper: Array, times: Array, gaps: Array, then: Array) -> str | None:
    """What is wrong with some answers, given distances at times, and at the time that was found."""
    is_free = status == fc.Status.SEPARATED
    late = (gaps < -RIGHT) & (times < np.where(is_free, np.inf, time)[:, None])
    if late.any():
        i, j = np.argwhere(late)[0]
        said = "nothing touches" if is_free[i] else f"first contact at {time[i]}"
        return f"{said}, and they overlap by {-gaps[i, j]:.3g} at {times[i, j]} (motion {i})"
    is_hit = (status == fc.Status.CONTACT) | (status == fc.Status.CONTACT_AT_START)
    early = is_hit & (then > TOLERANCE + RIGHT)
    if early.any():
        i = int(np.argmax(early))
        return f"first contact at {time[i]}, and they are {then[i]:.3g} apart (motion {i})"
    if (upper < time).any():
        return f"a contact is proven before it may begin (motion {int(np.argmax(upper < time))})"
    return None


def _body(rng: Rng) -> tuple[Any, Callable[[Poses, Array], Array]]:
    """A body, and its distance from the ball."""
    if rng.random() < 0.5:
        return fc.Capsule(RADIUS, LENGTH), _capsule_gap
    box = fc.Box(EXTENTS)
    return (box if rng.random() < 0.6 else box.mesh), _box_gap


def _capsule_gap(poses: Poses, center: Array) -> Array:
    local = _local(poses, center)
    local[..., 2] -= np.clip(local[..., 2], -0.5 * LENGTH, 0.5 * LENGTH)
    return np.linalg.norm(local, axis=-1) - RADIUS - BALL


def _box_gap(poses: Poses, center: Array) -> Array:
    local = np.abs(_local(poses, center)) - 0.5 * EXTENTS
    outside = np.linalg.norm(np.maximum(local, 0.0), axis=-1)
    return outside - BALL


def _local(poses: Poses, center: Array) -> Array:
    """The middle of the ball as seen from the body."""
    return np.einsum("nmji,nmj->nmi", poses.rotations, center - poses.places)


def _arm_gap(joints: Array, center: Array) -> Array:
    """Distance of the ball from an arm in the plane of x and z: capsules in a chain; angles (n, m, BONES)."""
    angles = np.cumsum(joints, axis=-1)
    ways = np.stack([np.sin(angles), 0.0 * angles, np.cos(angles)], axis=-1) * 0.5
    ends = np.cumsum(ways, axis=-2)
    starts = ends - ways
    part = np.clip(np.einsum("nmki,nmki->nmk", center - starts, ways) / 0.25, 0.0, 1.0)
    nearest = starts + part[..., None] * ways
    return (np.linalg.norm(center - nearest, axis=-1) - 0.05).min(axis=-1) - BALL


def parts(n: int, size: int) -> Iterator[int]:
    """Cut n into parts."""
    while n > 0:
        yield min(n, size)
        n -= size


def main() -> int:
    """Check so many motions, as many of each family; print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--motions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--families", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    options = parser.parse_args()
    each, faults = -(-options.motions // len(options.families)), 0
    for name in options.families:
        began = perf_counter()
        for number, n in enumerate(parts(each, 100)):
            seed = options.seed * 1_000_000 + number
            fault = check_family(name, seed, n)
            if fault:
                faults += 1
                print(f"{name}, seed {seed}, {n} motions: {fault}", flush=True)
        print(f"{name:20} {each:8,} motions in {perf_counter() - began:6.1f} s", flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
