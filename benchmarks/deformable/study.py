"""Two studies of `contacts`: what each culling stage is worth, and how the cost grows with the mesh."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from deformable.cases import Scene, cloth_over_ball
from deformable.methods import CONTACTS, LABELS, SAFE_STEP, Ask, Limits, Outcome, measure, save_steps
from report.section import Lines
from report.tables import exponent, milliseconds, ratio_of

ALL = "all stages"
NO_FILTER = "no filter"
VARIANTS = {
    ALL: {},
    "no normal cones": {"normal_cones": False},
    "no representatives": {"representatives": False},
    "no feature bounds": {"feature_bounds": False},
    NO_FILTER: {"non_penetration": False},
    "14-DOP": {"dop": 14},
    "boxes": {"dop": 6},
    "18-DOP": {"dop": 18},
    "26-DOP": {"dop": 26},
}
NO_TREE = "no triangle bounds"
_MOST_FOR_NO_TREE = 12_000  # triangles: without the tree, all pairs of them are visited
_MOST_STEPS = 8  # of a long sequence
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000, 50_000)
METHODS = (CONTACTS, SAFE_STEP, "AdditiveCCD")
FIT_FROM = 9_000  # triangles: below, a part of the time is the same for any size

# Reduction of the elementary tests by the filter, and of the time over the same method without it (ICCD).
PAPER = {
    "Cloth, 92K": (11.5, 2.0),
    "Princess, 40K": (20.5, 2.4),
    "Flamenco, 49K": (17.0, 1.5),
    "Balls, 34K": (17.0, 1.7),
    "Falling alphabets, 5K": (58.0, 3.5),
    "Lion, 1.6M": (10.0, 2.4),
}


class Study(NamedTuple):
    """`contacts` of one scene with each variant of the culling."""

    scene: str
    n_steps: int
    outcomes: dict[str, Outcome]

    def counter(self, name: str) -> int:
        """What the search with all stages counted, over all steps."""
        return self.outcomes[ALL].answer["counters"][name] if self.outcomes[ALL].answer else 0

    @property
    def left(self) -> int:
        """Elementary tests that the filter leaves to be solved."""
        return self.counter("elementary_tests") - self.counter("filtered")

    def ratio(self, variant: str) -> float:
        """Time relative to all stages; not a number where it was not measured."""
        outcome = self.outcomes.get(variant)
        if outcome is None or not (outcome.seconds and self.outcomes[ALL].seconds):
            return float("nan")
        return outcome.median / self.outcomes[ALL].median


class Point(NamedTuple):
    """One method on the cloth over the ball, of one size."""

    n_triangles: int
    method: str
    outcome: Outcome


def culling_study(scene: Scene, folder: Path, limits: Limits) -> Study:
    """All variants in turns, so that what else the machine does is the same for all."""
    file, steps = folder / "scene.npz", scene.steps[:_MOST_STEPS]
    save_steps(steps, file)
    found = measure(file, [Ask(CONTACTS, 0.0, culling) for culling in VARIANTS.values()], limits)
    outcomes = dict(zip(VARIANTS, found, strict=True))
    if scene.n_triangles <= _MOST_FOR_NO_TREE:
        [outcomes[NO_TREE]] = measure(file, [Ask(CONTACTS, 0.0, {"triangle_bounds": False})], limits)
    return Study(scene.name, len(steps), outcomes)


def filter_lines(studies: list[Study]) -> Lines:
    """Figure 8 and Table 1: elementary tests and time, with the filter and without."""
    lines: Lines = [
        ("scene", "elementary tests", "left by the filter", "fewer", "contacts", "ms/step", "faster")
    ]
    for study in studies:
        tests, left = study.counter("elementary_tests"), study.left
        outcome = study.outcomes[ALL]
        counts = f"{tests:,}", f"{left:,}", f"{tests / left:.1f} x" if left else ""
        times = milliseconds(outcome.median / study.n_steps), f"{study.ratio(NO_FILTER):.2f} x"
        lines.append((study.scene, *counts, f"{outcome.answer.get('contacts', 0):,}", *times))
    for name, (fewer, faster) in PAPER.items():
        lines.append((f"the paper's {name}", "", "", f"{fewer:.1f} x", "", "", f"{faster:.2f} x"))
    return lines


def measured_variants(studies: list[Study]) -> list[str]:
    """The variants beside that of all stages; without the tree, only small scenes are searched."""
    return [name for name in (*VARIANTS, NO_TREE) if name != ALL and any(name in s.outcomes for s in studies)]


def stage_lines(studies: list[Study]) -> Lines:
    """Time relative to all stages, one column a variant."""
    names = measured_variants(studies)
    lines: Lines = [("scene", "ms/step", *names)]
    for study in studies:
        ratios = [study.ratio(name) for name in names]
        cells = ["" if np.isnan(ratio) else f"{ratio:.2f}" for ratio in ratios]
        lines.append((study.scene, milliseconds(study.outcomes[ALL].median / study.n_steps), *cells))
    return lines


def scaling_study(folder: Path, limits: Limits, quick: bool) -> list[Point]:
    """The cloth over the ball at all sizes; of the peers, the faster one."""
    points, file = [], folder / "scene.npz"
    for size in QUICK_SIZES if quick else SIZES:
        steps = cloth_over_ball(size)
        save_steps(steps, file)
        n_triangles = len(steps[0].faces)
        points += [Point(n_triangles, method, measure(file, [Ask(method)], limits)[0]) for method in METHODS]
    return points


def growth(points: list[Point], method: str, stage: str | None = None) -> float:
    """The power of the number of triangles that the time of the larger meshes grows with."""
    shown = [(x, y) for x, y in curve(points, method, stage) if x >= FIT_FROM]
    return exponent([x for x, _ in shown], [y for _, y in shown])


def curve(points: list[Point], method: str, stage: str | None = None) -> list[tuple[int, float]]:
    """Numbers of triangles, and seconds of a method or of one of its stages."""
    shown = [point for point in points if point.method == method and point.outcome.seconds]
    if stage is None:
        return [(point.n_triangles, point.outcome.median) for point in shown]
    return [(point.n_triangles, point.outcome.answer["stages"][stage]) for point in shown]


def scaling_lines(points: list[Point]) -> Lines:
    """Milliseconds by size, one column a method; the fitted exponents at the foot."""
    lines: Lines = [("triangles", "contacts", *(f"{LABELS[method]}, ms" for method in METHODS))]
    for size in sorted({point.n_triangles for point in points}):
        at_size = {point.method: point.outcome for point in points if point.n_triangles == size}
        count = f"{at_size[CONTACTS].answer.get('contacts', 0):,}"
        times = [_time(at_size[method]) for method in METHODS]
        lines.append((f"{size:,}", count, *times))
    powers = [ratio_of(growth(points, method)) for method in METHODS]
    return [*lines, (f"exponent, from {FIT_FROM:,}", "", *powers)]


def _time(outcome: Outcome) -> str:
    if outcome.seconds:
        return milliseconds(outcome.median)
    return f"> {1e3 * outcome.limit:,.0f}" if outcome.limit > 0.0 else outcome.error
