"""`firstcontact demo`: a cloth that settles on a ball, a million random queries, and a picture of both."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.demo_picture import Touching, draw
from firstcontact.cli.demo_scene import Scene, cloth_on_ball
from firstcontact.cli.kinds import kind_names, query_of
from firstcontact.cli.table import table
from firstcontact.cli.warmup import warm_up, warm_up_mesh

_SMALLEST_SIDE = 20  # with fewer quads the folds of the cloth would cut through each other


class Run(NamedTuple):
    """One batch of one kind: what was found, and how long it took."""

    kind: str
    contacts: fc.ElementaryContacts
    seconds: float


class Search(NamedTuple):
    """The contacts of the cloth with itself or with the ball, and how long it took to find them."""

    name: str
    contacts: fc.Contacts
    seconds: float


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo", help="a cloth on a ball, a million random queries, and a picture", description=__doc__
    )
    add = parser.add_argument
    add("--queries", type=int, default=1_000_000, metavar="N", help="how many in all (default: a million)")
    add("--side", type=int, default=150, metavar="N", help="quads along the cloth's side (default: 150)")
    add("--seed", type=int, default=0, metavar="S", help="of the random numbers")
    add(
        "--output", type=Path, default=Path("firstcontact-demo.png"), metavar="PNG", help="the picture's file"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Find the contacts of a cloth, answer random queries, print both tables and write a picture."""
    if options.queries < 2 or options.seed < 0:
        raise CommandError("--queries must be at least 2 and --seed at least 0")
    if options.side < _SMALLEST_SIDE:
        raise CommandError(f"--side must be at least {_SMALLEST_SIDE}")
    scene = cloth_on_ball(options.side)
    _get_ready(scene)
    searches = [_search("with itself", scene.cloth), _search("with the ball", scene.cloth, scene.ball)]
    heading = f"a cloth of {scene.cloth.surface.n_faces:,} triangles"
    print(table([(heading, *(search.name for search in searches)), *_search_rows(searches)]))
    runs = [_run(kind, options.queries // 2, options.seed) for kind in kind_names()]
    print(f"\n{table([('random points', *kind_names()), *_rows(runs)])}")
    touching = Touching(scene, *(search.contacts for search in searches))
    try:
        draw(touching, {run.kind: run.contacts for run in runs}, options.output)
    except OSError as error:
        raise CommandError(f"{options.output} cannot be written: {error.strerror}") from None
    print(f"\na picture is in {options.output}")


def _get_ready(scene: Scene) -> None:
    started = time.perf_counter()
    for kind in kind_names():
        warm_up(kind)
    warm_up_mesh(fc.contacts, scene.cloth.surface.n_faces, 0.0)
    print(f"kernels ready after {time.perf_counter() - started:.1f} s\n")


def _search(name: str, *things: fc.Moving | fc.Mesh) -> Search:
    started = time.perf_counter()
    contacts = fc.contacts(*things)
    return Search(name, contacts, time.perf_counter() - started)


def _search_rows(searches: list[Search]) -> list[tuple[str, ...]]:
    def row(name: str, cell: Callable[[Search], str]) -> tuple[str, ...]:
        return (name, *(cell(search) for search in searches))

    return [
        row("pairs of triangles met", lambda search: f"{search.contacts.stats.triangle_pairs:,}"),
        row("elementary tests", lambda search: f"{search.contacts.stats.elementary_tests:,}"),
        row("contacts", lambda search: f"{len(search.contacts):,}"),
        row("first time", lambda search: f"{search.contacts.time.min(initial=np.inf)}"),
        row("seconds", lambda search: f"{search.seconds:.3f}"),
    ]


def _run(kind: str, n_queries: int, seed: int) -> Run:
    start, end = np.random.default_rng([seed, kind_names().index(kind)]).random((2, n_queries, 4, 3))
    started = time.perf_counter()
    contacts = query_of(kind)(start, end)
    return Run(kind, contacts, time.perf_counter() - started)


def _rows(runs: list[Run]) -> list[tuple[str, ...]]:
    def row(name: str, cells: list[str]) -> tuple[str, ...]:
        return (name, *cells)

    def counted(status: fc.Status) -> list[str]:
        return [f"{np.count_nonzero(run.contacts.status == status):,}" for run in runs]

    n = [len(run.contacts.hit) for run in runs]
    return [
        row("queries", [f"{count:,}" for count in n]),
        row("culled by filters", [f"{run.contacts.stats.culled:,}" for run in runs]),
        row("hits", [f"{np.count_nonzero(run.contacts.hit):,}" for run in runs]),
        row("undecided", counted(fc.Status.UNDECIDED)),
        row("seconds", [f"{run.seconds:.3f}" for run in runs]),
        row("µs a query", [f"{1e6 * run.seconds / count:.3f}" for run, count in zip(runs, n, strict=True)]),
    ]
