"""The index of parts of words: which rows of SQLite's may have a text somewhere in them.

It knows of each row what three characters stand together, not where. So what it allows is looked at
as text, and a text of fewer characters is looked for in all rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from studyattn.store.search_schema import INDEXES, SearchKind

_PART: Final = 3  # characters
_LONGEST: Final = 40  # characters of a text that are looked for


def may_have(kind: SearchKind, texts: Iterable[str], given: dict[str, object]) -> str:
    """Return the condition that a row may have all the texts; TRUE where the index cannot tell.

    What it is given is added to `given`.
    """
    sought = [
        each[place : place + _PART]
        for each in texts
        for place in range(min(len(each), _LONGEST) - _PART + 1)
    ]
    if not sought:
        return "TRUE"
    parts = f"parts{len(given)}"
    given[parts] = " ".join('"' + each.replace('"', '""') + '"' for each in dict.fromkeys(sought))
    (index,) = (each for each in INDEXES if each.kind is kind)
    rows = f"SELECT rowid FROM {index.parts} WHERE {index.parts} MATCH :{parts}"  # noqa: S608 - ours
    return f"{index.table}.{index.row} IN ({rows})"
