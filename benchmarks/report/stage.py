"""Run one benchmark, part by part, in this process, and write what it gives to a folder.

`NAME.json` is written anew after each part: what was measured outlasts a crash of the next one. A part that
fails is named with one sentence, and the others go on; its traceback is in what this process prints.
"""

import argparse
import json
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from report.canvas import save_png, svg
from report.machine import described, machine
from report.section import Part, Picture, Run, SkippedError, plain
from report.tables import aligned

BENCHMARKS = Path(__file__).resolve().parents[1]
IMAGES = BENCHMARKS.parent / "docs" / "images"


def main() -> None:
    """Measure the parts that are asked for."""
    options = _parser().parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    title, about, parts = _benchmark(options.name)
    section: dict[str, Any] = {"name": options.name, "title": title, "about": about, "parts": []}
    run = Run(not options.full, options.data)
    for part, measure in parts.items():
        if options.parts and part not in options.parts:
            continue
        section["current"] = part
        _write(options.out, section)
        section["parts"].append(_measured(options.out, options.publish, part, measure, run))
    section["current"] = ""
    _write(options.out, section)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("name", help="of the benchmark: a folder with a module `bench`, or a module")
    add("--parts", nargs="+", default=(), help="only these")
    add("--full", action="store_true", help="measure all, at full size")
    add("--out", type=Path, default=BENCHMARKS / "results", metavar="DIR")
    add("--data", type=Path, default=BENCHMARKS.parents[1] / "shared" / "data", metavar="DIR")
    add("--publish", action="store_true", help="also renew the pictures of the documentation")
    return parser


def _benchmark(name: str) -> tuple[str, str, dict[str, Callable[[Run], Part]]]:
    """Title, description and parts; a module that cannot be imported has one part, which says why."""
    try:
        module = import_module(f"{name}.bench" if (BENCHMARKS / name).is_dir() else name)
    except Exception as fault:
        error = fault

        def fail(_run: Run) -> Part:
            raise error

        return name, "", {"import": fail}
    return module.TITLE, module.__doc__ or "", module.PARTS


def _measured(
    out: Path, publish: bool, name: str, measure: Callable[[Run], Part], run: Run
) -> dict[str, Any]:
    """One part as it goes to the report."""
    kept: dict[str, Any] = {"name": name, "skipped": "", "error": ""}
    began, found = perf_counter(), Part()
    try:
        found = measure(run)
        pictures = [_kept(picture, out, publish) for picture in found.pictures]
        kept |= plain(found) | {"pictures": pictures}
    except SkippedError as reason:
        kept["skipped"] = str(reason)
    except Exception as fault:
        traceback.print_exc()
        kept["error"] = f"{type(fault).__name__}: {fault}".splitlines()[0]
    for table in found.tables:
        print(f"\n{table.title}\n{aligned(table.lines, table.n_left)}\n{table.note}", flush=True)
    return kept | {"seconds": perf_counter() - began}


def _kept(picture: Picture, out: Path, publish: bool) -> dict[str, str]:
    """Write a picture for the report, and renew that of the documentation, if it has one of this name."""
    (out / f"{picture.name}.svg").write_text(svg(picture.figure, picture.name), encoding="utf-8")
    published = IMAGES / f"{picture.name}.png"
    if publish and published.exists():
        save_png(picture.figure, published, picture.title, described(machine()))
    return {"name": picture.name, "title": picture.title}


def _write(out: Path, section: dict[str, Any]) -> None:
    text = json.dumps(section, indent=1, allow_nan=False)
    (out / f"{section['name']}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
