import pytest

from firstcontact.deformable import joined_meshes


@pytest.fixture
def cones_for_small_meshes(monkeypatch):
    """Look for smooth regions where the search alone would be faster, too."""
    monkeypatch.setattr(joined_meshes, "CONES_FROM", 0)
