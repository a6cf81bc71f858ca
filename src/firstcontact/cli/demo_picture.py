"""The picture of `firstcontact demo`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.cli.demo_scene import Ids, Points, Scene
from firstcontact.errors import MissingExtraError

_INK, _GREY = "#22303c", "#8a97a3"
_COLORS = {"vertex-face": "#1f7a8c", "edge-edge": "#e07a3f"}
_CLOTH, _BALL = (0.45, 0.71, 0.76), (0.86, 0.87, 0.88)
_EARLY, _LATE = np.array([0.72, 0.03, 0.13]), np.array([1.0, 0.82, 0.36])

_AZIMUTH, _ELEVATION = np.radians(27.0), np.radians(18.0)
_LIGHT = np.array([-0.38, 0.55, 0.74])  # to the right, up and towards the viewer


class Touching(NamedTuple):
    """The scene, and the contacts of its cloth with itself and with the ball."""

    scene: Scene
    itself: fc.Contacts
    ball: fc.Contacts


def draw(touching: Touching, contacts: Mapping[str, fc.ElementaryContacts], path: Path) -> None:
    """Draw the cloth and where it touches, and the contact times of random queries; write a PNG file."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "view") from None

    figure = Figure(figsize=(12, 5.4), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    _draw_cloth(figure.add_axes((0.02, 0.08, 0.5, 0.77)), touching)
    _draw_scale(figure.add_axes((0.05, 0.06, 0.14, 0.02)))
    _draw_times(figure.add_axes((0.6, 0.15, 0.37, 0.68)), contacts)
    n_faces = touching.scene.cloth.surface.n_faces
    found = f"{len(touching.itself):,} contacts with itself, {len(touching.ball):,} with the ball"
    _title(figure, 0.04, f"A cloth of {n_faces:,} triangles settles on a ball", f"{found}, in one step")
    n_queries = sum(len(found.hit) for found in contacts.values())
    _title(figure, 0.6, f"{n_queries:,} queries", "when random points of the unit cube first touch")
    figure.savefig(path, format="png")


def _title(figure: Any, left: float, headline: str, line: str) -> None:
    figure.text(left, 0.93, headline, fontsize=15, fontweight="bold", color=_INK)
    figure.text(left, 0.885, line, fontsize=10.5, color=_GREY)


def _draw_cloth(axes: Any, touching: Touching) -> None:
    """Paint all triangles at the start of the step, from back to front."""
    from matplotlib.collections import PolyCollection

    cloth, ball = touching.scene.cloth, touching.scene.ball
    front = _cloth_colors(touching)
    cloth_corners = _seen(cloth.vertices(0.0))[cloth.surface.faces]
    ball_corners = _seen(ball.vertices)[ball.faces]
    corners = np.concatenate([cloth_corners, ball_corners])
    depths: Points = corners[:, :, 2].mean(axis=1)
    # All of the ball between the parts of the cloth behind and before it, which are too close to it for an
    # order by single triangles.
    depths[cloth.surface.n_faces :] *= 1e-6
    order = np.argsort(depths)
    colors = _shaded(corners, np.concatenate([front, np.tile(_BALL, (ball.n_faces, 1))]))[order]
    triangles: Any = corners[order, :, :2]
    axes.add_collection(PolyCollection(triangles, facecolors=colors, edgecolors=colors, linewidths=0.25))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set_axis_off()


def _cloth_colors(touching: Touching) -> Points:
    """Colours of the cloth's faces: those that touch something by the time at which they do."""
    cloth = touching.scene.cloth.surface
    times = np.minimum(_first_times(cloth, touching.itself, True), _first_times(cloth, touching.ball, False))
    face_times = times[cloth.faces].min(axis=1)[:, None]
    colors: Points = np.where(np.isfinite(face_times), _time_colors(np.minimum(face_times, 1.0)), _CLOTH)
    return colors


def _time_colors(times: Points) -> Points:
    colors: Points = (1.0 - times) * _EARLY + times * _LATE
    return colors


def _first_times(cloth: fc.Mesh, contacts: fc.Contacts, is_self: bool) -> Points:
    """When each vertex is first part of a contact; infinite where it never is."""
    times = np.full(cloth.n_vertices, np.inf)
    vertices = np.arange(cloth.n_vertices, dtype=np.int32)[:, None]
    features: dict[fc.ContactKind, tuple[Ids, Ids]] = {
        fc.ContactKind.VERTEX_FACE: (vertices, cloth.faces),
        fc.ContactKind.EDGE_EDGE: (cloth.edges, cloth.edges),
        fc.ContactKind.FACE_VERTEX: (cloth.faces, vertices),
    }
    for kind, (of_a, of_b) in features.items():
        rows = contacts.kind == kind
        np.minimum.at(times, of_a[contacts.ids_a[rows]], contacts.time[rows, None])
        if is_self:
            np.minimum.at(times, of_b[contacts.ids_b[rows]], contacts.time[rows, None])
    return times


def _seen(points: Points) -> Points:
    """Coordinates to the right, up and towards the viewer."""
    flat = np.array([np.cos(_AZIMUTH), np.sin(_AZIMUTH), 0.0])
    toward = np.cos(_ELEVATION) * flat + [0.0, 0.0, np.sin(_ELEVATION)]
    right = np.array([-np.sin(_AZIMUTH), np.cos(_AZIMUTH), 0.0])
    seen: Points = points @ np.stack([right, np.cross(toward, right), toward], axis=1)
    return seen


def _shaded(corners: Points, colors: Points) -> Points:
    """Darken each triangle by the angle between its normal and the light."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    facing = np.where(normals[:, 2:] > 0.0, normals, -normals)
    shades: Points = 0.5 + 0.5 * np.clip(facing @ _LIGHT, 0.0, 1.0)
    return colors * shades[:, None]


def _draw_scale(axes: Any) -> None:
    axes.imshow(_time_colors(np.linspace(0.0, 1.0, 64)[:, None])[None], aspect="auto", extent=(0, 1, 0, 1))
    axes.set(yticks=[], xticks=[0, 0.5, 1])
    axes.set_title("first touched at", fontsize=9, color=_INK, pad=4)
    axes.tick_params(colors=_GREY, length=0, labelsize=9)
    axes.spines[:].set_visible(False)


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
