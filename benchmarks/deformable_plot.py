"""The plots of the deformable benchmark."""

from pathlib import Path
from typing import Any

import numpy as np
from deformable_methods import CONTACTS, LABELS, PEERS, SAFE_STEP
from deformable_study import ALL, METHODS, NO_TREE, PAPER, VARIANTS, Point, Study, curve, exponent
from deformable_table import Row
from machine import described

_INK, _GREY, _GRID = "#22303c", "#6b7883", "#e3e8ec"
_COLORS = {CONTACTS: "#1f7a8c", SAFE_STEP: "#7cc4cf", "AdditiveCCD": "#e9b872", "TightInclusion": "#c8553d"}
_STAGE_COLORS = {"bounds": "#e9b872", "search": "#1f7a8c", "settling": "#c8553d"}


def draw_comparison(rows: list[Row], machine: dict[str, Any], path: Path) -> None:
    """Milliseconds a step of each method on each scene, on a logarithmic scale."""
    names = list(dict.fromkeys(row.scene for row in rows))
    figure = _figure(11, 1.9 + 0.85 * len(names))
    inches = figure.get_figheight()
    axes = figure.subplots()
    figure.subplots_adjust(0.155, 0.75 / inches, 0.985, 1 - 0.95 / inches)
    longest = max(_length(row) for row in rows)
    for i, method in enumerate(LABELS):
        for row in (row for row in rows if row.method == method):
            _bar(axes, row, names.index(row.scene) + (i - 1.5) * 0.2, rows)
        axes.barh([-9], [1.0], color=_COLORS[method], label=LABELS[method])
    axes.set_xscale("log")
    axes.set_xlim(1e-3, 30 * longest)
    axes.set_xticks([1e-3, 1e-2, 0.1, 1, 10, 100], ["1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s"])
    axes.set_yticks(range(len(names)), [name.replace(", ", ",\n") for name in names])
    axes.set_ylim(len(names) - 0.45, -0.55)
    _plain(axes, "x")
    title = "Time a step; shorter is better. Peers: how many times contacts | safe_step of firstcontact"
    _heading(figure, title, f"Two threads, median of several runs. {described(machine)}")
    place = (0.005, 1 - 0.42 / inches)
    figure.legend(loc="upper left", bbox_to_anchor=place, ncols=4, frameon=False, fontsize=9.5)
    figure.savefig(path, format="png")


def _bar(axes: Any, row: Row, place: float, rows: list[Row]) -> None:
    """A bar with its time and, for a peer, the ratios; a pale one where the peer did not end."""
    is_done, width = bool(row.outcome.seconds), _length(row)
    axes.barh(place, width, 0.176, color=_COLORS[row.method], alpha=1.0 if is_done else 0.3, zorder=2)
    note = _time(width) if is_done else f"> {_time(width)}" if width > 0.0 else "failed"
    if row.method in PEERS and width > 0.0:
        own = {other.method: other for other in rows if other.scene == row.scene and other.outcome.seconds}
        ratios = [width / own[name].seconds for name in (CONTACTS, SAFE_STEP) if name in own]
        note += "   " + " | ".join(map(_times, ratios))
    axes.text(max(width, 1e-3) * 1.12, place, note, va="center", fontsize=8, color=_INK)


def _length(row: Row) -> float:
    """Seconds a step, those until the peer was given up where it did not end."""
    return row.seconds if row.outcome.seconds else float(np.nan_to_num(row.outcome.limit)) / row.n_steps


def draw_culling(studies: list[Study], machine: dict[str, Any], path: Path) -> None:
    """Left: elementary tests with and without the filter. Right: time without each stage."""
    studies = [study for study in studies if study.outcomes[ALL].seconds]
    figure = _figure(13, 2.5 + 0.47 * len(studies))
    inches = figure.get_figheight()
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.45))
    figure.subplots_adjust(0.13, 0.9 / inches, 0.985, 1 - 1.55 / inches, wspace=0.05)
    _draw_filter(left, studies)
    _draw_stages(right, studies)
    left.set_yticks(range(len(studies)), [study.scene for study in studies])
    left.set_ylim(len(studies) - 0.5, -0.5)
    fewer = [ratio for ratio, _ in PAPER.values()]
    foot = f"The paper of 2010: {min(fewer):.0f} to {max(fewer):.0f} times fewer elementary tests. "
    _heading(figure, "What each culling stage is worth", foot + described(machine))
    figure.savefig(path, format="png")


def _draw_filter(axes: Any, studies: list[Study]) -> None:
    """From the tests asked to those left, and to the contacts."""
    for place, study in enumerate(studies):
        tests, left = max(study.counter("elementary_tests"), 1), max(study.left, 1)
        hits = max(study.outcomes[ALL].answer["contacts"], 1)
        axes.plot([left, tests], [place, place], color=_GREY, linewidth=1.2, zorder=2)
        axes.plot(tests, place, "o", color=_COLORS["AdditiveCCD"], zorder=3)
        axes.plot(left, place, "o", color=_COLORS[CONTACTS], zorder=3)
        axes.plot(
            hits, place, "|", color=_COLORS["TightInclusion"], markersize=11, markeredgewidth=2, zorder=4
        )
        axes.text(tests * 1.5, place, _times(tests / left), va="center", fontsize=9, color=_INK)
    axes.plot(
        [], [], "|", color=_COLORS["TightInclusion"], markersize=11, markeredgewidth=2, label="contacts"
    )
    axes.plot([], [], "o", color=_COLORS[CONTACTS], label="left by the filter")
    axes.plot([], [], "o", color=_COLORS["AdditiveCCD"], label="asked without it")
    axes.set_xscale("log")
    axes.set_xlim(0.6, max(study.counter("elementary_tests") for study in studies) * 12)
    axes.legend(
        loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=3, frameon=False, fontsize=9.5, handletextpad=0.2
    )
    axes.set_title("Elementary tests", loc="left", fontsize=11, color=_INK, fontweight="bold", pad=28)
    _plain(axes, "x")


def _draw_stages(axes: Any, studies: list[Study]) -> None:
    """A table of ratios, shaded by how much slower the variant is."""
    names = [name for name in (*VARIANTS, NO_TREE) if name != ALL]
    ratios = np.array([[study.ratio(name) for name in names] for study in studies])
    shade = np.log2(np.clip(np.nan_to_num(ratios, nan=1.0), 0.25, 4.0))
    axes.imshow(shade, cmap="RdBu_r", vmin=-4.0, vmax=4.0, aspect="auto", zorder=1)
    for (row, column), ratio in np.ndenumerate(ratios):
        text = "" if np.isnan(ratio) else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=9, color=_INK)
    axes.set_xticks(range(len(names)), [name.replace(" ", "\n") for name in names])
    axes.xaxis.tick_top()
    title = "Time relative to all stages with 16-DOPs"
    axes.set_title(title, loc="left", fontsize=11, color=_INK, fontweight="bold", pad=10)
    axes.tick_params(length=0, labelsize=8, labelcolor=_INK, labelleft=False)
    axes.spines[:].set_visible(False)


def draw_scaling(points: list[Point], machine: dict[str, Any], path: Path) -> None:
    """Time against triangles, both logarithmic: the methods, and the stages of contacts."""
    figure = _figure(11, 5.2)
    left, right = figure.subplots(1, 2, sharex=True)
    figure.subplots_adjust(0.07, 0.15, 0.985, 0.85, wspace=0.14)
    for method in METHODS:
        label = f"{LABELS[method]}: $n^{{{exponent(points, method):.2f}}}$"
        left.plot(*_columns(curve(points, method)), "o-", color=_COLORS[method], markersize=4, label=label)
    for stage, color in _STAGE_COLORS.items():
        label = f"{stage}: $n^{{{exponent(points, CONTACTS, stage):.2f}}}$"
        right.plot(*_columns(curve(points, CONTACTS, stage)), "o-", color=color, markersize=4, label=label)
    for axes, title in ((left, "Seconds a step"), (right, "Seconds of each stage of contacts")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(top=8.0 * axes.get_ylim()[1])  # room for the legend
        axes.set_title(title, loc="left", fontsize=11, color=_INK, fontweight="bold")
        axes.set_xlabel("triangles", color=_INK)
        axes.legend(loc="upper left", frameon=False, fontsize=9.5)
        _plain(axes, "both")
    foot = f"Exponents: fitted from 10,000 triangles on. {described(machine)}"
    _heading(figure, "Cloth over a ball: cost against size, the motion in proportion to the edges", foot)
    figure.savefig(path, format="png")


def _columns(pairs: list[tuple[int, float]]) -> list[list[float]]:
    return [list(column) for column in zip(*pairs, strict=True)] if pairs else [[], []]


def _figure(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _plain(axes: Any, grid: str) -> None:
    axes.grid(axis=grid, color=_GRID, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0, labelsize=9.5, labelcolor=_INK)
    axes.spines[:].set_visible(False)


def _heading(figure: Any, title: str, foot: str) -> None:
    inches = figure.get_figheight()
    figure.text(0.012, 1 - 0.33 / inches, title, fontsize=13, fontweight="bold", color=_INK)
    figure.text(0.012, 0.13 / inches, foot, fontsize=8, color=_GREY)


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1.0 else f"{1e3 * seconds:.3g} ms"


def _times(ratio: float) -> str:
    return f"{ratio:.2g} x" if ratio < 10 else f"{ratio:,.0f} x"
