"""Cards as RemNote types them in bullets: `>>`, `<<`, `<>`, `::`, `;;` and {{gaps}}.

- question >> answer        a card; << asks the other way round, <> both ways
- term :: definition        the same for a concept, both ways
- aspect ;; text            the same for an aspect of the concept above it
- question >>>              the bullets below it are the answer; :: and ;; alone do the same
- a text with {{a gap}}     a card for each gap
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Final

from studyattn.exchange.documents.dialects.bullets import Bullet, bullets
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import Reading
from studyattn.exchange.documents.rows import has_gap, unfenced, with_gaps, without_code

_MARK = re.compile(r"(?<=\s)(?P<mark>>>>1?\.?|>>1\.?|>>|<<|<>|:::|::|;;;|;;)(?=\s|$)")
_ARROW = re.compile(r"(?<=\s)(?:>>>?1?\.?|<<|<>)(?=\s|$)")
_GAP = re.compile(r"\{\{(?P<text>(?!cloze\b)[^{}\n]+?)(?:\}\}|\}\})(?:\{\((?P<hint>[^)\n]*)\)\})?")
_BOTH: Final = {"<>", "::", ":::", ";;;"}


def _read(text: str, name: str) -> Reading:
    found = Collected()
    topic = PurePath(name).stem
    for bullet in bullets(text):
        _take(found, bullet, (bullet.heading or topic,))
    return found.reading()


def _take(found: Collected, bullet: Bullet, above: Sequence[str]) -> None:
    """Read a bullet and those below it; `above` are the names of what it is below."""
    words = bullet.text
    mark = _MARK.search(without_code(words))
    name = words[: mark.start()].strip() if mark else words.strip()
    topic = above[-1]
    if mark:
        kind = mark["mark"]
        back = words[mark.end() :].strip()
        front = f"{topic}: {name}" if kind.startswith(";") and len(above) > 1 else name
        if not back and bullet.children:
            back = bullet.below()
        if kind == "<<":
            found.basic(back, front, bullet.line, topic)
        else:
            found.basic(front, back, bullet.line, topic, reversed_too=kind in _BOTH and bool(name))
    elif has_gap(_GAP, words):
        found.gaps(_gapped(words), bullet.line, topic)
    for child in bullet.children:
        _take(found, child, (*above, _plain(name)))


def _gapped(text: str) -> str:
    number = 0

    def gap(found: Mapping[str, str]) -> str:
        nonlocal number
        number += 1
        hint = f"::{found['hint'].strip()}" if found["hint"] else ""
        return f"=={number}|{found['text'].strip()}{hint}=="

    return with_gaps(_GAP, text, gap)


def _plain(name: str) -> str:
    return re.sub(r"[*_`]|\{\{|\}\}", "", name).strip()[:60]


def _looks(text: str) -> tuple[int, ...]:
    found = []
    for number, row in unfenced(text):
        marked = without_code(row)
        if _MARK.search(marked) or (re.match(r"^\s*[-*+]\s", row) and _GAP.search(marked)):
            found.append(number)
    return tuple(found)


def _recognises(_name: str, text: str) -> bool:
    """Return whether there is an arrow in a bullet: no other program writes one there."""
    return any(
        re.match(r"^\s*(?:[-*+]|\d+[.)])\s", row) and _ARROW.search(without_code(row))
        for _, row in unfenced(text)
    )


REMNOTE = Dialect(
    name="remnote",
    title="RemNote's cards",
    about="bullets with >>, <<, <>, ::, ;; or {{gaps}}",
    recognises=_recognises,
    read=_read,
    looks=_looks,
    markdown=True,
)
