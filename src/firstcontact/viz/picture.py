"""A view at one time as matplotlib draws it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.viz.cloud_parts import Elements, seen_radii, solids
from firstcontact.viz.triangles import MAX_TRIANGLES, PaintedSurface, painted
from firstcontact.viz.view import CONTACT_COLOR, Moment, ShownBody, View, are_among, ball_faces

# Where to look from, in degrees, and where the light is then: to the left of the viewer, and above.
ELEVATION, AZIMUTH = 22.0, -54.0
LIGHT = np.array([0.45, -0.35, 0.82])  # a unit vector: towards the viewer, to the right, up

# Opacity of what was at the start, and will be in the end.
GHOST = 0.13

# How much of the axes is filled.
FILLED = 0.94

# Length of arrows in units of the size of the picture.
ARROW = 0.08

# More arrows would cover what they point at, more names the picture.
MAX_ARROWS, MAX_NAMES = 60, 12

RED = f"#{CONTACT_COLOR:06x}"


def picture(view: View, time: float, ax: Any, ghosts: bool) -> None:
    """Draw a view as it is at a time into a three-dimensional Axes."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    now = [moment for moment in view.moments if moment.time <= time <= moment.until]
    moving = [body for body in view.bodies if ghosts and not body.is_resting]
    brush = _brush(ax, view, ghosts)
    surfaces = [_ghost(body, t, brush) for t in view.span if t != time for body in moving]
    rows = range(len(view.bodies))
    surfaces += [surface for row in rows for surface in _solid(row, view, now, time, brush)]
    size = _frame(ax, np.concatenate([np.empty((0, 3)), *(surface.vertices for surface in surfaces)]))
    directions = _directions(ax)
    triangles = painted(surfaces, _points(now), size, directions[0], LIGHT @ directions)
    # Each triangle has an edge of its own colour, or the background would shine through between them.
    edges = np.where(triangles.colors[:, 3:] < 1.0, 0.0, triangles.colors)
    faces = Poly3DCollection(
        triangles.corners, facecolors=triangles.colors, edgecolors=edges, linewidths=0.4, zorder=1
    )
    faces.set_rasterized(True)  # in a vector file they are an image; all else stays lines and letters
    ax.computed_zorder = False  # contacts are drawn over what they are between
    ax.add_collection3d(faces, autolim=False)
    _happening(ax, now, view, time, size)
    _words(ax, view)


class _Brush(NamedTuple):
    """How clouds are painted: the size of the view, what is right and up, and how many triangles each has."""

    size: float
    facing: Array
    limit: int


def _brush(ax: Any, view: View, ghosts: bool) -> _Brush:
    """Let all clouds together have as many triangles as all surfaces."""
    n = sum(1 if body.is_resting or not ghosts else 3 for body in view.bodies if body.radii is not None)
    return _Brush(view.size, _directions(ax)[1:], MAX_TRIANGLES // max(n, 1))


def _ghost(body: ShownBody, time: float, brush: _Brush) -> PaintedSurface:
    return _painted(body, slice(None), time, (*_rgb(body.color), GHOST), brush)


def _painted(
    body: ShownBody, picks: Any, time: float, color: tuple[float, ...], brush: _Brush
) -> PaintedSurface:
    """Some of the faces of a body, or of its points and segments."""
    faces = body.faces[picks]
    if body.radii is None:
        return PaintedSurface(body.at(time), faces, color)
    elements = Elements(body.at(time), faces[:, :2], seen_radii(body, brush.size)[picks])
    return PaintedSurface(*solids(elements, brush.size, brush.facing, brush.limit), color, is_fixed=True)


def _solid(row: int, view: View, now: list[Moment], time: float, brush: _Brush) -> Iterator[PaintedSurface]:
    """A body, and those of its faces that are in contact."""
    body = view.bodies[row]
    patches = [patch for moment in now for patch in moment.patches if patch.body == row]
    touching = [patch.faces for patch in patches] + [ball_faces(patch.corners) for patch in patches]
    is_touching = are_among(body.faces, np.concatenate([body.faces[:0], *touching]))
    for picks, color in ((~is_touching, body.color), (is_touching, CONTACT_COLOR)):
        yield _painted(body, picks, time, (*_rgb(color), 1.0), brush)


def _rgb(color: int) -> tuple[float, ...]:
    return tuple((color >> shift & 0xFF) / 255 for shift in (16, 8, 0))


def _frame(ax: Any, points: Array) -> float:
    """Let some points fill the axes, in one scale for all directions; gives how large they are together."""
    lower, upper = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
    if not (lower < upper).any():  # nothing, or one point
        lower = np.nan_to_num(lower, posinf=0.0) - 0.5
        upper = lower + 1.0
        points = np.stack([lower, upper])
    size = float(np.linalg.norm(upper - lower))
    half, middle = 0.5 * np.maximum(upper - lower, 0.05 * size), 0.5 * (lower + upper)
    ax.set_axis_off()
    ax.set_proj_type("ortho")  # lengths can be compared, and all grows as it is zoomed
    _limit(ax, middle, half, 1.0)
    seen = _seen(ax, points)
    first, last = seen.min(axis=0), seen.max(axis=0)
    sideways = _directions(ax)[1:]
    here, *beside = _seen(ax, np.stack([middle, *(middle + size * sideways)]))
    off = (0.5 * (first + last) - here) @ np.linalg.inv(np.stack(beside) - here)
    _limit(ax, middle + size * off @ sideways, half, FILLED / (float((last - first).max()) or 1.0))
    return size


def _limit(ax: Any, middle: Array, half: Array, zoom: float) -> None:
    sides = zip(middle - half, middle + half, strict=True)
    ax.set(**dict(zip(("xlim", "ylim", "zlim"), sides, strict=True)))
    ax.set_box_aspect(tuple(half), zoom=zoom)  # which would scale an array in place


def _seen(ax: Any, points: Array) -> Array:
    """Where points are seen, (n, 2): from 0 to 1 in the axes."""
    from mpl_toolkits.mplot3d.proj3d import proj_transform

    ax.apply_aspect()
    flat = np.stack(proj_transform(*points.T, ax.get_proj())[:2], axis=1)
    found: Array = ax.transAxes.inverted().transform(ax.transData.transform(flat))
    return found


def _directions(ax: Any) -> Array:
    """Unit vectors towards the viewer, to the right and up, (3, 3)."""
    up, around = np.radians([ax.elev, ax.azim])
    towards = np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])
    right = np.array([-np.sin(around), np.cos(around), 0.0])
    return np.stack([towards, right, np.cross(towards, right)])


def _happening(ax: Any, now: list[Moment], view: View, time: float, size: float) -> None:
    """Points, arrows, lines and edges in contact."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    patches = [patch for moment in now for patch in moment.patches]
    edges = [view.bodies[patch.body].at(time, patch.edges.reshape(-1)).reshape(-1, 2, 3) for patch in patches]
    ends = np.concatenate([np.empty((0, 2, 3)), *(moment.segments for moment in now), *edges])
    if len(ends) > 0:
        ax.add_collection3d(Line3DCollection(ends, colors=RED, linewidths=1.8, zorder=2), autolim=False)
    rays = [np.stack([moment.points, moment.normals], axis=1) for moment in now if len(moment.normals) > 0]
    if rays:
        arrows = np.concatenate(rays)
        picks = np.unique(np.linspace(0, len(arrows) - 1, MAX_ARROWS).astype(int))
        starts, normals = arrows[picks].transpose(1, 2, 0)
        ax.quiver(
            *starts, *(ARROW * size * normals), color=RED, linewidth=1.2, arrow_length_ratio=0.3, zorder=3
        )
    points = _points(now)
    if len(points) > 0:
        style = {"s": 16, "edgecolors": "white"} if len(points) <= MAX_ARROWS else {"s": 3}
        ax.scatter(*points.T, c=RED, linewidths=0.5, depthshade=False, zorder=4, **style)


def _points(now: list[Moment]) -> Array:
    """All places of contact, (k, 3)."""
    return np.concatenate([np.empty((0, 3)), *(moment.points for moment in now)])


def _words(ax: Any, view: View) -> None:
    """The title, and names with their colours."""
    from matplotlib.patches import Patch

    ax.set_title(view.title, fontsize="medium", parse_math=False)
    colors = view.colors
    if 0 < len(colors) <= MAX_NAMES:
        handles = [Patch(color=color) for color in colors.values()]
        legend = ax.legend(handles, [str(i) for i in range(len(handles))], loc="upper left", frameon=False)
        for text, name in zip(legend.get_texts(), colors, strict=True):
            text.set(text=name, parse_math=False)
