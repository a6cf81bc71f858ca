"""What is made of the figures of fields: lines of tables, headlines, targets."""

from math import isfinite

from fields.field_study import Contacts, Grown, Worst
from fields.field_workers import OWN, Made
from report.section import Headline, Lines, Target
from report.tables import exponent

# A value of a field is to take no longer than this.
AIM = 50e-9


def _mega(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f}"


def lines_of(found: list[Made]) -> Lines:
    """A row for each method and way to read it."""
    head = "method", "read by", "threads", "build, s", "kept, MB", "more at the peak, MB", "value, ns"
    lines: Lines = [(*head, "gradient, ns", "worst error", "numbers kept")]
    for one in found:
        if not isfinite(one.build):
            continue
        lines.append(
            (
                one.method,
                one.reader or "itself",
                f"{one.n_threads}",
                f"{one.build:.2f}",
                _mega(one.kept),
                _mega(one.peak),
                f"{1e9 * one.value:.0f}",
                f"{1e9 * one.gradient:.0f}",
                f"{one.error:.3g}",
                f"{one.n_values:,}",
            )
        )
    return lines


def headlines_of(found: list[Made]) -> list[Headline]:
    """The field beside the fastest of each kind, on one thread."""
    own = [one for one in found if one.method == OWN and one.n_threads == 1 and isfinite(one.build)]
    others = [one for one in found if one.method != OWN and one.n_threads == 1 and isfinite(one.build)]
    made = []
    if own and others:
        for what, name in (("a field is made", "build"), ("value", "value"), ("gradient", "gradient")):
            best = min(others, key=lambda one: getattr(one, name))
            peer = best.method if name == "build" else f"{best.method}, {best.reader}"
            made.append(
                Headline(
                    f"{what}, of equal error, 1 thread", getattr(own[0], name), peer, getattr(best, name)
                )
            )
    return made


def targets_of(found: list[Made]) -> list[Target]:
    """No value of a field takes long."""
    return [
        Target(
            f"value of a field at most {1e9 * AIM:.0f} ns, {one.n_threads} thread{'s' * (one.n_threads > 1)}",
            f"{1e9 * one.value:.0f} ns",
            one.value <= AIM,
        )
        for one in found
        if one.method == OWN
    ]


def worst_lines(found: list[Worst]) -> Lines:
    """A row for each mesh."""
    head = "mesh", "faces", "tolerance", "cells", "points", "worst anywhere", "worst near the surface"
    lines: Lines = [(*head, "of the tolerance")]
    lines += [
        (
            one.name,
            f"{one.n_faces:,}",
            f"{one.tolerance:.4g}",
            f"{one.n_cells:,}",
            f"{one.n_points:,}",
            f"{one.anywhere:.4g}",
            f"{one.near:.4g}",
            f"{max(one.anywhere, one.near) / one.tolerance:.3f}",
        )
        for one in found
    ]
    return lines


def worst_targets(found: list[Worst]) -> list[Target]:
    """No error is above the tolerance."""
    return [
        Target(
            f"{one.name}: no error at {one.n_points:,} points above the tolerance",
            f"{max(one.anywhere, one.near) / one.tolerance:.3f} of it",
            max(one.anywhere, one.near) <= one.tolerance,
        )
        for one in found
    ]


def grown_lines(found: list[Grown]) -> Lines:
    """A row for each field."""
    lines: Lines = [("points", "faces", "size over tolerance", "cells", "build, s", "ns a point")]
    lines += [
        (
            f"{one.n_points:,}",
            f"{one.n_faces:,}",
            f"{one.per_size:,}",
            f"{one.n_cells:,}",
            f"{one.build:.2f}",
            f"{1e9 * one.value / one.n_points:.1f}",
        )
        for one in found
    ]
    return lines


def grown_note(by_points: list[Grown], by_faces: list[Grown], by_tolerance: list[Grown]) -> str:
    """The powers with which it grows."""

    def power(rows: list[Grown], size: str, what: str) -> str:
        taken = [getattr(one, what) / (one.n_points if what == "value" else 1) for one in rows]
        return f"{exponent([getattr(one, size) for one in rows], taken):.2f}"

    of_points = exponent([one.n_points for one in by_points], [one.value for one in by_points])
    return (
        f"To read n points grows with the power {of_points:.2f} of n. A field is made with the power "
        f"{power(by_faces, 'n_faces', 'build')} of faces and {power(by_tolerance, 'per_size', 'build')} of "
        f"1/tolerance, has cells with {power(by_faces, 'n_faces', 'n_cells')} and "
        f"{power(by_tolerance, 'per_size', 'n_cells')}, and a point is read with "
        f"{power(by_faces, 'n_faces', 'value')} and {power(by_tolerance, 'per_size', 'value')}."
    )


def contact_lines(found: list[Contacts]) -> Lines:
    """A row for each question."""
    head = "asked", "points", "found by the field", "by the mesh", "of the field, ns a point"
    lines: Lines = [(*head, "of the mesh, ns", "times")]
    lines += [
        (
            one.what,
            f"{one.n_points:,}",
            f"{one.n_by_field:,}",
            f"{one.n_by_mesh:,}",
            f"{1e9 * one.by_field / one.n_points:.0f}",
            f"{1e9 * one.by_mesh / one.n_points:.0f}",
            f"{one.by_mesh / one.by_field:.1f}",
        )
        for one in found
    ]
    return lines
