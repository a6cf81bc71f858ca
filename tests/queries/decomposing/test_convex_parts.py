"""Meshes as convex parts: within what is proven, asked about like any compound, and refused in a sentence."""

import pickle
from importlib.util import find_spec

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.queries.decomposing import convex_parts as home
from oracles.corner_beam import corner_beam

needs_coacd = pytest.mark.skipif(find_spec("coacd") is None, reason="needs the extra parts")
BEAM, BALL = corner_beam(), fc.Sphere(1.0).mesh


@needs_coacd
def test_parts_stand_for_the_mesh():
    far = 1e3 * BEAM.vertices + [5e4, 0, -7e4]
    beam = fc.Mesh(np.concatenate([far, [[9e9, 9e9, 9e9]]]), BEAM.faces)  # a vertex that no face has
    parts = beam.convex_parts(tolerance=200)
    assert len(parts.parts) == 2
    assert parts.deviation.largest <= 200 * 0.5
    assert pickle.loads(pickle.dumps(parts)).deviation == parts.deviation
    assert fc.Compound(parts.parts[0][:1]).deviation is None
    ball = fc.Sphere(100).moving((np.eye(3), [5.15e4, 1500, -7e4 + 500]), velocity=[-4e3, 0, 0])
    hit, truth = fc.first_contact(ball, parts), fc.first_contact(ball, beam)
    assert abs(hit.time - truth.time) <= (parts.deviation.largest + 1.0) / 4e3


@needs_coacd
def test_finer_parts_are_sought_where_they_deviate(monkeypatch):
    asked = []

    def coarse(mesh, threshold, seconds):
        asked.append(threshold)
        return (
            [mesh.vertices] if len(asked) < 2 else [mesh.vertices[mesh.vertices[:, k] < 0.1] for k in (0, 1)]
        )

    monkeypatch.setattr(home, "_by_coacd", coarse)
    assert len(BEAM.convex_parts(0.3).parts) == 2
    assert asked == [0.15, 0.075]
    asked.clear()

    def late(mesh, threshold, seconds):
        if asked:
            raise TimeoutError("too late")
        return coarse(mesh, threshold, seconds)

    monkeypatch.setattr(home, "_by_coacd", late)
    parts = BEAM.convex_parts(0.3)
    assert len(parts.parts) == 1
    assert 0.5 <= parts.deviation.parts_to_mesh <= 0.65  # told, where it is more than the tolerance


@needs_coacd
def test_what_takes_too_long_is_ended():
    with pytest.raises(TimeoutError, match=r"^CoACD was not done within max_seconds, 0.001: a larger tol"):
        BEAM.convex_parts(0.1, max_seconds=0.001)


def test_a_process_that_fails_is_a_sentence(monkeypatch, tmp_path):
    failing = tmp_path / "fails.py"
    failing.write_text("import os; os.abort()")
    monkeypatch.setattr(home, "PROCESS", failing)
    monkeypatch.setattr(home, "find_spec", lambda name: True)
    with pytest.raises(ValueError, match=r"^CoACD failed for this mesh, with exit status -\d+$"):
        BEAM.convex_parts(0.1)
    failing.write_text("import sys, numpy as np; np.savez(sys.argv[2], points=np.empty((0, 3)), counts=[])")
    with pytest.raises(ValueError, match=r"^CoACD found no parts of this mesh$"):
        BEAM.convex_parts(0.1)


def test_what_cannot_be_taken_apart_is_refused(monkeypatch):
    flat = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]])
    point = fc.Mesh([[1, 2, 3]], [[0, 0, 0]])
    for mesh, sentence in (
        (fc.Mesh([], []), r"^convex_parts needs a mesh with an inside; this one has no faces$"),
        (
            fc.Mesh(BALL.vertices, BALL.faces[1:]),
            r"^convex_parts needs closed meshes; the mesh has 3 open edges$",
        ),
        (flat, r"inside; all corners of this one lie in a plane$"),
        (point, r"inside; all corners of this one lie in a plane$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            mesh.convex_parts(0.1)
    for tolerance in (0, -1, np.nan, np.inf, "wide"):
        with pytest.raises((TypeError, ValueError), match=r"^tolerance must be"):
            BALL.convex_parts(tolerance)
    with pytest.raises(
        ValueError, match=r"^tolerance must be 0.01 or more, 0.005 of the mesh's longest side$"
    ):
        BALL.convex_parts(0.009)
    monkeypatch.setattr(home, "find_spec", lambda name: None)
    with pytest.raises(
        fc.MissingExtraError, match=r"^coacd is missing: `pip install 'firstcontact\[parts\]'`"
    ):
        BALL.convex_parts(0.1)
    with pytest.raises(TypeError, match=r"^convex_parts is of meshes, and a Points is none$"):
        fc.Points([[0, 0, 0]], 0.1).convex_parts(0.1)
