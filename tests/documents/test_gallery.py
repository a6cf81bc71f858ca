import sys
from importlib import import_module

import pytest

from documents.blocks import ROOT


@pytest.fixture
def gallery(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "hooks"), *sys.path])
    return import_module("gallery")


def test_pages_have_the_order_of_the_index(gallery, tmp_path):
    for name in ("a.md", "b.md", "forgotten.md"):
        (tmp_path / name).write_text("# Page\n")
    (tmp_path / "index.md").write_text(
        "[![B](../images/b.png)](b.md)\n\n[A](a.md), [B](b.md), [C](../c.md)\n"
    )
    assert gallery.pages_of(tmp_path) == [f"gallery/{name}.md" for name in ("index", "b", "a", "forgotten")]
