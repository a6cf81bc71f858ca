"""What may be wrong with intervals of contact, which several families look for."""

from typing import Any

import numpy as np


def fault_of_ends(found: Any) -> str | None:
    """Are the ends of all intervals in their order?"""
    last = -np.inf
    for (touch, touch_upper), (part, part_upper) in found:
        if not (0.0 <= touch <= touch_upper <= part_upper <= 1.0 and touch <= part <= part_upper):
            return f"the ends {touch}, {touch_upper}, {part}, {part_upper} are in no order"
        if not last < touch:
            return f"a contact begins at {touch}, and the one before is over at {last}"
        last = part_upper
    proven = found.is_proven
    if (found.touch[proven, 1] > found.part[proven, 0]).any():
        return "contact is proven, and parting before it"
    return None


def fault_of_spans(found: Any, times: Any, seen: tuple[Any, Any], rounding: float) -> str | None:
    """Does a distance that was measured at a time, a lower and an upper bound, contradict an interval?"""
    lower, upper = seen
    is_free = np.ones(len(times), bool)
    for k, ((touch, touch_upper), (part, part_upper)) in enumerate(found):
        is_free &= (times < touch) | (times > part_upper)
        inside = (times >= touch_upper) & (times <= part)
        if not found.is_proven[k] or not inside.any():
            continue
        is_apart = inside & (lower > rounding)
        if found.doubt[k] == 0.0 and is_apart.any():
            i = int(np.argmax(is_apart))
            return f"apart by {lower[i]} at {times[i]}, in contact from {touch_upper} to {part}"
        if found.doubt[k] > (part - touch_upper) * (1.0 + 1e-9):
            return f"the doubt {found.doubt[k]} is more than from {touch_upper} to {part}"
    is_wrong = is_free & (upper <= 1e-4 * rounding)
    if is_wrong.any():
        i = int(np.argmax(is_wrong))
        return f"in contact at {times[i]}, which is in none of {len(found)} intervals"
    return None
