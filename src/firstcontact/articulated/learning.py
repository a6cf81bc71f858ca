"""Which links of a robot touch whatever it does?"""

from firstcontact.articulated.arena import Arena, arena_of
from firstcontact.articulated.paths import search_paths
from firstcontact.articulated.request import Asked
from firstcontact.articulated.robot import Robot

# Samples that are tried first: most pairs do not touch in one of them.
FEW = 16


def touching_always(robot: Robot, n_samples: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of links that touch in each of some random configurations."""
    q = robot.sample(n_samples, seed)
    pairs = list(robot.self_pairs)
    for part in (q[:FEW], q[FEW:]):
        arena = arena_of(robot.at(part), None, True, 0.0)
        pairs = [pair for pair in pairs if _touch_in_all(arena, pair)]
    return pairs


def _touch_in_all(arena: Arena, pair: tuple[str, str]) -> bool:
    """Do two links touch along each of some paths?"""
    names = [piece.name for piece in arena.pieces]
    wanted = [p for p, (a, b, _) in enumerate(arena.pairs) if {names[a], names[b]} == set(pair)]
    one = arena._replace(pairs=arena.pairs[wanted].copy())
    return bool((search_paths(one, Asked(0.0, 0.0, False)).pairs >= 0).all())
