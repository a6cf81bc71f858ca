"""The plot of the robot benchmark."""

from pathlib import Path
from typing import Any

from machine import described
from matplotlib.figure import Figure
from robot_study import ALL_THREADS, OWN, STEPS, Row, at
from robot_table import mean, of

_INK, _PALE = "#22303c", "#e3e8ec"
_SHADES = ("#1f7a8c", "#7cc4cf", "#e9b872", "#c8553d", "#7d2e1f")


def draw(rows: list[Row], machine: dict[str, Any], path: Path) -> None:
    """Milliseconds a segment, free and touching, and contacts missed, by kind of segment and method."""
    figure = Figure(figsize=(12, 4.4), dpi=100, facecolor="white", layout="constrained")
    panels = figure.subplots(1, 3)
    groups = list(dict.fromkeys((row.robot, row.kind) for row in rows))
    found = {row.method for row in rows}
    methods = [name for name in (*OWN, *map(at, STEPS)) if name in found]
    colors = dict(zip((*OWN, *map(at, STEPS)), _SHADES, strict=True))
    for axes, part in zip(panels, ("free", "touching"), strict=False):
        for k, method in enumerate(methods):
            values = [1e3 * mean(of(rows, method, robot=one, kind=kind), part) for one, kind in groups]
            axes.bar(_places(groups, k, methods), values, _width(methods), color=colors[method], label=method)
        axes.set_yscale("log")
        axes.set_title(f"Milliseconds a segment: {part}", loc="left", fontsize=11, color=_INK)
    sampled = [name for name in methods if name not in OWN]
    for k, method in enumerate(sampled):
        values = [_missed(of(rows, method, robot=one, kind=kind)) for one, kind in groups]
        panels[2].bar(_places(groups, k, sampled), values, _width(sampled), color=colors[method])
    panels[2].set_ylim(bottom=0.0)
    panels[2].set_title("Contacts missed, of 1,000", loc="left", fontsize=11, color=_INK)
    for axes in panels:
        _dress(axes, groups)
    figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper right", frameon=False, ncols=5, fontsize=9
    )
    title = f"Certified checks beside samples; {ALL_THREADS} threads"
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=_INK)
    figure.supxlabel(described(machine), x=0.01, ha="left", fontsize=7, color="#6b7883")
    figure.savefig(path, format="png")


def _missed(rows: list[Row]) -> float:
    """Of a thousand contacts."""
    return 1e3 * sum(row.missed for row in rows) / max(sum(row.n_touching for row in rows), 1)


def _width(methods: list[str]) -> float:
    return 0.84 / max(len(methods), 1)


def _places(groups: list[Any], k: int, methods: list[str]) -> list[float]:
    return [place + (k - 0.5 * (len(methods) - 1)) * _width(methods) for place in range(len(groups))]


def _dress(axes: Any, groups: list[tuple[str, str]]) -> None:
    axes.set_xticks(range(len(groups)), [f"{robot}\n{kind}" for robot, kind in groups], fontsize=8)
    axes.grid(color=_PALE, axis="y")
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0, labelcolor=_INK)
    axes.spines[:].set_visible(False)
