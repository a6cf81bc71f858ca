"""Convex shapes and rays, side by side with coal, python-fcl, mujoco, rapier3d and embreex, and the targets.

Over the same random poses: A is placed, B stands at the origin; gaps from 1 % of the size to all of it,
overlaps of any depth, two thirds of the motions collide. Shapes, poses, rays and requests are made
beforehand, for the peers and for this library. A batch is one call, on all threads; the peers have none, and
are called pair by pair, as their users do (embreex has one for rays). "Poses within" is the time with the
making of `a.at(pose)` or `a.moving(start, end)`. Methods take turns, round by round; times are those of the
clock, medians over the rounds, ratios the medians of the ratios within a round, to the fastest peer and to
the fastest that is right in 99 % of its answers. An answer is wrong if it is off by more than 1e-3 of the
size, or of the duration of the motion, or if a contact is missed or made up; the truth is bracketed by planes
and points. Late is a time past a proven overlap. python-fcl finds times of contact in some processes only:
one that fails a check with two spheres is replaced before anything is measured, and counted.
"""

import argparse
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from convex_asked import DISTANCE, INTERSECTS, PAIR_QUERIES, PENETRATION, RAY, TRANSLATION
from convex_cases import Case, Rays, Solid, case, mesh, rays, solids
from convex_peers import PEERS
from convex_ray_truth import hits
from convex_table import Row, markdown, own_notes, query_lines, targets, title
from convex_truth import Bracket, depths, distances, times
from convex_workers import OWN, Effort, Worker, measure, methods, missing, versions
from machine import described, machine
from rigid_table import target_lines
from tables import aligned
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_QUERIES = (*PAIR_QUERIES, RAY)


def main() -> None:
    """Measure, print the tables and the targets, write the figures and the plot."""
    options = _parser().parse_args()
    if find_spec("matplotlib") is None:
        sys.exit("matplotlib is missing: pip install 'firstcontact[bench]'")
    from convex_plot import draw

    options.output.mkdir(parents=True, exist_ok=True)
    facts = machine() | {"peers": versions()}
    rows, report = _measured(options), []
    for query in dict.fromkeys(row.query for row in rows):
        own = [row for row in rows if row.query == query]
        lines = query_lines(own, list(methods(query == RAY)))
        print(f"\n{title(query)}\n{aligned(lines, 1)}")
        report.append(f"## {title(query)}\n\n{markdown(lines)}\n")
    reached, notes = targets(rows), own_notes(rows)
    print("\nThis library's answers\n  " + "\n  ".join(notes))
    print("\nTargets\n" + target_lines(reached))
    where = f"before: {_described(facts)}\nafter:  load averages {machine()['load']}"
    print(f"\n{where}")
    draw(rows, facts, options.output / "convex-benchmark.png")
    _write(options.output, facts, rows, reached)
    if options.publish:
        met = sum(target.is_met for target in reached)
        text = [f"# Convex shapes and rays\n\n{__doc__.split(chr(10), 1)[1].strip()}\n", *report]
        text += [
            "## Answers\n",
            *(f"- {note}" for note in notes),
            f"\n## Targets: {met} of {len(reached)} met\n",
        ]
        text += [f"```\n{target_lines(reached)}\n```\n", where.replace("\n", "; ") + "\n"]
        (_HERE / "results" / "convex.md").write_text("\n".join(text), encoding="utf-8")
        shutil.copy(options.output / "convex-benchmark.png", _HERE.parent / "docs" / "images")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, names = parser.add_argument, [*solids(), "mesh"]
    add("--shapes", nargs="+", choices=names, default=names, metavar="SHAPE", help=f"of: {'; '.join(names)}")
    add("--queries", nargs="+", choices=_QUERIES, default=_QUERIES, metavar="QUERY", help=f"of: {_QUERIES}")
    add("--peers", nargs="+", choices=PEERS, default=list(PEERS), metavar="PEER", help=f"of: {list(PEERS)}")
    add("--quick", action="store_true", help="few poses and rounds, to see that all runs")
    add("--poses", type=int, default=2000, metavar="N", help="of a pair, motions and rays too (2,000)")
    add("--checked", type=int, default=300, metavar="N", help="poses whose truth is worked out (300)")
    add("--rounds", type=int, default=9, metavar="N", help="in which all methods have their turn (9)")
    add("--seconds", type=float, default=0.02, metavar="S", help="of a turn, at least (0.02)")
    add("--limit", type=float, default=10.0, metavar="S", help="of all turns of a slow method, about (10)")
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plots go")
    add("--publish", action="store_true", help="also write results/convex.md and the documentation's plot")
    return parser


def _measured(options: argparse.Namespace) -> list[Row]:
    """All rows, query by query."""
    packages = {OWN} | {PEERS[name].package for name in options.peers}
    absent = sorted(package for package in packages if missing(package))
    print("".join(f"{package} is missing\n" for package in absent), end="")
    workers = {package: Worker(package) for package in packages if package not in absent}
    unsound = [f"{one.package}: {one.n_unsound} unsound" for one in workers.values() if one.n_unsound]
    print("".join(f"{line} processes replaced\n" for line in unsound), end="")
    try:
        names = tqdm(options.shapes, "shapes", disable=None)
        rows = [row for name in names for row in _of_shape(workers, name, options)]
    finally:
        for worker in workers.values():
            worker.close()
    return sorted(rows, key=lambda row: _QUERIES.index(row.query))


def _of_shape(workers: dict[str, Worker], name: str, options: argparse.Namespace) -> list[Row]:
    """Pairs of a kind of shape, and rays at it."""
    n = 50 if options.quick else options.poses
    effort = Effort(2, 0.0, 1.0) if options.quick else Effort(options.rounds, options.seconds, options.limit)
    both: tuple[Solid, ...] = (mesh(),) if name == "mesh" else solids()[name]
    given: list[Case | Rays] = [rays(both[0], n)] if RAY in options.queries else []
    if len(both) > 1 and set(options.queries) - {RAY}:
        given.append(case(both[0], both[1], n))
    rows = []
    for one in given:
        found = measure(workers, one, effort, options.queries)
        rows += [Row(one.name, query, found[query], _truth(one, query, options)) for query in found]
    return rows


def _truth(given: Case | Rays, query: str, options: argparse.Namespace) -> Bracket:
    """What the answers to a query are held against."""
    n = 20 if options.quick else options.checked
    if isinstance(given, Rays):
        return hits(given)
    if query == INTERSECTS:
        return Bracket(*[given.is_overlapping.astype(np.float64)] * 2)
    if find_spec("coal") is None and query != PENETRATION:
        return Bracket(np.empty(0), np.empty(0))
    if query == DISTANCE:
        return distances(given, n)
    if query == PENETRATION:
        return depths(given, n)
    return times(given, given.ends if query == TRANSLATION else given.turned, n)


def _described(facts: dict[str, Any]) -> str:
    peers = ", ".join(f"{name} {version or 'missing'}" for name, version in facts["peers"].items())
    return f"{described(facts)}; {peers}"


def _write(folder: Path, facts: dict[str, Any], rows: list[Row], reached: list[Any]) -> None:
    kept = [
        {"name": row.name, "query": row.query, "method": one.method, "seconds": list(one.seconds),
         "wrong": row.wrong(one), "error": one.error}
        for row in rows for one in row.measured
    ]  # fmt: skip
    figures = {"machine": facts, "rows": kept, "targets": [target._asdict() for target in reached]}
    (folder / "convex.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"figures and plot: {folder}")


if __name__ == "__main__":
    main()
