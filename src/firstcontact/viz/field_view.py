"""A field to look around in: its surface, and its distances on a plane."""

from collections.abc import Mapping
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.errors import MissingExtraError
from firstcontact.viz.bodies_of import skin_of
from firstcontact.viz.field_slice import COLORS, as_plane, levels_of, slice_of
from firstcontact.viz.view import COLORS as THINGS
from firstcontact.viz.view import ShownBody, View

# Samples along the longer side of a slice that is a mesh.
N_SAMPLES = 160


def field_view(field: fc.DistanceField, plane: str | None, title: Any, names: Mapping[str, str]) -> View:
    """Show the surface of a field, or what is two tolerances from an open one; and a slice, if asked."""
    if names:
        raise ValueError("a field has no names of things: leave names out")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a text; received {type(title).__name__}")
    skin = skin_of(field)
    bodies = [_body("surface", THINGS[0], skin.vertices, skin.faces)]
    if plane is not None:
        bodies += _bands(field, plane)
    facts = (
        ("tolerance", f"{field.tolerance:.6g}"),
        ("cells", f"{field.n_cells:,}"),
        ("memory", f"{field.nbytes / 1e6:.1f} MB"),
    )
    line = "Distance field" if title is None else title
    return View(line, tuple(body for body in bodies if len(body.faces)), panel=(("Field", facts),))


def _body(name: str, color: int, vertices: Array, faces: Any) -> ShownBody:
    rest = np.eye(4)[np.newaxis]
    return ShownBody(name, name, color, np.asarray(vertices), np.asarray(faces), np.zeros(1), rest)


def _bands(field: fc.DistanceField, text: str) -> list[ShownBody]:
    """A slice as surfaces, one for each band between lines of equal distance, in its colour."""
    try:
        from matplotlib import colormaps
    except ImportError as error:
        raise MissingExtraError.of("matplotlib", "view") from error
    plane = as_plane(text, field)
    found = slice_of(field, plane, N_SAMPLES)
    levels, (n, m) = levels_of(found.values), found.values.shape
    points = np.empty((n, m, 3))
    first, second = plane.others
    points[..., plane.axis] = plane.place
    points[..., first], points[..., second] = found.right[:, np.newaxis], found.up
    ids = np.arange(n * m).reshape(n, m)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    bands = np.searchsorted(levels, found.values.reshape(-1)[faces].mean(axis=1), side="right") - 1
    bodies, colors, largest = [], colormaps[COLORS], float(np.abs(levels).max())
    for band in np.unique(bands).tolist():
        low, high = levels[max(band, 0)], levels[min(band + 1, len(levels) - 1)]
        own, rows = np.unique(faces[bands == band], return_inverse=True)
        part = 0.5 + 0.5 * 0.5 * float(low + high) / largest
        red, green, blue, _ = (int(255 * channel) for channel in colors(part))
        name = f"{low:.4g} to {high:.4g}"
        color = red << 16 | green << 8 | blue
        bodies.append(_body(name, color, points.reshape(-1, 3)[own], rows.reshape(-1, 3)))
    return bodies
