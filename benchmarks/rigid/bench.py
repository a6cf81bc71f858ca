"""First contact of rigid bodies: Table I of the paper of 2009 (C²A), peers, and cost against size.

The models are made here, with the triangle counts of the paper: two thirds of the random motions collide, and
nearly all steps of the falling body are free. All on one thread. Times of a pair are those of two batches, of
the motions that collide and of those that do not, the best of several runs, divided by the number of motions;
those of one call each are the best of several, motion by motion. Counters are means over the motions that
collide; the gap is the mean distance at the reported times, relative to the size of the body. Late is a time
past a contact that python-fcl sees in one of many samples of the motion.

The peers are called from Python, motion by motion, each in a process of its own. python-fcl's continuous
collision finds times of contact in some processes only: one that fails a check with two spheres is replaced
before anything is measured, and counted.
"""

import tempfile
from pathlib import Path

import numba

from report.section import Part, Picture, Run, Table
from rigid import plot
from rigid.cases import AUTHORS_GAP, AUTHORS_LATE, NAMES, case
from rigid.own import LABELS, Effort, Result, Singles, run_method, run_singles, witnessed
from rigid.study import (
    peer_headlines,
    peer_lines,
    peer_study,
    peer_targets,
    scaling_lines,
    scaling_study,
)
from rigid.table import comparison_lines, pair_headlines, pair_targets

TITLE = "Rigid bodies"
_QUICK = ("gear", "hammer, CAD piece", "torus knot")
_GAP = AUTHORS_GAP  # the tolerance, relative to the size of the body


def pairs(run: Run) -> Part:
    """Table I, and Figures 4 and 6."""
    numba.set_num_threads(1)
    results: list[Result] = []
    singles: dict[str, Singles] = {}
    for name in _QUICK if run.quick else NAMES:
        pair = case(name, _n_motions(run), _GAP)
        seen = witnessed(pair, 200 if run.quick else 500)
        results += [run_method(pair, method, _effort(run), seen) for method in LABELS]
        singles[name] = run_singles(pair, 2 if run.quick else 3)
    note = f"The authors' C++ code: gap about {AUTHORS_GAP:.0e}, {AUTHORS_LATE} contacts late."
    title = "Milliseconds to find the first contact; one thread"
    shown = [Picture("rigid-benchmark", title, plot.draw_pairs(results))]
    if not run.quick:
        front = "Front nodes of each motion, club against club"
        shown.append(Picture("rigid-front-nodes", front, plot.draw_front_nodes(results)))
    profile = "Profile of each motion, torus knot against torus knot"
    shown.append(Picture("rigid-profile", profile, plot.draw_profile(results, singles)))
    return Part(
        tables=(Table("Milliseconds a motion", comparison_lines(results, singles), 3, note),),
        pictures=tuple(shown),
        headlines=tuple(pair_headlines(results)),
        targets=() if run.quick else tuple(pair_targets(results, _GAP)),
        figures=results,
    )


def peers(run: Run) -> Part:
    """First contacts and distances, call by call."""
    numba.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        sides = peer_study(Path(folder), _GAP, _n_motions(run), 20.0 if run.quick else 120.0)
    title = "First contact (1,280 triangles each) and distance (5,120) beside peers"
    note = (
        "÷: how many times as long as firstcontact's, from a batch and with one call each; missed and late "
        "are held against contacts seen in 1,000 samples of each motion"
    )
    return Part(
        tables=(Table("Beside peers, milliseconds a query", peer_lines(sides), 4, note),),
        pictures=(Picture("rigid-peers", title, plot.draw_peers(sides)),),
        headlines=tuple(peer_headlines(sides)),
        targets=() if run.quick else tuple(peer_targets(sides)),
        figures=sides,
    )


def scaling(run: Run) -> Part:
    """Time against size."""
    numba.set_num_threads(1)
    points = scaling_study(_GAP, max(12, _n_motions(run) // 4), _effort(run), run.quick)
    title = "First contact and distance: cost against size; one thread"
    return Part(
        tables=(Table("The organic body: time against size", scaling_lines(points)),),
        pictures=(Picture("rigid-scaling", title, plot.draw_scaling(points)),),
        figures=points,
    )


def _n_motions(run: Run) -> int:
    """Of a pair; five times as many of the body that falls."""
    return 100 if run.quick else 200


def _effort(run: Run) -> Effort:
    return Effort(3, 0.5) if run.quick else Effort(7, 4.0)


PARTS = {"pairs": pairs, "peers": peers, "scaling": scaling}
