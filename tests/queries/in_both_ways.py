"""Ask about single things in short and at length, and see that both say the same, to the last bit."""

import dataclasses

import numpy as np

from firstcontact.advancement.ask import USUAL
from firstcontact.queries.look_up import answer_at_length, in_short, row_for
from firstcontact.shapes.mesh import as_moving

# What these answer is no object that knows what it is about.
PLAIN_ANSWERS = "intersects", "safe_step", "is_free"


def bits(value):
    """What a value is made of, to the last bit; what was counted is, what was timed is not."""
    if dataclasses.is_dataclass(value):
        names = [item.name for item in dataclasses.fields(value) if item.name not in ("_about", "seconds")]
        return type(value).__name__, {name: bits(getattr(value, name)) for name in names}
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, value if isinstance(value, str) else np.float64(value).tobytes()


def matrices(rotations, places):
    """Poses (n, 4, 4)."""
    found = np.tile(np.eye(4), (len(rotations), 1, 1))
    found[:, :3, :3], found[:, :3, 3] = rotations, places
    return found


def same(verb, a, b, ask=USUAL):
    """Ask in both ways; give the answer in short, which may leave it to the other."""
    short = in_short(verb, a, b, ask)
    if short is not None:
        if verb not in PLAIN_ANSWERS:
            long = answer_at_length(verb, a, b, ask)
        elif verb == "is_free":  # who answers that at length asks for the first contact, perhaps in short
            long = not answer_at_length("first_contact", a, b, ask)
        else:
            long = row_for(verb, a, b).answer(as_moving(a), as_moving(b), ask)
        assert bits(short) == bits(long), (verb, a, b)
    return short
