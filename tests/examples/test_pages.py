"""Every script of examples/ is in the gallery, with a picture that is not too large and what it prints."""

import pytest

from documents.blocks import ROOT, blocks

LARGEST_PICTURE = 250_000  # bytes

SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
GALLERY = ROOT / "docs" / "gallery"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_has_a_page_and_a_picture(script):
    page = (GALLERY / f"{script.stem}.md").read_text(encoding="utf-8")
    code, printed = blocks(page)
    assert code.script == f"examples/{script.name}"
    assert printed.language == "text"
    assert printed.code.strip()
    picture = ROOT / "docs" / "images" / f"gallery-{script.stem}.png"
    assert f"(../images/{picture.name})" in page
    assert picture.stat().st_size < LARGEST_PICTURE


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_draws_only_if_asked_to(script):
    text = script.read_text(encoding="utf-8")
    assert '"--picture", type=Path' in text
    assert "if options.picture:" in text


def test_the_index_shows_all_pages():
    index = (GALLERY / "index.md").read_text(encoding="utf-8")
    for page in GALLERY.glob("*.md"):
        assert page.name == "index.md" or f"]({page.name})" in index
