"""Plans of OMPL's for the arm of `examples/ompl_planner.py`: lines proven, or looked at in samples."""

from pathlib import Path
from runpy import run_path
from time import process_time
from typing import Any, NamedTuple

import firstcontact as fc

_EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ompl_planner.py"
RESOLUTIONS = (0.01, 0.001)  # of the space's extent; the first is OMPL's own


class Planned(NamedTuple):
    """Plans by a method: seconds of each, and how many of those that are found touch something."""

    method: str
    plans: int
    seconds: float
    found: int
    missed: int


def planned(n_plans: int) -> list[Planned]:
    """Of each method so many plans from the same start to the same goal, shortcuts within."""
    from ompl import util

    util.setLogLevel(util.LOG_ERROR)
    util.RNG.setSeed(1)
    example = run_path(str(_EXAMPLE))
    methods = {"proofs": 0.0} | {f"samples, {100 * one:g} % of the space": one for one in RESOLUTIONS}
    for resolution in methods.values():
        _plan(example, resolution)  # compiled before the clock starts
    return [_row(example, method, resolution, n_plans) for method, resolution in methods.items()]


def _row(example: dict[str, Any], method: str, resolution: float, n_plans: int) -> Planned:
    began = process_time()
    ways = [_plan(example, resolution) for _ in range(n_plans)]
    seconds, found = process_time() - began, [way for way in ways if way is not None]
    robot, shelf = example["arm"](), example["shelf"]()
    missed = sum(not fc.is_free(robot.along(way), shelf, **example["CAREFUL"]) for way in found)
    return Planned(method, n_plans, seconds / n_plans, len(found), missed)


def _plan(example: dict[str, Any], resolution: float) -> Any:
    """A way, shortened; None where none is found."""
    robot, reaching = example["arm"](), example["reaching"]
    setup = example["planner"](robot, example["shelf"](), not resolution)
    if resolution:
        setup.getSpaceInformation().setStateValidityCheckingResolution(resolution)
    way = example["planned"](setup, robot, reaching(0.22, 0.45), reaching(-0.22, 0.75))
    if way is not None:
        setup.simplifySolution()
        way = example["waypoints"](setup, robot)
    return way
