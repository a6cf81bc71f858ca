"""Files of compounds."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.load import read_file
from firstcontact.io.stored_arrays import MOST_BYTES, NPZ, read_arrays, write_arrays
from firstcontact.shapes.box import Box
from firstcontact.shapes.capsule import Capsule
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.compound import Compound, Deviation, standing_for
from firstcontact.shapes.cone import Cone
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.cylinder import Cylinder
from firstcontact.shapes.ellipsoid import Ellipsoid
from firstcontact.shapes.height_field import HeightField
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.rounded import Rounded
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.sphere import Sphere
from firstcontact.shapes.strands import Strands
from firstcontact.shapes.voxels import Voxels

FORMAT = 1

# The most parts that a file has.
MOST_PARTS = 1 << 16

NAMES = ("format", "kinds", "poses", "numbers", "points", "ids", "counts_of_parts", "deviation")

# Before the kind of a shape that has a radius around it, which is the first of its numbers.
ROUNDED = "Rounded "


class Content(NamedTuple):
    """What makes a shape: numbers (k,), points (m, 3) and whole numbers (j,)."""

    numbers: NDArray[np.float64]
    points: NDArray[np.float64]
    ids: NDArray[np.int64]


class Written(NamedTuple):
    """How shapes of a kind are written, and made again; and whether there is as much as they are made of."""

    content: Callable[[Any], Content]
    made: Callable[[Content], Shape]
    fits: Callable[[Content], bool]


def _content(numbers: Any = (), points: Any = (), ids: Any = ()) -> Content:
    rows = np.asarray(points, np.float64).reshape(-1, 3)
    return Content(np.ravel(np.asarray(numbers, np.float64)), rows, np.ravel(np.asarray(ids, np.int64)))


def _numbers(n: int) -> Callable[[Content], bool]:
    """So many numbers, and nothing else."""
    return lambda has: (len(has.numbers), len(has.points), len(has.ids)) == (n, 0, 0)


def _fits_heights(has: Content) -> bool:
    sides = has.ids.tolist()
    is_grid = len(sides) == 2 and min(sides) > 0 and len(has.points) == 0
    return is_grid and len(has.numbers) == 2 + sides[0] * sides[1]


# By the names of their classes.
KINDS = {
    "Sphere": Written(lambda own: _content(own.radius), lambda has: Sphere(*has.numbers), _numbers(1)),
    "Ellipsoid": Written(lambda own: _content(own.radii), lambda has: Ellipsoid(has.numbers), _numbers(3)),
    "Capsule": Written(
        lambda own: _content([own.radius, own.length]), lambda has: Capsule(*has.numbers), _numbers(2)
    ),
    "Box": Written(lambda own: _content(own.extents), lambda has: Box(has.numbers), _numbers(3)),
    "Cylinder": Written(
        lambda own: _content([own.radius, own.length]), lambda has: Cylinder(*has.numbers), _numbers(2)
    ),
    "Cone": Written(
        lambda own: _content([own.radius, own.height]), lambda has: Cone(*has.numbers), _numbers(2)
    ),
    "ConvexHull": Written(
        lambda own: _content(points=own.points),
        lambda has: ConvexHull(has.points, flat=True),
        lambda has: not (len(has.numbers) or len(has.ids)),
    ),
    "HeightField": Written(
        lambda own: _content([*own.spacing, *own.heights.flat], ids=own.heights.shape),
        lambda has: HeightField(has.numbers[2:].reshape(has.ids), (has.numbers[0], has.numbers[1])),
        _fits_heights,
    ),
    "Mesh": Written(
        lambda own: _content(own.radius if own.is_thick else (), own.vertices, own.faces),
        lambda has: Mesh(has.points, has.ids.reshape(-1, 3), has.numbers if len(has.numbers) else 0.0),
        lambda has: len(has.numbers) in (0, len(has.points)) and len(has.ids) % 3 == 0,
    ),
    "Points": Written(
        lambda own: _content(own.radius, own.positions),
        lambda has: Points(has.points, has.numbers),
        lambda has: len(has.numbers) == len(has.points) and len(has.ids) == 0,
    ),
    "Strands": Written(
        lambda own: _content(own.radius, own.positions, own.counts),
        lambda has: Strands(has.points, has.ids, has.numbers),
        lambda has: len(has.numbers) == len(has.points),
    ),
    "Voxels": Written(
        lambda own: _content([own.size, *own.origin], ids=own.cells),
        lambda has: Voxels(has.ids.reshape(-1, 3), has.numbers[0], has.numbers[1:]),
        lambda has: len(has.numbers) == 4 and len(has.points) == 0 and len(has.ids) % 3 == 0,
    ),
}


def load_compound(path: str | os.PathLike[str]) -> Compound:
    """Load a compound that `Compound.save` wrote, with its parts, their poses, and its `deviation`.

    What is damaged, or has more than 65,536 parts, is refused in a `MeshFileError`.

    Parameters
    ----------
    path : the file, which ends in .npz

    Examples
    --------
    >>> import firstcontact as fc
    >>> file = getfixture("tmp_path") / "hammer.npz"
    >>> fc.Compound([fc.Cylinder(0.1, 2), fc.Box([1, 0.4, 0.4]).at((np.eye(3), [0, 0, 1]))]).save(file)
    >>> fc.load_compound(file)
    Compound(2 parts, from [-0.5, -0.2, -1] to [0.5, 0.2, 1.2])
    >>> _ = file.write_bytes(b"no archive")
    >>> fc.load_compound(file)
    Traceback (most recent call last):
    firstcontact.errors.MeshFileError: ...hammer.npz cannot be read: BadZipFile File is not a zip file
    """
    return read_file("a file of a compound", path, (NPZ,), _read)


def save_compound(compound: Compound, file: str | os.PathLike[str]) -> None:
    """Write a compound, whole or not at all."""
    parts = compound.parts
    if len(parts) > MOST_PARTS:
        raise ValueError(f"a file takes {MOST_PARTS:,} parts; the compound has {len(parts):,}")
    written = [_written(part.shape) for part in parts]
    numbers, points, ids = zip(*(content for _, content in written), strict=True) if parts else ((), (), ())
    counts = [[len(array) for array in content] for _, content in written]
    poses = np.array([part.pose for part in parts]).reshape(-1, 4, 4)
    write_arrays(
        file,
        format=np.int64(FORMAT),
        kinds=np.array([kind for kind, _ in written], np.str_),
        poses=poses,
        numbers=np.concatenate([[], *numbers]),
        points=np.concatenate([np.empty((0, 3)), *points]),
        ids=np.concatenate([np.empty(0, np.int64), *ids]),
        counts_of_parts=np.array(counts, np.int64).reshape(-1, 3),
        deviation=np.array(() if compound.deviation is None else compound.deviation, np.float64),
    )


def _written(shape: Any) -> tuple[str, Content]:
    """A shape's kind, and its content."""
    if isinstance(shape, Rounded):  # which has no other within
        kind, content = _written(shape.unrounded)
        return ROUNDED + kind, content._replace(numbers=np.append(shape.radius, content.numbers))
    name = next((own.__name__ for own in type(shape).__mro__ if own.__name__ in KINDS), None)
    if name is None:
        raise TypeError(f"a {type(shape).__name__} cannot be written to a file")
    return name, KINDS[name].content(shape)


def _read(path: Path) -> Compound:
    found = read_arrays(path, NAMES, MOST_BYTES)
    _check(found)
    parts = [
        _made(kind, content).at(pose)
        for kind, content, pose in zip(found["kinds"].tolist(), _contents(found), found["poses"], strict=True)
    ]
    far = found["deviation"].tolist()
    return standing_for(parts, Deviation(*far)) if far else Compound(parts)


def _check(found: dict[str, NDArray[Any]]) -> None:
    """Refuse arrays that are not those of a compound."""
    n = len(found["kinds"]) if found["kinds"].ndim == 1 else -1
    shapes = {"format": (), "kinds": (n,), "poses": (n, 4, 4), "counts_of_parts": (n, 3)}
    types = {"kinds": "U", "format": "i", "ids": "i", "counts_of_parts": "i"}
    for name, array in found.items():
        own = shapes.get(name, (len(array), 3) if name == "points" and array.ndim else (array.size,))
        if array.shape != own or array.dtype.kind != types.get(name, "f"):
            raise ValueError(f"{name} is not as it should be")
    if int(found["format"]) != FORMAT:
        raise ValueError(f"its format is {int(found['format'])}, and {FORMAT} is known")
    if n > MOST_PARTS:
        raise ValueError(f"it has {n:,} parts; {MOST_PARTS:,} can be read")
    counts, arrays = found["counts_of_parts"], [found[name] for name in ("numbers", "points", "ids")]
    sizes = [len(array) for array in arrays]
    if (counts < 0).any() or (counts > max(sizes)).any() or counts.sum(axis=0).tolist() != sizes:
        raise ValueError("counts_of_parts do not fit what it has")
    far = found["deviation"]
    if len(far) not in (0, 2) or not (np.isfinite(far) & (far >= 0.0)).all():
        raise ValueError("deviation is not as it should be")


def _contents(found: dict[str, NDArray[Any]]) -> Iterator[Content]:
    """What each part is made of."""
    ends = np.cumsum(found["counts_of_parts"], axis=0)
    for counts, end in zip(found["counts_of_parts"].tolist(), ends.tolist(), strict=True):
        spans = [slice(last - n, last) for n, last in zip(counts, end, strict=True)]
        numbers, points, ids = spans
        yield Content(found["numbers"][numbers], found["points"][points], found["ids"][ids])


def _made(kind: str, content: Content) -> Any:
    """Make a shape; what must be made of something else is an error."""
    own = kind.removeprefix(ROUNDED)
    if own not in KINDS:
        raise ValueError(f"there is no kind {kind[:40]!r}")
    if own != kind:
        if len(content.numbers) == 0:
            raise ValueError(f"a {own} has no radius around it")
        within = _made(own, content._replace(numbers=content.numbers[1:]))
        return Rounded(within, float(content.numbers[0]))
    if not KINDS[own].fits(content):
        raise ValueError(f"a {own} is made of something else")
    shape = KINDS[own].made(content)
    if [len(array) for array in KINDS[own].content(shape)] != [len(array) for array in content]:
        raise ValueError(f"a {own} is made of something else")
    return shape
