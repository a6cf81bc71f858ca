"""Load every robot file of some folders, and write the page of the docs about it.

    python benchmarks/robot_files.py measure found.jsonl example-robot-data=FOLDER pybullet=FOLDER ...
    python benchmarks/robot_files.py page found.jsonl > docs/robot-files.md

Each file is read in a process of its own, forked from one that has the compiled code already: seconds are of
the processor, memory is what the process grows by. What is measured already is not measured again.
"""

import json
import os
import re
import resource
import signal
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path

import firstcontact as fc

SECONDS = 120

# Folders with so many files, all alike, are one row.
MANY = 100

HEAD = """# Robot files that were read

Every URDF and MJCF file of some packages on PyPI, by `benchmarks/robot_files.py`. Seconds are of a processor:
to read the file, and for the first query of the robot (`intersects` with itself and a box, in a random
configuration), compiler aside; memory is what both took, in megabytes. An MJCF file that is not read is one
that MuJoCo does not compile by itself, mostly a part of others.
"""


def load(path, folders):
    """Read a robot; its meshes may be anywhere."""
    if path.suffix == ".urdf":
        return fc.Robot.from_urdf(path, package_dirs=folders, allow_outside=True)
    return fc.Robot.from_mjcf(path)


def first_query(robot):
    """Seconds of the first query."""
    q, box = robot.sample(1, 0)[0], fc.Box([0.1, 0.1, 0.1]).at([5.0, 5.0, 5.0])
    began = time.process_time()
    fc.intersects(robot.at(q), box, self_contact=True)
    return time.process_time() - began


def measured(path, folders):
    """What is known of one file, here."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    found = {"path": str(path)}
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        try:
            robot = load(path, folders)
            found["load"] = time.process_time() - began
            found |= {"links": len(robot.link_names), "dof": robot.dof}
            found["tri"] = sum(getattr(part.shape, "n_faces", 0) for part in robot.parts)
            found["first"] = first_query(robot)
        except Exception as error:
            found["error"] = f"{type(error).__name__}: {error}"
    found["warnings"] = len(doubts)
    found["mb"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return found


def in_child(path, folders):
    """The same in a process of its own; what ends that is told, too."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.write(writing, json.dumps(measured(path, folders)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else {"path": str(path), "error": f"not done after {SECONDS} s, or ended"}


def robot_files(folder):
    """URDF files, and XML files that are MJCF."""
    for path in sorted([*folder.rglob("*.urdf"), *folder.rglob("*.xml")]):
        if path.suffix == ".urdf" or re.search(r"<mujoco[\s>]", path.read_text(errors="ignore")):
            yield path


def measure(out, roots):
    """Measure all files that are not in a file of results yet."""
    joints = [fc.Joint("j", "revolute", "a", "b"), fc.Joint("k", "revolute", "b", "c")]
    links = {"a": fc.Box([1, 1, 1]), "b": fc.Cylinder(0.1, 1).mesh, "c": fc.Sphere(1)}
    first_query(fc.Robot(links, joints))  # has the compiled code at hand
    known = {json.loads(line)["path"] for line in out.read_text().splitlines()} if out.exists() else set()
    folders = [folder for _, folder in roots]
    with out.open("a") as lines:
        for name, folder in roots:
            for path in robot_files(Path(folder)):
                if str(path) not in known:
                    found = in_child(path, folders) | {"set": name, "root": folder}
                    lines.write(json.dumps(found) + "\n")
                    lines.flush()


def reason(found):
    """Why a file was not read, in short."""
    text = found["error"].replace(found["path"], "").replace(found["root"], "").strip()
    kind, _, said = text.partition(": ")
    return (said.lstrip(": ") or kind).replace("|", "/")[:160]


def page(rows):
    """The page: one table for each set, and what was not read."""
    sets = defaultdict(list)
    for row in rows:
        sets[row["set"]].append(row)
    yield HEAD
    total, failed = len(rows), [row for row in rows if "error" in row]
    share = 100.0 * (total - len(failed)) / max(total, 1)
    yield f"Of {total} files {total - len(failed)} are read: {share:.1f} %.\n"
    for name, own in sets.items():
        good = sum("error" not in row for row in own)
        yield f"## {name}: {good} of {len(own)}\n"
        yield "| file | links | numbers | triangles | to read | first query | memory |"
        yield "|---|---|---|---|---|---|---|"
        yield from table(own)
        yield ""


def table(own):
    """Rows of a set; folders of many files are one."""
    by_folder = defaultdict(list)
    for row in own:
        parts = Path(row["path"]).relative_to(row["root"]).parts
        by_folder[parts[0] if len(parts) > 1 else ""].append(row)
    for folder, rows in by_folder.items():
        if len(rows) < MANY:
            yield from map(line, rows)
            continue
        good = [row for row in rows if "error" not in row]
        yield line({**worst(good), "path": f"{folder}/, {len(good)} of {len(rows)} files, the most of each"})


def worst(rows):
    """The most of each figure."""
    return {
        "root": "",
        **{key: max(row[key] for row in rows) for key in ("links", "dof", "tri", "load", "first", "mb")},
    }


def line(row):
    """One row of a table."""
    name = row["path"].removeprefix(row["root"]).lstrip("/")
    if "error" in row:
        return f"| {name} | not read: {reason(row)} | | | | | |"
    sizes = f"{row['links']} | {row['dof']} | {row['tri']:,}"
    return f"| {name} | {sizes} | {row['load']:.2f} s | {row['first']:.2f} s | {row['mb']:.0f} |"


if __name__ == "__main__":
    verb, file, *given = sys.argv[1:]
    if verb == "measure":
        measure(Path(file), [tuple(text.split("=", 1)) for text in given])
    else:
        print("\n".join(page([json.loads(line) for line in Path(file).read_text().splitlines()])))
