"""Which links of a robot touch whatever it does?"""

import numpy as np

from firstcontact.articulated.arena import arena_of
from firstcontact.articulated.paths import search_paths
from firstcontact.articulated.request import Asked
from firstcontact.articulated.robot import Robot

# Samples that are tried first: most pairs do not touch in one of them.
FEW = 16


def touching_always(robot: Robot, n_samples: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of links that touch in each of some random configurations."""
    q = robot.sample(n_samples, seed)
    pairs = robot.self_pairs
    for part in (q[:FEW], q[FEW:]):
        pairs = tuple(pair for pair in pairs if _touch_in_all(robot, pair, part))
    return list(pairs)


def _touch_in_all(robot: Robot, pair: tuple[str, str], q: np.ndarray) -> bool:
    if len(q) == 0:
        return True
    arena = arena_of(robot.at(q), None, True, 0.0)
    names = [arena.pieces[k].name for k in range(len(arena.pieces))]
    wanted = [p for p, (a, b, _) in enumerate(arena.pairs) if {names[a], names[b]} == set(pair)]
    one = arena._replace(pairs=arena.pairs[wanted].copy())
    return bool((search_paths(one, Asked(0.0, 0.0, False)).pairs >= 0).all())
