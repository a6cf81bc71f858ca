"""The figures of the documentation: a table of all headlines, written into a page between two marks."""

from pathlib import Path
from typing import Any

from report.canvas import duration
from report.page import headlines, ratio
from report.tables import markdown, ratio_of

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def publish_excerpt(report: dict[str, Any], page: Path) -> Path:
    """Replace what stands between the marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"{page} must have a line {BEGIN} and, after it, a line {END}")
    page.write_text(f"{before}{BEGIN}\n{excerpt(report)}\n{END}{after}", encoding="utf-8")
    return page


def excerpt(report: dict[str, Any]) -> str:
    """When, where and how it was measured, and the headlines."""
    facts = report["machine"]
    where = f"{facts['processor']}, {facts['cores']} cores, {facts['memory']}, Python {facts['python']}"
    peers = ", ".join(f"{name} {number or 'missing'}" for name, number in facts["peers"].items())
    when = f"`{report['command']}` on {facts['time'][:10]}, {report['seconds'] / 60:.1f} minutes"
    lines = [("", "peer", "firstcontact", "the peer", "times as fast")]
    for one in (one for section in report["sections"] for one in headlines(section)):
        own, theirs = (duration(one[name]) if one[name] else "" for name in ("own", "theirs"))
        times = ratio(one)
        theirs = " ".join(filter(None, (theirs, one["note"])))
        lines.append((one["what"], one["peer"], own, theirs, ratio_of(times) if times else ""))
    return f"{when}; {where}. {peers}.\n\n{markdown(lines, 2)}"
