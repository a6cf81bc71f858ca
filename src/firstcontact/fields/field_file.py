"""Fields in files, and what a file must be to hold one."""

from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np

from firstcontact._jit import driver
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact._whole_file import whole_file
from firstcontact.arrays import Array, Ids
from firstcontact.errors import FieldFileError
from firstcontact.fields.octree import DEEPEST, LEAST_TOLERANCE, LONGEST_SIDE, MOST_ROOTS, Grid, Octree
from firstcontact.io.file_name import file_name

FORMAT = 1

# No cube of a grid is narrower: powers of its width are numbers.
NARROWEST = 2.0**-200

NAMES = {
    "format": ((), np.int64),
    "lower": ((3,), np.float64),
    "width": ((), np.float64),
    "shape": ((3,), np.int64),
    "links": ((-1,), np.int32),
    "values": ((-1, 8), np.float32),
    "tolerance": ((), np.float64),
    "bounds": ((2, 3), np.float64),
    "is_signed": ((), np.bool_),
    "is_exact": ((2,), np.bool_),
    "digest": ((-1,), np.uint8),
}


class Stored(NamedTuple):
    """What a file has of a field.

    is_exact : whether it is the distance outside, and inside; else it is nowhere larger
    digest : of the content of the mesh that it was made of; empty where it was made of anything else
    """

    octree: Octree
    tolerance: float
    bounds: Array
    is_signed: bool
    is_exact: tuple[bool, bool] = (True, True)
    digest: bytes = b""


def write_field(path: Path, field: Stored) -> None:
    """Write a field, whole or not at all."""
    grid = field.octree.grid
    with whole_file(path) as stream:
        np.savez_compressed(
            stream,
            format=np.int64(FORMAT),
            lower=np.array(grid.lower),
            width=np.float64(grid.width),
            shape=np.array(grid.shape, np.int64),
            links=field.octree.links,
            values=field.octree.values,
            tolerance=np.float64(field.tolerance),
            bounds=field.bounds,
            is_signed=np.bool_(field.is_signed),
            is_exact=np.array(field.is_exact),
            digest=np.frombuffer(field.digest, np.uint8),
        )


def read_field(path: Path, max_bytes: int) -> Stored:
    """Read a field; what is none, or larger than allowed, is refused in a sentence."""
    if not path.is_file():
        raise FieldFileError(f"there is no file {file_name(path)}")
    try:
        with ZipFile(path) as archive:
            size = sum(item.file_size for item in archive.infolist())
            # Others unpack all that they are given, whatever size they say.
            if any(item.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for item in archive.infolist()):
                raise BadZipFile("packed in another way than `save` does")
        if size <= max_bytes:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                found = {name: arrays[name] for name in NAMES if name in arrays.files}
    except Exception as error:  # a damaged archive raises anything from zipfile, zlib and numpy
        raise FieldFileError(f"{file_name(path)} is not a file of a field that can be read") from error
    if size > max_bytes:
        raise FieldFileError(f"{file_name(path)} holds {size:,} bytes, more than max_bytes={max_bytes:,}")
    fault = _fault_of(found)
    if fault:
        raise FieldFileError(f"{file_name(path)} holds no field: {fault}")
    a, b, c = found["lower"].tolist()
    nx, ny, nz = found["shape"].tolist()
    grid = Grid((a, b, c), float(found["width"]), (nx, ny, nz))
    octree = Octree(grid, np.ascontiguousarray(found["links"]), np.ascontiguousarray(found["values"]))
    bounds = np.ascontiguousarray(found["bounds"])
    outside, inside = found["is_exact"].tolist()
    return Stored(
        octree,
        float(found["tolerance"]),
        bounds,
        bool(found["is_signed"]),
        (outside, inside),
        found["digest"].tobytes(),
    )


def _fault_of(found: dict[str, Any]) -> str:
    """Say what is wrong with the arrays of a file; nothing if all is well."""
    for name, (shape, kind) in NAMES.items():
        if name not in found:
            return f"{name} is missing"
        own = found[name]
        if not isinstance(own, np.ndarray):  # numpy gives what is no array as bytes
            return f"{name} is not as it should be"
        is_shaped = own.ndim == len(shape) and all(
            n in (-1, m) for n, m in zip(shape, own.shape, strict=True)
        )
        if not is_shaped or own.dtype != np.dtype(kind):
            return f"{name} is not as it should be"
    if int(found["format"]) != FORMAT:
        return f"its format is {int(found['format'])}, and {FORMAT} is known"
    for name in ("lower", "width", "values", "tolerance", "bounds"):
        if not np.isfinite(found[name]).all():
            return f"{name} is not finite"
    width, counts = float(found["width"]), found["shape"]
    if not (width > 0.0 and np.frexp(width)[0] == 0.5 and float(found["tolerance"]) > 0.0):
        return "width and tolerance do not fit"
    if counts.min() < 1 or counts.max() > MOST_ROOTS:
        return "its grid has no such shape"
    numbers = found["lower"], found["bounds"], found["tolerance"]
    is_known = all(np.abs(number).max() <= COORDINATE_LIMIT for number in numbers)
    if not (is_known and NARROWEST <= width <= LONGEST_SIDE / float(counts.max())):
        return "its box is too large, too small or too far away"
    least = 0.5 * LEAST_TOLERANCE * float(np.linalg.norm(width * counts))  # half: whatever was rounded
    if float(found["tolerance"]) < least:
        return "its tolerance is too small for its box"
    bounds, upper = found["bounds"], found["lower"] + width * (counts + 1e-9)
    is_around = (found["lower"] <= bounds[0]) & (bounds[0] <= bounds[1]) & (bounds[1] <= upper)
    if not is_around.all():
        return "the shape is not in its box"
    n_roots, links, n_leaves = int(np.prod(counts)), found["links"], len(found["values"])
    if len(links) < n_roots or (len(links) - n_roots) % 8 != 0:
        return "links do not fit the grid"
    return "" if _is_tree(links, n_roots, n_leaves, DEEPEST) else "links are no tree"


@driver
def _is_tree(links: Ids, n_roots: int, n_leaves: int, deepest: int) -> bool:
    """Do links lead from each cube to leaves, each node and each leaf being met once, and none too deep?"""
    is_met, is_leaf_met = np.zeros(len(links), np.bool_), np.zeros(n_leaves, np.bool_)
    stack, depths = np.empty(8 * deepest + 8, np.int64), np.empty(8 * deepest + 8, np.int64)
    for root in range(n_roots):
        stack[0], depths[0], top = root, 0, 0
        while top >= 0:
            node, depth = stack[top], depths[top]
            if is_met[node] or depth > deepest:
                return False
            is_met[node] = True
            link, top = links[node], top - 1
            if link < 0:
                leaf = -1 - link
                if leaf >= n_leaves or is_leaf_met[leaf]:
                    return False
                is_leaf_met[leaf] = True
                continue
            if link < n_roots or link + 8 > len(links) or depth == deepest:
                return False
            for i in range(8):
                top += 1
                stack[top], depths[top] = link + i, depth + 1
    return bool(is_met.all() and is_leaf_met.all())
