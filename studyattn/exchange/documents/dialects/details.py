"""Cards that `<details>` hide: the summary asks, the hidden text answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.dialect import Reading
from studyattn.exchange.documents.rows import Row, is_contents, rows_of

_EDGE = re.compile(r"<(?P<closes>/)?details\b[^>]*>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)


def read(text: str, _name: str) -> Reading:
    """Read each outermost `<details>`: its summary asks, what it hides answers."""
    found = Reading()
    rows = rows_of(text)
    whole = "\n".join(row.text for row in rows)
    shown = "\n".join("\x00" * len(row.text) if row.coded else row.text for row in rows)
    opened: list[re.Match[str]] = []
    for edge in _EDGE.finditer(shown):
        if not edge["closes"]:
            opened.append(edge)
        elif opened:
            begin = opened.pop()
            if not opened:
                above = rows[: whole.count("\n", 0, begin.start()) + 1]
                _hidden(found, whole[begin.end() : edge.start()], above)
    if opened:
        row = rows[whole.count("\n", 0, opened[0].start())]
        found.leave(row.line, "<details> is never closed")
    return found


def _hidden(found: Reading, inside: str, above: Sequence[Row]) -> None:
    line, summary = above[-1].line, _SUMMARY.search(inside)
    if summary is None:
        found.leave(line, "<details> without a <summary>")
    elif is_contents(inside[summary.end() :]):
        found.leave(line, "a table of contents")
    else:
        topic = next((row.heading for row in reversed(above) if row.heading), "")
        asks = " ".join(markdown(summary[1]).split())
        found.basic(asks, inside[summary.end() :], line, topic)


def recognises(name: str, text: str) -> bool:
    return bool(_SUMMARY.search(text) and read(text, name).questions)
