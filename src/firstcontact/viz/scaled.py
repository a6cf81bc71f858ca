"""Views in numbers that a graphics card can hold: around the origin, and of one size."""

from dataclasses import replace

from firstcontact.arrays import Array
from firstcontact.viz.view import Moment, ShownBody, View, local_box

# Single precision is as good for every size then, and no width is too small for k3d.
SIZE = 10.0


def scaled(view: View) -> View:
    """The same view, moved to the origin and made as large as all others."""
    middle, scale = view.bounds.mean(axis=0), SIZE / view.size
    known: dict[int, Array] = {}
    bodies = tuple(_body(body, middle, scale, known) for body in view.bodies)
    moments = tuple(_moment(moment, middle, scale) for moment in view.moments)
    return replace(view, bodies=bodies, moments=moments, focus=scale * (view.bounds - middle))


def _body(body: ShownBody, middle: Array, scale: float, known: dict[int, Array]) -> ShownBody:
    """A body; those of one shape share their vertices before and after."""
    radii = None if body.radii is None else scale * body.radii
    if body.frames is not None:
        frames = scale * (body.frames - middle)
        return replace(body, vertices=frames[0], frames=frames, radii=radii)
    own = local_box(body).mean(axis=0)  # a body may be far from the origin of its own frame
    poses = body.poses.copy()
    poses[:, :3, 3] = scale * (body.poses[:, :3, :3] @ own + body.poses[:, :3, 3] - middle)
    vertices = known.setdefault(id(body.vertices), scale * (body.vertices - own))
    return replace(body, vertices=vertices, poses=poses, radii=radii)


def _moment(moment: Moment, middle: Array, scale: float) -> Moment:
    points, segments = scale * (moment.points - middle), scale * (moment.segments - middle)
    return replace(moment, points=points, segments=segments)
