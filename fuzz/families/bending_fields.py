"""Points, strands and meshes that deform through frames, and the field of a convex shape, at rest or moving.

The referee: every element and the shape itself, in extended precision, at many times. No first contact is
late, no element that comes near is left out or late, and none is listed that is far away when it is told.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from deforming_cases import distance_of, frames_in, is_resting, other_motion_in, places_at, simpler_deforming
from pieces import Real
from things import cloud_in, convex_in, mesh_in, moving_of, pose_of, scale_in, scaled, shape_of

SECONDS_A_CASE = 60.0

N_TIMES, MOST_ELEMENTS = 9, 12

# Of all lengths: what rounding may do to a distance.
BORDER = 1e-9


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Elements whose corners move, together or apart, or rest, in a step or some; and a shape near them."""
    a = (mesh_in if rng.random() < 0.4 else cloud_in)(rng)
    while shape_of(a).n_faces > MOST_ELEMENTS:
        a = (mesh_in if rng.random() < 0.4 else cloud_in)(rng)
    frames, times = frames_in(rng, shape_of(a).vertices)
    case = {"a": a, "b": convex_in(rng), "frames": frames, "motion": other_motion_in(rng)}
    own = {"times": times, "part": float(rng.choice([0.05, 0.1])), "within": float(rng.choice([0, 0, 0.1]))}
    return scaled(case, scale_in(rng)) | own


def check(case: dict[str, Any]) -> str | None:
    """Look for elements that are late, left out, or told too early."""
    shape, frames = shape_of(case["a"]), [np.reshape(f, (-1, 3)).astype(float) for f in case["frames"]]
    body = shape_of(case["b"])
    size = float(np.ptp(body.bounds, axis=0).max())
    try:
        field = fc.DistanceField.of(body, case["part"] * size, margin=size, max_cells=200_000)
    except ValueError:
        return None  # the family `distance_fields` looks at what is refused
    motion, within = case["motion"], case["within"] * size
    b = field.at(pose_of(motion)) if is_resting(motion) else moving_of(field, motion)
    a = shape.along(frames, case["times"])
    first, every = fc.first_contact(a, b, min_separation=within), fc.contacts(a, b, within=within)
    if shape.n_faces == 0:
        return "what is empty is in contact" if first or len(every) else None
    times = np.unique(np.concatenate([np.linspace(0, 1, N_TIMES), every.time, every.time_upper]))
    corners = np.array([places_at(frames, np.array(case["times"]), Real(t))[shape.faces] for t in times])
    slack = BORDER * max(float(np.abs(corners).max()), size, float(np.abs(motion["place"]).max()))
    return _fault(case, (times, corners, shape.radii), (first, every), (within, field.tolerance, slack))


def _fault(case: dict[str, Any], seen: Any, found: Any, lengths: Any) -> str | None:
    """What is wrong with one of the elements, if anything is."""
    (times, corners, radii), (first, every), (within, tolerance, slack) = seen, found, lengths
    rows = dict(zip(every.ids_a.tolist(), range(len(every)), strict=True))
    for k in range(corners.shape[1]):
        distance = distance_of(case, corners[:, k : k + 1], times, radii[k : k + 1])
        near = times[distance <= within - slack] if within else times[distance == 0.0]
        if len(near) and near[0] < first.time:
            return f"the first contact is at {first.time}, and element {k} is near at {near[0]}"
        if len(near) and (k not in rows or near[0] < every.time[rows[k]]):
            told = every.time[rows[k]] if k in rows else None
            return f"element {k} is near at {near[0]}, and listed at {told}"
        if k in rows:
            then, upper = every.time[rows[k]], every.time_upper[rows[k]]
            there, sure = (float(distance[np.searchsorted(times, t)]) for t in (then, upper))
            reach = within + 3.0 * tolerance + 1e-5 * float(np.ptp(corners)) + slack
            if there > 2.0**0.5 * reach and every.status[rows[k]] != fc.Status.MAX_ITERATIONS:
                return f"element {k} is told at {then}, and {there} away then"
            if upper < 1.0 and sure > within + slack:
                return f"element {k} is near by {upper} for certain, and {sure} away then"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without motion of either; fewer frames."""
    for simpler in simpler_deforming(case):
        if simpler["a"] == case["a"] and len(simpler["frames"][0]) == len(case["frames"][0]):
            yield simpler
