"""Distances of points: the closest point of a mesh, its side, and winding numbers.

Armadillo, 86,482 faces, 200,000 points (quick: 50,000): uniform in a box a fifth larger than its own, and
near the surface, 1 % of the diagonal from it. Microseconds a point, the least of some repetitions: of the
processor on one thread, by the clock on two, each package in a process that has as many processors. All of
this library's answers are in double precision, in the order of the points; to sort them is part of its time.
"""

from fields.cases import NEAR, UNIFORM
from fields.depths import PUBLISHED, frames
from fields.own import exponent, grow
from fields.table import KINDS, headlines, lines_of, notes, targets
from fields.workers import PACKAGES, run_package
from report.section import Part, Run, SkippedError, Table

TITLE = "Distances of points"
_PLACES = UNIFORM, NEAR


def points(run: Run) -> Part:
    """Beside peers, on one thread and on two."""
    mesh = run.data / "meshes" / "armadillo.obj"
    if not mesh.is_file():
        raise SkippedError(f"{mesh} is missing")
    n, repeats = (50_000, 2) if run.quick else (200_000, 5)
    found = [
        one
        for n_threads in (1, 2)
        for package in PACKAGES
        for one in run_package(package, mesh, n, n_threads, repeats)
    ]
    tables = [
        Table(f"{kind.capitalize()}, microseconds a point", lines_of(found, kind, _PLACES)) for kind in KINDS
    ]
    return Part(
        tables=tuple(tables),
        headlines=tuple(headlines(found, _PLACES)),
        targets=() if run.quick else tuple(targets(found, _PLACES)),
        notes=tuple(notes(found)),
        figures=found,
    )


def growth(run: Run) -> Part:
    """How the time grows with points and with faces: a bumpy torus, points near it."""
    counts = (10_000, 40_000, 160_000) if run.quick else (10_000, 40_000, 160_000, 640_000)
    sizes = (2_000, 20_000, 200_000) if run.quick else (2_000, 20_000, 200_000, 1_000_000)
    grow(1_000, 1_000, 1)
    by_points = [grow(n, 20_000, 3) for n in counts]
    by_faces = [grow(40_000, n, 3) for n in sizes]
    lines = [("points", "faces", "made ready, ms", "µs a point")]
    lines += [
        (
            f"{one.n_points:,}",
            f"{one.n_faces:,}",
            f"{1e3 * one.ready:.0f}",
            f"{1e6 * one.measured / one.n_points:.2f}",
        )
        for one in (*by_points, *by_faces)
    ]
    in_points = exponent([one.n_points for one in by_points], [one.measured for one in by_points])
    in_faces = exponent([one.n_faces for one in by_faces], [one.measured for one in by_faces])
    ready = exponent([one.n_faces for one in by_faces], [one.ready for one in by_faces])
    powers = f"{in_points:.2f} of points and {in_faces:.2f} of faces; to make ready, {ready:.2f} of faces"
    note = f"Time grows with the power {powers}."
    return Part(tables=(Table("Growth, one thread", lines, 0, note),), figures=[by_points, by_faces])


def depths(run: Run) -> Part:
    """Depths of the vertices of two deforming rings, a frame from nothing, beside Hoff's table."""
    found = [(row, frames(row.n_faces, 3 if run.quick else 12)) for row in PUBLISHED]
    lines = [("published", "triangles", "points", "ms a frame", "here: vertices", "ms a frame", "as one, ms")]
    lines += [
        (
            row.name,
            f"{row.n_faces:,}",
            f"{row.n_points:,}",
            f"{row.milliseconds:.0f}",
            f"{own.n_inside:,}",
            f"{1e3 * own.seconds:.1f}",
            f"{1e3 * own.seconds_in_itself:.0f}",
        )
        for row, own in found
    ]
    grown = exponent([own.n_faces for _, own in found], [own.seconds for _, own in found])
    note = (
        "Published: a Pentium 4 with 1.8 GHz and a GeForce3, 2001, other models, to an error. Here: two "
        "bumpy rings, on one thread, to rounding; trees are made anew for each frame. As one: both rings as "
        f"one mesh that passes through itself. Time grows with the power {grown:.2f} of triangles."
    )
    return Part(
        tables=(Table("Depths of vertices, a frame", lines, 1, note),), figures=[own for _, own in found]
    )


PARTS = {"points": points, "growth": growth, "depths": depths}
