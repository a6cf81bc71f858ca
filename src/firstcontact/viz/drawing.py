"""A view as k3d draws it."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.errors import MissingExtraError
from firstcontact.viz.cloud_parts import (
    MAX_TUBE_VERTICES,
    are_tubes,
    ball_radii,
    n_sides,
    seen_radii,
    tubes,
)
from firstcontact.viz.scaled import scaled
from firstcontact.viz.view import (
    BOX_EDGES,
    CONTACT_COLOR,
    Moment,
    ShownBody,
    ShownPatch,
    View,
    are_among,
    ball_faces,
    box_around,
    box_corners,
    swept_box,
)

# k3d takes times closer than a thousandth for the same: a view lasts a thousand of its units.
DURATION = 1000.0

# Edges that are sharper, in radians, are seen as edges; surfaces with more faces look smooth anyhow.
CREASE, MAX_CREASED = 0.6, 50_000

# Lengths in units of the size of the view.
POINT, ARROW, LIFT = 0.012, 0.09, 0.0012

# Tubes have fewer sides where they would have more triangles than this.
MAX_TUBE_TRIANGLES = 200_000

# Of more bodies, names and boxes that go along would only cover each other, and slow them down.
MANY = 50

# The name of a rigid body with more vertices is above the box around it, and not above these at each time.
MAX_NAMED = 10_000

# Of more points, some stand for all where they are at the start and at the end, beside those that move.
MAX_GHOSTS = 100_000

# Of more segments, lines stand for tubes there.
MAX_GHOST_TUBES = 10_000

# Of a name, beside what it is of; the panel has all.
MAX_LETTERS = 48

# So many contacts at once are drawn at full size.
FEW = 40

BACKGROUND, INK, GHOST_OPACITY = 0xF7F8FA, 0x33404D, 0.18


class DrawnLayer(NamedTuple):
    """An object of the drawing: what it is, and from when to when it is to be seen."""

    id: int
    role: str
    since: float
    until: float


class Drawing(NamedTuple):
    """What a page needs: all objects, packed, and what they are."""

    packed: bytes
    layers: tuple[DrawnLayer, ...]
    camera: tuple[float, ...]


def drawing_of(view: View) -> Drawing:
    """Draw a view."""
    try:
        import k3d
    except ImportError as error:
        raise MissingExtraError.of("k3d", "view") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its types, which are right
        plot = k3d.plot(
            background_color=BACKGROUND,
            grid_visible=False,
            menu_visibility=False,
            camera_auto_fit=False,
            axes_helper=0,
        )
        layers = []
        seen = scaled(view)
        for role, (since, until), drawn in _objects(k3d, seen):
            plot += drawn
            layers.append(DrawnLayer(int(drawn.id), role, since, until))
        camera = _camera(seen)
        plot.camera = list(camera)
        return Drawing(plot.get_binary_snapshot(6), tuple(layers), camera)


def _objects(k3d: Any, view: View) -> Iterator[tuple[str, tuple[float, float], Any]]:
    """All objects of a drawing with their roles, and when they are to be seen."""
    moving = [body for body in view.bodies if not body.is_resting]
    known: dict[tuple[int, int], Any] = {}
    for body in view.bodies:
        if body.radii is None:
            yield "body", view.span, _moved(_surface(k3d, body, known), body, view)
            if body.edges is not None:
                yield "body", view.span, _moved(_edges(k3d, body.vertices, body.edges, INK), body, view)
        else:
            for drawn in _cloud(k3d, body, view):
                yield "body", view.span, drawn
        if len(view.bodies) <= MANY:
            yield "bound", view.span, _bound(k3d, body, view)
    if moving:
        surfaces = [body for body in moving if body.radii is None]
        if surfaces:
            yield "ghost", view.span, _ghosts(k3d, surfaces, view)
        for body in moving:
            if body.radii is not None:
                for drawn in _cloud_ghosts(k3d, body, view):
                    yield "ghost", view.span, drawn
        yield "bound", view.span, _swept(k3d, moving)
    first = {body.thing: body for body in reversed(view.bodies)}
    for thing, body in list(reversed(first.items()))[:MANY]:
        yield "name", view.span, _name(k3d, thing, body, view)
    for moment in view.moments:
        for role, drawn in _happening(k3d, moment, view):
            yield role, (moment.time, moment.until), drawn


def _surface(k3d: Any, body: ShownBody, known: dict[tuple[int, int], Any]) -> Any:
    """A surface with its sharp edges; one that deforms is smooth all over, one with lines has flat faces."""
    vertices, faces = body.vertices, body.faces
    if body.frames is None and body.edges is None and len(faces) <= MAX_CREASED:
        key = id(vertices), id(faces)  # bodies of one shape share them
        if key not in known:
            mesh = trimesh.Trimesh(vertices, faces, process=False)
            shaded = trimesh.graph.smooth_shade(mesh, angle=CREASE, facet_minarea=None)
            known[key] = shaded.vertices, shaded.faces
        vertices, faces = known[key]
    return k3d.mesh(
        _single(vertices),
        _indices(faces),
        color=body.color,
        flat_shading=body.edges is not None,
        side="double",
        name=body.name,
    )


def _moved(
    drawn: Any,
    body: ShownBody,
    view: View,
    part: Callable[[Array], Array] = lambda vertices: vertices,
    attribute: str = "vertices",
) -> Any:
    """Let an object move as a body does; it is made of a part of the body's vertices."""
    if body.frames is not None:
        frames = zip(body.times, body.frames, strict=True)
        setattr(drawn, attribute, {_clock(t, view): _single(part(frame)) for t, frame in frames})
    elif body.is_resting:
        drawn.model_matrix = _single(body.poses[0])
    else:
        poses = zip(body.times, body.poses, strict=True)
        drawn.model_matrix = {_clock(t, view): _single(pose) for t, pose in poses}
    return drawn


def _ghosts(k3d: Any, bodies: Sequence[ShownBody], view: View) -> Any:
    """All that moves, as it is at the start and at the end."""
    places = [(body, body.at(time)) for body in bodies for time in view.span]
    starts = np.cumsum([0, *(len(vertices) for _, vertices in places)])
    faces = [body.faces + start for (body, _), start in zip(places, starts, strict=False)]
    colors = np.repeat([body.color for body, _ in places], np.diff(starts))
    return k3d.mesh(
        _single(np.concatenate([vertices for _, vertices in places])),
        _indices(np.concatenate(faces)),
        colors=_indices(colors),
        opacity=GHOST_OPACITY,
        side="double",
        name="start and end",
    )


def _cloud(k3d: Any, body: ShownBody, view: View, opacity: float = 1.0) -> Iterator[Any]:
    """Points as balls that always face the viewer, and the tubes of strands between them."""
    ends, radii = body.faces[:, :2], seen_radii(body, view.size)
    thick = ball_radii(len(body.vertices), ends, radii)
    rows = np.flatnonzero(thick)
    look = {"color": body.color, "opacity": opacity, "name": body.name}
    places, sizes = _single(body.vertices[rows]), _single(2.0 * thick[rows])
    balls = k3d.points(places, point_sizes=sizes, shader="3d", **look)
    yield _moved(balls, body, view, lambda vertices: vertices[rows], "positions")
    are_joined = are_tubes(ends)
    if are_joined.any():
        yield _tubes(k3d, body, view, ends[are_joined], radii[are_joined], look)


def _tubes(k3d: Any, body: ShownBody, view: View, ends: NDArray[Any], radii: Array, look: Any) -> Any:
    """All segments of strands as one surface; as lines where that would be too large for a page."""
    frames = body.vertices[np.newaxis] if body.frames is None else body.frames
    sides = n_sides(len(ends), MAX_TUBE_TRIANGLES)
    if 2 * sides * len(ends) * len(frames) > MAX_TUBE_VERTICES:
        return _moved(_edges(k3d, body.vertices, ends, body.color), body, view)
    vertices, faces = tubes(frames, ends, radii, sides)
    drawn = k3d.mesh(_single(vertices[0]), _indices(faces), flat_shading=False, side="double", **look)
    own_frames = None if body.frames is None else vertices
    return _moved(drawn, replace(body, vertices=vertices[0], frames=own_frames), view)


def _cloud_ghosts(k3d: Any, body: ShownBody, view: View) -> Iterator[Any]:
    """Points or strands that move, as they are at the start and at the end; of many, not all, and lines."""
    ends = body.faces[:, :2]
    if body.radii is not None and not are_tubes(ends).any():
        some = slice(None, None, -(-len(ends) // MAX_GHOSTS))
        body = replace(body, faces=body.faces[some], radii=body.radii[some])
    elif len(ends) > MAX_GHOST_TUBES:
        for time in view.span:
            yield _edges(k3d, body.at(time), ends, body.color)
        return
    for time in view.span:
        here, rest = body.at(time), np.eye(4)[np.newaxis]
        still = replace(body, vertices=here, times=np.zeros(1), poses=rest, frames=None)
        yield from _cloud(k3d, still, view, GHOST_OPACITY)


def _swept(k3d: Any, bodies: Sequence[ShownBody]) -> Any:
    """Boxes around all the places where bodies come."""
    corners = np.concatenate([box_corners(swept_box(body)) for body in bodies])
    edges = np.concatenate([BOX_EDGES + 8 * i for i in range(len(bodies))])
    drawn = _edges(k3d, corners, edges, bodies[0].color)
    drawn.colors = _indices(np.repeat([body.color for body in bodies], 8))
    return drawn


def _bound(k3d: Any, body: ShownBody, view: View) -> Any:
    """The box around a body, which goes along with it."""

    def corners(vertices: Array) -> Array:
        return box_corners(box_around(vertices, body.thickness))

    return _moved(_edges(k3d, corners(body.vertices), BOX_EDGES, body.color), body, view, corners)


def _edges(k3d: Any, vertices: Array, edges: NDArray[Any], color: int, width: float = 0.0) -> Any:
    shader = "mesh" if width else "simple"
    return k3d.lines(
        _single(vertices),
        _indices(edges),
        indices_type="segment",
        color=color,
        width=width or 1.0,
        shader=shader,
    )


def _name(k3d: Any, thing: str, body: ShownBody, view: View) -> Any:
    """A name above a body."""
    if body.frames is None and len(body.vertices) > MAX_NAMED:
        body = replace(body, vertices=box_corners(box_around(body.vertices)))
    times = body.times if body.frames is not None or not body.is_resting else view.span[:1]
    step = max(len(times) // 60, 1)
    places = {}
    for t in [*times[::step], times[-1]]:
        vertices = body.at(float(t))
        top = np.array(
            [*vertices[:, :2].mean(axis=0), vertices[:, 2].max() + body.thickness + 0.02 * view.size]
        )
        places[_clock(t, view)] = _single(top)
    position = places if len(places) > 1 else next(iter(places.values()))
    drawn = k3d.text(
        escape(thing if len(thing) <= MAX_LETTERS else f"{thing[:MAX_LETTERS]}…"),
        position=[0, 0, 0],
        color=INK,
        size=0.7,
        reference_point="cb",
        label_box=True,
        is_html=True,
    )
    drawn.position = position
    return drawn


def _happening(k3d: Any, moment: Moment, view: View) -> Iterator[tuple[str, Any]]:
    """Points, arrows, lines and features of a moment; the more points, the smaller they are."""
    size = view.size / max(1.0, np.sqrt(len(moment.points) / FEW))
    if len(moment.points) > 0:
        points = _single(moment.points)
        yield "contact", k3d.points(points, point_size=POINT * size, color=CONTACT_COLOR, shader="mesh")
    if len(moment.normals) > 0:
        arrows = _single(moment.normals * ARROW * size)
        widths = {"head_size": 2.5 * ARROW * size, "line_width": 0.03 * ARROW * size}
        yield "normal", k3d.vectors(_single(moment.points), arrows, color=CONTACT_COLOR, **widths)
    if len(moment.segments) > 0:
        ends = moment.segments.reshape(-1, 3)
        pairs = np.arange(len(ends)).reshape(-1, 2)
        yield "contact", _edges(k3d, ends, pairs, CONTACT_COLOR, 0.2 * POINT * size)
    for patch in moment.patches:
        yield from (("feature", drawn) for drawn in _features(k3d, patch, view))


def _features(k3d: Any, patch: ShownPatch, view: View) -> Iterator[Any]:
    """Faces, lifted off their surface on both sides, edges and corners of a body."""
    body, dot = view.bodies[patch.body], POINT * view.size
    if body.radii is not None:
        yield from _cloud(k3d, _touching(body, patch, view), view)
        return
    if len(patch.faces) > 0:
        own = patch.faces.reshape(-1)

        def faces_of(vertices: Array) -> Array:
            return _lifted(vertices[own], LIFT * view.size)

        indices = _indices(np.arange(2 * len(own)).reshape(-1, 3))
        faces = k3d.mesh(_single(faces_of(body.vertices)), indices, color=CONTACT_COLOR, side="double")
        yield _moved(faces, body, view, faces_of)
    if len(patch.edges) > 0:
        ends = patch.edges.reshape(-1)
        pairs = np.arange(len(ends)).reshape(-1, 2)
        edges = _edges(k3d, body.vertices[ends], pairs, CONTACT_COLOR, 0.3 * dot)
        yield _moved(edges, body, view, lambda vertices: vertices[ends])
    if len(patch.corners) > 0:
        corners = k3d.points(
            _single(body.vertices[patch.corners]), point_size=0.8 * dot, color=CONTACT_COLOR, shader="mesh"
        )
        yield _moved(corners, body, view, lambda vertices: vertices[patch.corners], "positions")


def _touching(body: ShownBody, patch: ShownPatch, view: View) -> ShownBody:
    """Those of a body's points and segments that are in contact: a little thicker, and in another colour."""
    radii = seen_radii(body, view.size)
    own, ends = are_among(body.faces, patch.faces), body.faces[:, :2]
    thick = np.concatenate([radii[own], ball_radii(len(body.vertices), ends, radii)[patch.corners]])
    faces = np.concatenate([body.faces[own], ball_faces(patch.corners)])
    return replace(body, color=CONTACT_COLOR, faces=faces, radii=thick + LIFT * view.size)


def _lifted(corners: Array, lift: float) -> Array:
    """Triangles (3 m, 3), moved off their plane to one side, and to the other."""
    a, b, c = corners.reshape(-1, 3, 3).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    off = lift * np.divide(across, lengths, out=np.zeros_like(across), where=lengths > 0.0)
    both = np.concatenate([corners.reshape(-1, 3, 3) + side * off[:, np.newaxis] for side in (1.0, -1.0)])
    found: Array = both.reshape(-1, 3)
    return found


def _camera(view: View) -> tuple[float, ...]:
    """Where to look from, what at, and what is up: all of it, from above and to the side."""
    lower, upper = view.bounds
    target = 0.5 * (lower + upper)
    towards = np.array([0.55, -0.75, 0.38])
    place = target + 0.92 * view.size * towards / np.linalg.norm(towards)
    return (*place.tolist(), *target.tolist(), 0.0, 0.0, 1.0)


def _clock(time: float, view: View) -> str:
    first, last = view.span
    return repr(DURATION * (float(time) - first) / ((last - first) or 1.0))


def _single(values: Array) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32)


def _indices(values: NDArray[Any]) -> NDArray[np.uint32]:
    return np.ascontiguousarray(values, np.uint32)
