"""The plots of the rigid benchmark."""

from typing import Any

import numpy as np

from report.canvas import BLUE, INK, RUST, SAND, SKY, TEAL, canvas, entitle, logarithmic
from rigid.cases import AUTHORS_CODE, CLUB, KNOT
from rigid.own import LABELS, Result, Singles
from rigid.study import BATCH, CURVES, SINGLE, Point, Side, growth

_COLORS = {"c2a": TEAL, "c2a-2009": RUST, "ca": BLUE}  # the paper's red and blue
_CURVE_COLORS = dict(zip(CURVES, (TEAL, SKY, SAND, RUST), strict=True))


def draw_pairs(results: list[Result]) -> Any:
    """Milliseconds a motion, beside the authors' code."""
    own = [result for result in results if result.method == "c2a"]
    figure, panels = canvas(11, 1.5 + 0.62 * len(own), 1, 2)
    for axes, kind, i in zip(panels[0], ("motions that collide", "free motions"), (0, 1), strict=True):
        theirs = [AUTHORS_CODE[result.case][i] for result in own]
        ours = [1e3 * result.seconds[i] for result in own]
        places = np.arange(len(own))
        axes.barh(places - 0.2, ours, 0.36, color=_COLORS["c2a"], label="firstcontact")
        axes.barh(places + 0.2, theirs, 0.36, color=_COLORS["c2a-2009"], label="the authors' C++ code")
        for place, mine, other in zip(places, ours, theirs, strict=True):
            axes.text(mine, place - 0.2, f" {mine:.3g} ms", va="center", fontsize=8, color=INK)
            note = f" {other:.3g} ms   {other / mine:.0f} x"
            axes.text(other, place + 0.2, note, va="center", fontsize=8, color=INK)
        axes.set_xlim(0.0, 1.35 * np.nanmax([*ours, *theirs]))
        axes.set_yticks(places, [result.case if i == 0 else "" for result in own])
        axes.invert_yaxis()
        entitle(axes, kind)
    # Beside the title of the panel: the bars leave no room below it.
    panels[0][1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9, ncols=2)
    return figure


def draw_front_nodes(results: list[Result]) -> Any:
    """Figure 4: front nodes of each motion of the club, with control and without."""
    figure, panels = canvas(11, 4.4, 1, 1)
    for result in (result for result in results if result.case == CLUB):
        nodes = result.counters["front_nodes"]
        label = f"{LABELS[result.method]}: {nodes.mean():,.0f} on average"
        panels[0][0].plot(np.maximum(nodes, 1), color=_COLORS[result.method], linewidth=1.1, label=label)
    panels[0][0].set_yscale("log")
    panels[0][0].set_xlabel("motion", color=INK)
    if panels[0][0].lines:
        panels[0][0].legend(loc="upper left", frameon=False, fontsize=9, ncols=3)
    return figure


def draw_profile(results: list[Result], singles: dict[str, Singles]) -> Any:
    """Figure 6: iterations, front nodes and contacts of each motion of the torus knot."""
    figure, panels = canvas(11, 7.0, 3, 1)
    for result in (result for result in results if result.case == KNOT):
        for axes, name in zip(panels[:2, 0], ("iterations", "front_nodes"), strict=True):
            values = np.maximum(result.counters[name], 1)
            axes.plot(values, color=_COLORS[result.method], linewidth=1.1, label=LABELS[result.method])
            axes.set_yscale("log")
            entitle(axes, name.replace("_", " "))
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper right", frameon=False, fontsize=9, ncols=3)
    if KNOT in singles:
        panels[2, 0].plot(singles[KNOT].contacts, color=_COLORS["c2a"], linewidth=1.1)
    entitle(panels[2, 0], "contacts at the first time")
    panels[2, 0].set_xlabel("motion", color=INK)
    return figure


def draw_scaling(points: list[Point]) -> Any:
    """Time against triangles, both logarithmic, with the fitted exponents."""
    figure, panels = canvas(8, 5.4, 1, 1)
    axes = panels[0][0]
    for curve, color in _CURVE_COLORS.items():
        columns = [point.n_triangles for point in points], [point.seconds[curve] for point in points]
        label = f"{'build both trees' if curve == 'tree' else curve}: $n^{{{growth(points, curve):.2f}}}$"
        axes.plot(*columns, "o-", color=color, markersize=4, label=label)
    logarithmic(axes)
    axes.set_xlabel("triangles of each body", color=INK)
    axes.set_ylabel("seconds a query", color=INK)
    axes.legend(loc="upper left", frameon=False, fontsize=9.5)
    return figure


def draw_peers(sides: list[Side]) -> Any:
    """Milliseconds a query beside the peers, on a logarithmic scale."""
    shown = [side for side in sides if side.seconds > 0.0]
    figure, panels = canvas(11, 1.4 + 0.3 * len(shown), 1, 1)
    axes = panels[0][0]
    for place, side in enumerate(shown):
        color = _COLORS["c2a"] if side.method in (BATCH, SINGLE) else _COLORS["c2a-2009"]
        axes.barh(place, 1e3 * side.seconds, 0.7, color=color)
        text = f"  {1e3 * side.seconds:.3g} ms   {side.note}"
        axes.text(1e3 * side.seconds, place, text, va="center", fontsize=8, color=INK)
    axes.set_xscale("log")
    axes.set_xlim(right=5000.0 * max(1e3 * side.seconds for side in shown))
    axes.set_yticks(range(len(shown)), [f"{side.pair}: {side.method}" for side in shown], fontsize=8)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    return figure
