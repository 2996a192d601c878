"""Tags: the learner's own words on items, by which they are found again.

A tag has no spaces; `a::b` is below `a`, as in Anki. A flag, which Anki keeps apart, is the tag
`flag:red` and so on: so it is searched, shown, changed and merged like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias

FLAGS: Final = (
    *("flag:red", "flag:orange", "flag:green", "flag:blue"),
    *("flag:pink", "flag:turquoise", "flag:purple"),
)
"""The tags that are flags, in Anki's order; its first has the number 1."""


LONGEST: Final = 1000
"""Characters of a tag; of a longer word, these are kept."""


def tags_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return tags in order, each once in whatever case; text with spaces becomes several."""
    if not words:
        return ()
    found: dict[str, str] = {}
    for word in " ".join(words).split():
        tag = word[:LONGEST]
        found.setdefault(tag.casefold(), tag)
    return tuple(sorted(found.values(), key=lambda tag: (tag.casefold(), tag)))


def stored_tags(tags: Iterable[str]) -> str:
    """Return the text of a column of tags: each between spaces, so it is found as a part of it."""
    found = tags_of(tags)
    return f" {' '.join(found)} " if found else ""


def read_tags(stored: str) -> tuple[str, ...]:
    """Return the tags of a column of tags."""
    return tuple(stored.split())


TagsRead: TypeAlias = Annotated[tuple[str, ...], read_tags]
"""What a column of tags holds in a row that is read (`sql`)."""
