"""The plot of the elementary benchmark."""

from pathlib import Path
from typing import Any

from machine import described
from methods import PEERS, REFERENCE, Measurement

_INK, _GREY, _GRID = "#22303c", "#6b7883", "#e3e8ec"
_COLORS = {
    REFERENCE: "#1f7a8c",
    REFERENCE.replace("1 thread", "2 threads"): "#7cc4cf",
    "AdditiveCCD": "#e9b872",
    "TightInclusion": "#c8553d",
}
_LABELS = {
    "AdditiveCCD": "ipctk AdditiveCCD",
    "TightInclusion": "ipctk TightInclusion, 1e-6",
}
_CAPTIONS = {
    "random": "uniform random",
    "separation": "uniform random,\nmin_separation 1e-3",
    "filtered": "random, removed\nby the filter",
    "coplanar": "coplanar sliding,\ninteger grid",
    "n-body-simulation": "n-body scene",
    "cloth-ball": "cloth-ball scene",
}


def draw(rows: list[Measurement], machine: dict[str, Any], path: Path) -> None:
    """Draw the time a query of each method on each set, one column a kind, on one logarithmic scale."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(row.set_name for row in rows))
    figure = Figure(figsize=(12, 1.9 + 1.05 * len(names)), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    top = 1 - 1.25 / figure.get_figheight()
    axes = figure.subplots(1, 2, sharey=True, sharex=True)
    figure.subplots_adjust(0.125, 0.75 / figure.get_figheight(), 0.985, top, wspace=0.04)
    for column, kind in zip(axes, ("vertex-face", "edge-edge"), strict=True):
        _draw_kind(column, [row for row in rows if row.kind == kind], names)
        column.set_title(kind, loc="left", fontsize=12, color=_INK, fontweight="bold")
    _decorate(figure, axes[0], described(machine))
    figure.savefig(path, format="png")


def _draw_kind(axes: Any, rows: list[Measurement], names: list[str]) -> None:
    height = 0.2
    for i, method in enumerate(_COLORS):
        shown = [row for row in rows if row.method == method and row.microseconds > 0.0]
        places = [names.index(row.set_name) + (i - 1.5) * height for row in shown]
        widths = [row.microseconds for row in shown]
        label = _LABELS.get(method, method)
        axes.barh(places, widths, 0.88 * height, color=_COLORS[method], label=label, zorder=2)
        for row, place in zip(shown, places, strict=True):
            axes.text(row.microseconds * 1.15, place, _note(row), va="center", fontsize=8, color=_INK)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [_CAPTIONS.get(name, name) for name in names])
    axes.set_ylim(len(names) - 0.45, -0.55)


def _decorate(figure: Any, axes: Any, foot: str) -> None:
    inches = figure.get_figheight()
    axes.set_xlim(1e-2, 1e9)
    for each in figure.axes:
        each.grid(axis="x", color=_GRID, zorder=0)
        each.tick_params(length=0, labelsize=9.5, labelcolor=_INK)
        each.set_xticks([1e-2, 1, 1e2, 1e4, 1e6], ["10 ns", "1 µs", "100 µs", "10 ms", "1 s"])
        each.spines[:].set_visible(False)
    title = "Time a query, and how many times that of firstcontact (exact, 1 thread); shorter is better"
    figure.text(0.012, 1 - 0.35 / inches, title, fontsize=13.5, fontweight="bold", color=_INK)
    handles = axes.get_legend_handles_labels()
    place = (0.005, 1 - 0.45 / inches)
    figure.legend(*handles, loc="upper left", bbox_to_anchor=place, ncols=4, frameon=False, fontsize=10)
    foot = f"Batches of queries against pairs one by one, their call overhead taken off. {foot}"
    figure.text(0.012, 0.15 / inches, foot, fontsize=8, color=_GREY)


def _time(microseconds: float) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1.0)):
        if microseconds >= 0.9995 * size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{1e3 * microseconds:.3g} ns"


def _note(row: Measurement) -> str:
    """The text at the end of a bar: time, ratio, and the share of the hits that are none."""
    if row.method not in PEERS:
        return _time(row.microseconds)
    ratio = f"{row.ratio:,.0f} x" if row.ratio >= 10 else f"{row.ratio:.2g} x"
    false = row.false_positives / max(row.hits, 1)
    return f"{_time(row.microseconds)}   {ratio}" + (f"   {false:.0%} of hits false" if false >= 0.01 else "")
