"""The plot of the robot benchmark."""

from typing import Any

from report.canvas import RUST, SAND, SKY, TEAL, canvas, entitle
from robot.study import OWN, STEPS, Row, at
from robot.table import mean, of

_SHADES = (TEAL, SKY, SAND, RUST, "#7d2e1f")


def draw(rows: list[Row]) -> Any:
    """Milliseconds a segment, free and touching, and contacts missed, by kind of segment and method."""
    figure, [panels] = canvas(12, 4.2, 1, 3)
    groups = list(dict.fromkeys((row.robot, row.kind) for row in rows))
    found = {row.method for row in rows}
    methods = [name for name in (*OWN, *map(at, STEPS)) if name in found]
    colors = dict(zip((*OWN, *map(at, STEPS)), _SHADES, strict=True))
    for axes, part in zip(panels, ("free", "touching"), strict=False):
        for k, method in enumerate(methods):
            values = [1e3 * mean(of(rows, method, robot=one, kind=kind), part) for one, kind in groups]
            axes.bar(_places(groups, k, methods), values, _width(methods), color=colors[method], label=method)
        axes.set_yscale("log")
        axes.set_ylim(bottom=0.5 * min(bar.get_height() for bar in axes.patches))
        entitle(axes, f"Milliseconds a segment: {part}")
    sampled = [name for name in methods if name not in OWN]
    for k, method in enumerate(sampled):
        values = [_missed(of(rows, method, robot=one, kind=kind)) for one, kind in groups]
        panels[2].bar(_places(groups, k, sampled), values, _width(sampled), color=colors[method])
    panels[2].set_ylim(bottom=0.0)
    entitle(panels[2], "Contacts missed, of 1,000")
    for axes in panels:
        axes.set_xticks(range(len(groups)), [f"{robot}\n{kind}" for robot, kind in groups], fontsize=8)
        axes.grid(visible=False, axis="x")
    figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper right", frameon=False, ncols=5, fontsize=9
    )
    return figure


def _missed(rows: list[Row]) -> float:
    """Of a thousand contacts."""
    return 1e3 * sum(row.missed for row in rows) / max(sum(row.n_touching for row in rows), 1)


def _width(methods: list[str]) -> float:
    return 0.84 / max(len(methods), 1)


def _places(groups: list[Any], k: int, methods: list[str]) -> list[float]:
    return [place + (k - 0.5 * (len(methods) - 1)) * _width(methods) for place in range(len(groups))]
