"""The plots of the deformable benchmark."""

from typing import Any

import numpy as np

from deformable.methods import CONTACTS, LABELS, PEERS, SAFE_STEP
from deformable.study import ALL, METHODS, Point, Study, curve, growth, measured_variants
from deformable.table import Row
from report.canvas import GREY, INK, RUST, SAND, SKY, TEAL, canvas, duration, entitle, logarithmic, times

_COLORS = {CONTACTS: TEAL, SAFE_STEP: SKY, "AdditiveCCD": SAND, "TightInclusion": RUST}
_STAGE_COLORS = {"bounds": SAND, "search": TEAL, "settling": RUST}


def draw_comparison(rows: list[Row]) -> Any:
    """Milliseconds a step of each method on each scene, on a logarithmic scale."""
    names = list(dict.fromkeys(row.scene for row in rows))
    figure, [[axes]] = canvas(11, 0.9 + 0.85 * len(names))
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
    axes.grid(visible=False, axis="y")
    figure.legend(loc="outside upper left", ncols=4, frameon=False, fontsize=9.5)
    return figure


def _bar(axes: Any, row: Row, place: float, rows: list[Row]) -> None:
    """A bar with its time and, for a peer, the ratios; a pale one where the peer did not end."""
    is_done, width = bool(row.outcome.seconds), _length(row)
    axes.barh(place, width, 0.176, color=_COLORS[row.method], alpha=1.0 if is_done else 0.3, zorder=2)
    note = duration(width) if is_done else f"> {duration(width)}" if width > 0.0 else "failed"
    if row.method in PEERS and width > 0.0:
        own = {other.method: other for other in rows if other.scene == row.scene and other.outcome.seconds}
        ratios = [width / own[name].seconds for name in (CONTACTS, SAFE_STEP) if name in own]
        note += "   " + " | ".join(map(times, ratios))
    axes.text(max(width, 1e-3) * 1.12, place, note, va="center", fontsize=8, color=INK)


def _length(row: Row) -> float:
    """Seconds a step, those until the peer was given up where it did not end."""
    return row.seconds if row.outcome.seconds else float(np.nan_to_num(row.outcome.limit)) / row.n_steps


def draw_culling(studies: list[Study]) -> Any:
    """Left: elementary tests with and without the filter. Right: time without each stage."""
    studies = [study for study in studies if study.outcomes[ALL].seconds]
    figure, [[left, right]] = canvas(13, 1.8 + 0.47 * len(studies), 1, 2, sharey=True, width_ratios=(1, 1.45))
    _draw_filter(left, studies)
    _draw_stages(right, studies)
    left.set_yticks(range(len(studies)), [study.scene for study in studies])
    left.set_ylim(len(studies) - 0.5, -0.5)
    return figure


def _draw_filter(axes: Any, studies: list[Study]) -> None:
    """From the tests asked to those left, and to the contacts."""
    for place, study in enumerate(studies):
        tests, left = max(study.counter("elementary_tests"), 1), max(study.left, 1)
        hits = max(study.outcomes[ALL].answer["contacts"], 1)
        axes.plot([left, tests], [place, place], color=GREY, linewidth=1.2, zorder=2)
        axes.plot(tests, place, "o", color=_COLORS["AdditiveCCD"], zorder=3)
        axes.plot(left, place, "o", color=_COLORS[CONTACTS], zorder=3)
        axes.plot(
            hits, place, "|", color=_COLORS["TightInclusion"], markersize=11, markeredgewidth=2, zorder=4
        )
        axes.text(tests * 1.5, place, times(tests / left), va="center", fontsize=9, color=INK)
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
    axes.set_title("Elementary tests", loc="left", fontsize=11, color=INK, fontweight="bold", pad=28)
    axes.grid(visible=False, axis="y")


def _draw_stages(axes: Any, studies: list[Study]) -> None:
    """A table of ratios, shaded by how much slower the variant is."""
    names = measured_variants(studies)
    ratios = np.array([[study.ratio(name) for name in names] for study in studies])
    shade = np.log2(np.clip(np.nan_to_num(ratios, nan=1.0), 0.25, 4.0))
    axes.imshow(shade, cmap="RdBu_r", vmin=-4.0, vmax=4.0, aspect="auto", zorder=1)
    for (row, column), ratio in np.ndenumerate(ratios):
        text = "" if np.isnan(ratio) else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=9, color=INK)
    axes.set_xticks(range(len(names)), [name.replace(" ", "\n") for name in names])
    axes.xaxis.tick_top()
    entitle(axes, "Time relative to all stages with 16-DOPs")
    axes.grid(visible=False)
    axes.tick_params(length=0, labelsize=8, labelcolor=INK, labelleft=False)


def draw_scaling(points: list[Point]) -> Any:
    """Time against triangles, both logarithmic: the methods, and the stages of contacts."""
    figure, [[left, right]] = canvas(11, 4.8, 1, 2, sharex=True)
    for method in METHODS:
        label = f"{LABELS[method]}: $n^{{{growth(points, method):.2f}}}$"
        left.plot(*_columns(curve(points, method)), "o-", color=_COLORS[method], markersize=4, label=label)
    for stage, color in _STAGE_COLORS.items():
        label = f"{stage}: $n^{{{growth(points, CONTACTS, stage):.2f}}}$"
        right.plot(*_columns(curve(points, CONTACTS, stage)), "o-", color=color, markersize=4, label=label)
    for axes, title in ((left, "Seconds a step"), (right, "Seconds of each stage of contacts")):
        logarithmic(axes)
        axes.set_ylim(top=8.0 * axes.get_ylim()[1])  # room for the legend
        entitle(axes, title)
        axes.set_xlabel("triangles", color=INK)
        axes.legend(loc="upper left", frameon=False, fontsize=9.5)
    return figure


def _columns(pairs: list[tuple[int, float]]) -> list[list[float]]:
    return [list(column) for column in zip(*pairs, strict=True)] if pairs else [[], []]
