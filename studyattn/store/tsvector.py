"""PostgreSQL's index of words, for `search`: what FTS5 is to a file.

Each table has one of words beside it, which a trigger keeps in step. Words are what is left between
signs, in small letters without diacritics; the server itself splits texts and queries alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from studyattn.store.search_schema import Index, Term
from studyattn.store.sql import Connection, do, rows, value, values

_LETTERS: Final = "ABCD"  # what PostgreSQL calls its weights, the heaviest first
_WORDS: Final = r"""
CREATE OR REPLACE FUNCTION search_words(said text) RETURNS text LANGUAGE sql STABLE AS $$
SELECT regexp_replace(
    regexp_replace(normalize(lower(said COLLATE "default"), NFD), '[\u0300-\u036f]+', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g')
$$"""
_MOST: Final = 100_000  # characters that are indexed of a text with more words than an index holds


def create(connection: Connection, indexes: Iterable[Index]) -> None:
    """Make the indexes of what the tables hold now, and the triggers that keep them in step."""
    do(connection, _WORDS)
    for index in indexes:
        for statement in _statements(index):
            do(connection, statement)


def drop(connection: Connection, indexes: Iterable[Index]) -> None:
    """Remove indexes and triggers, whatever state they are in."""
    for index in indexes:
        do(connection, f"DROP FUNCTION IF EXISTS {index.name}_keep CASCADE")
        do(connection, f"DROP FUNCTION IF EXISTS {index.name}_of CASCADE")
        do(connection, f"DROP TABLE IF EXISTS {index.name}")
    do(connection, "DROP FUNCTION IF EXISTS search_words")


def out_of_step(connection: Connection, index: Index) -> str | None:
    """Describe what is wrong with an index, within a sentence; None when nothing is."""
    parts = (
        "SELECT count(*) FROM pg_trigger WHERE tgname = :trigger AND tgrelid = to_regclass(:of)"
        " AND to_regclass(:words) IS NOT NULL"
    )
    trigger = f"{index.name}_changed"
    if not value(connection, parts, trigger=trigger, of=index.table, words=index.name):
        return "is not complete"
    unlike = (
        f"SELECT count(*) FROM {index.table} FULL JOIN {index.name}"  # noqa: S608 - names of `search`
        f" ON {index.name}.row = {index.table}.{index.row}"
        f" WHERE {index.name}.words IS DISTINCT FROM {_words_of(index, index.table)}"
    )
    return "is out of sync with them" if value(connection, unlike) else None


def phrases(connection: Connection, terms: Sequence[Term]) -> list[str]:
    """Each term as the server's words next to one another; empty for one that has no word."""
    statement = (
        "SELECT CAST(phraseto_tsquery('simple', search_words(said)) AS text)"
        " FROM json_array_elements_text(CAST(:said AS json)) WITH ORDINALITY AS term(said, place)"
        " ORDER BY place"
    )
    return values(connection, statement, said=[term.text for term in terms])


def look_up(
    connection: Connection, index: Index, sought: Sequence[tuple[Term, str]], limit: int
) -> list[tuple[Any, str, str]]:
    """Key, title and text of what has all that is sought, the best first.

    `sought` are terms with their `phrases`; nothing is found without a word.
    """
    query = " & ".join(
        f"({phrase}{'' if term.exact else ':*'})" for term, phrase in sought if phrase
    )
    if not query:
        return []
    given: dict[str, Any] = {"query": query, "most": limit}
    conditions = ["words @@ CAST(:query AS tsquery)", index.condition]
    whole = " || ' ' || ".join(f"coalesce({index.table}.{each}, '')" for each in index.columns)
    for number, (term, phrase) in enumerate(sought):
        if not phrase:  # a sign, which the index does not know, is looked for as text
            given[f"sign{number}"] = term.text
            conditions.append(f"strpos({whole}, :sign{number}) > 0")
    statement = (
        f"SELECT {index.key}, {index.table}.{index.columns[0]}, {index.table}.{index.excerpt}"  # noqa: S608 - names of `search`
        f" FROM {index.name} JOIN {index.table} ON {index.table}.{index.row} = {index.name}.row"
        f" {index.joined}"
        f" WHERE {' AND '.join(conditions)}"
        f" ORDER BY ts_rank('{{{_weights(index)}}}', words, CAST(:query AS tsquery)) DESC,"
        f" {index.name}.row LIMIT :most"
    )
    found = rows(connection, tuple[int | str, str, str | None], statement, **given)
    return [(key, title, text or "") for key, title, text in found]


def _statements(index: Index) -> list[str]:
    name, table, columns = index.name, index.table, ", ".join(index.columns)
    arguments = ", ".join(f"{column} text" for column in index.columns)
    whole, part = (_vector(index, "{}"), _vector(index, f"left({{}}, {_MOST})"))
    now, after = _words_of(index, table), _words_of(index, "new")
    return [
        f"""CREATE TABLE {name} (
    row integer PRIMARY KEY REFERENCES {table} ON DELETE CASCADE, words tsvector NOT NULL)""",
        f"""CREATE FUNCTION {name}_of({arguments}) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN {whole};
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN {part};
END $$""",
        f"INSERT INTO {name} SELECT {index.row}, {now} FROM {table}",  # noqa: S608 - names of `search`
        f"CREATE INDEX {name}_words ON {name} USING gin (words)",
        f"""CREATE FUNCTION {name}_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO {name} VALUES (new.{index.row}, {after})
        ON CONFLICT (row) DO UPDATE SET words = excluded.words;
    RETURN NULL;
END $$""",  # noqa: S608 - the same
        f"""CREATE TRIGGER {name}_changed AFTER INSERT OR UPDATE OF {index.row}, {columns}
    ON {table} FOR EACH ROW EXECUTE FUNCTION {name}_keep()""",
    ]


def _words_of(index: Index, row: str) -> str:
    return f"{index.name}_of({', '.join(f'{row}.{column}' for column in index.columns)})"


def _vector(index: Index, text_of: str) -> str:
    """The words of all columns, each with its weight."""
    order = sorted(set(index.weights), reverse=True)
    return " || ".join(
        f"setweight(to_tsvector('simple', search_words(coalesce({text_of.format(column)}, ''))),"
        f" '{_LETTERS[order.index(weight)]}')"
        for column, weight in zip(index.columns, index.weights, strict=True)
    )


def _weights(index: Index) -> str:
    """The weights as `ts_rank` wants them, the lightest first."""
    order = sorted(set(index.weights), reverse=True)
    most = order[0]
    shares = [weight / most for weight in order] + [0.0] * (len(_LETTERS) - len(order))
    return ", ".join(str(share) for share in reversed(shares))
