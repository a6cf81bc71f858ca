"""Points and strands that deform through frames, and a rigid thing: convex, a mesh, or points and strands.

The referee: all pairs of elements and pieces, in extended precision, at many times.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from deforming_cases import distance_of, frames_in, other_in, other_motion_in, places_at
from families.clouds import BORDER, a_cloud_and_another
from pieces import Real, pieces_of
from things import scale_in, scaled, shape_of

N_TIMES = 13


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A cloud whose points move, together or apart, or rest, in a step or in some; and a thing near it."""
    case = a_cloud_and_another(rng)
    while case["a"]["kind"] not in ("points", "strands"):
        case = a_cloud_and_another(rng)
    frames, times = frames_in(rng, shape_of(case["a"]).vertices)
    case |= {"frames": frames, "motion": other_motion_in(rng)}
    case["min_separation"] = float(rng.choice([0.0, 0.0, 0.125]))
    return scaled(case, scale_in(rng)) | {"times": times}


def check(case: dict[str, Any]) -> str | None:
    """Look for contacts that are late, lists that lack them, and clearances that are too large."""
    cloud, frames = shape_of(case["a"]), [np.reshape(f, (-1, 3)).astype(float) for f in case["frames"]]
    a, b, separation = cloud.along(frames, case["times"]), other_in(case), case["min_separation"]
    found = fc.first_contact(a, b, min_separation=separation)
    if cloud.n_faces == 0 or not pieces_of(case["b"]):
        return f"what is empty is in contact: {found}" if found else None
    step, free = (ask(a, b, min_separation=separation) for ask in (fc.safe_step, fc.is_free))
    if step != min(found.time, 1.0) or free == bool(found):
        return f"a contact at {found.time}, safe_step {step}, is_free {free}"
    times = np.linspace(0, 1, N_TIMES)
    triangles = np.array([places_at(frames, np.array(case["times"]), Real(t))[cloud.faces] for t in times])
    distance = distance_of(case, triangles, times, cloud.radii)
    late = times[distance + separation * BORDER < separation] if separation else times[distance == 0.0]
    if len(late) and late[0] < found.time:
        return f"the time is {found.time}, and they touch at {late[0]}"
    if separation == 0.0:
        least = fc.clearance(a, b)
        slack = 1e-9 * max(np.abs(triangles).max(), 1e-300)
        if float(least.distance_lower) > float(distance.min()) + slack:
            return f"the clearance is {least.distance_lower} at least, and {distance.min()} is seen"
    if case["b"]["kind"] in ("mesh", "points", "strands"):
        return _list_fault(fc.contacts(a, b, min_separation=separation), found)
    return None


def _list_fault(every: Any, found: Any) -> str | None:
    """Does a list of all contacts begin with the first one, as far as both are proven?"""
    first = every.time.min(initial=np.inf)
    if found and found.time_upper <= 1.0 and first > found.time_upper:
        return f"a contact is proven by {found.time_upper}, and the first that is listed is at {first}"
    sure = every.time_upper[every.time_upper < 1.0].min(initial=np.inf)
    return f"contact is proven by {sure}, and the first is at {found.time}" if sure < found.time else None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without motion of either; fewer frames."""
    for part in ({"turn": [0.0] * 3}, {"velocity": [0.0] * 3}, {"rotation": np.eye(3).tolist()}):
        if case["motion"] != case["motion"] | part:
            yield case | {"motion": case["motion"] | part}
    for k in range(1, len(case["times"]) - 1):
        yield case | {name: case[name][:k] + case[name][k + 1 :] for name in ("times", "frames")}
