"""The results that a learner shows to a teacher, in a shared database on a PostgreSQL server.

A learner who shares has a second schema, `studyattn-class_anna`, with one table: of each attempt
the drill, when, the verdict, how many cases, and the named mistakes. A trigger adds a row at each
attempt. The teacher's user may read that table and nothing else of the learner's: no code, no
answer's text, no note, no card.

It is a table, and no view, since whatever a view calls runs with the rights of the one who reads
it. For the same reason a teacher's program reads plain tables of built-in types alone, and of a
schema that belongs to the owner of the learner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple

from studyattn.store.sql import Connection, do, rows, value, values

_PREFIX: Final = "studyattn-class_"


class SharedAttempt(NamedTuple):
    """One attempt as a teacher sees it. `mistakes` are those of the best diagnosis."""

    learner: str
    drill: str  # guid of the item
    at: datetime
    verdict: str
    cases: int
    of: int
    mistakes: Sequence[dict[str, Any]]  # id, title, formula, concept
    hints: int
    revealed: bool


# Of a report that has no such list, nothing is counted: an attempt is never refused for it.
_CASES: Final = "CASE json_typeof(a.report -> 'cases') WHEN 'array' THEN a.report -> 'cases' END"
_MISTAKES: Final = "a.report #> '{diagnosis,0,mistakes}'"
_ROW: Final = f"""
SELECT a.uuid, a.item_guid, a.at, a.verdict, a.hints, a.revealed,
    (SELECT count(*) FROM json_array_elements({_CASES}) AS one WHERE one ->> 'passed' = 'true'),
    (SELECT count(*) FROM json_array_elements({_CASES})),
    CASE json_typeof({_MISTAKES}) WHEN 'array' THEN (
        SELECT coalesce(json_agg(json_build_object(
            'id', one ->> 'id', 'title', one ->> 'title', 'formula', one ->> 'formula',
            'concept', one ->> 'concept'
        )), '[]') FROM json_array_elements({_MISTAKES}) AS one
    ) ELSE '[]' END
"""  # noqa: S608 - of constants alone
_TABLE: Final = """(
    uuid text PRIMARY KEY, drill text NOT NULL, at timestamp NOT NULL, verdict text NOT NULL,
    hints integer NOT NULL, revealed boolean NOT NULL, cases integer NOT NULL,
    total integer NOT NULL, mistakes json NOT NULL
)"""


def share(connection: Connection, schema: str, role: str) -> None:
    """Let the user `role` of the server read the results of the learner of `schema`."""
    shown = _shown(schema)
    if not _is_there(connection, shown):
        do(connection, f'CREATE SCHEMA IF NOT EXISTS "{shown}"')
        do(connection, f'CREATE TABLE "{shown}".result {_TABLE}')
        into = f'INSERT INTO "{shown}".result {_ROW}'
        do(connection, f'{into} FROM "{schema}".attempt AS a')
        body = f"BEGIN {into} FROM (SELECT NEW.*) AS a ON CONFLICT DO NOTHING; RETURN NULL; END"
        do(
            connection,
            f'CREATE FUNCTION "{shown}".show_attempt() RETURNS trigger LANGUAGE plpgsql'
            f" SET search_path = pg_catalog AS $body$ {body} $body$",
        )
        do(
            connection,
            f'CREATE TRIGGER show_attempt AFTER INSERT ON "{schema}".attempt'
            f' FOR EACH ROW EXECUTE FUNCTION "{shown}".show_attempt()',
        )
    reader = _quoted(connection, role)
    do(connection, f'GRANT USAGE ON SCHEMA "{shown}" TO {reader}')
    do(connection, f'GRANT SELECT ON "{shown}".result TO {reader}')


def unshare(connection: Connection, schema: str, role: str) -> None:
    """Take that right back; with the last reader, what was shown is removed."""
    if role not in readers(connection, schema):
        return
    shown, reader = _shown(schema), _quoted(connection, role)
    do(connection, f'REVOKE ALL ON "{shown}".result FROM {reader}')
    do(connection, f'REVOKE ALL ON SCHEMA "{shown}" FROM {reader}')
    if not readers(connection, schema):
        _remove(connection, shown)


def readers(connection: Connection, schema: str) -> list[str]:
    """Return the users of the server who may read the results of the learner of `schema`."""
    return values(connection, _READERS, schema=_shown(schema))


_READERS: Final = """
SELECT DISTINCT pg_get_userbyid(entry.grantee) AS role
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
    aclexplode(c.relacl) AS entry
WHERE n.nspname = :schema AND c.relname = 'result' AND entry.privilege_type = 'SELECT'
    AND entry.grantee <> c.relowner
ORDER BY role"""


def is_user(connection: Connection, role: str) -> bool:
    """Tell whether the server has a user of this name."""
    statement = "SELECT 1 FROM pg_roles WHERE rolname = :role"
    return value(connection, statement, role=role) is not None


@contextmanager
def rebuilt(connection: Connection, schema: str) -> Iterator[None]:
    """Take the table of results away while tables are changed, and fill it anew afterwards."""
    roles = readers(connection, schema)
    if roles:
        _remove(connection, _shown(schema))
    yield
    for role in roles:
        share(connection, schema, role)


def own_attempts(connection: Connection, schema: str, learner: str) -> list[SharedAttempt]:
    """Return what a learner's teachers see; nothing when the learner does not share."""
    if not readers(connection, schema):
        return []
    return _attempts(connection, learner, _shown(schema))


def shared_attempts(connection: Connection) -> list[SharedAttempt]:
    """Return the attempts of all learners who share theirs with the user who is connected."""
    found = values(connection, _SHARED, prefix=_PREFIX)
    return [
        attempt
        for schema in found
        for attempt in _attempts(connection, schema.removeprefix(_PREFIX), schema)
    ]


_SHARED: Final = """
SELECT n.nspname
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_namespace AS own ON own.nspowner = n.nspowner
        AND own.nspname = 'studyattn_' || substr(n.nspname, length(:prefix) + 1)
WHERE starts_with(n.nspname, :prefix) AND c.relname = 'result' AND c.relkind = 'r'
    AND c.relowner = n.nspowner AND NOT c.relrowsecurity
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    AND NOT EXISTS (
        SELECT 1 FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE a.attrelid = c.oid AND t.typnamespace <> 'pg_catalog'::regnamespace
    )
ORDER BY n.nspname"""


def _attempts(connection: Connection, learner: str, shown: str) -> list[SharedAttempt]:
    statement = (
        "SELECT CAST(:learner AS text),"  # noqa: S608 - of a schema
        " drill, at, verdict, cases, total, mistakes, hints, revealed"
        f' FROM ONLY "{shown}".result ORDER BY at, uuid'
    )
    return rows(connection, SharedAttempt, statement, learner=learner)


def _is_there(connection: Connection, shown: str) -> bool:
    statement = "SELECT to_regclass(quote_ident(:schema) || '.result')"
    return value(connection, statement, schema=shown) is not None


def _remove(connection: Connection, shown: str) -> None:
    do(connection, f'DROP SCHEMA "{shown}" CASCADE')


def _shown(schema: str) -> str:
    return _PREFIX + schema.removeprefix("studyattn_")


def _quoted(connection: Connection, role: str) -> str:
    statement = "SELECT quote_ident(:role)"
    return str(value(connection, statement, role=role))
