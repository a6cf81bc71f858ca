"""`firstcontact check --each`: the first contacts of many motions, from each row of a file to the next."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.command import CONTACT, FINE
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.segments import time_between
from firstcontact.cli.options.motion_options import MOTIONS, asked, moving_of
from firstcontact.cli.options.workers import workers
from firstcontact.cli.texts.json_text import json_text, name_of
from firstcontact.cli.texts.motion_file import PoseMotion, read_motion
from firstcontact.cli.texts.shape_text import read_shape
from firstcontact.cli.texts.table import point, table

# Motions with a contact that a table shows.
_N_ROWS = 10


def run_each(options: argparse.Namespace, chosen: dict[str, Any]) -> int:
    """Find the first contact of each motion, print them, and give the exit status."""
    for key in ("view", "spline"):
        if getattr(options, key):
            raise CommandError(f"--{key} is for one motion: leave it out, or --each")
    files = {name: file for name in "ab" if (file := getattr(options, f"motion_{name}")) is not None}
    if not files:
        raise CommandError("--each goes through the rows of a motion file: give --motion-a or --motion-b")
    motions = {name: read_motion(file) for name, file in files.items()}
    things = [_thing(options, name, motions.get(name)) for name in "ab"]
    with workers(options.cluster) as executor:
        progress = sys.stderr.isatty() and executor is not None
        found = asked(fc.first_contacts, *things, **chosen, executor=executor, progress=progress)
    times = next((motion.times for motion in motions.values() if motion.times is not None), None)
    print(json_text(_described(found, times)) if options.json else _account(found, times))
    return CONTACT if options.exit_code and found.hit.any() else FINE


def _thing(options: argparse.Namespace, name: str, motion: PoseMotion | None) -> fc.Moving:
    """A thing with a motion for each two rows of its file; without a file it must rest."""
    text = getattr(options, name)
    if motion is not None:
        _refuse(options, name, MOTIONS[:-1], f"--motion-{name} says all of the motions")
        moving: fc.Moving = asked(read_shape(text).moving, motion.poses[:-1], motion.poses[1:])
        return moving
    _refuse(options, name, MOTIONS[1:-1], f"with --each, {name.upper()} has a motion file or rests")
    return moving_of(options, name, text)


def _refuse(options: argparse.Namespace, name: str, keys: tuple[str, ...], rule: str) -> None:
    for key in keys:
        if getattr(options, f"{key}_{name}") is not None:
            raise CommandError(f"{rule}: leave out --{key.replace('_', '-')}-{name}")


def _described(found: fc.FirstContacts, times: Any) -> dict[str, Any]:
    return {
        "n_motions": len(found),
        "is_free": not found.hit.any(),
        "motions": [
            {
                "motion": i,
                "is_free": not found.hit[i],
                "status": fc.Status(int(found.status[i])),
                "t": found.time[i],
                "t_upper": found.time_upper[i],
                **({} if times is None else {"time": _clock(found, times, i)}),
                "kind": fc.ContactKind(int(found.features[i, 0])) if found.hit[i] else None,
                "point": found.points[i] if found.hit[i] else None,
                "normal": found.normals[i] if found.hit[i] else None,
            }
            for i in range(len(found))
        ],
    }


def _account(found: fc.FirstContacts, times: Any) -> str:
    """A table of motions with contact, and a sentence about all."""
    hits = np.flatnonzero(found.hit).tolist()
    if not hits:
        return f"all {len(found):,} motions are free, proven"
    rows = [("motion", "t", *([] if times is None else ["time"]), "touching", "at", "normal, A to B")]
    for i in hits[:_N_ROWS]:
        clock = [] if times is None else [str(_clock(found, times, i))]
        kind = name_of(fc.ContactKind(int(found.features[i, 0])))
        rows.append(
            (str(i), str(found.time[i]), *clock, kind, point(found.points[i]), point(found.normals[i]))
        )
    more = f"\nand {len(hits) - _N_ROWS:,} more, which --json lists" if len(hits) > _N_ROWS else ""
    total = f"contact in {len(hits):,} of {len(found):,} motions; the others are free, proven"
    return f"{table(rows)}{more}\n\n{total}"


def _clock(found: fc.FirstContacts, times: Any, i: int) -> float | None:
    """When a contact is by the file's clock."""
    is_hit = bool(found.hit[i])
    return time_between(float(times[i]), float(times[i + 1]), float(found.time[i])) if is_hit else None
