r"""Full-text search over notes, cards, concepts and sources.

Each of the four tables has an index beside it that is kept in step by triggers, so it is right
after any import, sync or merge. In SQLite that is FTS5's, which keeps no text of its own, and all
of FTS5 is in this module and `parts`; on a server it is `tsvector`'s. What an index of words cannot
find (part of a word, a sign, a script that sets no spaces) is looked for in the rows as text; in
SQLite only in those that a second index allows, which knows of each row what three characters stand
together.

Words are found by their beginning, without regard to case and diacritics; `d_k` and `\sqrt` are
the words between their signs, next to one another. `"…"` asks for whole words in this order,
`tag:TAG` for cards with this tag or one below it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from studyattn.store import tsvector
from studyattn.store.queries.item_search import has_tag
from studyattn.store.search_schema import (
    INDEXES,
    LONGEST_QUERY,
    Index,
    SearchKind,
    Term,
    as_pattern,
    contains,
    may_have,
)
from studyattn.store.sql import Connection, do, is_sqlite, rows, value, values


class MarkedText(NamedTuple):
    """A line of text and where the words stand in it that were looked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()  # [start, end), ascending


class Hit(NamedTuple):
    """One thing that was found. `key`: a concept's slug, a note's number, a guid of the others."""

    kind: SearchKind
    key: str
    title: MarkedText
    excerpt: MarkedText


_OPEN, _CLOSE = "\x02", "\x03"  # around a word that was found, until `_marked` reads them
_FEW_LETTERS: Final = 2
_WEIGHED: Final = 5000  # rows of one index
_EXCERPT_WORDS: Final = 16
_EXCERPT_LENGTH: Final = 240
_TERM = re.compile(r'"([^"]*)(?:"|$)|([^\s"]+)')
_MARK = re.compile(f"([{_OPEN}{_CLOSE}])")
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def read_query(query: str) -> tuple[Term, ...]:
    """The terms of what someone typed, each once. Every text is a query, if it is not too long.

    A quotation may lack its end. What follows `LONGEST_QUERY` characters is not looked for.
    """
    terms = []
    for quoted, word in _TERM.findall(_UNREADABLE.sub(" ", query[:LONGEST_QUERY])):
        text = (quoted or word).strip()
        if text:
            terms.append(Term(text, exact=bool(quoted)))
    return tuple(dict.fromkeys(terms))


def find(
    connection: Connection,
    query: str,
    *,
    kinds: Iterable[SearchKind] = tuple(SearchKind),
    limit: int = 50,
    as_text: bool = True,
) -> list[Hit]:
    """Find what has every term of `query`, at most `limit`, the best first. Refuses no query.

    `as_text`: when the index finds nothing, read all rows as text, which is slower.
    """
    terms, wanted = read_query(query), set(kinds)
    if not terms:
        return []
    indexed = any(term.has_letters for term in terms)
    if any(term.tag for term in terms):  # of which the indexes know nothing
        wanted, indexed = wanted & {SearchKind.CARD}, False
    indexes = [each for each in INDEXES if each.kind in wanted]
    found = _indexed(connection, indexes, terms, limit) if indexed else []
    if not any(found) and (as_text or not indexed):
        found = [_scan(connection, each, terms, limit) for each in indexes]
    return _ranked(found, terms)[:limit]


def _indexed(
    connection: Connection, indexes: Sequence[Index], terms: Sequence[Term], limit: int
) -> list[list[Hit]]:
    """Return what each index finds."""
    if is_sqlite(connection):
        return [_look_up(connection, each, terms, limit) for each in indexes]
    return _look_up_on_server(connection, indexes, terms, limit)


def _ranked(found: Sequence[Sequence[Hit]], terms: Sequence[Term]) -> list[Hit]:
    """Titles that have all the terms come first; within that, the best of each kind in turn.

    Scores are no measure across kinds: what is rare in a thousand notes is common in ten concepts.
    """
    order = list(SearchKind)

    def place(entry: tuple[int, Hit]) -> tuple[bool, int, int]:
        position, hit = entry
        return len(hit.title.marks) < len(terms), position, order.index(hit.kind)

    entries = [(position, hit) for hits in found for position, hit in enumerate(hits)]
    return [hit for _, hit in sorted(entries, key=place)]


# The index.


def create_index(connection: Connection) -> None:
    """Make the indexes of what the tables hold now, and the triggers that keep them in step."""
    if not is_sqlite(connection):
        tsvector.create(connection, INDEXES)
        return
    for index in INDEXES:
        for statement in _statements(index):
            do(connection, statement)


def drop_index(connection: Connection) -> None:
    """Remove indexes and triggers, whatever state they are in."""
    if not is_sqlite(connection):
        tsvector.drop(connection, INDEXES)
        return
    for index in INDEXES:
        for event in _EVENTS:
            do(connection, f"DROP TRIGGER IF EXISTS {index.name}_{event}")
        do(connection, f"DROP TABLE IF EXISTS {index.name}")
        do(connection, f"DROP TABLE IF EXISTS {index.parts}")


def rebuild_index(connection: Connection) -> None:
    """Make indexes and triggers anew, in the caller's transaction."""
    drop_index(connection)
    create_index(connection)


def out_of_step(connection: Connection) -> list[str]:
    """List what is wrong with the indexes, a line each: missing, damaged, or unlike their table."""
    if not is_sqlite(connection):
        return [
            f"the search index of {each.table}s {what}"
            for each in INDEXES
            if (what := tsvector.out_of_step(connection, each))
        ]
    there = set(values(connection, "SELECT name FROM sqlite_master"))
    findings = []
    for index in INDEXES:
        made = {index.name, index.parts, *(f"{index.name}_{event}" for event in _EVENTS)}
        if not made <= there:
            findings.append(f"the search index of {index.table}s is not complete")
            continue
        try:
            for name in (index.name, index.parts):
                check = f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)"  # noqa: S608 - names of this module
                do(connection, check)
        except sqlite3.OperationalError:  # locked, not wrong
            raise
        except sqlite3.DatabaseError:
            findings.append(f"the search index of {index.table}s is out of sync with them")
    return findings


def is_of_index(table: str) -> bool:
    """Return whether a table belongs to an index, which models and migrations do not know."""
    return any(table == each.name or table.startswith(f"{each.name}_") for each in INDEXES)


_EVENTS: Final = ("added", "changed", "removed")


def _statements(index: Index) -> list[str]:
    name, table, columns = index.name, index.table, ", ".join(index.columns)
    new = ", ".join(f"new.{column}" for column in (index.row, *index.columns))
    old = ", ".join(f"old.{column}" for column in (index.row, *index.columns))
    both = (name, index.parts)
    add = " ".join(f"INSERT INTO {each} (rowid, {columns}) VALUES ({new});" for each in both)  # noqa: S608 - names of this module
    remove = " ".join(
        f"INSERT INTO {each} ({each}, rowid, {columns}) VALUES ('delete', {old});"  # noqa: S608 - the same
        for each in both
    )
    weights = ", ".join(map(str, index.weights))
    # Prefixes of 1 to 3 characters have lists of their own: those are what one types first.
    content = f"content='{table}', content_rowid='{index.row}'"
    words = f"{content}, tokenize='unicode61 remove_diacritics 2', prefix='1 2 3'"
    # Where in a row three characters stand is not kept: that would take several times the text.
    parts = f"{content}, tokenize='trigram', detail='none'"
    change = f"UPDATE OF {index.row}, {columns}"
    return [
        f"CREATE VIRTUAL TABLE {name} USING fts5({columns}, {words})",
        f"CREATE VIRTUAL TABLE {index.parts} USING fts5({columns}, {parts})",
        f"INSERT INTO {name} ({name}, rank) VALUES ('rank', 'bm25({weights})')",  # noqa: S608 - the same
        *(f"INSERT INTO {each} ({each}) VALUES ('rebuild')" for each in both),  # noqa: S608 - the same
        f"CREATE TRIGGER {index.adding} AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {name}_removed AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {name}_changed AFTER {change} ON {table} BEGIN {remove} {add} END",
    ]


def _look_up(connection: Connection, index: Index, terms: Sequence[Term], limit: int) -> list[Hit]:
    """Return what the index finds, the best first. Unknown signs are looked for as text."""
    signs = {f"sign{n}": term.text for n, term in enumerate(terms) if not term.has_letters}
    text = " || ' ' || ".join(f"coalesce({index.table}.{column}, '')" for column in index.columns)
    conditions = [f"{index.name} MATCH :match", index.condition]
    conditions += [f"instr({text}, :{sign}) > 0" for sign in signs]
    marks = f"'{_OPEN}', '{_CLOSE}'"
    excerpt = index.columns.index(index.excerpt)
    statement = (
        f"SELECT {index.key}, highlight({index.name}, 0, {marks}),"  # noqa: S608 - names of this module
        f" snippet({index.name}, {excerpt}, {marks}, '…', {_EXCERPT_WORDS})"
        f" FROM {index.name} JOIN {index.table} ON {index.table}.{index.row} = {index.name}.rowid"
        f" {index.joined} WHERE {' AND '.join(conditions)} ORDER BY"
    )
    found: dict[str, Hit] = {}
    for match, order in _asked(connection, index, terms):
        if len(found) < limit:
            ordered = f"{statement} {order} LIMIT {limit:d}"
            hits = rows(connection, _Found, ordered, match=match, **signs)
            for key, title, words in hits:
                hit = Hit(index.kind, str(key), _marked(_first_line(title)), _marked(words or ""))
                found.setdefault(hit.key, hit)
    return list(found.values())[:limit]


class _Found(NamedTuple):
    key: int | str
    title: str
    text: str | None


def _asked(connection: Connection, index: Index, terms: Sequence[Term]) -> list[tuple[str, str]]:
    """Return queries for FTS5 with their orders, to be tried in turn until there is enough.

    One or two letters stand in nearly every row, as do some words. To weigh all of these takes long
    and says nothing of which one is meant: so titles are weighed, if they are not too many, and the
    latest of the others follow.
    """
    match = _match(terms)
    letters = sum(character.isalnum() for term in terms for character in term.text)
    if letters > _FEW_LETTERS and not _is_common(connection, index, match):
        return [(match, "rank")]
    latest, titles = f"{index.name}.rowid DESC", f"{index.columns[0]} : ({match})"
    return [
        (titles, latest if _is_common(connection, index, titles) else "rank"),
        (match, latest),
    ]


def _is_common(connection: Connection, index: Index, match: str) -> bool:
    """Tell whether more rows match than are weighed while someone types."""
    more = f"SELECT 1 FROM {index.name} WHERE {index.name} MATCH :match LIMIT 1 OFFSET {_WEIGHED}"  # noqa: S608 - names of this module
    return value(connection, more, match=match) is not None


def _look_up_on_server(
    connection: Connection, indexes: Sequence[Index], terms: Sequence[Term], limit: int
) -> list[list[Hit]]:
    sought = list(zip(terms, tsvector.phrases(connection, terms), strict=True))

    def hit(index: Index, key: object, title: str, text: str) -> Hit:
        marked = _seen(_first_line(title), terms, r"\w*"), _seen(text, terms, r"\w*")
        return Hit(index.kind, str(key), *marked)

    return [
        [hit(each, *row) for row in tsvector.look_up(connection, each, sought, limit)]
        for each in indexes
    ]


def _match(terms: Sequence[Term]) -> str:
    """The terms in FTS5's own words, every one a string to it: nothing typed is an operator."""
    escaped = ((term.text.replace('"', '""'), term.exact) for term in terms if term.has_letters)
    return " ".join(f'"{text}"' if exact else f'"{text}"*' for text, exact in escaped)


# Rows searched as text.


def _scan(connection: Connection, index: Index, terms: Sequence[Term], limit: int) -> list[Hit]:
    """Rows that have every term somewhere in their text, the first made first."""
    given: dict[str, Any] = {}
    conditions = ["TRUE"]
    if is_sqlite(connection):
        texts = (term.text for term in terms if not term.tag)
        conditions.append(may_have(index.kind, texts, given))
    for term in terms:
        if term.tag:
            conditions.append(has_tag(term.tag, given))
            continue
        name = f"term{len(given)}"
        given[name] = as_pattern(term.text)
        found = (contains(f"{index.table}.{column}", f":{name}") for column in index.columns)
        conditions.append(f"({' OR '.join(found)})")
    statement = (
        f"SELECT {index.key}, {index.table}.{index.columns[0]}, {index.table}.{index.excerpt}"  # noqa: S608 - names of this module
        f" FROM {index.source} AND {' AND '.join(conditions)}"
        f" ORDER BY {index.table}.{index.row} LIMIT {limit:d}"
    )
    hits = [
        Hit(index.kind, str(name), _seen(_first_line(title), terms), _seen(text or "", terms))
        for name, title, text in rows(connection, _Found, statement, **given)
    ]
    return sorted(hits, key=lambda hit: -len(hit.title.marks))


def _seen(text: str, terms: Sequence[Term], rest: str = "") -> MarkedText:
    """The part of `text` round the first term in it, with the terms marked.

    `rest` is a pattern of what a mark goes on over.
    """
    words = "|".join(re.escape(term.text) for term in terms)
    pattern = re.compile(f"(?:{words}){rest}", re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, first.start() - _EXCERPT_LENGTH // 4) if first else 0
    part = ("…" if start else "") + text[start : start + _EXCERPT_LENGTH]
    return _marked(pattern.sub(lambda match: f"{_OPEN}{match[0]}{_CLOSE}", part))


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _marked(text: str) -> MarkedText:
    """A text with control characters round its marks as a `MarkedText` on one line, at most so
    long.
    """
    words = " ".join(text.split())
    first = words.find(_OPEN)
    if first > _EXCERPT_LENGTH // 2:
        words = "…" + words[first - _EXCERPT_LENGTH // 4 :]
    plain, begun = "", 0
    marks: list[tuple[int, int]] = []
    for part in _MARK.split(words):
        if part == _OPEN:
            begun = len(plain)
        elif part == _CLOSE:
            marks.append((begun, len(plain)))
        else:
            plain += part
    if len(plain) > _EXCERPT_LENGTH:
        plain = plain[: _EXCERPT_LENGTH - 1] + "…"
    kept = ((start, min(end, len(plain))) for start, end in marks if start < len(plain))
    return MarkedText(plain, tuple(kept))
