import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.demo import hammer
from firstcontact.cli.demo.smithy import anvil
from firstcontact.cli.demo.smithy import hammer as tool
from firstcontact.cli.demo.solids import lofted


@pytest.fixture(scope="module")
def story():
    return hammer.tell(lambda words, share: None, n_around=24)


@pytest.mark.parametrize("n_around", [24, 64])
def test_the_frames_miss_what_first_contact_finds(n_around):
    moving, still = hammer.swing(tool(n_around)), anvil(n_around)
    looks = hammer.looked(moving, still, hammer.RATE)
    assert looks == (60, 16, None)
    hit = fc.first_contact(moving, still)
    assert hit.status == fc.Status.CONTACT
    before = int(hammer.N_FRAMES * hit.time)
    for frame in (before, before + 1):
        assert not fc.intersects(tool(n_around).at(moving.pose(frame / hammer.N_FRAMES)), still)
    many = hammer.looked(moving, still, 1000)
    assert hit.time <= many.first < (before + 1) / hammer.N_FRAMES


def test_the_story_says_so(story):
    assert "free in all 16 frames" in story.cells["samples say"]
    assert "contact at frame\N{NO-BREAK SPACE}8." in story.cells["found"]
    (section,) = story.sections
    assert "Hz" in section.text
    view = section.view
    assert {body.name for body in view.bodies} == {"hammer", "anvil", "frame 8", "frame 9"}
    assert 8.0 < view.stop < 9.0
    assert view.moments[0].time == view.stop
    assert view.span == (0.0, hammer.N_FRAMES)


def test_solids_are_closed_and_face_outwards():
    solid = lofted(0, [(0.0, (0.0, 0.0), (1.0, 2.0), 2.0), (3.0, (0.0, 0.0), (1.0, 2.0), 2.0)], 200)
    for mesh in (solid, tool(16), anvil(16)):
        assert (np.diff(mesh.edge_faces.offsets) == 2).all()
    corners = solid.vertices[solid.faces]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    assert volume == pytest.approx(3.0 * 2.0 * np.pi, rel=1e-3)
