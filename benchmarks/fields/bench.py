"""Distances of points: the closest point of a mesh, its side, and winding numbers.

Armadillo, 86,482 faces, 200,000 points (quick: 50,000): uniform in a box a fifth larger than its own, and
near the surface, 1 % of the diagonal from it. Microseconds a point, the least of some repetitions: of the
processor on one thread, by the clock on two, each package in a process that has as many processors. All of
this library's answers are in double precision, in the order of the points; to sort them is part of its time.

Distance fields: beside dense grids whose worst error, measured at the same points, is the same; their worst
error at a million points of three meshes; how they grow; and contacts with them beside the mesh itself.
"""

import numpy as np

import firstcontact as fc
from fields import field_table
from fields.cases import NEAR, UNIFORM, mesh_named
from fields.depths import PUBLISHED, frames
from fields.field_study import contacts, grown, size_of, worst_error
from fields.field_workers import OWN, Job, box_points, run_job
from fields.grids import FILLED, step_for
from fields.own import grow
from fields.table import KINDS, headlines, lines_of, notes, targets
from fields.workers import PACKAGES, run_package
from report.section import Headline, Part, Run, SkippedError, Table
from report.tables import exponent

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


def grids(run: Run) -> Part:
    """A field beside dense grids of the same measured error."""
    file = run.data / "meshes" / "armadillo.obj"
    name = str(file) if file.is_file() else "ring 80000"
    per_size, n, repeats = (50, 200_000, 2) if run.quick else (100, 1_000_000, 5)
    mesh = mesh_named(name)
    field = fc.DistanceField.of(mesh, size_of(mesh) / per_size)
    some = box_points(field.box, n)
    truth = fc.signed_distance(mesh, some).distance
    error = float(np.abs(field(some) - truth).max())
    steps = {OWN: 0.0} | {method: step_for(method, mesh, field.box, some, truth, error) for method in FILLED}
    found = [
        made
        for n_threads in (1, 2)
        for method, step in steps.items()
        for made in run_job(
            Job(method, name, field.tolerance, field.box.tolist(), step, n, n_threads, repeats)
        )
    ]
    note = (
        f"{mesh.n_faces:,} faces, size {size_of(mesh):.4g}, the field's tolerance {field.tolerance:.4g}: its "
        f"worst error at {n:,} points anywhere in the box is {error:.4g}. The steps of the grids are the "
        "largest that were found to have no larger one. Grids prove nothing. Read by two threads: in parts."
    )
    return Part(
        tables=(Table("A field, and grids of equal error", field_table.lines_of(found), 2, note),),
        headlines=tuple(field_table.headlines_of(found)),
        targets=() if run.quick else tuple(field_table.targets_of(found)),
        notes=tuple(dict.fromkeys(f"{one.method}: {one.note}" for one in found if one.note)),
        figures=found,
    )


def errors(run: Run) -> Part:
    """The worst error of fields at a million points: it is never above the tolerance."""
    n = 200_000 if run.quick else 1_000_000
    files = [run.data / "meshes" / f"{name}.obj" for name in ("armadillo", "bunny", "knot")]
    named = [(file.stem, str(file)) for file in files if file.is_file()]
    named += [(f"ring {faces:,}", f"ring {faces}") for faces in (80_000, 20_000, 2_000)[len(named) :]]
    found = [worst_error(name, mesh_named(text), 100, n) for name, text in named]
    note = "Truth: `signed_distance`; of a mesh that is open, without its sign."
    return Part(
        tables=(Table("Worst errors of fields", field_table.worst_lines(found), 1, note),),
        targets=tuple(field_table.worst_targets(found)),
        figures=found,
    )


def field_growth(run: Run) -> Part:
    """How fields grow with points, faces and 1/tolerance: a bumpy ring, one thread."""
    counts = (10_000, 100_000, 1_000_000)
    sizes = (2_000, 20_000, 100_000) if run.quick else (2_000, 20_000, 200_000)
    parts = (25, 50, 100) if run.quick else (50, 100, 200, 400)
    grown(1_000, 1_000, 20, 1)
    by_points = [grown(n, 20_000, 100) for n in counts]
    by_faces = [grown(400_000, n, 100) for n in sizes]
    by_tolerance = [grown(400_000, 20_000, part) for part in parts]
    lines = field_table.grown_lines([*by_points, *by_faces, *by_tolerance])
    note = field_table.grown_note(by_points, by_faces, by_tolerance)
    table = Table("Growth of fields, one thread", lines, 0, note)
    return Part(tables=(table,), figures=[by_points, by_faces, by_tolerance])


def field_contacts(run: Run) -> Part:
    """Contacts of points and of a mesh with a field, beside the same question asked of the mesh itself."""
    found = contacts(20_000, 50_000 if run.quick else 200_000, 100)
    note = (
        "A ring of 20,000 faces; its field to 1/100 of its size; all points within two tolerances, one "
        "thread. The field also gives derivatives there. Of the mesh: `signed_distance`, exact; to make "
        "ready is not part of either."
    )
    return Part(
        tables=(Table("Contacts with a field", field_table.contact_lines(found), 1, note),),
        headlines=tuple(
            Headline(
                f"contacts with a field, {one.what}",
                one.by_field / one.n_points,
                "firstcontact, the mesh",
                one.by_mesh / one.n_points,
            )
            for one in found
        ),
        figures=found,
    )


PARTS = {
    "points": points,
    "growth": growth,
    "depths": depths,
    "grids": grids,
    "errors": errors,
    "field_growth": field_growth,
    "field_contacts": field_contacts,
}
