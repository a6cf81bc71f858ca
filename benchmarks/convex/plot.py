"""The plot of the convex benchmark."""

from typing import Any

from matplotlib.patches import Patch

from convex.own import BATCH, SINGLE
from convex.peers import COAL, EMBREE, EMBREE_BATCH, FCL, MUJOCO, RAPIER
from convex.table import TITLES, Row
from report.canvas import BLUE, PLUM, RUST, SAND, SKY, TEAL, canvas, entitle

_COLORS = {
    BATCH: TEAL, SINGLE: SKY, COAL: RUST, FCL: SAND, MUJOCO: BLUE, RAPIER: PLUM, EMBREE: "#9aa5ad",
    EMBREE_BATCH: "#5b6770",
}  # fmt: skip
_LABELS = {BATCH: "firstcontact, batch", SINGLE: "firstcontact, one call"}


def draw(rows: list[Row]) -> Any:
    """A panel a query: microseconds by method, pair by pair, on a logarithmic scale."""
    queries = list(dict.fromkeys(row.query for row in rows))
    height = (len(queries) + 1) // 2
    figure, panels = canvas(12, 3.1 * height, height, 2)
    panels = panels.ravel()
    for axes, query in zip(panels, queries, strict=False):
        _panel(axes, [row for row in rows if row.query == query])
        entitle(axes, TITLES.get(query, query))
    for axes in panels[len(queries) :]:
        axes.set_visible(False)
    handles = [Patch(color=color) for color in _COLORS.values()]
    labels = [_LABELS.get(method, method) for method in _COLORS]
    figure.legend(handles, labels, loc="outside upper right", frameon=False, fontsize=8, ncols=4)
    return figure


def _panel(axes: Any, rows: list[Row]) -> None:
    shown = [method for method in _COLORS if any(row.of(method) for row in rows)]
    width = 0.84 / max(len(shown), 1)
    for k, method in enumerate(shown):
        found = [(place, row.of(method)) for place, row in enumerate(rows)]
        places = [place + (k - 0.5 * (len(shown) - 1)) * width for place, one in found if one is not None]
        axes.bar(places, [1e6 * one.median for _, one in found if one], width, color=_COLORS[method])
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5 * min((bar.get_height() for bar in axes.patches), default=1.0))
    axes.set_xticks(range(len(rows)), [row.name for row in rows], fontsize=7)
    axes.grid(visible=False, axis="x")
