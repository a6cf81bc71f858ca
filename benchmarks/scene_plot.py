"""The plot of the scene benchmark."""

from pathlib import Path
from typing import Any

from machine import described
from scene_methods import BROAD_PHASES, ONE_CELL, SWEEP, TREE, Broad
from scene_peers import RAPIER_BROAD, Stepped
from scene_table import FROM, slope

_INK, _PALE = "#22303c", "#e3e8ec"
_COLORS = {SWEEP: "#1f7a8c", ONE_CELL: "#7cc4cf", TREE: "#c8553d", RAPIER_BROAD: "#8a6fb0"}


def draw(results: list[Broad], peers: list[Stepped], machine: dict[str, Any], path: Path) -> None:
    """Time of the broad phase against the number of bodies, both logarithmic, with the fitted exponents."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.4), dpi=100, facecolor="white", layout="constrained")
    axes = figure.subplots()
    for method in BROAD_PHASES:
        own = [result for result in results if result.method == method]
        powers = [f"n^{{{slope(results, method, first):.2f}}}" for first in (0, FROM)]
        label = f"{method}: ${powers[0]}$, from {FROM:,} bodies ${powers[1]}$"
        columns = [one.n_bodies for one in own], [1e3 * one.seconds for one in own]
        axes.plot(*columns, "o-", color=_COLORS[method], markersize=4, label=label)
    shown = [one for one in peers if one.method == RAPIER_BROAD and one.seconds > 0.0]
    columns = [one.n_bodies for one in shown], [1e3 * one.seconds for one in shown]
    axes.plot(
        *columns,
        "s--",
        color=_COLORS[RAPIER_BROAD],
        markersize=4,
        label=f"{RAPIER_BROAD}, boxes at an instant",
    )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("bodies, at a density of 1 %", color=_INK)
    axes.set_ylabel("milliseconds a frame", color=_INK)
    axes.legend(loc="upper left", frameon=False, fontsize=9.5)
    axes.grid(color=_PALE)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0, labelcolor=_INK)
    axes.spines[:].set_visible(False)
    title = "Broad phase: 10 % of the radius and 10 degrees a frame; one thread"
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=_INK)
    figure.supxlabel(described(machine), x=0.01, ha="left", fontsize=7, color="#6b7883")
    figure.savefig(path, format="png")
