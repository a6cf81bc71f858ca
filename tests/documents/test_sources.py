import sys
from importlib import import_module

import pytest

from documents.blocks import ROOT, documents

VALIDATE = "src/firstcontact/_validate.py"


@pytest.fixture
def sources(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "hooks"), *sys.path])
    return import_module("sources")


def test_a_link_leads_to_the_line_of_a_definition(sources):
    text = (ROOT / VALIDATE).read_text().splitlines()
    line = sources.line_of(VALIDATE, "as_flag")
    assert text[line - 1].startswith("def as_flag(")
    markdown = f"see [`as_flag` <](../{VALIDATE}#as_flag)."
    expected = f'see <a href="{VALIDATE}.html#__codelineno-0-{line}"><code>as_flag</code> <</a>.'
    assert sources.on_page_markdown(markdown, None) == expected


def test_a_name_that_has_gone_is_an_error(sources):
    with pytest.raises(ValueError, match="does not define gone"):
        sources.line_of(VALIDATE, "gone")


def test_all_links_of_the_documents_lead_somewhere(sources):
    for document in documents():
        for _, source, name in sources.LINK.findall(document.read_text(encoding="utf-8")):
            assert (ROOT / source).is_file()
            assert name == "" or sources.line_of(source, name) > 0
