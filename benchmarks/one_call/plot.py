"""The plot of what one call takes."""

from typing import Any

from matplotlib.patches import Patch

from one_call.calls import LIBRARIES
from report.canvas import BLUE, PLUM, RUST, SAND, SKY, TEAL, canvas, entitle

_COLORS = dict(zip(LIBRARIES, (TEAL, SKY, RUST, SAND, BLUE, PLUM), strict=True))


def draw(rows: list[Any]) -> Any:
    """Bars by library, a group a query, on a logarithmic scale."""
    figure, panels = canvas(12, 4.2)
    axes = panels[0, 0]
    for place, row in enumerate(rows):
        shown = [name for name in _COLORS if name in row.seconds]
        width = 0.84 / len(_COLORS)
        for k, name in enumerate(shown):
            at = place + (k - 0.5 * (len(shown) - 1)) * width
            axes.bar([at], [1e6 * row.seconds[name]], width, color=_COLORS[name])
    axes.set_yscale("log")
    labels = [f"{row.query},\n{row.name}" for row in rows]
    axes.set_xticks(range(len(rows)), labels, fontsize=6)
    axes.grid(visible=False, axis="x")
    entitle(axes, "microseconds a call, the pose within")
    handles = [Patch(color=color) for color in _COLORS.values()]
    figure.legend(handles, list(_COLORS), loc="outside upper right", frameon=False, fontsize=8, ncols=6)
    return figure
