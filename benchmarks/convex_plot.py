"""The plot of the convex benchmark."""

from pathlib import Path
from typing import Any

from convex_own import BATCH, SINGLE
from convex_peers import COAL, EMBREE, EMBREE_BATCH, FCL, MUJOCO, RAPIER
from convex_table import TITLES, Row
from machine import described
from matplotlib.figure import Figure
from matplotlib.patches import Patch

_INK, _PALE = "#22303c", "#e3e8ec"
_COLORS = {
    BATCH: "#1f7a8c", SINGLE: "#7cc4cf", COAL: "#c8553d", FCL: "#e9b872", MUJOCO: "#3d5ac8",
    RAPIER: "#8a6fb0", EMBREE: "#9aa5ad", EMBREE_BATCH: "#5b6770",
}  # fmt: skip
_LABELS = {BATCH: "firstcontact, batch", SINGLE: "firstcontact, one call"}


def draw(rows: list[Row], machine: dict[str, Any], path: Path) -> None:
    """A panel a query: microseconds by method, pair by pair, on a logarithmic scale."""
    queries = list(dict.fromkeys(row.query for row in rows))
    height = (len(queries) + 1) // 2
    figure = Figure(figsize=(12, 3.1 * height), dpi=100, facecolor="white", layout="constrained")
    panels = figure.subplots(height, 2, squeeze=False).ravel()
    for axes, query in zip(panels, queries, strict=False):
        _panel(axes, [row for row in rows if row.query == query])
        axes.set_title(TITLES.get(query, query), loc="left", fontsize=11, color=_INK)
    for axes in panels[len(queries) :]:
        axes.set_visible(False)
    handles = [Patch(color=color) for color in _COLORS.values()]
    labels = [_LABELS.get(method, method) for method in _COLORS]
    figure.legend(handles, labels, loc="outside upper right", frameon=False, fontsize=8, ncols=4)
    title = "Microseconds a query"
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=_INK)
    figure.supxlabel(described(machine), x=0.01, ha="left", fontsize=7, color="#6b7883")
    figure.savefig(path, format="png")


def _panel(axes: Any, rows: list[Row]) -> None:
    shown = [method for method in _COLORS if any(row.of(method) for row in rows)]
    width = 0.84 / max(len(shown), 1)
    for k, method in enumerate(shown):
        found = [(place, row.of(method)) for place, row in enumerate(rows)]
        places = [place + (k - 0.5 * (len(shown) - 1)) * width for place, one in found if one is not None]
        axes.bar(places, [1e6 * one.median for _, one in found if one], width, color=_COLORS[method])
    axes.set_yscale("log")
    axes.set_xticks(range(len(rows)), [row.name for row in rows], fontsize=7)
    axes.grid(color=_PALE, axis="y")
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0, labelcolor=_INK)
    axes.spines[:].set_visible(False)
