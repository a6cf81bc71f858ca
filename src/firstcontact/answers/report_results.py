"""What `Mesh.report` gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.answers.intersection_results import Intersections

# What is unusual, and what that means for whom; in the order in which a report tells it.
MEANINGS = {
    "open_edges": "it has no inside there: penetration, depths and solid=True refuse it",
    "forked_edges": "three faces or more meet in an edge: walls without thickness, or bodies that touch",
    "turned_edges": "faces on both sides of an edge look in opposite directions: it counts as open there",
    "back_faces": "faces that look the other way: normals point inwards, and what is inside is wrong",
    "one_sided_parts": "a surface with one side only: nothing is inside",
    "degenerate_faces": "faces without an area: legal everywhere, with no normal of their own",
    "slivers": "faces lower than a thousandth of their longest side: normals lose digits",
    "repeated_faces": "faces that are there before: contacts are listed for each of them",
    "self_intersections": "faces that meet others: first_contact of the mesh alone is at the start",
    "unused_vertices": "vertices that no face has: no query sees them",
}


@dataclass(frozen=True, eq=False)
class MeshReport(Answer):
    """What is unusual about a mesh. True where something is; printed, it says what that means.

    Attributes
    ----------
    n_vertices, n_faces, n_parts : int
        How many there are; parts are held together by edges of two faces. Vertices at one place are one.
    is_closed : bool
        Whether it has an inside: along each edge as many faces run in one direction as in the other.
    open_edges, forked_edges, turned_edges : (k, 2) int32
        Edges of one face, of three or more, and of two that run along it in the same direction.
    back_faces : (k,) int
        Faces that look against most of their part or, where the part is closed, inwards.
    one_sided_parts : int
        Parts that cannot be oriented.
    degenerate_faces, slivers, repeated_faces : (k,) int
        Faces without an area, exactly; lower than a thousandth of their longest side; there before.
    self_intersections : Intersections
        Faces that meet others elsewhere than in what they have in common.
    unused_vertices : (k,) int
        Vertices that no face has.
    things : the mesh, and what is unusual about it, to be shown
    """

    n_vertices: int
    n_faces: int
    n_parts: int
    is_closed: bool
    open_edges: NDArray[np.int32]
    forked_edges: NDArray[np.int32]
    turned_edges: NDArray[np.int32]
    back_faces: NDArray[np.intp]
    one_sided_parts: int
    degenerate_faces: NDArray[np.intp]
    slivers: NDArray[np.intp]
    repeated_faces: NDArray[np.intp]
    self_intersections: Intersections
    unused_vertices: NDArray[np.intp]

    @property
    def counts(self) -> dict[str, int]:
        """How often each of what is unusual is found, by name; 0 where it is not."""
        found = {name: getattr(self, name) for name in MEANINGS}
        return {name: value if isinstance(value, int) else len(value) for name, value in found.items()}

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __repr__(self) -> str:
        unusual = [f"{n} {name.replace('_', ' ')}" for name, n in self.counts.items() if n]
        return f"MeshReport({', '.join(unusual) or 'nothing unusual'})"

    def __str__(self) -> str:
        parts = "1 part" if self.n_parts == 1 else f"{self.n_parts} parts"
        closed = "closed" if self.is_closed else "not closed"
        lines = [f"{self.n_vertices} vertices, {self.n_faces} faces, {parts}, {closed}"]
        lines += [f"{n} {name.replace('_', ' ')}: {MEANINGS[name]}" for name, n in self.counts.items() if n]
        return "\n".join(lines if len(lines) > 1 else [*lines, "nothing unusual"])
