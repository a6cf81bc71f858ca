"""Images of the nearest site beside trees and transforms, and pairs of bodies that images keep apart.

Nearest sites: `voronoi` fills 512 x 512 pixels, or 128 and 256 voxels along each side, with sites at
random in the unit square or cube: points, segments of 0.05 at most, and outlines of pentagons of 0.02 across.
SciPy's cKDTree is asked for the centre of each cell, shapely's STRtree for every 64th, and that time is
scaled; making the tree counts. SciPy's `distance_transform_edt`, edt and scikit-fmm know points at centres of
cells alone: what they lose by that, and by fast marching, is their worst error, in cells. Seconds of the
processor, all threads, least of some rounds.

Culling: a vase bursts into shards. CULLIDE's question: which pairs of bodies are left by boxes, kept in
sorted lists or in a tree, and which by images of depth; and what do these pairs, and then all contacts of a
frame, take? Processor time, medians of 12 frames.
"""

from typing import Any

from images.cases import Case, cases
from images.culling import culled
from images.nearest import Measured, measured
from report.section import Headline, Lines, Part, Run, Table, Target

TITLE = "Images"
OWN = "firstcontact"


def nearest(run: Run) -> Part:
    """Sites of all kinds, in images and volumes."""
    found = [(case, measured(case)) for case in cases(run.quick)]
    return Part(
        tables=(Table("The nearest site of each cell", _lines(found), n_left=4),),
        headlines=tuple(_headlines(found)),
        targets=tuple(_targets(found)),
        figures=[
            {"case": case.name, "n": case.n, "shape": case.shape, "found": them} for case, them in found
        ],
    )


def culling(run: Run) -> Part:
    """A vase that bursts."""
    lines, figures = culled(run.quick)
    note = "Boxes are those of the whole step; pairs that touch are the same by all three."
    return Part(tables=(Table("Pairs of shards, a frame", lines, note=note),), figures=figures)


def _lines(found: list[tuple[Case, list[Measured]]]) -> Lines:
    lines: Lines = [("sites", "n", "cells", "library", "seconds", "times ours", "worst error, cells")]
    for case, them in found:
        for one in them:
            names = case.name, f"{case.n:,}", " x ".join(map(str, case.shape)), one.library
            if one.fault:
                lines.append((*names, one.fault, "", ""))
                continue
            error = "exact" if one.error < 1e-9 else f"{one.error:.2f}"
            lines.append((*names, f"{one.seconds:.3g}", f"{one.seconds / them[0].seconds:.2f}", error))
    return lines


def _fastest(them: list[Measured], is_exact: bool) -> Measured | None:
    """The fastest peer, of those that are as exact, or of all."""
    peers = [one for one in them[1:] if not one.fault and (one.error < 1e-9 or not is_exact)]
    return min(peers, key=lambda one: one.seconds) if peers else None


def _headlines(found: list[tuple[Case, list[Measured]]]) -> Any:
    for case, them in found:
        peer = _fastest(them, is_exact=True)
        if peer is not None and case.n == 1000:
            what = f"nearest of 1,000 {case.name}, {' x '.join(map(str, case.shape))} cells"
            yield Headline(what, them[0].seconds, peer.library, peer.seconds)


def _targets(found: list[tuple[Case, list[Measured]]]) -> Any:
    for is_points, least in ((True, 1.5), (False, 5.0)):
        ratios = [
            peer.seconds / them[0].seconds
            for case, them in found
            if (case.name == "points") == is_points and (peer := _fastest(them, is_exact=True)) is not None
        ]
        if ratios:
            what = "points" if is_points else "segments and outlines"
            text = f"{least:g} times as fast as the fastest that is as exact, {what}"
            yield Target(text, f"{min(ratios):.1f} to {max(ratios):.1f}", min(ratios) >= least)


PARTS = {"nearest": nearest, "culling": culling}
