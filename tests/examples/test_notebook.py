"""The notebook runs in a kernel of its own, shows the viewer in place, and is kept without answers."""

from copy import deepcopy

import nbformat
import pytest
from nbclient import NotebookClient

from documents.blocks import ROOT, blocks

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def notebook():
    return nbformat.read(EXAMPLES / "notebook.ipynb", as_version=4)


@pytest.fixture(scope="module")
def outputs(notebook):
    """Run a copy; give what its cells put out."""
    done = NotebookClient(
        deepcopy(notebook), timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}
    ).execute()
    return [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]


def test_it_is_kept_without_answers(notebook):
    assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")


def test_its_page_has_the_same_code(notebook):
    page = (ROOT / "docs" / "gallery" / "notebook.md").read_text(encoding="utf-8")
    shown = [block.code.rstrip("\n") for block in blocks(page) if block.language == "python"]
    assert shown == [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def test_nothing_is_complained_of(outputs):
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


def test_the_viewer_is_shown_in_place(outputs):
    pages = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(pages) == 1
    assert "<iframe" in pages[0]


def test_the_contact_is_told(outputs):
    printed = "".join(output.text for output in outputs if output.get("name") == "stdout")
    assert "contact at t = 0.428253" in printed
