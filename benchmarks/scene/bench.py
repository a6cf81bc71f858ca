"""Scenes of many bodies: I-COLLIDE's simulation (1995), broad phases, whole frames, and peers.

Polytopes of 36 faces fly through a box at a density of 1 %, by 10 % of their radius and 10 degrees a frame;
they are 1,000 in the paper. Boxes are those that hold a body throughout a frame. Times are medians over the
frames, in milliseconds of the processor, on one thread (the stages of a frame, and the broad phase of
rapier3d, by the clock). A frame of this library is `Scene.move` of all bodies and the query about all of the
frame; the peers look at the instant at its end, and then push bodies apart.

Boxes: I-COLLIDE's fixed cubes beside boxes that fit, by how fast bodies turn; its two-dimensional variant,
rectangles in a plane by an interval tree.

Sheets that deform: a scene of them beside one merged mesh, and that in ipctk.

Events: balls in a closed room, from contact to contact, up to 100,000 of them, beside a queue that is made
anew after each contact, and beside a plain event-driven simulation in NumPy.
"""

from math import radians

import numba

from report.section import Part, Picture, Run, Table
from scene.boxes import box_lines, box_targets, run_boxes
from scene.events import SIZES, event_headlines, event_lines, event_targets, run_events
from scene.own import run_broad, run_whole
from scene.peers import PEERS, run_peer
from scene.plot import draw
from scene.sheets import run_sheets, sheet_lines, sheet_targets
from scene.table import broad_lines, broad_targets, frame_targets, headlines, peer_lines, whole_lines

TITLE = "Scenes"
_SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
_QUICK_SIZES = (100, 1000, 5000, 10000)
_FEW_SIZES = (100, 1000, 10000, 100000)
_DEGREES = (0, 30)  # a frame, beside those of all other parts
_SHEETS = ((200, 200), (200, 20), (1000, 1000))  # and how many of them move
_MOST_STEPS = 1_000_000  # bodies times frames of a whole scene


def frames(run: Run) -> Part:
    """The broad phase alone, whole frames, and both beside peers."""
    numba.set_num_threads(1)
    n_frames = 20 if run.quick else 60
    broad = [one for n in (_QUICK_SIZES if run.quick else _SIZES) for one in run_broad(n, n_frames)]
    few = {n: max(min(n_frames, _MOST_STEPS // n), 5) for n in _FEW_SIZES[: 3 if run.quick else 4]}
    whole = [one for n, frames in few.items() for one in run_whole(n, frames)]
    peers = [one for n, frames in few.items() for package in PEERS for one in run_peer(package, n, frames)]
    title = "Broad phase: 10 % of the radius and 10 degrees a frame; one thread"
    return Part(
        tables=(
            Table("Broad phase alone, milliseconds a frame", broad_lines(broad)),
            Table("Whole frames, milliseconds", whole_lines(whole)),
            Table("Beside peers, milliseconds a frame", peer_lines(peers, broad, whole)),
        ),
        pictures=(Picture("scene-broad-phase", title, draw(broad, peers)),),
        headlines=tuple(headlines(peers, broad, whole)),
        targets=() if run.quick else (*broad_targets(broad), *frame_targets(whole, peers)),
        figures={"broad": broad, "whole": whole, "peers": peers},
    )


def events(run: Run) -> Part:
    """Balls in a room, from contact to contact."""
    numba.set_num_threads(1)
    run_events(20, 200)  # compiles
    found = [one for n in SIZES for one in run_events(n, 10_000 if run.quick else 40_000)]
    return Part(
        tables=(Table("From contact to contact, microseconds an event", event_lines(found)),),
        headlines=tuple(event_headlines(found)),
        targets=tuple(event_targets(found)),
        figures={"events": found},
    )


def boxes(run: Run) -> Part:
    """Fixed cubes and boxes that fit, in one dimension and in two."""
    numba.set_num_threads(1)
    run_boxes(20, 2)  # compiles
    n_frames = 20 if run.quick else 60
    found = [one for n in _FEW_SIZES[: 2 if run.quick else 3] for one in run_boxes(n, n_frames)]
    found += [one for degrees in _DEGREES for one in run_boxes(1000, n_frames, radians(degrees))]
    return Part(
        tables=(Table("Fixed cubes and boxes that fit, milliseconds a frame", box_lines(found), 3),),
        targets=tuple(box_targets(found)),
        figures={"boxes": found},
    )


def sheets(run: Run) -> Part:
    """Meshes that deform, by the hundred."""
    numba.set_num_threads(1)
    found = [run_sheets(n, k) for n, k in (_SHEETS[:2] if run.quick else _SHEETS)]
    return Part(
        tables=(Table("Sheets of 98 triangles, milliseconds", sheet_lines(found), 2),),
        targets=tuple(sheet_targets(found)),
        figures={"sheets": found},
    )


PARTS = {"frames": frames, "events": events, "boxes": boxes, "sheets": sheets}
