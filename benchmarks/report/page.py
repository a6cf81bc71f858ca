"""The page of the report: one HTML file with all tables and pictures in it, which asks for nothing else."""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from math import log10
from pathlib import Path
from typing import Any

from report.canvas import duration
from report.tables import html, ratio_of

_STYLE = Path(__file__).with_name("page.css")
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>firstcontact: benchmark report</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<div class="page">
<nav>{contents}</nav>
<main>
{body}
</main>
</div>
</body>
</html>
"""
_WIDEST = 4.0  # powers of ten that the longest bar stands for


def page_of(report: dict[str, Any], pictures: Path) -> str:
    """The whole page; `pictures` is the folder of the SVG files that the report names."""
    sections = report["sections"]
    links = [("top", "Summary", False), *((one["name"], one["title"], _faults(one)) for one in sections)]
    links.append(("run", "This run", False))
    contents = "\n".join(_link(*link) for link in links)
    body = [*_top(report), *(_section(one, pictures) for one in sections), _run(report)]
    return _FRAME.format(style=_STYLE.read_text(encoding="utf-8"), contents=contents, body="\n".join(body))


def _link(name: str, title: str, is_failed: Any) -> str:
    return f'<a href="#{name}"{" class=failed" * bool(is_failed)}>{escape(title)}</a>'


def _faults(section: dict[str, Any]) -> list[str]:
    """One sentence for all that failed."""
    parts = [f"{part['name']}: {part['error']}" for part in section["parts"] if part["error"]]
    return [section["error"]] * bool(section["error"]) + parts


def _top(report: dict[str, Any]) -> Iterator[str]:
    facts = report["machine"]
    yield '<h1 id="top">firstcontact: benchmark report</h1>'
    date = facts["time"].replace("T", " ").replace("+00:00", " UTC")
    yield f'<p class="lead">{date}, {report["mode"]} mode, {report["seconds"] / 60:.1f} minutes: '
    yield f"<code>{escape(report['command'])}</code></p>"
    yield f"<p>{escape(facts['processor'])}, {facts['cores']} cores, {facts['memory']} memory; "
    yield f"{escape(facts['system'])}; Python {facts['python']}. Load averages "
    yield f"{_numbers(facts['load'])} before and {_numbers(report['load_after'])} after.</p>"
    if facts["load"] and facts["load"][0] > 0.5:
        yield '<p class="fault">The machine was busy when this began: the times are not to be relied on.</p>'
    failed = [escape(f"{one['title']}: {fault}") for one in report["sections"] for fault in _faults(one)]
    yield "".join(f'<p class="fault">Failed: {text}</p>' for text in failed)
    versions = [*facts["packages"].items(), *facts["peers"].items()]
    yield html(
        [tuple(name for name, _ in versions), tuple(number or "missing" for _, number in versions)], 99
    )
    yield _headlines(report["sections"])


def _numbers(values: list[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values) or "unknown"


def _headlines(sections: list[dict[str, Any]]) -> str:
    """The comparisons in short, each with a bar: a power of ten is a quarter of it."""
    rows = [row for section in sections if headlines(section) for row in _group(section)]
    if not rows:
        return ""
    head = '<th></th><th class="n">firstcontact</th><th>peer</th><th class="n">its time</th>'
    head += '<th class="n">times as fast</th><th class="bar"></th>'
    note = (
        '<p class="note">Both sides in this run, on the same input, unless the peer is marked as published. '
    )
    note += (
        "Bars are logarithmic: full length is 10,000 times, red means that the peer is faster. Each section "
    )
    note += "below says what was measured, and how.</p>"
    table = f"<table class=headlines><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="wide all">{table}</div>{note}'


def _group(section: dict[str, Any]) -> Iterator[str]:
    """A row for the section, then one for each comparison."""
    link = f'<a href="#{section["name"]}">{escape(section["title"])}</a>'
    yield f"<tr class=group><td colspan=6>{link}</td></tr>"
    yield from map(_headline, headlines(section))


def headlines(section: dict[str, Any]) -> list[dict[str, Any]]:
    """The comparisons of a section."""
    return [one for part in section["parts"] for one in part.get("headlines", ())]


def ratio(headline: dict[str, Any]) -> float | None:
    """How many times as long as this library the peer takes; None where either did not end."""
    own, theirs = headline["own"], headline["theirs"]
    return theirs / own if own and theirs else None


def _headline(one: dict[str, Any]) -> str:
    times = ratio(one)
    note = f"<br><small>{escape(one['note'])}</small>" if one["note"] else ""
    cells = [f"<td>{escape(one['what'])}</td>", _number(one["own"])]
    cells += [f"<td>{escape(one['peer'])}{note}</td>", _number(one["theirs"])]
    cells += [f'<td class="n">{ratio_of(times) if times else ""}</td>', f'<td class="bar">{_bar(times)}</td>']
    return f"<tr>{''.join(cells)}</tr>"


def _number(seconds: float | None) -> str:
    return f'<td class="n">{duration(seconds) if seconds else ""}</td>'


def _bar(times: float | None) -> str:
    if times is None:
        return ""
    share = min(max(abs(log10(times)) / _WIDEST, 0.005), 1.0)
    return f'<i{" class=less" * (times < 1.0)} style="width: {100 * share:.1f}%"></i>'


def _section(section: dict[str, Any], pictures: Path) -> str:
    texts = [f'<h2 id="{section["name"]}">{escape(section["title"])}</h2>', *_about(section["about"])]
    texts += [f'<p class="fault">Failed: {escape(section["error"])}</p>'] * bool(section["error"])
    for part in section["parts"]:
        texts += _part(part, pictures)
    return "\n".join(texts)


def _about(text: str) -> list[str]:
    """The first line, and the rest on request."""
    first, _, rest = text.strip().partition("\n")
    shown = [f'<p class="about">{_code(first)}</p>'] if first else []
    paragraphs = "".join(f'<p class="about">{_code(one)}</p>' for one in rest.strip().split("\n\n") if one)
    return shown + [f"<details><summary>How it is measured</summary>{paragraphs}</details>"] * bool(
        paragraphs
    )


def _code(text: str) -> str:
    """What stands between backticks is code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text.replace("\n", " ")))


def _part(part: dict[str, Any], pictures: Path) -> Iterator[str]:
    if part["error"]:
        yield f'<p class="fault">{escape(part["name"])} failed: {escape(part["error"])}</p>'
    if part["skipped"]:
        yield f'<p class="note">{escape(part["name"])} skipped: {escape(part["skipped"])}</p>'
    for picture in part.get("pictures", ()):
        yield _picture(picture, pictures)
    for table in part.get("tables", ()):
        yield f"<h3>{escape(table['title'])}</h3>" + html(table["lines"], table["n_left"])
        yield f'<p class="note">{_code(table["note"])}</p>' if table["note"] else ""
    for note in part.get("notes", ()):
        yield f'<p class="note">{_code(note)}</p>'
    if targets := part.get("targets"):
        met = sum(target["is_met"] for target in targets)
        words = {True: "met", False: "missed"}
        rows = [(words[one["is_met"]], one["text"], one["reached"]) for one in targets]
        table = html([("", "target", "reached"), *rows], 99)
        summary = f"Targets: {met} of {len(targets)} met"
        yield f"<details class=wrap><summary>{summary}</summary>{table}</details>"


def _picture(picture: dict[str, str], folder: Path) -> str:
    data = b64encode((folder / f"{picture['name']}.svg").read_bytes()).decode()
    title = escape(picture["title"])
    image = f'<img src="data:image/svg+xml;base64,{data}" alt="{title}">'
    return f"<figure><figcaption>{title}</figcaption>{image}</figure>"


def _run(report: dict[str, Any]) -> str:
    """What each benchmark took."""
    lines = [("benchmark", "seconds", "of the processor", "peak of the largest process, MB")]
    for section in report["sections"]:
        usage = section["usage"]
        cells = f"{usage['seconds']:.0f}", f"{usage['cpu_seconds']:.0f}", f"{usage['peak_bytes'] / 1e6:,.0f}"
        lines.append((section["title"], *cells))
    total = [sum(one["usage"][name] for one in report["sections"]) for name in ("seconds", "cpu_seconds")]
    lines.append(("all", *(f"{value:.0f}" for value in total), ""))
    text = "The processor's seconds include those of all peers and, on a machine where this is new, of the "
    text += "compiler."
    return f'<h2 id="run">This run</h2>{html(lines, 1)}<p class="note">{text}</p>'
