"""Rays at meshes beside embreex: a camera's, which agree with their neighbours, and rays that do not.

Processor time, on all threads together, for the first hit of each ray, least of several rounds in turn. Ours
are in double precision, embreex's in single; rays of ours that hit another face than theirs are counted.
"""

from time import process_time
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc
from report.section import Headline, Part, Run, SkippedError, Table, Target

MESHES = ("armadillo", "bunny", "dragon", "knot", "gear")
COHERENT, INCOHERENT = "camera", "anywhere"
N_SIDE, ROUNDS = 320, 7
TO_REACH = 0.8


def rays(run: Run) -> Part:
    """First hits of rays at five meshes."""
    folder = run.data / "meshes"
    if not folder.is_dir():
        raise SkippedError(f"{folder} is missing")
    lines = [("mesh", "triangles", "rays", "ns a ray", "embreex", "of its speed", "other faces")]
    headlines, ratios = [], []
    for name in MESHES[: 2 if run.quick else len(MESHES)]:
        surface = trimesh.load(folder / f"{name}.obj", process=False, force="mesh")
        for kind in (COHERENT, INCOHERENT):
            origins, directions = _rays(surface, kind)
            own, theirs, share = _both(surface, origins, directions)
            ratios.append(theirs / own)
            n = len(origins)
            figures = f"{1e9 * own / n:.0f}", f"{1e9 * theirs / n:.0f}", f"{theirs / own:.2f}", f"{share:.1e}"
            lines.append((name, f"{len(surface.faces)}", kind, *figures))
            headlines.append(Headline(f"rays at {name}, {kind}", own / n, "embreex", theirs / n))
    least = min(ratios)
    return Part(
        tables=(Table("First hits of rays", lines, n_left=1),),
        headlines=tuple(headlines),
        targets=(Target("0.8 of embreex's speed", f"{least:.2f}", least >= TO_REACH),),
    )


def _rays(surface: trimesh.Trimesh, kind: str) -> tuple[Any, Any]:
    """Origins and directions, of which some two thirds hit."""
    rng, n = np.random.default_rng(1), N_SIDE * N_SIDE
    middle = surface.bounds.mean(axis=0)
    radius = np.linalg.norm(surface.vertices - middle, axis=1).max()
    if kind == INCOHERENT:
        places = rng.standard_normal((n, 3))
        places *= 1.5 * radius / np.linalg.norm(places, axis=1)[:, np.newaxis]
        return middle + places, rng.uniform(-0.5, 0.5, (n, 3)) * radius - places
    x, y = np.meshgrid(*[np.linspace(-0.6, 0.6, N_SIDE)] * 2)
    directions = np.stack([x.ravel(), y.ravel(), np.full(n, -2.0)], axis=1)
    return np.tile(middle + np.array([0.0, 0.0, 2.0 * radius]), (n, 1)), directions


def _both(surface: trimesh.Trimesh, origins: Any, directions: Any) -> tuple[float, float, float]:
    """Seconds of ours and of embreex, and the share of rays that meet another face."""
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    mesh, scene = fc.Mesh(surface.vertices, surface.faces), EmbreeScene()
    held = TriangleMesh(scene, surface.vertices.astype(np.float32), surface.faces.astype(np.int32))
    singles = origins.astype(np.float32), directions.astype(np.float32)
    own = theirs = np.inf
    for _ in range(ROUNDS):
        began = process_time()
        found = fc.ray_cast(mesh, origins, directions)
        between = process_time()
        faces = scene.run(*singles)
        own, theirs = min(own, between - began), min(theirs, process_time() - between)
    del held
    return own, theirs, float(np.mean(found.faces != faces))
