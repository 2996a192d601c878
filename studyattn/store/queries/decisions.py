"""The table `decision`: written with each change that a learner makes, read to merge.

A function that changes a decided field calls `decide` in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from msgspec.structs import asdict
from sqlalchemy import Connection, insert, select, update

from studyattn.setting import OF_ONE_MACHINE
from studyattn.store.decisions import decision_key, joined_wholes
from studyattn.store.models import ConceptRow, DecisionRow
from studyattn.store.queries.bulk import insert_rows, update_rows
from studyattn.store.queries.settings import put_value, read_value, remove_value
from studyattn.store.snapshot import DecisionRecord

_REPLICA = "replica"
_ONE_MORE = timedelta(microseconds=1)
_COLUMNS = tuple(getattr(DecisionRow, name) for name in DecisionRecord.__struct_fields__)


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
    here = (DecisionRow.kind == kind, DecisionRow.name == name, DecisionRow.field == field)
    before = connection.scalar(select(DecisionRow.at).where(*here))
    if before is not None:
        at = max(at, before + _ONE_MORE)
    columns = {"value": value, "at": at, "replica": replica_of(connection)}
    if before is None:
        connection.execute(insert(DecisionRow).values(kind=kind, name=name, field=field, **columns))
    else:
        connection.execute(update(DecisionRow).where(*here).values(**columns))
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
    for row in connection.execute(select(*_COLUMNS)):
        yield DecisionRecord(*row)


def adopt_decisions(
    connection: Connection, before: Iterable[DecisionRecord], after: Collection[DecisionRecord]
) -> None:
    """Write the decisions of `after`; `before` are those that the table has."""
    known = {decision_key(each): each for each in before}
    new = [asdict(each) for each in after if decision_key(each) not in known]
    insert_rows(connection, DecisionRow, new)
    changed = (each for each in after if known.get(decision_key(each), each) != each)
    for each in changed:
        connection.execute(
            update(DecisionRow)
            .where(
                DecisionRow.kind == each.kind,
                DecisionRow.name == each.name,
                DecisionRow.field == each.field,
            )
            .values(value=each.value, at=each.at, replica=each.replica)
        )


def settle_joins(connection: Connection) -> None:
    """Let each concept count as what the decisions on joins come to."""
    decided = connection.execute(
        select(DecisionRow.name, DecisionRow.value).where(
            DecisionRow.kind == "concept", DecisionRow.field == "joined_into"
        )
    )
    joined: dict[str, str | None] = dict(decided.all())
    rows = connection.execute(select(ConceptRow.id, ConceptRow.slug, ConceptRow.joined_into_id))
    concepts = rows.all()
    ids = {row.slug: row.id for row in concepts}
    wholes = joined_wholes(ids, joined)
    settled = []
    for row in concepts:
        whole = ids[wholes[row.slug]]
        into = None if whole == row.id else whole
        if into != row.joined_into_id:
            settled.append({"id": row.id, "joined_into_id": into})
    update_rows(connection, ConceptRow, "id", settled)
