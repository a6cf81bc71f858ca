"""Robots: certified checks of segments in configuration space, beside samples along them, and the targets.

The problems are MotionBenchMaker's for the Panda (seven families), and boxes around a UR5e. In each world
segments are random (both ends uniform within the joints' limits) and local (from a configuration that touches
nothing, by up to 0.5 rad a joint, as planners extend a tree); the Panda also goes straight from start to
goal. Links may touch neither obstacles nor each other, neighbours and the pairs that the SRDF file disables
excepted, on both sides. Beside: pinocchio with coal, in a process of its own, which looks at configurations
that differ by at most 0.05, 0.01 and 0.001 rad in any joint, as fast as it goes: batches on all threads with
a broad phase. Of the ways to use it, the fastest on a few segments is taken for all (marked * below). Hulls
of all links are not the same question (one of the Panda's is not convex): they count where they are faster,
but not for answers. The other links are convex to within a millimetre; where their hulls touch, the meshes
are asked. Times are those of the clock, milliseconds a segment, means over all segments; "times" is the ratio
to 0.01 rad on as many threads. "Missed" are contacts by this library that samples do not show; "made up" the
reverse.
"""

import argparse
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from machine import described, machine
from rigid_table import Target, target_lines
from robot_own import Own
from robot_peers import Peer, is_missing, versions
from robot_problems import DATA, FAMILIES, World, panda_worlds, ur5e_worlds
from robot_study import Effort, Found, Tuned, run, tune
from robot_table import (
    Lines,
    certificate_lines,
    family_lines,
    goal_lines,
    missed_lines,
    segment_lines,
    single_lines,
    targets,
    tuned_lines,
)  # fmt: skip
from tables import aligned
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_N_BOX_WORLDS = 3
_QUICK = Effort(segments=20, fine=5, singles=5, proofs=1, tuned=5)


def main() -> None:
    """Measure, print the tables and the targets, write the figures and the plot."""
    options = _parser().parse_args()
    for module, extra in (("matplotlib", "bench"), ("yaml", "bench"), ("yourdfpy", "robots")):
        if find_spec(module) is None:
            sys.exit(f"{module} is missing: pip install 'firstcontact[{extra}]'")
    if not (options.data / "robots").is_dir():
        sys.exit(f"missing: {options.data / 'robots'}")
    from robot_plot import draw

    options.output.mkdir(parents=True, exist_ok=True)
    facts = machine() | {"peers": versions()}
    found, tuned = _measured(options)
    tables = _tables(found, tuned)
    for title, lines in tables.items():
        print(f"\n{title}\n{aligned(lines, 2)}")
    reached = targets(found)
    print("\nTargets\n" + target_lines(reached))
    known = ", ".join(f"{name} {number or 'missing'}" for name, number in facts["peers"].items())
    where = f"before: {described(facts)}; {known}\nafter:  load averages {machine()['load']}"
    print(f"\n{where}")
    draw(found.rows, facts, options.output / "robot-benchmark.png")
    _write(options.output, facts, found, reached)
    if options.publish:
        _publish(options.output, tables, reached, where)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--families", nargs="+", choices=FAMILIES, default=FAMILIES, metavar="FAMILY", help=f"of: {FAMILIES}")
    add("--robots", nargs="+", choices=("panda", "ur5e"), default=("panda", "ur5e"), metavar="ROBOT")
    add("--quick", action="store_true", help="few worlds and segments, to see that all runs")
    add("--segments", type=int, default=1000, metavar="N", help="of a kind in each world (1,000)")
    add("--fine", type=int, default=100, metavar="N", help="of them, free and not, at the finest step (100)")
    add("--singles", type=int, default=50, metavar="N", help="of them that are asked one by one (50)")
    add("--proofs", type=int, default=5, metavar="N", help="of them, free ones, that are verified (5)")
    add("--data", type=Path, default=DATA, metavar="DIR", help="the third-party data (../shared/data)")
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plots go")
    add("--publish", action="store_true", help="also write results/robot.md and the documentation's plot")
    return parser


def _measured(options: argparse.Namespace) -> tuple[Found, list[Tuned]]:
    """All robots, one world after the other."""
    effort = Effort(options.segments, options.fine, options.singles, options.proofs, options.segments // 10)
    effort = _QUICK if options.quick else effort
    found, tuned = Found([], [], [], [], []), []
    peer = None if is_missing() else Peer()
    print("" if peer else "pinocchio or coal is missing: nothing to compare with\n", end="")
    try:
        for worlds in _worlds(options):
            own = Own(worlds[0].robot)
            best = tune(peer, own, worlds, effort) if peer else None
            tuned += [best] if best else []
            for world in tqdm(worlds, worlds[0].robot.name, disable=None):
                for kept, more in zip(found, run(peer, own, world, best, effort), strict=True):
                    kept.extend(more)
    finally:
        if peer:
            peer.close()
    return found, tuned


def _worlds(options: argparse.Namespace) -> list[list[World]]:
    """Worlds of each robot that is asked for."""
    pandas = panda_worlds(options.data, options.families) if "panda" in options.robots else []
    boxes = ur5e_worlds(_N_BOX_WORLDS, options.data) if "ur5e" in options.robots else []
    return [some[::6] if options.quick else some for some in (pandas, boxes) if some]


def _tables(found: Found, tuned: list[Tuned]) -> dict[str, Lines]:
    tables = {
        "Milliseconds a segment": segment_lines(found.rows),
        "By family: milliseconds a segment in batches, all threads": family_lines(found.rows),
        "Segments one by one, one thread: milliseconds": single_lines(found.singles),
        "Contacts that samples miss": missed_lines(found.missed, found.rows),
        "Certificates of free segments": certificate_lines(found.certified),
        "Straight from start to goal": goal_lines(found.goals),
        "Ways to use pinocchio: milliseconds a segment at 0.01 rad": tuned_lines(tuned),
    }
    return {title: lines for title, lines in tables.items() if len(lines) > 1}


def _write(folder: Path, facts: dict[str, Any], found: Found, reached: list[Target]) -> None:
    kept = {name: [one._asdict() for one in rows] for name, rows in found._asdict().items()}
    figures = {"machine": facts} | kept | {"targets": [target._asdict() for target in reached]}
    (folder / "robot.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"figures and plot: {folder}")


def _publish(output: Path, tables: dict[str, Lines], reached: list[Target], where: str) -> None:
    """Write the report, and copy the plot."""
    text = [f"# Robots\n\n{(__doc__ or '').split(chr(10), 1)[1].strip()}\n"]
    for title, (head, *rows) in tables.items():
        rule = "|".join(["---"] * 2 + ["---:"] * (len(head) - 2))
        lines = [f"| {' | '.join(row)} |" for row in rows]
        text.append(f"## {title}\n\n| {' | '.join(head)} |\n|{rule}|\n" + "\n".join(lines) + "\n")
    met = sum(target.is_met for target in reached)
    text += [f"## Targets: {met} of {len(reached)} met\n\n```\n{target_lines(reached)}\n```\n"]
    text += [where.replace("\n", "; ") + "\n"]
    (_HERE / "results" / "robot.md").write_text("\n".join(text), encoding="utf-8")
    shutil.copy(output / "robot-benchmark.png", _HERE.parent / "docs" / "images")


if __name__ == "__main__":
    main()
