"""STEP files of flat faces, written here: read as the solids that they are, or refused in a sentence."""

from importlib.util import find_spec

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.io import step as home

needs_cascadio = pytest.mark.skipif(find_spec("cascadio") is None, reason="needs the extra cad")
CORNERS = np.array([[0, 0, 0], [10, 0, 0], [0, 20, 0], [0, 0, 30]], float)
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]


class StepFile:
    """Entities of a STEP file, numbered as they come."""

    def __init__(self):
        self.lines = []

    def add(self, text):
        self.lines.append(f"#{len(self.lines) + 1}={text};")
        return f"#{len(self.lines)}"

    def numbers(self, kind, values):
        return self.add(f"{kind}('',({','.join(repr(float(x)) for x in values)}))")

    def face(self, corners, points):
        loop = self.add(f"POLY_LOOP('',({','.join(points)}))")
        bound = self.add(f"FACE_OUTER_BOUND('',{loop},.T.)")
        along, across = corners[1] - corners[0], corners[2] - corners[0]
        normal = self.numbers("DIRECTION", np.cross(along, across))
        axes = self.add(f"AXIS2_PLACEMENT_3D('',{points[0]},{normal},{self.numbers('DIRECTION', along)})")
        plane = self.add(f"PLANE('',{axes})")
        return self.add(f"FACE_SURFACE('',({bound}),{plane},.T.)")

    def text(self):
        head = "HEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
        schema = "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n"
        return f"ISO-10303-21;\n{head}{schema}" + "\n".join(self.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n"


def solid_text(corners, faces, unit):
    file = StepFile()
    points = [file.numbers("CARTESIAN_POINT", corner) for corner in corners]
    own = [file.face(corners[face], [points[i] for i in face]) for face in faces]
    shell = file.add(f"CLOSED_SHELL('',({','.join(own)}))")
    solid = file.add(f"FACETED_BREP('',{shell})")
    length = file.add(f"(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT({unit},.METRE.))")
    angle = file.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
    context = file.add(
        f"(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle}))"
        "REPRESENTATION_CONTEXT('',''))"
    )
    shape = file.add(f"FACETED_BREP_SHAPE_REPRESENTATION('',({solid}),{context})")
    field = file.add("APPLICATION_CONTEXT('automotive design')")
    within = file.add(f"PRODUCT_CONTEXT('',{field},'')")
    product = file.add(f"PRODUCT('part','part','',({within}))")
    formed = file.add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
    design = file.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{field},'design')")
    defined = file.add(f"PRODUCT_DEFINITION('design','',{formed},{design})")
    whole = file.add(f"PRODUCT_DEFINITION_SHAPE('','',{defined})")
    file.add(f"SHAPE_DEFINITION_REPRESENTATION({whole},{shape})")
    return file.text()


@needs_cascadio
@pytest.mark.parametrize(("unit", "meters", "suffix"), [(".MILLI.", 1e-3, ".step"), ("$", 1.0, ".STP")])
def test_a_solid_is_read_in_meters(tmp_path, unit, meters, suffix):
    path = tmp_path / f"tetrahedron{suffix}"
    path.write_text(solid_text(CORNERS, FACES, unit))
    mesh = fc.load(path)
    assert mesh.report().is_closed
    assert mesh.n_faces == 4
    assert np.allclose(mesh.bounds, [[0, 0, 0], meters * np.array([10, 20, 30])], rtol=1e-6)
    inside, outside = meters * np.array([[1, 1, 1], [9, 19, 29]])
    assert fc.contains(mesh, inside)
    assert not fc.contains(mesh, outside)


@needs_cascadio
def test_damaged_files_are_refused(tmp_path, capfd):
    path, whole = tmp_path / "part.step", solid_text(CORNERS, FACES, "$")
    for text in ("", "solid", whole[: len(whole) // 2]):
        path.write_text(text)
        with pytest.raises(fc.MeshFileError, match=r"part.step cannot be read: it is no STEP file that casc"):
            fc.load(path)
    assert capfd.readouterr() == ("", "")
    with pytest.raises(FileNotFoundError):
        fc.load(tmp_path / "none.step")


def test_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(home, "find_spec", lambda name: None)
    with pytest.raises(fc.MissingExtraError, match=r"^cascadio is missing: `pip install 'firstcontact\[cad"):
        fc.load(tmp_path / "part.stp")
