"""Pictures of the scenes, painted from back to front."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deformable.cases import MADE, Scene
from deformable.surfaces import Faces, Points
from report.canvas import GREY, INK

_FRONT, _BACK = np.array([0.36, 0.66, 0.72]), np.array([0.91, 0.72, 0.45])
_LIGHT = np.array([0.3, 0.5, 0.81])
_SEEN_FROM = {"folded": (-55.0, 25.0), "twisted": (25.0, 5.0)}  # azimuth and elevation in degrees


def draw_scenes(scenes: list[Scene]) -> Any:
    """Each scene at the start of its last step, one panel each."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = -(-len(scenes) // 5)
    figure = Figure(figsize=(13, 3.2 * rows), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    panels = figure.subplots(rows, 5, squeeze=False).ravel()
    figure.subplots_adjust(0.01, 0.01, 0.99, 1.0 - 0.45 / (3.2 * rows), wspace=0.04, hspace=0.17)
    for panel in panels:
        panel.set_axis_off()
    for panel, scene in zip(panels, scenes, strict=False):
        step = scene.steps[-1]
        vertices = step.start if scene.name in MADE else step.start[:, [2, 0, 1]]  # the frames have y up
        _paint(panel, vertices, step.faces, *_SEEN_FROM.get(scene.name.split()[0], (30.0, 20.0)))
        steps = f", {len(scene.steps)} steps" if len(scene.steps) > 1 else ""
        panel.set_title(scene.name, fontsize=11, color=INK, fontweight="bold", pad=17)
        note = f"{scene.n_triangles:,} triangles{steps}"
        panel.text(0.5, 1.02, note, fontsize=9, color=GREY, ha="center", transform=panel.transAxes)
    return figure


def _paint(panel: Any, vertices: Points, faces: Faces, azimuth: float, elevation: float) -> None:
    """Flat shading by the angle to the light; the two sides of a face have colours of their own."""
    from matplotlib.collections import PolyCollection

    corners = (vertices @ _frame(np.radians(azimuth), np.radians(elevation)).T)[faces]
    order = np.argsort(corners[:, :, 2].mean(1))
    corners = corners[order]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), np.finfo(float).tiny)
    is_front = normals[:, 2] > 0.0
    facing = np.where(is_front[:, None], normals, -normals)
    shade = (0.45 + 0.55 * np.clip(facing @ _LIGHT, 0.0, 1.0))[:, None]
    colors = np.where(is_front[:, None], _FRONT, _BACK) * shade
    faces_shown = PolyCollection(corners[:, :, :2], facecolors=colors, edgecolors=colors, linewidths=0.2)
    faces_shown.set_rasterized(True)  # a hundred thousand of them
    panel.add_collection(faces_shown)
    panel.autoscale_view()
    panel.set_aspect("equal", adjustable="datalim")


def _frame(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """Rows: to the right, up and towards the viewer, where z is up."""
    flat = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    toward = np.cos(elevation) * flat + [0.0, 0.0, np.sin(elevation)]
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return np.stack([right, np.cross(toward, right), toward])
