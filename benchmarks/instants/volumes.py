"""Oriented boxes, swept spheres and boxes along the axes, by what they count: tests of two volumes.

Two balls of 32,000 triangles about one point, of radius 1 and 1 + gap, do not touch: a query has to prove it.
The smaller the gap, the more volumes are compared. Slopes of the numbers, in logarithms, are fitted where
neither tree is at its leaves: as published, -2 for boxes along the axes and -1 for oriented ones.
"""

import numpy as np
import trimesh

import firstcontact as fc
from report.section import Part, Run, Table, Target

GAPS = tuple(float(gap) for gap in np.geomspace(0.2, 0.0125, 9))
QUICK_GAPS = GAPS[:6:2]
ROWS_OF_QUADS = 90

# Slopes that the analysis gives, and how far off one may be to count as the same.
EXPECTED = {"boxes along the axes": -2.0, "oriented boxes": -1.0}
NEAR = 0.4


def concentric(run: Run) -> Part:
    """Tests of two volumes against the gap of two balls about one point."""
    ball = trimesh.creation.uv_sphere(count=[ROWS_OF_QUADS, 2 * ROWS_OF_QUADS])
    inner, turn = fc.Mesh(ball.vertices, ball.faces), trimesh.transformations.rotation_matrix(0.7, [1, 2, 3])
    gaps = QUICK_GAPS if run.quick else GAPS
    counts: dict[str, list[int]] = {name: [] for name in (*EXPECTED, "swept spheres")}
    for gap in gaps:
        outer = fc.Mesh((1.0 + gap) * ball.vertices, ball.faces)
        by_boxes = fc.intersections(inner.at(turn), outer)
        by_oriented = fc.intersections(inner.at(turn), outer, method="obb")
        apart = fc.distance(inner.at(turn), outer, within=0.0)
        assert len(by_boxes) == len(by_oriented) == 0 < apart.distance
        counts["boxes along the axes"].append(by_boxes.stats.volume_tests)
        counts["oriented boxes"].append(by_oriented.stats.volume_tests)
        counts["swept spheres"].append(int(apart.stats.volume_tests))
    slopes = {name: np.polyfit(np.log(gaps), np.log(own), 1)[0] for name, own in counts.items()}
    lines = [("gap", *counts)]
    lines += [(f"{gap:.4f}", *(f"{own[k]}" for own in counts.values())) for k, gap in enumerate(gaps)]
    lines.append(("slope", *(f"{slope:.2f}" for slope in slopes.values())))
    targets = [
        Target(
            f"slope of {name} about {slope:g}", f"{slopes[name]:.2f}", bool(abs(slopes[name] - slope) < NEAR)
        )
        for name, slope in EXPECTED.items()
    ]
    note = f"{len(ball.faces)} triangles each; pairs of volumes compared until it is proven that none touch."
    table = Table("Balls about one point: tests of two volumes", lines, n_left=1, note=note)
    figures = {"gaps": gaps, "counts": counts, "slopes": slopes}
    return Part(tables=(table,), targets=tuple(targets), figures=figures)
