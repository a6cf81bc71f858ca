"""Figures for papers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import firstcontact as fc
from firstcontact._validate import as_flag, as_scalar
from firstcontact.errors import MissingExtraError
from firstcontact.viz.field_slice import as_plane, draw_slice
from firstcontact.viz.histogram import histogram
from firstcontact.viz.picture import AZIMUTH, ELEVATION, picture
from firstcontact.viz.plane_picture import FlatView, draw_in_plane, flat_view_of
from firstcontact.viz.profile import profile
from firstcontact.viz.view_of import NO_NAMES, is_in_plane, view_of
from firstcontact.viz.voronoi_picture import draw_voronoi

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Width and height in inches.
FIGURE = (5.4, 5.75)


def plot(
    what: Any,
    *,
    time: float | None = None,
    ax: "Axes | None" = None,
    title: str | None = None,
    names: Mapping[str, str] = NO_NAMES,
    ghosts: bool = True,
    plane: str | None = None,
) -> "Axes":
    """Draw things as they are at a time, with matplotlib. Needs the extra `view`.

    In a vector file, surfaces are images, as sharp as the `dpi` of `savefig`. Answers about many give a
    histogram of times, a `Clearance` distance against time. A field, a `Voronoi` and the plane are flat.

    Parameters
    ----------
    what : as for `show`, or answers about many
    time : in [0, 1]; that of the first contact unless given, or 0 where there is none
    ax : what to draw into, three-dimensional but for what is flat; of a new figure unless given
    title, names, ghosts : as for `show`; whether what moves is faintly drawn where it starts and ends, too
    plane : of a field or a `Voronoi` in space, as "z=0.5"; across the third axis, in the middle unless given

    Examples
    --------
    >>> import numpy as np
    >>> from firstcontact import Box, Sphere, first_contact, plot
    >>> box = Box([1, 1, 1]).at((np.eye(3), [3, 0, 0]))
    >>> hit = first_contact(Sphere(1).moving(np.eye(4), velocity=[4, 0, 0]), box)
    >>> plot(hit, names={"a": "ball", "b": "box"}).get_title()
    'First contact of ball and box at t = 0.374999'
    >>> plot(hit, time=2)
    Traceback (most recent call last):
    ValueError: time must be a finite number in [0, 1]; received 2
    """
    if plane is not None and not isinstance(what, fc.DistanceField | fc.Voronoi):
        raise ValueError(f"plane is for a DistanceField or a Voronoi; received {type(what).__name__}")
    flat = _FLAT.get(next((kind for kind in _FLAT if isinstance(what, kind)), object))
    if flat is not None:
        name, draw = flat
        if time is not None or names:
            raise ValueError(f"{name} has neither a time nor names")
        at_plane = as_plane(plane, what) if isinstance(what, fc.DistanceField) else plane
        drawn = _axes(ax, "rectilinear")
        draw(what, at_plane, drawn, title)
        return drawn
    at = None if time is None else as_scalar("time", time, 0.0, 1.0)
    with_ghosts = as_flag("ghosts", ghosts)
    if is_in_plane(_things(what)):
        return _plot_in_plane(flat_view_of(what, at, title, names), with_ghosts, ax)
    view = view_of(what, title, names=names, times=() if at is None else [at])
    if at is None:
        at = view.span[0] if view.stop is None else view.stop
    drawn = _axes(ax, "3d")
    picture(view, at, drawn, with_ghosts)
    return drawn


def _plot_in_plane(view: FlatView, ghosts: bool, ax: "Axes | None") -> "Axes":
    drawn = _axes(ax, "rectilinear")
    draw_in_plane(view, ghosts, drawn)
    return drawn


def _things(what: Any) -> Mapping[str, Any]:
    """Things that are drawn, by their names, where it can be told."""
    things = what if isinstance(what, Mapping) else getattr(what, "things", {"": what})
    return things if isinstance(things, Mapping) else {}


def _draw_histogram(what: Any, plane: None, ax: "Axes", title: str | None) -> None:
    histogram(what.status != fc.Status.SEPARATED, what.time, ax, title)


def _draw_profile(what: Any, plane: None, ax: "Axes", title: str | None) -> None:
    profile(what, ax, title)


_MANY = "a histogram, as of many answers,", _draw_histogram

# What is drawn flat: what that is called, and who draws it.
_FLAT: dict[type, tuple[str, Any]] = {
    fc.DistanceField: ("a slice, as of a field,", draw_slice),
    fc.FirstContacts: _MANY,
    fc.ElementaryContacts: _MANY,
    fc.Clearance: ("a profile, as of a clearance,", _draw_profile),
    fc.Voronoi: ("a diagram, as of sites,", draw_voronoi),
}


def _axes(ax: "Axes | None", projection: str) -> "Axes":
    """The axes given, or new ones that fill a figure."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtraError.of("matplotlib", "view") from error
    if ax is None:
        if projection == "3d":
            place = (0.0, 0.0, 1.0, FIGURE[0] / FIGURE[1])  # a square below the title
            return pyplot.figure(figsize=FIGURE).add_axes(
                place, projection="3d", elev=ELEVATION, azim=AZIMUTH
            )
        return pyplot.figure(layout="constrained").add_subplot()
    if getattr(ax, "name", None) != projection:
        rule = "three-dimensional: add_subplot(projection='3d')" if projection == "3d" else "two-dimensional"
        raise ValueError(f"ax must be {rule}; received {getattr(ax, 'name', type(ax).__name__)}")
    return ax
