"""Points and strands that touch, by the names of their elements.

To the search they are faces without area. Of a face that is a segment only one of three edges counts, which
is the segment; of one that is a point, its edge, which is that point. With each other, edges are all there
is: two segments that touch are two closed edges that touch. With a mesh, points touch its faces, segments
its edges. All of them touch at a distance: the sum of their radii.
"""

from collections.abc import Sequence

import numpy as np

from firstcontact.deformable.problem import Problem
from firstcontact.deformable.rows import Rows, in_order
from firstcontact.shapes.cloud import Cloud
from firstcontact.shapes.mesh import Mesh
from firstcontact.status import ContactKind

# Kinds of what passes through at the start.
PIERCED = ContactKind.EDGE_FACE, ContactKind.FACE_EDGE


def named_elements(rows: Rows, problem: Problem) -> Rows:
    """Name what touches of clouds by their elements and points; put places between the surfaces of all."""
    if not any(mesh.is_cloud or mesh.is_thick for mesh in problem.meshes):
        return rows
    surface, starts = problem.surface, problem.starts
    around = {"VERTEX": (surface.vertex_radii, starts.vertex), "EDGE": (surface.edge_radii, starts.edge)}
    around["FACE"] = surface.face_radii, starts.face
    sides: Sequence[Mesh] = problem.meshes[0], problem.meshes[-1]  # clouds are alone, or one of two
    kind, ids, radii = rows.kind.copy(), (rows.ids_a, rows.ids_b), np.zeros((2, len(rows.kind)))
    gap = rows.gap.copy()
    for number in np.unique(rows.kind).tolist():
        which, words = rows.kind == number, ContactKind(number).name.split("_")
        for side, mesh in enumerate(sides):
            of_all, begins = around[words[side]]
            radii[side, which] = of_all[ids[side][which] + begins[rows.thing_ids[which, side]]]
            if isinstance(mesh, Cloud):
                words[side] = mesh.element if words[side] == "EDGE" else "POINT"
        gap[which] -= radii[0, which] + radii[1, which]
        if number in PIERCED:  # the surfaces cross: they meet in the middle of all that is around them
            radii[:, which] = 0.0
        kind[which] = ContactKind["_".join(words)]
    points = rows.points + 0.5 * (radii[0] - radii[1])[:, np.newaxis] * rows.normals
    return in_order(rows._replace(kind=kind, points=points, gap=gap))
