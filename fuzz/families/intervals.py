"""First contacts of rigid bodies of any two kinds by intervals of time; the referee is that of `rigid`.

It goes along the motion in extended precision, in steps that cannot skip a contact. The default search is a
second one: neither may be later than a time by which the other has proven a contact.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from families import rigid
from shrinking import fewer_and_rounder
from things import moving_of, shape_of


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, each with a motion."""
    return rigid.make(rng) | {"method": "interval"}


def check(case: dict[str, Any]) -> str | None:
    """Ask, follow the motion to the time that was found, and ask the default."""
    fault = rigid.check(case)
    if fault:
        return fault
    x, y = (moving_of(shape_of(case[name]), case[f"motion_{name}"]) for name in "ab")
    options = {name: case[name] for name in ("tolerance", "min_separation")}
    found, usual = fc.first_contact(x, y, method="interval", **options), fc.first_contact(x, y, **options)
    if found.time > usual.time_upper or usual.time > found.time_upper:
        return f"intervals give {found.time}, up to {found.time_upper}, and the default {usual.time}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer faces, and rounder numbers."""
    yield from fewer_and_rounder(case)
