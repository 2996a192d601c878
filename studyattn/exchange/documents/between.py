"""The mark between the two sides of a row, learned from the rows: a tab, `;;`, a dash, `->->`.

A mark parts a row in which it stands once, with words on both sides. The mark of a text is the one
that parts most of its rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_MARK = re.compile(
    r"\s*?(?P<mark>\t+|(?P<sign>[^\w\s.]{1,2}?)(?P=sign)+|[―→↔⇒|*~;]"
    r"|(?<=\s)[-–—=](?=\s)|[:：](?=\s))\s*"
)
_SURE: Final = "\t―→↔⇒"
"""Marks that hardly stand in a text by chance; a sign that is repeated is one, too."""


def learned(rows: Iterable[str]) -> str:
    """Return the mark that parts most rows; empty if none parts any."""
    parting: Counter[str] = Counter()
    for row in rows:
        marks = Counter(map(_name, _MARK.finditer(row)))
        parting.update(
            each for each, times in marks.items() if times == 1 or each == "\t" if parted(row, each)
        )
    return max(parting, key=lambda each: parting[each], default="")


def parted(row: str, mark: str) -> tuple[str, str] | None:
    """Return the texts before and behind the first place of a mark; None without both."""
    for found in _MARK.finditer(row):
        if _name(found) == mark:
            front, back = row[: found.start()].strip(), row[found.end() :].strip(f" {mark}")
            return (front, back) if front and back else None
    return None


def is_sure(mark: str) -> bool:
    """Return whether a mark hardly stands in a text by chance."""
    return mark in _SURE or len(mark) > 1


def _name(found: re.Match[str]) -> str:
    """Return what a mark is called, however often its sign is repeated."""
    if found["sign"]:
        return found["sign"] * 2
    return "-" if found["mark"] in "–—" else found["mark"][0]
