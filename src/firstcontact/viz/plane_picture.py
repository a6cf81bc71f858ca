"""Things of the plane as they are at a time: polygons filled, with their holes, and curves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.viz.view import COLORS, CONTACT_COLOR
from firstcontact.viz.view_of import check_words, stop_of, subject_of, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

# Opacity of what is filled, and of what was at the start and will be in the end.
FILL, GHOST = 0.55, 0.16

# More arrows would cover what they point at, more names the picture.
MAX_ARROWS, MAX_NAMES = 60, 12

RED = f"#{CONTACT_COLOR:06x}"


class FlatView(NamedTuple):
    """What there is to draw: things of the plane by the names that they are shown with, and an answer.

    title : a line above it
    time : at which they are drawn
    """

    things: dict[str, fc.Moving]
    answer: Any
    title: str
    time: float


def flat_view_of(what: Any, time: float | None, title: str | None, names: Mapping[str, str]) -> FlatView:
    """Gather what there is to draw, at the first contact unless there is a time."""
    things, answer = subject_of(what)
    check_words(title, names, things)
    stop = stop_of(answer)
    now = time if time is not None else 0.0 if stop is None else stop
    line = title_of(things, answer, names) if title is None else title
    return FlatView({names.get(name, name): thing for name, thing in things.items()}, answer, line, now)


def draw_in_plane(view: FlatView, ghosts: bool, ax: "Axes") -> None:
    """Draw things of the plane, and what an answer says of them.

    Where a polygon that deforms has come to cross itself, what it winds around twice is filled, too.
    """
    handles = {}
    for k, (name, thing) in enumerate(view.things.items()):
        color = f"#{COLORS[k % len(COLORS)]:06x}"
        here = thing.vertices(view.time)
        for elsewhere in map(thing.vertices, (0.0, 1.0) if ghosts else ()):
            if not np.array_equal(elsewhere, here):
                _draw(thing, elsewhere, color, ax, GHOST)
        handles[name] = _draw(thing, here, color, ax, 1.0)
    _mark(view.answer, view.time, ax)
    ax.autoscale_view()
    ax.set_aspect("equal")
    ax.set_xlabel("x")
    ax.set_ylabel("y", rotation=0)
    ax.set_title(view.title, fontsize="medium", parse_math=False)
    if 1 < len(handles) <= MAX_NAMES:
        legend = ax.legend(list(handles.values()), [str(k) for k in range(len(handles))], frameon=False)
        for text, name in zip(legend.get_texts(), handles, strict=True):
            text.set(text=name, parse_math=False)


def _draw(thing: fc.Moving, vertices: Array, color: str, ax: "Axes", opacity: float) -> Any:
    """Draw a thing with its points somewhere, and give what a legend shows of it."""
    from matplotlib.patches import PathPatch

    shape: Any = thing.shape
    is_filled = isinstance(shape, fc.Polygon)
    outline = {"edgecolor": color, "alpha": opacity, "linewidth": 1.4, "zorder": 2.0 + (opacity == 1.0)}
    path = path_of(shape, vertices)
    if is_filled:
        fill = {"facecolor": color, "edgecolor": "none", "alpha": opacity * FILL}
        ax.add_patch(PathPatch(path, **fill, zorder=outline["zorder"]))
    else:
        dots = vertices[np.cumsum(shape.counts)[shape.counts == 1] - 1]  # rows of one point have no line
        ax.plot(*dots.T, ".", color=color, alpha=opacity, zorder=outline["zorder"])
    return ax.add_patch(PathPatch(path, fill=False, **outline))


def path_of(shape: fc.Polygon | fc.Polyline, vertices: Array) -> "Path":
    """Make a path of all rows; holes run against what is around them, which leaves them empty."""
    from matplotlib.path import Path

    is_closed = isinstance(shape, fc.Polygon) or shape.closed
    points, codes = [np.empty((0, 2))], [np.empty(0, np.uint8)]
    firsts = np.cumsum(shape.counts) - shape.counts
    for first, n in zip(firsts.tolist(), shape.counts.tolist(), strict=True):
        if n == 0:
            continue
        row = vertices[first : first + n]
        row = row[::-1] if shape.turns is not None and shape.turns[first] < 0.0 else row
        points += [row, row[:1]] if is_closed else [row]
        codes.append(np.full(n + is_closed, Path.LINETO, np.uint8))
        codes[-1][0] = Path.MOVETO
        if is_closed:
            codes[-1][-1] = Path.CLOSEPOLY
    return Path(np.concatenate(points), np.concatenate(codes))


def _mark(answer: Any, time: float, ax: "Axes") -> None:
    """Draw points, normals and lines that an answer has found by a time."""
    points, normals, lines = _found(answer, time)
    for line in lines:
        ax.plot(*line.T, color=RED, linewidth=1.6, zorder=4)
    if len(points) == 0:
        return
    if len(normals) > 0:
        picks = np.unique(np.linspace(0, len(points) - 1, MAX_ARROWS).astype(int))
        ax.quiver(*points[picks].T, *normals[picks].T, color=RED, width=0.005, scale=12.0, zorder=4)
    style = {"markeredgecolor": "white", "markersize": 6} if len(points) <= MAX_ARROWS else {"markersize": 3}
    ax.plot(*points.T, "o", color=RED, zorder=5, **style)


def _found(answer: Any, time: float) -> tuple[Array, Array, Array]:
    """Points (k, 2) of an answer, normals there, and lines (s, 2, 2)."""
    nothing, no_lines = np.empty((0, 2)), np.empty((0, 2, 2))
    answer = answer.contact if isinstance(answer, fc.SceneContact) else answer
    if isinstance(answer, fc.FirstContact) and answer and answer.time <= time:
        return answer.points, answer.normals, no_lines
    if isinstance(answer, fc.Contacts | fc.SceneContacts):
        is_by_now = answer.time <= time
        return answer.points[is_by_now], answer.normals[is_by_now], no_lines
    if isinstance(answer, fc.Intersections):
        return answer.segments.reshape(-1, 2), nothing, answer.segments
    if isinstance(answer, fc.Distance | fc.Penetration):
        ends = np.stack([answer.points_a, answer.points_b])
        if np.isfinite(ends).all():
            return ends, nothing, ends[np.newaxis]
    return nothing, nothing, no_lines
