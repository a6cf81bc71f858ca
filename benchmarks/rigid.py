"""First contact of rigid bodies: Table I of the paper of 2009 (C²A), peers, cost against size, targets.

The models are made here, with the triangle counts of the paper: two thirds of the random motions collide, and
nearly all steps of the falling body are free. All on one thread. Times of a pair are those of two batches, of
the motions that collide and of those that do not, the best of several runs, divided by the number of motions;
those of one call each are the best of several, motion by motion. Counters are means over the motions that
collide; the gap is the mean distance at the reported times, relative to the size of the body. Late is a time
past a contact that python-fcl sees in one of many samples of the motion.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
import rigid_plot as plot
from machine import described, machine
from rigid_cases import AUTHORS_GAP, NAMES, case
from rigid_methods import LABELS, Effort, Result, Singles, run, run_singles, witnessed
from rigid_peers import versions
from rigid_study import peer_study, peer_table, peer_targets, scaling_study, scaling_table
from rigid_table import Target, comparison_table, pair_targets, target_lines
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_Part = Callable[[argparse.Namespace, dict[str, Any]], tuple[Any, list[Target]]]


def main() -> None:
    """Measure, print the tables and the targets, write the figures and the plots."""
    options = _parser().parse_args()
    if find_spec("matplotlib") is None:
        sys.exit("matplotlib is missing: pip install 'firstcontact[bench]'")
    numba.set_num_threads(1)
    options.output.mkdir(parents=True, exist_ok=True)
    facts = machine() | {"peers": versions()}
    figures, targets = {}, []
    for name in options.parts:
        figures[name], found = _PARTS[name](options, facts)
        targets += found
    if not options.quick:
        print("\nTargets\n" + target_lines(targets))
    peers = ", ".join(f"{name} {version or 'missing'}" for name, version in facts["peers"].items())
    print(f"\nbefore: {described(facts)}; {peers}\nafter:  load averages {machine()['load']}")
    kept = {"machine": facts, **figures, "targets": [target._asdict() for target in targets]}
    (options.output / "rigid.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"figures and plots: {options.output}")
    if options.publish:
        for file in options.output.glob("rigid-*.png"):
            shutil.copy(file, _HERE.parent / "docs" / "images")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--parts", nargs="+", choices=_PARTS, default=list(_PARTS), help="only these")
    add("--pairs", nargs="+", choices=NAMES, default=NAMES, metavar="PAIR", help=f"of: {'; '.join(NAMES)}")
    add("--methods", nargs="+", choices=LABELS, default=list(LABELS), help="only these")
    add("--quick", action="store_true", help="few motions and small bodies, to see that all runs")
    add("--motions", type=int, default=200, metavar="N", help="of a pair (200); five times as many falling")
    add("--gap", type=float, default=AUTHORS_GAP, help="tolerance relative to the size of the body (1e-4)")
    add(
        "--samples", type=int, default=500, metavar="N", help="poses of a motion looked at for contacts (500)"
    )
    add("--repetitions", type=int, default=7, metavar="N", help="of a batch at most, the best counts (7)")
    add("--seconds", type=float, default=4.0, metavar="S", help="add repetitions for about this long (4)")
    add(
        "--limit",
        type=float,
        default=120.0,
        metavar="S",
        help="seconds that a peer may take for a pair (120)",
    )
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plots go")
    add("--publish", action="store_true", help="also make the plots those of the documentation")
    return parser


def _effort(options: argparse.Namespace) -> Effort:
    return Effort(1, 0.0) if options.quick else Effort(options.repetitions, options.seconds)


def _n_motions(options: argparse.Namespace) -> int:
    return 12 if options.quick else options.motions


def _pairs(options: argparse.Namespace, facts: dict[str, Any]) -> tuple[Any, list[Target]]:
    """Table I, and Figures 4 and 6."""
    results: list[Result] = []
    singles: dict[str, Singles] = {}
    for name in tqdm(options.pairs, "pairs", disable=None, unit="pair"):
        pair = case(name, _n_motions(options), options.gap)
        seen = witnessed(pair, options.samples)
        results += [run(pair, method, _effort(options), seen) for method in options.methods]
        singles[name] = run_singles(pair, 1 if options.quick else 3)
    print("\nMilliseconds a motion\n" + comparison_table(results, singles))
    plot.draw_pairs(results, facts, options.output / "rigid-benchmark.png")
    plot.draw_front_nodes(results, facts, options.output / "rigid-front-nodes.png")
    plot.draw_profile(results, singles, facts, options.output / "rigid-profile.png")
    return [result.flat() for result in results], pair_targets(results, options.gap)


def _peers(options: argparse.Namespace, facts: dict[str, Any]) -> tuple[Any, list[Target]]:
    with tempfile.TemporaryDirectory() as folder:
        sides = peer_study(Path(folder), options.gap, _n_motions(options), options.limit)
    print("\nBeside peers\n" + peer_table(sides))
    plot.draw_peers(sides, facts, options.output / "rigid-peers.png")
    return [side._asdict() for side in sides], peer_targets(sides)


def _scaling(options: argparse.Namespace, facts: dict[str, Any]) -> tuple[Any, list[Target]]:
    points = scaling_study(options.gap, max(6, _n_motions(options) // 4), _effort(options), options.quick)
    print("\nThe organic body: time against size\n" + scaling_table(points))
    plot.draw_scaling(points, facts, options.output / "rigid-scaling.png")
    return [point._asdict() for point in points], []


_PARTS: dict[str, _Part] = {"pairs": _pairs, "peers": _peers, "scaling": _scaling}


if __name__ == "__main__":
    main()
