"""Scenes of many bodies: I-COLLIDE's simulation (1995), broad phases, whole frames, peers, and the targets.

Polytopes of 36 faces fly through a box at a density of 1 %, by 10 % of their radius and 10 degrees a frame;
they are 20 to 20,000, and 1,000 in the paper. Boxes are those that hold a body throughout a frame. Times are
medians over the frames, in milliseconds of the processor, on one thread (the stages of a frame, and the broad
phase of rapier3d, by the clock). A frame of this library is `Scene.move` of all bodies and the query about
all of the frame; the peers look at the instant at its end, and then push bodies apart.
"""

import argparse
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
from machine import described, machine
from rigid_table import Target, target_lines
from scene_methods import Broad, Whole, run_broad, run_whole
from scene_peers import PEERS, Stepped, run_peer, versions
from scene_plot import draw
from scene_table import Lines, broad_lines, broad_targets, peer_lines, whole_lines
from tables import aligned
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
_FEW_SIZES = (100, 1000, 10000)
_PARTS = ("broad", "whole", "peers")


def main() -> None:
    """Measure, print the tables and the targets, write the figures and the plot."""
    options = _parser().parse_args()
    if find_spec("matplotlib") is None:
        sys.exit("matplotlib is missing: pip install 'firstcontact[bench]'")
    numba.set_num_threads(1)
    options.output.mkdir(parents=True, exist_ok=True)
    facts = machine() | {"peers": versions()}
    broad, whole, peers = _measured(options)
    tables = _tables(broad, whole, peers)
    for title, lines in tables.items():
        print(f"\n{title}\n{aligned(lines, 1)}")
    targets = broad_targets(broad) if broad and not options.quick else []
    print("\nTargets\n" + target_lines(targets))
    known = ", ".join(f"{name} {number or 'missing'}" for name, number in facts["peers"].items())
    where = f"before: {described(facts)}; {known}\nafter:  load averages {machine()['load']}"
    print(f"\n{where}")
    kept = {"broad": broad, "whole": whole, "peers": peers, "targets": targets}
    flat = {name: [one._asdict() for one in rows] for name, rows in kept.items()}
    text = json.dumps({"machine": facts} | flat, indent=1)
    (options.output / "scene.json").write_text(text + "\n", encoding="utf-8")
    if broad:
        draw(broad, peers, facts, options.output / "scene-broad-phase.png")
    print(f"figures and plots: {options.output}")
    if options.publish:
        _publish(options.output, tables, targets, where)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--parts", nargs="+", choices=_PARTS, default=_PARTS, metavar="PART", help=f"of: {_PARTS}")
    add("--quick", action="store_true", help="few bodies and frames, to see that all runs")
    add("--frames", type=int, default=60, metavar="N", help="of each flight (60)")
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plots go")
    add("--publish", action="store_true", help="also write results/scene.md and the documentation's plot")
    return parser


def _measured(options: argparse.Namespace) -> tuple[list[Broad], list[Whole], list[Stepped]]:
    """All parts that are asked for."""
    n_frames = 5 if options.quick else options.frames
    sizes, few = ((20, 100), (20, 100)) if options.quick else (_SIZES, _FEW_SIZES)

    def over(part: str, wanted: tuple[int, ...]) -> Any:
        return tqdm(wanted if part in options.parts else (), part, disable=None)

    broad = [one for n in over("broad", sizes) for one in run_broad(n, n_frames)]
    whole = [one for n in over("whole", few) for one in run_whole(n, n_frames)]
    peers = [one for n in over("peers", few) for package in PEERS for one in run_peer(package, n, n_frames)]
    return broad, whole, peers


def _tables(broad: list[Broad], whole: list[Whole], peers: list[Stepped]) -> dict[str, Lines]:
    tables = {}
    if broad:
        tables["Broad phase alone"] = broad_lines(broad)
    if whole:
        tables["Whole frames"] = whole_lines(whole)
    if peers:
        tables["Beside peers"] = peer_lines(peers, broad, whole)
    return tables


def _publish(output: Path, tables: dict[str, Lines], targets: list[Target], where: str) -> None:
    """Write the report, and copy the plot."""
    text = [f"# Scenes\n\n{(__doc__ or '').split(chr(10), 1)[1].strip()}\n"]
    for title, (head, *rows) in tables.items():
        rule = "|".join(["---"] + ["---:"] * (len(head) - 1))
        lines = [f"| {' | '.join(row)} |" for row in rows]
        text.append(f"## {title}\n\n| {' | '.join(head)} |\n|{rule}|\n" + "\n".join(lines) + "\n")
    text += [f"## Targets\n\n```\n{target_lines(targets)}\n```\n", where.replace("\n", "; ") + "\n"]
    (_HERE / "results" / "scene.md").write_text("\n".join(text), encoding="utf-8")
    plot = output / "scene-broad-phase.png"
    if plot.exists():
        shutil.copy(plot, _HERE.parent / "docs" / "images")


if __name__ == "__main__":
    main()
