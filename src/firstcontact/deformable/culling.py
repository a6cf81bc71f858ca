"""Which stages cull pairs of features before the elementary test."""

from dataclasses import dataclass
from numbers import Integral

from firstcontact._validate import as_flag, shown

DOPS = (6, 14, 16, 18, 26)


@dataclass(frozen=True, kw_only=True)
class Culling:
    """Switches for the study of culling: all on is the default, and no choice changes the contacts.

    Parameters
    ----------
    dop : int
        Faces of the bounding volumes: 6 (boxes), 14, 16, 18 or 26. With 16 searches took 0.5 to 1.0 of the
        time that they take with boxes.
    triangle_bounds : bool
        Visit only triangles whose swept bounds overlap, by a tree. Without it, all pairs are visited.
    representatives : bool
        Test each vertex and each edge by one of its triangles only.
    feature_bounds : bool
        Compare the swept bounds of features.
    normal_cones : bool
        Skip regions proven too smooth to touch themselves. (Only without a separation distance.)
    non_penetration : bool
        Drop pairs whose four points are never coplanar, or apart along an axis.

    Examples
    --------
    >>> Culling(dop=18, normal_cones=False).dop
    18
    >>> Culling(dop=7)
    Traceback (most recent call last):
    ValueError: dop must be one of 6, 14, 16, 18, 26; received 7
    """

    dop: int = 16
    triangle_bounds: bool = True
    representatives: bool = True
    feature_bounds: bool = True
    normal_cones: bool = True
    non_penetration: bool = True

    def __post_init__(self) -> None:
        dop: object = self.dop
        if isinstance(dop, bool) or not isinstance(dop, Integral) or dop not in DOPS:
            raise ValueError(f"dop must be one of {', '.join(map(str, DOPS))}; received {shown(self.dop)}")
        for name in SWITCHES:
            object.__setattr__(self, name, as_flag(name, getattr(self, name)))


SWITCHES = ("triangle_bounds", "representatives", "feature_bounds", "normal_cones", "non_penetration")
