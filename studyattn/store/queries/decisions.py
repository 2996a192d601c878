"""The table `decision`: written with each change that a learner makes, read to merge.

A function that changes a decided field calls `decide` in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from studyattn.setting import OF_ONE_MACHINE
from studyattn.store.driver import instant_text
from studyattn.store.queries.settings import put_value, read_value, remove_value
from studyattn.store.sql import Connection, Statements, as_json, do, driver_of, row, rows

if TYPE_CHECKING:
    from studyattn.store.snapshot import DecisionRecord

_SQL = Statements(__file__)
_REPLICA = "replica"
_ONE_MORE = timedelta(microseconds=1)


def replica_of(connection: Connection) -> str:
    """Return the name of this database among those of its learner; it gets one when it has none."""
    name = read_value(connection, _REPLICA)
    return name if isinstance(name, str) else rename_replica(connection)


def rename_replica(connection: Connection) -> str:
    """Give this database a new name, because another one may have the old, and return it."""
    name = uuid4().hex
    put_value(connection, _REPLICA, name)
    return name


def decide(  # noqa: PLR0917 - a decision is these five things, in the order one says them
    connection: Connection, kind: str, name: str, field: str, value: Any, at: datetime
) -> datetime:
    """Keep what the learner decides at `at` and return when that counts as decided.

    It is later than all that was decided on the field: the clock of this machine may be behind
    that of another whose decision came here by a merge.
    """
    found = row(connection, tuple[datetime], _SQL.decided_at, kind=kind, name=name, field=field)
    if found is not None:
        at = max(at, found[0] + _ONE_MORE)
    _put(connection, [(kind, name, field, value, at, replica_of(connection))])
    return at


def choose_setting(connection: Connection, key: str, value: object, at: datetime) -> None:
    """Store the learner's choice `value` (JSON) under `key`; with None the default holds again."""
    if value is None:
        remove_value(connection, key)
    else:
        put_value(connection, key, value)
    if key not in OF_ONE_MACHINE:
        decide(connection, "setting", key, "value", value, at)


def load_decisions(connection: Connection) -> Iterator[DecisionRecord]:
    """Yield every decision that holds."""
    from studyattn.store.snapshot import DecisionRecord  # late, as below: few read all of them

    return iter(rows(connection, DecisionRecord, _SQL.load))


def adopt_decisions(
    connection: Connection, before: Iterable[DecisionRecord], after: Collection[DecisionRecord]
) -> None:
    """Write the decisions of `after`; `before` are those that the table has."""
    from msgspec.structs import astuple

    from studyattn.store.decisions import decision_key

    known = {decision_key(each): each for each in before}
    new = (each for each in after if known.get(decision_key(each)) != each)
    _put(connection, (astuple(each) for each in new))


def _put(
    connection: Connection, decisions: Iterable[tuple[str, str, str, Any, datetime, str]]
) -> None:
    rows_now = (
        (kind, name, field, as_json(value), instant_text(at), replica)
        for kind, name, field, value, at, replica in decisions
    )
    driver_of(connection).do_many(_SQL.put, rows_now)


def settle_joins(connection: Connection) -> None:
    """Let each concept count as what the decisions on joins come to."""
    from studyattn.store.decisions import joined_wholes

    joined = dict(rows(connection, tuple[str, Any], _SQL.joins))
    concepts = rows(connection, tuple[int, str, int | None], _SQL.concepts)
    ids = {slug: number for number, slug, _ in concepts}
    wholes = joined_wholes(ids, joined)
    for number, slug, joined_into in concepts:
        whole = ids[wholes[slug]]
        into = None if whole == number else whole
        if into != joined_into:
            do(connection, _SQL.settle, concept=number, into=into)
