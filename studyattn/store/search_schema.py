"""The index for search: the tables, their columns with weights; and one term of a query.

`search` makes and asks these indexes in SQLite, `tsvector` on a server.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

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


LONGEST_QUERY: Final = 500
"""Characters of a query that are looked for. A page that was pasted would take minutes."""


def words_of(query: str) -> list[str]:
    """Return the words of a query for items, in lower case, each once."""
    return list(dict.fromkeys(query[:LONGEST_QUERY].casefold().split()))


def contains(column: str, given: str) -> str:
    """Return the SQL condition that a text contains another, in any case (`as_pattern`)."""
    return f"lower({column}) LIKE lower({given}) ESCAPE '!'"


def as_pattern(*parts: str) -> str:
    """Return what `contains` is given for a text that contains these parts next to one another."""
    escaped = "".join(parts).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


class SearchKind(StrEnum):
    """A kind of text that search finds."""

    CONCEPT = "concept"
    NOTE = "note"
    CARD = "card"
    SOURCE = "source"


class Term(NamedTuple):
    """One word of a query, or several between quotation marks."""

    text: str
    exact: bool = False

    @property
    def has_letters(self) -> bool:
        """True when an index of words can find it."""
        return any(character.isalnum() for character in self.text)

    @property
    def tag(self) -> str:
        """The tag that is asked for; empty for a term that is looked for in texts."""
        return "" if self.exact or not self.text.startswith("tag:") else self.text[len("tag:") :]


class Index(NamedTuple):
    """One table's index: its columns, the title first, with their weights; and what a hit is."""

    kind: SearchKind
    key: str  # the SQL of Hit.key
    columns: tuple[str, ...]
    weights: tuple[float, ...]
    row: str = "id"  # the table's integer primary key
    joined: str = ""
    condition: str = "TRUE"

    @property
    def table(self) -> str:
        return self.kind.value

    @property
    def name(self) -> str:
        return f"{self.table}_search"

    @property
    def excerpt(self) -> str:
        """The column that a hit shows a part of."""
        return "body" if "body" in self.columns else self.columns[1]

    @property
    def source(self) -> str:
        """The SQL of the rows that can be found."""
        return f"{self.table} {self.joined} WHERE {self.condition}"

    @property
    def parts(self) -> str:
        """The index of every three characters next to one another, for parts of words."""
        return f"{self.name}_parts"

    @property
    def adding(self) -> str:
        """The trigger that indexes a row which is added."""
        return f"{self.name}_added"


INDEXES: Final = (
    Index(
        SearchKind.CONCEPT,
        "concept.slug",
        ("title", "slug", "body"),
        (10.0, 5.0, 1.0),
        condition="NOT concept.retired",
    ),
    Index(SearchKind.NOTE, "note.id", ("title", "body"), (8.0, 1.0)),
    Index(
        SearchKind.CARD,
        "item.guid",
        ("front", "back", "answer"),
        (4.0, 1.0, 1.0),
        row="item_id",
        joined="JOIN item ON item.id = card.item_id",
        condition="NOT item.retired",
    ),
    Index(SearchKind.SOURCE, "source.guid", ("title", "text"), (8.0, 1.0)),
)
