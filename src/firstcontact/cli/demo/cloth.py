"""The second story: a cloth is thrown over a ball, with all contacts of each step found and prevented."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.cli.demo.chart import chart
from firstcontact.cli.demo.draping import NEVER_LESS, Draping, DrapingStep
from firstcontact.cli.demo.story import Report, Story, duration
from firstcontact.viz.page import Section
from firstcontact.viz.view import COLORS, Moment, ShownBody, View

_N_SHOWN = 200  # points of a step, of either kind, that are drawn


def tell(report: Report, n_side: int = 36, n_steps: int = 72) -> Story:
    """Throw the cloth, and prove of every step that nothing passed through anything."""
    report("compiling contacts", 0.0)
    draping = Draping(n_side)
    _compile(draping)
    steps = []
    for i, step in enumerate(draping.steps(n_steps), 1):
        steps.append(step)
        report(f"step {i} of {n_steps}", 0.1 + 0.8 * i / n_steps)
    report("checking every step again", 0.9)
    frames = np.stack([draping.cloth.vertices, *(step.cloth for step in steps)])
    n_free = count_free(draping, frames)
    report("done", 1.0)
    return Story(_cells(draping, steps, n_free), (_section(draping, steps, frames, n_free),))


def _compile(draping: Draping) -> None:
    """Ask about a fall with contacts of all kinds, so that no later question waits for the compiler."""
    ends = draping.mesh.vertices - np.array([0.0, 0.0, 1.0])
    ends[draping.cloth.n_vertices :] = draping.ball.vertices
    fall = draping.mesh.deforming(draping.mesh.vertices, ends)
    fc.contacts(fall, min_separation=NEVER_LESS)
    fc.safe_step(fall)


def count_free(draping: Draping, frames: Array) -> int:
    """Count the steps between frames without any contact, asked anew: of the cloth, and of cloth and ball."""
    sheet, ball = draping.cloth, draping.ball
    moves = [sheet.deforming(start, end) for start, end in pairwise(frames)]
    return sum(fc.safe_step(move, ball) == 1.0 and fc.safe_step(move) == 1.0 for move in moves)


def _counts(draping: Draping, steps: list[DrapingStep]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Contacts of each step with the ball, and of the cloth with itself."""
    with_ball = np.array([draping.is_with_ball(step.contacts).sum() for step in steps])
    return with_ball, np.array([len(step.contacts) for step in steps]) - with_ball


def _cells(draping: Draping, steps: list[DrapingStep], n_free: int) -> dict[str, str]:
    with_ball, with_itself = _counts(draping, steps)
    asked = np.concatenate([step.seconds for step in steps])
    return {
        "asked": f"all contacts of {len(steps)} steps",
        "of": f"{draping.mesh.n_faces:,} triangles",
        "samples say": "none taken",
        "found": f"{with_ball.sum():,} with the ball, {with_itself.sum():,} with itself",
        "proven": f"{n_free} of {len(steps)} steps kept free of contact",
        "took": f"{duration(np.median(asked))} a question, {duration(asked.sum())} in all",
    }


def _section(draping: Draping, steps: list[DrapingStep], frames: Array, n_free: int) -> Section:
    with_ball, with_itself = _counts(draping, steps)
    asked = np.concatenate([step.seconds for step in steps])
    text = (
        f"<p>A cloth of {draping.cloth.n_faces:,} triangles is thrown over a ball, with a spin. Each step is "
        f"first proposed freely. <code>contacts</code> lists every vertex that would meet a face, and every "
        f"edge an edge: {with_ball.sum():,} contacts with the ball and {with_itself.sum():,} of the "
        f"cloth with itself, in {len(steps)} steps. The step is changed until there is none. "
        f"{_verdict(n_free, len(steps))} A question took {duration(np.median(asked))}, all {len(asked)} of "
        f"them {duration(asked.sum())}.</p>"
    )
    lines = (("with the ball", COLORS[1], with_ball), ("with itself", COLORS[0], with_itself))
    return Section(
        "A cloth over a ball", text + chart("contacts of each step", lines), _view(draping, steps, frames)
    )


def _verdict(n_free: int, n_steps: int) -> str:
    """Say whether anything passed through anything."""
    if n_free < n_steps:
        return f"Asked again at the end, {n_steps - n_free} of them are not free."
    return "Asked again at the end, all of them are free of contact: nothing has passed through anything."


def _view(draping: Draping, steps: list[DrapingStep], frames: Array) -> View:
    times, rest = np.arange(len(frames), dtype=float), np.eye(4)[np.newaxis]
    sheet, ball = draping.cloth, draping.ball
    bodies = (
        ShownBody("cloth", "cloth", COLORS[0], frames[0], sheet.faces, times, rest, frames),
        ShownBody(
            "ball",
            "ball",
            COLORS[1],
            ball.vertices,
            ball.faces,
            times[:1],
            rest,
        ),
    )
    moments = tuple(_moment(draping, i, step) for i, step in enumerate(steps) if len(step.contacts))
    with_ball, with_itself = _counts(draping, steps)
    panel = (
        (
            "Contacts prevented",
            (("with the ball", f"{with_ball.sum():,}"), ("with itself", f"{with_itself.sum():,}")),
        ),
        (
            "In one step, at most",
            (("with the ball", f"{with_ball.max():,}"), ("with itself", f"{with_itself.max():,}")),
        ),
        ("Things", (("cloth", f"{sheet.n_faces:,} triangles"), ("ball", f"{ball.n_faces:,} triangles"))),
    )
    stop = moments[0].time if moments else None
    title = "Every contact of every step, found and prevented"
    focus = np.array([[-0.9, -0.8, -1.1], [0.8, 0.8, 0.6]])
    return View(title, bodies, moments, panel, stop, (0.0, float(len(steps))), "step", 8.0, focus)


def _moment(draping: Draping, i: int, step: DrapingStep) -> Moment:
    """Where the step would have had contacts: some of them, evenly chosen."""
    is_with_ball = draping.is_with_ball(step.contacts)
    points = [_some(step.contacts.points[chosen]) for chosen in (is_with_ball, ~is_with_ball)]
    label = f"{is_with_ball.sum():,} with the ball, {(~is_with_ball).sum():,} with itself"
    return Moment(float(i + 1), float(i + 2), np.concatenate(points), label=label)


def _some(points: Array) -> Array:
    return points[:: max(len(points) // _N_SHOWN, 1)]
