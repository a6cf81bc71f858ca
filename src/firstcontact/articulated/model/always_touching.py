"""Which links of a robot touch whatever it does?"""

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.paths.path_contacts import search_paths
from firstcontact.articulated.paths.world_motions import WorldMotions, world_of

# Samples that are tried first: most pairs do not touch in one of them.
FEW = 16


def touching_always(robot: Robot, n_samples: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of links that touch in each of some random configurations."""
    q = robot.sample(n_samples, seed)
    pairs = list(robot.self_pairs)
    for part in (q[:FEW], q[FEW:]):
        world = world_of(robot.at(part), None, True, 0.0)
        pairs = [pair for pair in pairs if _touch_in_all(world, pair)]
    return pairs


def _touch_in_all(world: WorldMotions, pair: tuple[str, str]) -> bool:
    """Do two links touch along each of some paths?"""
    names = [piece.name for piece in world.pieces]
    wanted = [p for p, (a, b, _) in enumerate(world.pairs) if {names[a], names[b]} == set(pair)]
    unpadded = world.geometries._replace(paddings=np.zeros(len(wanted)))
    one = world._replace(pairs=world.pairs[wanted].copy(), geometries=unpadded)
    return bool((search_paths(one, Options(0.0, 0.0, is_first=False)).pairs >= 0).all())
