"""The plot of the elementary benchmark."""

from typing import Any

from elementary.own import REFERENCE, Measurement
from elementary.peers import PEERS
from report.canvas import INK, RUST, SAND, SKY, TEAL, canvas, duration, entitle, times

_COLORS = {
    REFERENCE: TEAL,
    REFERENCE.replace("1 thread", "2 threads"): SKY,
    "AdditiveCCD": SAND,
    "TightInclusion": RUST,
}
_LABELS = {"AdditiveCCD": "ipctk AdditiveCCD", "TightInclusion": "ipctk TightInclusion, 1e-6"}
_CAPTIONS = {
    "random": "uniform random",
    "separation": "uniform random,\nmin_separation 1e-3",
    "filtered": "random, removed\nby the filter",
    "coplanar": "coplanar sliding,\ninteger grid",
    "n-body-simulation": "n-body scene",
    "cloth-ball": "cloth-ball scene",
}


def draw(rows: list[Measurement]) -> Any:
    """Draw the time a query of each method on each set, one column a kind, on one logarithmic scale."""
    names = list(dict.fromkeys(row.set_name for row in rows))
    figure, panels = canvas(12, 1.2 + 1.05 * len(names), 1, 2, sharey=True, sharex=True)
    for axes, kind in zip(panels[0], ("vertex-face", "edge-edge"), strict=True):
        _draw_kind(axes, [row for row in rows if row.kind == kind], names)
        entitle(axes, kind)
        axes.grid(visible=False, axis="y")
    panels[0][0].set_xlim(1e-2, 1e9)
    panels[0][0].set_xticks([1e-2, 1, 1e2, 1e4, 1e6], ["10 ns", "1 µs", "100 µs", "10 ms", "1 s"])
    handles = panels[0][0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper left", ncols=4, frameon=False, fontsize=10)
    return figure


def _draw_kind(axes: Any, rows: list[Measurement], names: list[str]) -> None:
    height = 0.2
    for i, method in enumerate(_COLORS):
        shown = [row for row in rows if row.method == method and row.microseconds > 0.0]
        places = [names.index(row.set_name) + (i - 1.5) * height for row in shown]
        widths = [row.microseconds for row in shown]
        label = _LABELS.get(method, method)
        axes.barh(places, widths, 0.88 * height, color=_COLORS[method], label=label, zorder=2)
        for row, place in zip(shown, places, strict=True):
            axes.text(row.microseconds * 1.15, place, _note(row), va="center", fontsize=8, color=INK)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [_CAPTIONS.get(name, name) for name in names])
    axes.set_ylim(len(names) - 0.45, -0.55)


def _note(row: Measurement) -> str:
    """The text at the end of a bar: time, ratio, and the share of the hits that are none."""
    time = duration(1e-6 * row.microseconds)
    if row.method not in PEERS:
        return time
    false = row.false_positives / max(row.hits, 1)
    return f"{time}   {times(row.ratio)}" + (f"   {false:.0%} of hits false" if false >= 0.01 else "")
