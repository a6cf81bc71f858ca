"""The third story: the straight path of an arm clips a thin rod that samples do not see."""

from dataclasses import replace
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.demo.story import NO_BREAK, Report, Story, duration, early, rows_of
from firstcontact.cli.demo.workbench import DETOUR, GOAL, START, arm, samples, surroundings
from firstcontact.viz.page import Section
from firstcontact.viz.view import View
from firstcontact.viz.view_of import view_of

RESOLUTIONS = (0.05, 0.03, 0.01)  # radians from sample to sample; planners often take the first

_PAINT = {"table": 0xE1E5EA, "rod": 0x33404D, "probe": 0xE0A458}


def tell(report: Report) -> Story:
    """Ask about the straight path, in samples and as a whole; prove the detour."""
    robot, things = arm(), surroundings()
    report("compiling is_free", 0.0)
    looks = [look(robot, things, resolution) for resolution in RESOLUTIONS]
    report("compiling what touches where", 0.45)
    hit = straight(robot, things)
    _ = hit.points, hit.time_upper  # found when asked for
    report("proving the detour", 0.9)
    around = detour(robot, things)
    is_proven = around.certificate.verify()
    report("done", 1.0)
    hit = straight(robot, things)  # once more, now that all is compiled
    section = Section("An arm, and a thin rod", _text(hit, looks), _seen(view_of(hit, _title(hit))))
    return Story(_cells(robot, hit, looks, around, is_proven), (section, _way_around(around, is_proven)))


def look(robot: fc.Robot, things: dict[str, fc.Moving], resolution: float) -> tuple[int, bool]:
    """Look at samples of the straight path: how many there are, and whether all of them are free."""
    q = samples(START, GOAL, resolution)
    return len(q), bool(np.all(fc.is_free(robot.at(q), things, self_contact=True)))


def straight(robot: fc.Robot, things: dict[str, fc.Moving]) -> Any:
    """Ask about the straight path as a whole."""
    return fc.first_contact(robot.moving(START, GOAL), things, self_contact=True)


def detour(robot: fc.Robot, things: dict[str, fc.Moving]) -> Any:
    """Ask about the way around."""
    return fc.first_contact(robot.along([START, DETOUR, GOAL]), things, self_contact=True)


def _title(hit: Any) -> str:
    return f"The {hit.a} meets the {hit.b} at t = {early(hit.time, 6)}"


def _cells(
    robot: fc.Robot, hit: Any, looks: list[tuple[int, bool]], around: Any, is_proven: bool
) -> dict[str, str]:
    return {
        "asked": "first contact of a path",
        "of": f"{robot.dof} joints, {len(robot.parts)} shapes",
        "samples say": f"free in all {looks[0][0]} samples at {RESOLUTIONS[0]:g} rad",
        "found": f"{hit.a} meets {hit.b} at t{NO_BREAK}={NO_BREAK}{early(hit.time, 4)}",
        "proven": f"detour free, certificate {'verified' if is_proven else 'NOT verified'}",
        "took": f"{duration(hit.stats.seconds)}; detour {duration(around.stats.seconds)}",
    }


def _text(hit: Any, looks: list[tuple[int, bool]]) -> str:
    place = ", ".join(f"{1e3 * x:.0f}" for x in hit.points[0])
    rows = [("who looks", "samples", "what is seen")]
    for resolution, (n, is_free) in zip(RESOLUTIONS, looks, strict=True):
        rows.append((f"every {resolution:g} rad", str(n), "free" if is_free else "contact"))
    found = f"<b>the {hit.a} meets the {hit.b}</b> at t = {early(hit.time, 6)}, in ({place}) mm"
    rows.append(("<b>first_contact</b>", "none", f"{found}, found in {duration(hit.stats.seconds)}"))
    return (
        f"<p>An arm with six joints moves a probe of 10 mm past a rod of 8 mm. In {looks[0][0]} samples of "
        f"the straight path, no joint turning by more than {RESOLUTIONS[0]:g} rad from one to the next, it "
        f"looks free. It is not.</p>{rows_of(rows)}"
    )


def _way_around(around: Any, is_proven: bool) -> Section:
    certificate = around.certificate
    text = (
        f"<p>By way of one more configuration the arm gets past the rod: proven for all times, in "
        f"{duration(around.stats.seconds)}. The certificate, {len(certificate):,} intervals of "
        f"{len(certificate.pairs)} pairs of shapes, is then checked by other means: "
        f"{'it holds' if is_proven else 'it does not hold'}.</p>"
    )
    view = view_of(around, "The way around, free at all times" if not around else _title(around))
    rows = (
        ("intervals", f"{len(certificate):,}"),
        ("pairs of shapes", f"{len(certificate.pairs)}"),
        ("verified", "yes" if is_proven else "no"),
    )
    return Section("", text, _seen(replace(view, panel=(("Certificate", rows), *view.panel))))


def _seen(view: View) -> View:
    """Look at the arm, with the table pale behind it and the rod dark before it."""
    bodies = tuple(replace(body, color=_PAINT.get(body.name, body.color)) for body in view.bodies)
    return replace(view, bodies=bodies, focus=np.array([[0.05, -0.55, 0.0], [0.95, 0.55, 0.85]]))
