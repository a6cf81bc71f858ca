"""The plot of the scene benchmark."""

from typing import Any

from report.canvas import INK, PLUM, RUST, SAND, SKY, TEAL, canvas, logarithmic
from scene.own import BROAD_PHASES, CHOSEN, ONE_CELL, SWEEP, TREE, Broad
from scene.peers import RAPIER_BROAD, Stepped
from scene.table import FROM, slope

_COLORS = {CHOSEN: SAND, SWEEP: TEAL, ONE_CELL: SKY, TREE: RUST, RAPIER_BROAD: PLUM}


def draw(results: list[Broad], peers: list[Stepped]) -> Any:
    """Time of the broad phase against the number of bodies, both logarithmic, with the fitted exponents."""
    figure, [[axes]] = canvas(9, 4.8)
    for method in BROAD_PHASES:
        own = [result for result in results if result.method == method]
        powers = [f"n^{{{slope(results, method, first):.2f}}}" for first in (0, FROM)]
        label = f"{method}: ${powers[0]}$, from {FROM:,} bodies ${powers[1]}$"
        columns = [one.n_bodies for one in own], [1e3 * one.seconds for one in own]
        axes.plot(*columns, "o-", color=_COLORS[method], markersize=4, label=label)
    shown = [one for one in peers if one.method == RAPIER_BROAD and one.seconds > 0.0]
    columns = [one.n_bodies for one in shown], [1e3 * one.seconds for one in shown]
    label = f"{RAPIER_BROAD}, boxes at an instant"
    axes.plot(*columns, "s--", color=_COLORS[RAPIER_BROAD], markersize=4, label=label)
    logarithmic(axes)
    axes.set_xlabel("bodies, at a density of 1 %", color=INK)
    axes.set_ylabel("milliseconds a frame", color=INK)
    axes.legend(loc="upper left", frameon=False, fontsize=9.5)
    return figure
