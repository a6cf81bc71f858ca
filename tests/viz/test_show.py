import sys
import webbrowser
from html import unescape
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import firstcontact as fc
from viz.things import hit


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Pages that a browser was asked for; temporary files go where they are deleted."""
    pages = []
    monkeypatch.setattr(webbrowser, "open", lambda address: pages.append(address) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    return pages


def test_with_a_path_it_is_written_there(tmp_path, opened):
    path = fc.show(hit(), tmp_path / "hit.html", title="hammer & anvil")
    assert path == tmp_path / "hit.html"
    assert "<title>hammer &amp; anvil</title>" in path.read_text(encoding="utf-8")
    assert fc.show(hit(), str(tmp_path / "too.html")) == tmp_path / "too.html"
    assert opened == []


def test_from_a_script_it_is_opened(opened):
    path = fc.show(hit())
    assert isinstance(path, Path)
    assert path.is_file()
    assert opened == [path.as_uri()]


def test_without_a_browser_it_is_written_all_the_same(opened, monkeypatch):
    def none(address):
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "open", none)
    assert fc.show(hit()).is_file()


def test_without_a_display_no_browser_is_started(opened, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert fc.show(hit()).is_file()
    assert opened == []


def test_in_a_notebook_it_is_shown_in_place(monkeypatch, tmp_path):
    shown = []
    display = ModuleType("IPython.display")
    display.display = lambda data, raw: shown.append(data["text/html"])
    shell = ModuleType("IPython")
    shell.get_ipython = lambda: SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert fc.show(hit(), title="</iframe>") is None
    (frame,) = shown
    assert frame.startswith('<iframe srcdoc="')
    page = unescape(frame.split('"')[1])
    assert page.rstrip().endswith("</html>")
    assert fc.show(hit(), tmp_path / "hit.html").is_file()  # a path is a path there, too
    assert len(shown) == 1


def test_a_shell_that_is_no_notebook_opens_a_browser(opened, monkeypatch):
    shell = ModuleType("IPython")
    shell.get_ipython = SimpleNamespace
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert fc.show(hit()).is_file()
    assert len(opened) == 1


def test_without_the_extra_it_says_what_to_install(monkeypatch, opened):
    monkeypatch.setitem(sys.modules, "k3d", None)
    with pytest.raises(
        fc.MissingExtraError, match=r"k3d is missing: `pip install 'firstcontact\[view\]'` installs it"
    ):
        fc.show(hit())


def test_what_cannot_be_shown_writes_nothing(tmp_path):
    with pytest.raises(TypeError, match="what is shown must be"):
        fc.show(3, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()
