import gc

import firstcontact as fc
from firstcontact.shapes.kept import OnceForEachMesh


def test_each_mesh_is_asked_about_once_and_forgotten_with_it():
    asked = []

    @OnceForEachMesh
    def n_faces_of(mesh):
        """Count."""
        asked.append(mesh.n_faces)
        return (mesh.n_faces,)

    meshes = [fc.Mesh([[0, 0, 0]], [[0, 0, 0]] * n) for n in (1, 2)]
    for _ in range(3):
        assert [n_faces_of(mesh) for mesh in meshes] == [(1,), (2,)]
    assert asked == [1, 2]
    assert n_faces_of.__name__ == "n_faces_of"
    meshes.pop()
    gc.collect()
    assert len(n_faces_of.kept) == 1
