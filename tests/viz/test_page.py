import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from firstcontact.viz.page import Section, page_of
from firstcontact.viz.view_of import view_of
from viz.things import NASTY, apart, contacts, hit, miss


class Reader(HTMLParser):
    """What a page loads, and what its viewers are told."""

    def __init__(self, page):
        super().__init__()
        self.loads, self.told, self.tags, self._type = [], [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attributes = dict(attrs)
        self.loads += [attributes[name] for name in ("src", "href", "data", "action") if name in attributes]
        self._type = attributes.get("type") if tag == "script" else None

    def handle_data(self, data):
        if self._type == "application/json":
            self.told.append(json.loads(data))
        self._type = None


@pytest.fixture(scope="module")
def story():
    sections = [Section("One", "<p>first</p>", view_of(hit())), Section("Two", "", view_of(apart()))]
    return page_of("A <story> & more", sections, lead="<h1>lead</h1>", foot="<p>foot</p>")


def test_a_page_loads_nothing(story):
    read = Reader(story)
    assert read.loads == []
    assert "link" not in read.tags
    assert not re.search(r"@import|url\(\s*['\"]?(?!data:)", story.split("</style>")[0])
    own = story.split('<script id="k3d"')[0] + story.rsplit("<script>", 1)[1]
    assert not re.search(r"https?://|fetch\(|XMLHttpRequest|importScripts", own)


def test_the_library_is_there_once_and_a_viewer_for_each_section(story):
    assert story.count('<script id="k3d"') == 1
    assert story.count('<figure class="viewer"') == 2
    assert story.index("<h1>lead</h1>") < story.index("<h2>One</h2>") < story.index("<h2>Two</h2>")
    assert story.index("<h2>Two</h2>") < story.index("<p>foot</p>")
    assert f"<title>{html.escape('A <story> & more')}</title>" in story
    assert "<!--" not in story.split('<script id="k3d"')[0]


def test_viewers_are_told_what_there_is(story):
    one, two = Reader(story).told
    assert one["stop"] == hit().time
    assert one["is_moving"]
    assert not two["is_moving"]
    assert [moment["label"] for moment in one["moments"]] == ["first contact"]
    assert [thing["name"] for thing in one["things"]] == ["a", "b"]
    assert {layer["role"] for layer in one["layers"]} >= {
        "body",
        "ghost",
        "bound",
        "name",
        "contact",
        "normal",
    }


def test_one_viewer_without_a_heading_fills_the_window():
    page = page_of("one", [Section("", "", view_of(miss()))])
    assert '<body class="single">' in page
    assert '<body class="story">' in page_of("one", [Section("Heading", "", view_of(miss()))])


def test_names_end_no_script_and_begin_none():
    names = {"a": NASTY, "b": "<!--STYLE--></script><script>"}
    view = view_of(hit(), NASTY, names=names)
    page = page_of(view.title, [Section("", "", view)])
    (told,) = Reader(page).told
    assert told["title"] == NASTY
    assert [thing["name"] for thing in told["things"]] == list(names.values())
    # Neither an end tag nor "<!--<script", after which a browser would not see the next end tag.
    embedded = page.split('<script type="application/json">')[1].split("</script>")[0]
    assert "<" not in embedded


def test_what_is_told_has_no_nan():
    sections = [Section("x", "", view_of(what())) for what in (miss, contacts, apart)]
    all_told = Reader(page_of("x", sections)).told
    assert len(all_told) == len(sections)
    for told in all_told:
        assert "NaN" not in json.dumps(told)
    with pytest.raises(ValueError, match="not JSON compliant"):
        page_of("x", [Section("", "", replace(view_of(miss()), stop=np.nan))])
