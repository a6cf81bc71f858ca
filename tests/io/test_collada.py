"""COLLADA files: triangles and polygons where the scene puts them, in meters; or a sentence."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.errors import MeshFileError

pytest.importorskip("collada")

# A square of two triangles, at a node that moves and one that turns by a quarter about z.
FILE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}" name="u"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="gone"><init_from>gone.png</init_from></image></library_images>
<library_materials><material id="m"><instance_effect url="#nowhere"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 2 0 0 2 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{primitive}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a"><translate>0 0 5</translate>
<node id="b"><rotate>0 0 1 90</rotate><instance_geometry url="#g">
<bind_material><technique_common><instance_material symbol="x" target="#m"/></technique_common>
</bind_material>
</instance_geometry></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
TRIANGLES = f'<triangles count="2" material="x">{INPUT}<p>0 1 2 0 2 3</p></triangles>'
POLYGONS = f'<polylist count="1">{INPUT}<vcount>4</vcount><p>0 1 2 3</p></polylist>'
PLACED = [[0, 0, 5], [0, 1, 5], [-2, 1, 5], [-2, 0, 5]]


def written(path, primitive, unit=1):
    path.write_text(FILE.format(primitive=primitive, unit=unit))
    return path


@pytest.mark.parametrize(
    "primitive", [TRIANGLES, POLYGONS, TRIANGLES + f'<lines count="1">{INPUT}<p>0 1</p></lines>']
)
def test_faces_are_where_the_scene_puts_them(tmp_path, primitive):
    """Its up-axis is not applied, and what only says how things look may be broken."""
    mesh = fc.load(written(tmp_path / "a.dae", primitive))
    np.testing.assert_allclose(mesh.vertices, PLACED, atol=1e-6)
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_units_are_told_of_and_heeded(tmp_path):
    with pytest.warns(UserWarning, match=r"b\.DAE has units of 0\.01 m, and is scaled to meters"):
        mesh = fc.load(written(tmp_path / "b.DAE", TRIANGLES, 0.01))
    np.testing.assert_allclose(mesh.vertices, np.array(PLACED) * 0.01, atol=1e-8)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 2 3</p>", "0 2 9</p>", "cannot be read"),
        ('url="#g"', 'url="#h"', "cannot be read"),
        ("<scene>", "<scene><!-- ", "cannot be read"),
        ('<scene><instance_visual_scene url="#s"/></scene>', "", "it has no scene"),
        (TRIANGLES, "", "has no faces"),
        ('meter="1"', 'meter="-1"', "its unit must be a length; it is -1"),
    ],
)
def test_damaged_files(tmp_path, old, new, message):
    path = written(tmp_path / "a.dae", TRIANGLES)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(MeshFileError, match=message) as caught:
        fc.load(path)
    assert "\n" not in str(caught.value)
