"""Contacts of deforming meshes side by side with a peer: tables, plots, and the targets.

Every method runs in a process of its own, on two threads, on the same scenes. Times are those of whole calls
with machine code ready and, where the faces stay, with the mesh made beforehand: the median of several
repetitions, and the standard error of their mean. `contacts` lists every contact; `safe_step` and the peers
give the step up to the first. Then the study of culling (Figure 8 and Table 1 of the paper on non-penetration
filters, 2010) and the cost against the size of the mesh.
"""

import argparse
import json
import sys
import tempfile
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from shutil import copyfile
from typing import Any

import deformable_plot as plot
from deformable_methods import LABELS, Ask, Limits, measure, save_steps
from deformable_picture import draw_scenes
from deformable_scenes import Scene, missing_files, scene_names, scenes
from deformable_study import culling_study, filter_table, scaling_study, scaling_table, stage_table
from deformable_table import Row, comparison_table, targets
from machine import described, machine
from tqdm import tqdm

_HERE = Path(__file__).resolve().parent
_IMAGES = _HERE.parent / "docs" / "images"
PARTS = ("compare", "separation", "culling", "scaling", "picture")


def main() -> None:
    """Measure, print the tables and the targets, write the figures and the plots."""
    options = _parser().parse_args()
    for module in ("ipctk", "matplotlib"):
        if find_spec(module) is None:
            sys.exit(f"{module} is missing: pip install 'firstcontact[bench]'")
    options.output.mkdir(parents=True, exist_ok=True)
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        figures = {
            name: part(options, Path(folder), before) for name, part in _RUNS.items() if name in options.parts
        }
    for file in missing_files(options.data, options.scenes):
        print(f"skipped: {file.stem} ({file} is missing)")
    after = machine()
    load = " ".join(f"{value:.2f}" for value in after["load"]) or "unknown"
    print(f"\nbefore: {described(before)}\nafter:  load averages {load}")
    text = json.dumps({"machine": before, "load_after": after["load"], **figures}, indent=1)
    (options.output / "deformable.json").write_text(text + "\n", encoding="utf-8")
    print(f"figures and plots: {options.output}")
    if options.publish:
        for file in options.output.glob("deformable-*.png"):
            copyfile(file, _IMAGES / file.name)
        print(f"plots for the documentation: {_IMAGES}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    names = scene_names()
    add("--scenes", nargs="+", choices=names, metavar="NAME", help=f"only these: {', '.join(names)}")
    add(
        "--parts",
        nargs="+",
        choices=PARTS,
        default=PARTS,
        metavar="PART",
        help=f"only these: {', '.join(PARTS)}",
    )
    add("--quick", action="store_true", help="small scenes and few repetitions, to see that all runs")
    add("--limit", type=float, default=60.0, metavar="S", help="seconds after which a call is given up (60)")
    add("--repetitions", type=int, default=5, metavar="N", help="at most, of each measurement (5)")
    add("--seconds", type=float, default=6.0, metavar="S", help="add repetitions for about this long (6)")
    add("--data", type=Path, default=_HERE.parents[1] / "shared" / "data", help="folder of third-party data")
    add("--output", type=Path, default=_HERE / "results", metavar="DIR", help="where figures and plots go")
    add("--publish", action="store_true", help="also make the plots those of the documentation")
    return parser


def _limits(options: argparse.Namespace, share: float = 1.0) -> Limits:
    """What the options say, with a share of the repetitions."""
    if options.quick:
        return Limits(1, 0.0, 10.0)
    return Limits(ceil(share * options.repetitions), share * options.seconds, options.limit)


def _scenes(options: argparse.Namespace, what: str) -> Any:
    names = [name for name in scene_names() if options.scenes is None or name in options.scenes]
    return tqdm(
        scenes(options.data, names, options.quick), what, total=len(names), disable=None, unit="scene"
    )


def _compare(options: argparse.Namespace, folder: Path, facts: dict[str, Any]) -> Any:
    """All methods on all scenes."""
    rows = [
        row
        for scene in _scenes(options, "compare")
        for row in _rows(scene, folder, _limits(options), 0.0, ())
    ]
    print("\nSide by side\n" + comparison_table(rows))
    print(
        "÷: how many times as long as firstcontact's; step: relative to safe_step's, the mean over the steps"
    )
    found = [] if options.quick else targets(rows)
    print("\nTargets:" if found else "")
    for target in found:
        print(f"  {'met   ' if target.is_met else 'MISSED'}  {target.text}: {target.reached}")
    plot.draw_comparison(rows, facts, options.output / "deformable-benchmark.png")
    return {"rows": [row.flat() for row in rows], "targets": [target._asdict() for target in found]}


def _compare_separated(options: argparse.Namespace, folder: Path, facts: dict[str, Any]) -> Any:
    """The same with a separation; TightInclusion, the slower peer, is left out."""
    rows = []
    for scene in _scenes(options, "separation"):
        rows += _rows(scene, folder, _limits(options, 0.5), scene.min_separation, ("TightInclusion",))
    print("\nWith min_separation\n" + comparison_table(rows))
    return [row.flat() for row in rows]


def _rows(
    scene: Scene, folder: Path, limits: Limits, separation: float, left_out: tuple[str, ...]
) -> list[Row]:
    file = folder / "scene.npz"
    save_steps(scene.steps, file)
    asks = [Ask(method, separation) for method in LABELS if method not in left_out]
    return [Row(scene.name, len(scene.steps), measure(file, [ask], limits)[0]) for ask in asks]


def _study_culling(options: argparse.Namespace, folder: Path, facts: dict[str, Any]) -> Any:
    studies = [culling_study(scene, folder, _limits(options, 0.5)) for scene in _scenes(options, "culling")]
    print("\nElementary tests with and without the non-penetration filter\n" + filter_table(studies))
    print("\nTime of contacts with each stage switched off, relative to all stages\n" + stage_table(studies))
    plot.draw_culling(studies, facts, options.output / "deformable-culling.png")
    return [{"scene": s.scene, "outcomes": {k: v._asdict() for k, v in s.outcomes.items()}} for s in studies]


def _study_scaling(options: argparse.Namespace, folder: Path, facts: dict[str, Any]) -> Any:
    points = scaling_study(folder, _limits(options, 0.5), options.quick)
    print("\nCloth over ball: time against size\n" + scaling_table(points))
    plot.draw_scaling(points, facts, options.output / "deformable-scaling.png")
    return [{**point._asdict(), "outcome": point.outcome._asdict()} for point in points]


def _picture(options: argparse.Namespace, folder: Path, facts: dict[str, Any]) -> Any:
    draw_scenes(list(_scenes(options, "picture")), options.output / "deformable-scenes.png")


_RUNS = dict(
    zip(PARTS, (_compare, _compare_separated, _study_culling, _study_scaling, _picture), strict=True)
)


if __name__ == "__main__":
    main()
