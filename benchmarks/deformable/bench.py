"""Contacts of whole deforming meshes beside ipctk, what each culling stage is worth, and cost against size.

Every method runs in a process of its own, on two threads, on the same scenes. Times are those of whole calls
with machine code ready and, where the faces stay, with the mesh made beforehand: the median of several
repetitions, and the standard error of their mean. `contacts` lists every contact; `safe_step` and the peers
give the step up to the first. A call that takes longer than a limit is given up. Peak memory is that of the
method's process.

The study of culling follows Figure 8 and Table 1 of the paper on non-penetration filters (2010). The cost
against the size of the mesh is that of the cloth over the ball, whose motion is in proportion to its edges.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from deformable import plot
from deformable.cases import Scene, missing_files, scene_names, scenes
from deformable.inner_loop import inner_loop
from deformable.methods import LABELS, Ask, Limits, measure, save_steps
from deformable.picture import draw_scenes
from deformable.solver_step import solver_lines, solver_steps
from deformable.study import PAPER, culling_study, filter_lines, scaling_lines, scaling_study, stage_lines
from deformable.table import Row, comparison_lines, headlines, targets
from report.section import Part, Picture, Run, Table

TITLE = "Deforming meshes"
_QUICK = ("cloth-ball", "cloth over ball", "balls", "twisted rod", "folded sheet, resting")
_QUICK_CULLING = ("cloth over ball", "balls")
_NOTE = (
    "÷: how many times as long as firstcontact's; step: relative to that of `safe_step`, the mean over the "
    "steps, LATE where it goes past a proven contact"
)


def compare(run: Run) -> Part:
    """All methods on all scenes."""
    names = _QUICK if run.quick else scene_names()
    rows = [row for scene in scenes(run.data, names, run.quick) for row in _rows(scene, run)]
    title = "Time a step; shorter is better. Peers: how many times contacts | safe_step of firstcontact"
    return Part(
        tables=(Table("Side by side, milliseconds a step", comparison_lines(rows), 2, _NOTE),),
        pictures=(Picture("deformable-benchmark", title, plot.draw_comparison(rows)),),
        headlines=tuple(headlines(rows)),
        targets=() if run.quick else tuple(targets(rows)),
        notes=_skipped(run, names),
        figures=rows,
    )


def separation(run: Run) -> Part:
    """The same with a separation; TightInclusion, the slower peer, is left out."""
    names = _QUICK_CULLING if run.quick else scene_names()
    found = scenes(run.data, names, run.quick)
    rows = [row for scene in found for row in _rows(scene, run, scene.min_separation, ("TightInclusion",))]
    title = "With a separation kept, milliseconds a step"
    return Part(tables=(Table(title, comparison_lines(rows), 2, _NOTE),), figures=rows)


def culling(run: Run) -> Part:
    """What each stage is worth."""
    names = _QUICK_CULLING if run.quick else scene_names()
    with tempfile.TemporaryDirectory() as folder:
        found = scenes(run.data, names, run.quick)
        studies = [culling_study(scene, Path(folder), _limits(run, 0.5)) for scene in found]
    fewer = [ratio for ratio, _ in PAPER.values()]
    note = f"The paper of 2010: {min(fewer):.0f} to {max(fewer):.0f} times fewer elementary tests."
    return Part(
        tables=(
            Table("Elementary tests with and without the non-penetration filter", filter_lines(studies)),
            Table("Time with each stage switched off, relative to all stages", stage_lines(studies)),
        ),
        pictures=(
            Picture("deformable-culling", "What each culling stage is worth", plot.draw_culling(studies)),
        ),
        notes=(note,),
        figures=studies,
    )


def scaling(run: Run) -> Part:
    """Time against size."""
    with tempfile.TemporaryDirectory() as folder:
        points = scaling_study(Path(folder), _limits(run, 0.5), run.quick)
    title = "Cloth over a ball: cost against size"
    return Part(
        tables=(Table(f"{title}, milliseconds", scaling_lines(points)),),
        pictures=(Picture("deformable-scaling", title, plot.draw_scaling(points)),),
        figures=points,
    )


def solver(run: Run) -> Part:
    """A solver's step: pairs listed once, and ten motions of a line search."""
    steps = solver_steps(run.data, run.quick)
    note = "÷: how many times as long as firstcontact ipctk takes for all of the step, by AdditiveCCD"
    title = "A solver's step with its pairs listed once, milliseconds of processor time"
    return Part(tables=(Table(title, solver_lines(steps), 2, note),), figures=steps)


def pictures(run: Run) -> Part:
    """The scenes, each at the start of its last step."""
    names = _QUICK if run.quick else scene_names()
    shown = draw_scenes(list(scenes(run.data, names, run.quick)))
    return Part(pictures=(Picture("deformable-scenes", "The scenes", shown),))


def _limits(run: Run, share: float = 1.0) -> Limits:
    """Repetitions at most, seconds after which none is added, seconds of a call."""
    return Limits(2, 1.0, 20.0) if run.quick else Limits(round(1 + 4 * share), 6.0 * share, 60.0)


def _rows(scene: Scene, run: Run, separation: float = 0.0, left_out: tuple[str, ...] = ()) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.npz"
        save_steps(scene.steps, file)
        for method in (method for method in LABELS if method not in left_out):
            [outcome] = measure(file, [Ask(method, separation)], _limits(run, 0.5 if separation else 1.0))
            yield Row(scene.name, scene.n_triangles, len(scene.steps), outcome)


def _skipped(run: Run, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"skipped: {file.stem} ({file} is missing)" for file in missing_files(run.data, names))


PARTS = {
    "pictures": pictures,
    "compare": compare,
    "separation": separation,
    "inner_loop": inner_loop,
    "culling": culling,
    "scaling": scaling,
    "solver": solver,
}
