import re
import sys

import pytest

from firstcontact.cli.demo import arm, cloth, hammer, side_by_side, telling
from firstcontact.cli.main import main
from firstcontact.errors import MissingExtraError


def silent(words, share):
    pass


@pytest.fixture(scope="module")
def stories():
    return [hammer.tell(silent, n_around=16), cloth.tell(silent, n_side=10, n_steps=14), arm.tell(silent)]


def test_the_summary_fits_a_terminal(stories):
    lines = telling.summary(stories).splitlines()
    assert max(map(len, lines)) < 80
    for words in ("hammer and anvil", "cloth over a ball", "arm and rod", "samples say", "proven", "took"):
        assert any(words in line for line in lines)


def test_one_page_that_loads_nothing(stories, tmp_path):
    pytest.importorskip("k3d")
    page = tmp_path / "demo.html"
    telling.write_page(page, stories)
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_size < 8_000_000
    assert text.count('class="viewer"') == 4
    assert not re.search(r"""(src|href)\s*=\s*["']?\s*(https?:)?//""", text)
    assert list(tmp_path.iterdir()) == [page]


def test_without_the_viewer_it_says_at_once_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "k3d", None)
    assert main(["demo", "-o", str(tmp_path / "demo.html")]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert str(MissingExtraError.of("k3d", "view")) in shown.err


@pytest.mark.parametrize("name", ["no/demo.html", "folder.html"])
def test_a_page_that_cannot_be_written_is_told_at_once(tmp_path, capsys, name):
    (tmp_path / "folder.html").mkdir()
    assert main(["demo", "-o", str(tmp_path / name)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


def test_it_opens_a_browser_only_when_asked(monkeypatch, stories, tmp_path, capsys):
    opened = []
    monkeypatch.setattr(telling, "told_side_by_side", lambda _names: stories)
    monkeypatch.setattr(telling, "page_of", lambda *_, **__: "a page")
    monkeypatch.setattr(telling.webbrowser, "open", opened.append)
    page = tmp_path / "demo.html"
    assert main(["demo", "-o", str(page)]) == 0
    assert opened == []
    assert str(page) in capsys.readouterr().out
    assert main(["demo", "-o", str(page), "--open"]) == 0
    assert opened == [page.resolve().as_uri()]


def test_a_story_is_told_by_a_process_of_its_own():
    (story,) = side_by_side.told_side_by_side({"firstcontact.cli.demo.arm": "arm"})
    assert story.cells["proven"] == "detour free, certificate verified"


def test_a_story_that_fails_is_told_in_a_sentence():
    with pytest.raises(side_by_side.CommandError, match="the story of the nothing failed, AttributeError"):
        side_by_side.told_side_by_side({"firstcontact.cli.demo.solids": "nothing"})
