"""The first story: a hammer strikes an anvil between two frames that both look free."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.cli.demo.smithy import anvil, hammer
from firstcontact.cli.demo.story import NO_BREAK, Report, Story, duration, early, rows_of
from firstcontact.viz.page import Section
from firstcontact.viz.view import View
from firstcontact.viz.view_of import view_of

# The step: so many frames of a camera, or of a game.
N_FRAMES, RATE = 15, 60
SECONDS = N_FRAMES / RATE

_GRIP = np.array([0.0, 0.0, -0.2])  # of the hammer, which turns about it
_START, _VELOCITY = np.array([0.64, 0.0, 0.0]), np.array([-1.1, 0.0, 0.0])  # of the grip, m and m/s
_PHASE, _TURNS = 5.32, 10.0  # where the swing begins, in radians, and turns a second

_RATES = (60, 120, 240, 1000)
_PALE = 0xB9C7D6  # what the frames show


class Looks(NamedTuple):
    """What frames alone say: how many there are, and the first that shows a contact."""

    rate: int
    n_frames: int
    first: float | None


def swing(body: fc.Mesh) -> fc.Moving:
    """Swing the hammer by its grip, which comes nearer: more than two turns, the second through the horn."""
    turn = np.array(
        [[-np.cos(_PHASE), 0.0, -np.sin(_PHASE)], [0.0, -1.0, 0.0], [-np.sin(_PHASE), 0.0, np.cos(_PHASE)]]
    )
    spin = [0.0, -2.0 * np.pi * _TURNS * SECONDS, 0.0]
    start = turn, _START - turn @ _GRIP
    return body.moving(start, center=_GRIP, velocity=SECONDS * _VELOCITY, angular_velocity=spin)


def looked(moving: fc.Moving, still: fc.Mesh, rate: int) -> Looks:
    """Look at frames of a rate, as a discrete check does."""
    times = np.linspace(0.0, 1.0, round(rate * SECONDS) + 1)
    body = moving.surface
    hits = [not fc.is_free(body.at(moving.pose(t)), still) for t in times]  # by the code of first_contact
    return Looks(rate, len(times), float(times[np.argmax(hits)]) if np.any(hits) else None)


def tell(report: Report, n_around: int = 64) -> Story:
    """Swing the hammer; look at frames, and ask about all times."""
    report("making hammer and anvil", 0.0)
    moving, still = swing(hammer(n_around)), anvil(n_around)
    report("compiling first_contact", 0.05)
    looked(moving, still, RATE)
    report("compiling what touches where", 0.45)
    hit = fc.first_contact(moving, still)
    _ = hit.points, hit.time_upper  # found when asked for
    report("asking", 0.9)
    looks = [looked(moving, still, rate) for rate in _RATES]
    hit = fc.first_contact(moving, still)
    report("done", 1.0)
    return Story(_cells(moving, still, hit, looks), (_section(hit, looks),))


def _cells(moving: fc.Moving, still: fc.Mesh, hit: fc.FirstContact, looks: list[Looks]) -> dict[str, str]:
    n_faces = moving.surface.n_faces + still.n_faces
    return {
        "asked": "first contact of a swing",
        "of": f"{n_faces:,} triangles",
        "samples say": f"free in all {looks[0].n_frames} frames at {RATE} Hz",
        "found": f"contact at frame{NO_BREAK}{early(N_FRAMES * hit.time, 3)}",
        "proven": "free before that, at all times",
        "took": duration(hit.stats.seconds),
    }


def _section(hit: fc.FirstContact, looks: list[Looks]) -> Section:
    at = early(1e3 * SECONDS * hit.time, 3)
    rows = [("who looks", "frames", "what is seen"), *(_row(look, hit.time) for look in looks)]
    rows.append(
        (
            "<b>first_contact</b>",
            "none",
            f"<b>contact at {at} ms</b>, found in {duration(hit.stats.seconds)}",
        )
    )
    before = int(N_FRAMES * hit.time)
    text = (
        f"<p>A hammer swings at {_TURNS:g} turns a second. At {RATE} Hz all {looks[0].n_frames} frames are "
        f"free, {before} and {before + 1} too, which are shown in grey. In between, its head goes right "
        f"through the horn. <code>first_contact</code> looks at no frames, and proves that nothing touches "
        f"earlier.</p>"
    )
    return Section("A hammer, between two frames", text + rows_of(rows), _view(hit, before))


def _row(look: Looks, time: float) -> tuple[str, str, str]:
    if look.first is None:
        return f"{look.rate:,} Hz", str(look.n_frames), "free"
    late = 1e3 * SECONDS * (look.first - time)
    return f"{look.rate:,} Hz", str(look.n_frames), f"contact, {late:.2f} ms late"


def _view(hit: fc.FirstContact, before: int) -> View:
    """The swing over its frames, with the hammer as the two frames around the contact show it."""
    view = view_of(
        hit, f"Contact at frame {early(N_FRAMES * hit.time, 3)}: frames {before} and {before + 1} are free"
    )
    names = {"a": "hammer", "b": "anvil"}
    bodies = [
        replace(body, name=names[body.name], thing=names[body.thing], times=N_FRAMES * body.times)
        for body in view.bodies
    ]
    for frame in (before, before + 1):
        pose = hit.things["a"].pose(frame / N_FRAMES)
        name = f"frame {frame}"
        bodies.append(
            replace(bodies[0], name=name, thing=name, color=_PALE, times=np.zeros(1), poses=pose[np.newaxis])
        )
    moments = tuple(replace(m, time=N_FRAMES * m.time, until=N_FRAMES * m.until) for m in view.moments)
    panel = tuple(
        (heading, tuple((names.get(name, name), value) for name, value in rows))
        for heading, rows in view.panel
    )
    span = 0.0, float(N_FRAMES)
    stop, focus = N_FRAMES * hit.time, np.array([[-0.05, -0.1, -0.2], [0.5, 0.1, 0.2]])
    return View(view.title, tuple(bodies), moments, panel, stop, span, "frame", focus=focus)
