"""What is unusual about a mesh, and what that means for the queries."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import about
from firstcontact.answers.intersection_results import Intersections
from firstcontact.answers.report_results import MeshReport
from firstcontact.bodies.face_faults import (
    SLIVER,
    edge_faults,
    heights,
    orientation,
    repeated_faces,
    sides_of,
)
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.queries.intersections import intersections
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.strands import Strands

# Edges are shown as tubes, this part of the mesh's extent.
TUBE = 0.005


def mesh_report(mesh: Mesh) -> MeshReport:
    """Look at a mesh; `Mesh.report` says what comes of it."""
    sides = sides_of(mesh)
    edges, oriented, height = edge_faults(sides), orientation(mesh, sides), heights(mesh)
    report = MeshReport(
        n_vertices=mesh.n_vertices,
        n_faces=mesh.n_faces,
        n_parts=int(oriented.part_ids.max(initial=-1)) + 1,
        is_closed=is_closed(mesh),
        open_edges=edges.edges[edges.is_open],
        forked_edges=edges.edges[edges.is_forked],
        turned_edges=edges.edges[edges.is_turned],
        back_faces=np.flatnonzero(oriented.is_back),
        one_sided_parts=int(np.count_nonzero(oriented.is_one_sided)),
        degenerate_faces=np.flatnonzero(height == 0.0),
        slivers=np.flatnonzero((height > 0.0) & (height < SLIVER)),
        repeated_faces=repeated_faces(mesh),
        self_intersections=intersections(mesh),
        unused_vertices=np.setdiff1d(np.arange(mesh.n_vertices), mesh.faces),
    )
    return about(report, _shown(mesh, report))


def _shown(mesh: Mesh, report: MeshReport) -> dict[str, Moving]:
    """The mesh, and what is unusual about it, each by its name."""
    radius = TUBE * float(np.abs(mesh.vertices - mesh.centroid).max(initial=0.0))
    things = {"mesh": mesh.at(np.eye(4))}
    for name, ends in (
        ("open edges", report.open_edges),
        ("forked edges", report.forked_edges),
        ("turned edges", report.turned_edges),
    ):
        if len(ends):
            points = mesh.vertices[ends].reshape(-1, 3)
            things[name] = Strands(points, np.full(len(ends), 2), radius=radius).at(np.eye(4))
    for name, faces in (("back faces", report.back_faces), ("slivers", report.slivers)):
        if len(faces):
            things[name] = _part(mesh, faces)
    found: Intersections = report.self_intersections
    if found.curves:
        points = np.concatenate(found.curves)
        counts = [len(curve) for curve in found.curves]
        things["self-intersections"] = Strands(points, counts, radius=radius).at(np.eye(4))
    return things


def _part(mesh: Mesh, faces: NDArray[np.intp]) -> Moving:
    return Mesh(mesh.vertices, mesh.faces[faces]).at(np.eye(4))
