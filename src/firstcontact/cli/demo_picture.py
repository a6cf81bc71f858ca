"""The picture of `firstcontact demo`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.errors import MissingExtraError

_INK, _GREY = "#22303c", "#8a97a3"
_COLORS = {"vertex-face": "#1f7a8c", "edge-edge": "#e07a3f"}
_CONTACT = "#c8102e"

# One vertex-face query to look at: the vertex falls, the triangle rises and turns.
_START = np.array([[0.5, 0.15, 1.45], [-1.0, -0.7, -0.6], [1.1, -0.6, -0.3], [0.1, 1.1, -0.5]])
_END = np.array([[-0.35, 0.05, -0.75], [-0.8, -0.9, 1.0], [0.9, -0.9, 0.3], [0.3, 0.9, 0.75]])

_LABEL_OFFSET = np.array([0.1, 0.0, 0.06])


def draw(contacts: Mapping[str, fc.ElementaryContacts], path: Path) -> None:
    """Draw one query in space and the first contact times of all of them, and write a PNG file."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "view") from None

    figure = Figure(figsize=(12, 5.4), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    _draw_query(figure.add_axes((0.0, 0.02, 0.5, 0.86), projection="3d"))
    _draw_times(figure.add_axes((0.56, 0.15, 0.4, 0.68)), contacts)
    _title(figure, 0.04, "One query", "a falling vertex meets a rising, turning triangle")
    n_queries = sum(len(found.hit) for found in contacts.values())
    _title(figure, 0.56, f"{n_queries:,} queries", "when random points of the unit cube first touch")
    figure.savefig(path, format="png")


def _title(figure: Any, left: float, headline: str, line: str) -> None:
    figure.text(left, 0.93, headline, fontsize=15, fontweight="bold", color=_INK)
    figure.text(left, 0.885, line, fontsize=10.5, color=_GREY)


def _draw_query(axes: Any) -> None:
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=3, foreground="white", alpha=0.85)]
    contact = fc.vertex_face_ccd(_START, _END)
    time = float(contact.time)
    for t in np.linspace(0.0, 1.0, 11):
        _draw_triangle(axes, _points(t), _GREY, 0.05, 0.4)
    for t, color, opacity in ((0.0, _GREY, 0.25), (1.0, _GREY, 0.25), (time, _COLORS["vertex-face"], 0.55)):
        _draw_triangle(axes, _points(t), color, opacity, 1.4)
    _draw_paths(axes, time)
    for t, text in ((0.0, "t = 0"), (1.0, "t = 1"), (time, f"first contact, t = {time:.4f}")):
        vertex, color = _points(t)[0], _CONTACT if t == time else _INK
        axes.scatter(*vertex, s=90 if t == time else 34, color=color, depthshade=False, zorder=10)
        axes.text(*(vertex + _LABEL_OFFSET), text, color=color, fontsize=10, zorder=11, path_effects=halo)
    axes.set(xlim=(-0.85, 0.95), ylim=(-0.85, 0.95), zlim=(-0.65, 1.2))
    axes.view_init(elev=24, azim=-66)
    axes.set_box_aspect((1, 1, 1), zoom=1.12)
    axes.computed_zorder = False  # later things are drawn over earlier ones: the contact on top
    axes.set_axis_off()


def _draw_paths(axes: Any, time: float) -> None:
    """Draw how the four points travel; the vertex's path is dashed after the contact."""
    for point in range(1, 4):
        axes.plot(*np.stack([_START[point], _END[point]], axis=1), color=_GREY, lw=0.8, ls=":")
    before = np.stack([_START[0], _points(time)[0]], axis=1)
    after = np.stack([_points(time)[0], _END[0]], axis=1)
    axes.plot(*before, color=_INK, lw=1.8, zorder=9)
    axes.plot(*after, color=_INK, lw=1.2, ls=(0, (3, 3)), zorder=9)


def _draw_triangle(axes: Any, points: NDArray[np.float64], color: str, opacity: float, width: float) -> None:
    axes.add_collection3d(_triangle(points[1:], facecolor=color, alpha=opacity))
    axes.add_collection3d(_triangle(points[1:], facecolor="none", edgecolor=color, linewidth=width))


def _triangle(corners: NDArray[np.float64], **style: Any) -> Any:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    return Poly3DCollection([corners], **style)


def _points(time: float) -> NDArray[np.float64]:
    return (1.0 - time) * _START + time * _END


def _draw_times(axes: Any, contacts: Mapping[str, fc.ElementaryContacts]) -> None:
    bins = np.linspace(0.0, 1.0, 51)
    for kind, found in contacts.items():
        times = found.time[found.hit]
        label = f"{kind}: {len(times):,} contacts in {len(found.hit):,} queries"
        axes.hist(times, bins, histtype="stepfilled", color=_COLORS[kind], alpha=0.25)
        axes.hist(times, bins, histtype="step", color=_COLORS[kind], lw=1.8, label=label)
    axes.set(xlim=(0.0, 1.0), xlabel="time of first contact", ylabel="contacts in each 1/50 of the interval")
    axes.legend(frameon=False, fontsize=10, labelcolor=_INK, loc="upper right")
    axes.set_ylim(top=1.25 * axes.get_ylim()[1])  # room for the legend
    axes.grid(axis="y", color=_GREY, alpha=0.25, lw=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(colors=_GREY, length=0)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
