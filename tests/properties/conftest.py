import pytest

from firstcontact.deformable import problem


@pytest.fixture
def cones_for_small_meshes(monkeypatch):
    """Look for smooth regions where the search alone would be faster, too."""
    monkeypatch.setattr(problem, "CONES_FROM", 0)
