"""Every verb about every two things of every kind, and what is none, with options that are right or wrong.

The referees are the rule of the border, an answer or one sentence of this package's own, and the library
asked in other ways: again, the other way round, about a batch of one, and by another verb. What is no thing
and what no option may be is never answered. Who answers what is not read from the registry: two shapes of a
kind are refused for the same reasons, in either order.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from border import fault_of
from kind_cases import NOWHERE, RIGHT, THINGS, thing_named

SECONDS_A_CASE = 30.0

OVER_TIME = ("first_contact", "first_contacts", "safe_step", "is_free", "clearance", "contact_intervals")
INSTANT = ("distance", "intersects", "penetration", "depths")
ALONE = ("ray_cast", "signed_distance", "contains", "Scene", "Scene.first_contact")
VERBS = (*OVER_TIME, *INSTANT, "contacts", "Tracker", *ALONE)

# How far the same times and lengths may differ that are found in two ways: those of fields know no better.
NEAR, NEAR_FIELD = 1e-5, 0.3

# Things that can be swapped: of two such, each may come first.
SWAPPED = ("moved", "cloth", "trimesh")


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A verb, two things and their places, and at most two options."""
    names = list(THINGS)
    case = {
        "verb": str(rng.choice(VERBS)),
        "a": str(rng.choice(names)),
        "b": str(rng.choice(names)),
        "places": (rng.integers(-4, 5, 2) / 2).tolist(),
    }
    chosen = rng.choice(list(NOWHERE), int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15])), replace=False)
    options = {}
    for name in map(str, chosen):
        values = RIGHT.get(name, {}) if rng.random() < 0.5 and name in RIGHT else NOWHERE[name]
        options[name] = str(rng.choice(list(values)))
    return case | {"options": options}


def check(case: dict[str, Any]) -> str | None:
    """Ask, and ask again in all the other ways."""
    options = {name: _value(name, word) for name, word in case["options"].items() if _has(case["verb"], name)}
    is_wrong = any(case["options"][name] in NOWHERE[name] for name in options)
    a, b = (thing_named(case[name], x) for name, x in zip("ab", case["places"], strict=True))
    found = _told(case["verb"], a, b, options)
    if isinstance(found, Fault):
        return f"{case['verb']} {found.text}"
    if not isinstance(found, Refusal):
        if is_wrong:
            return f"{case['verb']} takes an option that is right nowhere"
        if THINGS[case["a"]][0] == "none" and not _are_points(case):
            return f"{case['verb']} answers about what is no thing"
    again = _told(case["verb"], a, b, options)
    if _differ(found, again, 0.0):
        return f"{case['verb']}, asked again, says something else"
    return _swapped_fault(case, a, b, options, found) or _verbs_fault(case, a, b, options, found)


class Refusal(str):
    """A sentence that refuses."""

    __slots__ = ()


class Fault:
    """Whatever else was raised."""

    def __init__(self, text: str) -> None:
        self.text = text


def _value(name: str, word: str) -> Any:
    return (RIGHT.get(name, {}) | NOWHERE[name])[word]


_TAKES: dict[str, set[str]] = {}


def _has(verb: str, option: str) -> bool:
    """Is there such an option, by the signature?"""
    if verb not in _TAKES:
        function = {"Scene.first_contact": fc.Scene.first_contact}.get(verb) or getattr(fc, verb)
        names = function.__code__.co_varnames if hasattr(function, "__code__") else ()
        _TAKES[verb] = set(names)
    return option in _TAKES[verb] and verb not in ("Scene", "Tracker")


def _told(verb: str, a: Any, b: Any, options: dict[str, Any]) -> Any:
    """The answer, the sentence that refuses it, or what is wrong."""
    try:
        return _calls()[verb](a, b, options)
    except Exception as error:
        fault = fault_of(error)
        return Refusal(error.args[0]) if fault is None else Fault(fault)


def _calls() -> dict[str, Callable[[Any, Any, dict[str, Any]], Any]]:
    def two(verb: str) -> Callable[[Any, Any, dict[str, Any]], Any]:
        return lambda a, b, options: getattr(fc, verb)(a, b, **options)

    ray, point = ([-5.0, 0.1, 0.05], [1.0, 0.0, 0.01]), [0.2, 0.1, 0.05]
    return {verb: two(verb) for verb in (*OVER_TIME, *INSTANT, "contacts")} | {
        "Tracker": lambda a, b, _: fc.Tracker(a, b).distance(),
        "ray_cast": lambda a, _, options: fc.ray_cast(a, *ray, **options),
        "signed_distance": lambda a, _, options: fc.signed_distance(a, point, **options),
        "contains": lambda a, _, options: fc.contains(a, point, **options),
        "Scene": lambda a, b, _: fc.Scene(a=a, b=b).contacts(),
        "Scene.first_contact": lambda a, b, options: fc.Scene(a=a, b=b).first_contact(**options),
    }


def _are_points(case: dict[str, Any]) -> bool:
    """May a be points, which `contacts` takes with a field?"""
    return case["verb"] == "contacts" and "field" in case["b"]


def _swapped_fault(case: dict[str, Any], a: Any, b: Any, options: dict[str, Any], found: Any) -> str | None:
    """Ask the other way round."""
    verb = case["verb"]
    if verb in ALONE or any(THINGS[case[name]][0] not in SWAPPED for name in "ab"):
        return None
    back = _told(verb, b, a, options)
    if isinstance(back, Fault):
        return f"{verb}, the other way round, {back.text}"
    if isinstance(found, Refusal) is not isinstance(back, Refusal):
        if verb == "contacts" and "field" in case["a"] + case["b"]:  # the field comes second
            return None
        said = found if isinstance(found, Refusal) else back
        return f"{verb} refuses one order of two things, and not the other: {said}"
    return _value_fault(case, verb, found, back, "the other way round")


# What is compared of an answer: numbers that do not depend on who comes first.
NUMBERS = {
    "first_contact": ("time",),
    "first_contacts": ("time",),
    "clearance": ("distance",),
    "distance": ("distance",),
    "Tracker": ("distance",),
    "penetration": ("depth",),
}


def _value_fault(case: dict[str, Any], verb: str, one: Any, other: Any, how: str) -> str | None:
    """Compare two answers to the same question."""
    if isinstance(one, Refusal):
        return None
    near = NEAR_FIELD if "field" in case["a"] + case["b"] else NEAR
    near = max(near, 2.0 * float(_tolerance(case)))
    for name in NUMBERS.get(verb, ()):
        if _are_apart(getattr(one, name), getattr(other, name), near):
            return f"{verb}, {how}, has {name} {getattr(other, name)}, not {getattr(one, name)}"
    if verb == "safe_step" and _are_apart(one, other, near):
        return f"{verb}, {how}, is {other}, not {one}"
    if verb == "contacts" and hasattr(one, "kind") and len(one) != len(other):
        return f"{verb}, {how}, lists {len(other)}, not {len(one)}"
    if verb == "depths" and len(one.depth) != len(other.depth):
        return f"{verb}, {how}, has {len(other.depth)} vertices, not {len(one.depth)}"
    return None


def _tolerance(case: dict[str, Any]) -> float:
    word = case["options"].get("tolerance")
    return RIGHT["tolerance"].get(word, 0.0) if word is not None else 0.0


def _are_apart(one: Any, other: Any, near: float) -> bool:
    one, other = np.atleast_1d(np.asarray(one, float)), np.atleast_1d(np.asarray(other, float))
    if one.shape != other.shape:
        return True
    is_same = (one == other) | (np.isnan(one) & np.isnan(other))
    with np.errstate(invalid="ignore"):
        is_grazing = np.isinf(one) != np.isinf(other)  # a contact that just is, or just is not
        return bool((~is_same & ~is_grazing & ~(np.abs(one - other) <= near)).any())


def _verbs_fault(case: dict[str, Any], a: Any, b: Any, options: dict[str, Any], found: Any) -> str | None:
    """Ask by another verb that must agree."""
    verb = case["verb"]
    if verb == "first_contact" and not options:
        step, free = (_told(other, a, b, {}) for other in ("safe_step", "is_free"))
        if isinstance(found, Refusal):
            if not isinstance(step, Refusal):
                return f"safe_step answers where first_contact says {found}"
            return None
        if isinstance(step, Fault | Refusal) or isinstance(free, Fault | Refusal):
            text = [said.text if isinstance(said, Fault) else said for said in (step, free)]
            return f"there is a first contact, and of the others one says {text}"
        if _are_apart(step, min(found.time, 1.0), 1e-12):
            return f"the safe step is {step}, the first contact at {found.time}"
        if free is not (not found):
            return f"a way is free: {free}, the first contact {found!r}"
    if verb == "distance" and not options:
        touches = _told("intersects", a, b, {})
        if isinstance(touches, Fault) or isinstance(touches, Refusal) is not isinstance(found, Refusal):
            return f"there is a distance, {found!r}, and intersects says {getattr(touches, 'text', touches)}"
        if not isinstance(found, Refusal) and _disagree(found.distance, touches):
            return f"the distance is {found.distance}, and intersects says {touches}"
    return None


def _disagree(distance: Any, touches: Any) -> bool:
    """Is a distance clearly more than nothing where there is contact, or 0 where there is none?"""
    lengths, is_touching = np.atleast_1d(distance), np.atleast_1d(touches)
    return lengths.shape != is_touching.shape or bool((is_touching & (lengths > NEAR)).any())


def _differ(one: Any, other: Any, near: float) -> bool:
    if isinstance(one, Refusal) or isinstance(other, Refusal):
        return str(one) != str(other)
    if hasattr(one, "time") and hasattr(one, "status"):
        return _are_apart(one.time, other.time, near)
    if isinstance(one, float | bool | np.ndarray):
        return not np.array_equal(one, other, equal_nan=not isinstance(one, bool))
    return False


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave an option out; let nothing or a ball stand for a thing."""
    for name in case["options"]:
        yield case | {"options": {key: word for key, word in case["options"].items() if key != name}}
    for name in "ab":
        for simple in ("bare sphere", "nothing"):
            if case[name] != simple:
                yield case | {name: simple}
    if case["places"] != [0.0, 1.0]:
        yield case | {"places": [0.0, 1.0]}
