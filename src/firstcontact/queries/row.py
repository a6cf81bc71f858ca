"""A row of the registry: who answers a verb about two kinds, or why nobody does."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.shapes.movable import Kind


@dataclass(frozen=True)
class Row:
    """Who answers, as "module:function" of this room, and the options that it takes; or why nobody does.

    called : what the things are called where an option is refused
    refusal, name : the sentence that refuses them, and which of the two, a or b, is at fault
    is_by_rest : whether a mesh at rest counts as one that deforms, so that another row is the right one
    far : who lets workers answer about a batch
    """

    home: str = ""
    takes: frozenset[str] = frozenset()
    called: str = ""
    refusal: str = ""
    name: str = "a"
    is_by_rest: bool = False
    far: str = "spread.spread_things:spread_pairs"

    @cached_property
    def answer(self) -> Callable[..., Any]:
        """The function that answers: it takes both things and an `Ask`."""
        return found_at(self.home)

    @cached_property
    def answer_far(self) -> Callable[..., Any]:
        """The function that lets workers answer: it takes the verb, both things and an `Ask`."""
        return found_at(self.far)

    def only(self, ask: Ask) -> Ask:
        """What is asked, without the options that have no meaning here."""
        left_out = [name for name in ask.given() if name not in self.takes]
        return ask._replace(**{name: Ask._field_defaults[name] for name in left_out})


def found_at(home: str) -> Callable[..., Any]:
    """Load the function that is called "module:function" in this room."""
    module, function = home.split(":")
    found: Callable[..., Any] = getattr(import_module(f"firstcontact.queries.{module}"), function)
    return found


def called_by(*kinds: Kind) -> str:
    """What things of these kinds are called where an option is refused."""
    names = {
        Kind.ROBOT: "robots",
        Kind.FIELD: "fields",
        Kind.CLOUD: "points and strands",
        Kind.CONVEX: "convex shapes",
        Kind.SEVERAL: "things in a list",
    }
    names |= dict.fromkeys((Kind.DEFORMING, Kind.DEFORMING_CLOUD), "what deforms")
    name = next((name for kind, name in names.items() if kind in kinds), "rigid bodies")
    # An option may have a meaning for two convex shapes, and none for one with another thing.
    others = {Kind.MESH: "a mesh"} | dict.fromkeys((Kind.DEFORMING, Kind.DEFORMING_CLOUD), "what deforms")
    other = next((others[kind] for kind in kinds if kind in others), "")
    return f"a convex shape with {other}" if other and name == names[Kind.CONVEX] else name
