"""What follows from other things, made anew: item memory from the log, the search index from texts.

`db rebuild` does both; a change of scheduling settings needs the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, bindparam, select, update

from studyattn.errors import DamagedDatabaseError, NotFoundError
from studyattn.home import Home
from studyattn.memory import LoggedReview, MemoryState, New, Scheduler, fold
from studyattn.store import database_file, in_use, search
from studyattn.store.engine import engine_of, translate_error
from studyattn.store.models import ItemRow, ReviewRow
from studyattn.store.transactions import PATIENCE, WRITING
from studyattn.study.records import (
    MEMORY_COLUMNS,
    logged,
    memory_of,
    memory_values,
    select_reviews,
)

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

_BATCH = 5000  # rows held at a time while reading the log


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What replaying the whole log found."""

    reviews: int  # rows of the log, withdrawals too
    items: int
    changed: tuple[str, ...]  # guids whose cached memory was not the fold of their log
    orphans: tuple[str, ...]  # guids in the log that no item has (yet)
    search: tuple[str, ...] = ()  # what was wrong with the search index


def rebuild(profile: Profile) -> Rebuilt:
    """Recompute the memory of every item from the log, and say which were not as they should.

    The search index is made anew too.
    """
    with profile.database.write() as connection:
        out_of_step = search.out_of_step(connection)
        search.rebuild_index(connection)
        return replace(recompute(connection, profile.scheduler), search=tuple(out_of_step))


def refold(connection: Connection) -> Rebuilt:
    """`recompute` by the settings that the database has: after an import, which may bring some."""
    from studyattn.study.settings import read_settings

    return recompute(connection, Scheduler(read_settings(connection).scheduling))


def check_database(home: Home) -> list[str]:
    """What is wrong with the database, a line each; nothing when it is sound. Changes nothing.

    Damage is looked for first, and its last line says how to restore a backup; then whether each
    item's memory is the fold of its log, and whether the search index is in step: the latter two in
    a database of this program's own schema. Raises NotFoundError when there is no database, and
    StoreError when it cannot be looked into.
    """
    if home.server is not None:
        return _examine_content(home)
    from studyattn.store.backup_files import restore_advice

    if not home.database.exists():
        raise NotFoundError("there is no database", where=str(home.database))
    with closing(in_use.share(home.root, PATIENCE)):
        try:
            findings = database_file.examine_file(home.database, thorough=True)
            if not findings:
                return _examine_content(home)
        except Exception as error:
            known = translate_error(error, home)
            if known is None:
                raise
            if not isinstance(known, DamagedDatabaseError):
                raise known from error
            findings = [known.message]
    return [*findings, restore_advice(home.database)]


def _examine_content(home: Home) -> list[str]:
    from studyattn.store.health import dangling
    from studyattn.store.migrate import read_revision
    from studyattn.store.revisions import HEAD
    from studyattn.study.settings import read_settings

    engine = engine_of(home)
    try:
        with engine.connect() as connection:
            revision = read_revision(connection)
            if revision is None:
                raise NotFoundError("there is no database yet", where=home.database_shown)
            findings = dangling(connection)
            if revision != HEAD:  # the next opening migrates it
                return findings
            scheduler = Scheduler(read_settings(connection).scheduling)
            _, changes = _refold(connection, scheduler)
        findings += [f"{guid}: its memory is not what the log says" for guid in sorted(changes)]
        # SQLite checks an index by an INSERT that adds nothing, yet has to be alone in writing.
        with engine.execution_options(**WRITING).connect() as connection:
            return findings + search.out_of_step(connection)
    finally:
        engine.dispose()


def recompute(connection: Connection, scheduler: Scheduler) -> Rebuilt:
    """Set every item's memory columns to the fold of its log, within the caller's transaction."""
    result, changes = _refold(connection, scheduler)
    store_memory(connection, changes)
    return result


def _refold(connection: Connection, scheduler: Scheduler) -> tuple[Rebuilt, dict[str, MemoryState]]:
    """The fold of every item's log, and the items of which the cached memory differs."""
    cached = {
        row.guid: memory_of(row)
        for row in connection.execute(select(ItemRow.guid, *MEMORY_COLUMNS)).all()
    }
    changes: dict[str, MemoryState] = {}
    orphans: list[str] = []
    unreviewed = set(cached)
    reviews = 0
    for guid, log in _logs(connection):
        reviews += len(log)
        if guid not in cached:
            orphans.append(guid)
            continue
        unreviewed.discard(guid)
        state = fold(guid, log, scheduler)
        if state != cached[guid]:
            changes[guid] = state
    changes.update((guid, New()) for guid in unreviewed if cached[guid] != New())
    return Rebuilt(reviews, len(cached), tuple(sorted(changes)), tuple(orphans)), changes


def store_memory(connection: Connection, states: dict[str, MemoryState]) -> None:
    """Write the memory columns of these items."""
    if not states:
        return
    names = [column.key for column in MEMORY_COLUMNS]
    statement = (
        update(ItemRow)
        .where(ItemRow.guid == bindparam("of_guid"))
        .values({name: bindparam(f"new_{name}") for name in names})
        .execution_options(synchronize_session=None)
    )
    connection.execute(statement, [_parameters(guid, state) for guid, state in states.items()])


def _parameters(guid: str, state: MemoryState) -> dict[str, Any]:
    values = {f"new_{name}": value for name, value in memory_values(state).items()}
    return {"of_guid": guid, **values}


def _logs(connection: Connection) -> Iterator[tuple[str, list[LoggedReview]]]:
    """The log item by item, without holding all of it in memory."""
    statement = select_reviews().order_by(ReviewRow.item_guid)
    rows = connection.execute(statement.execution_options(yield_per=_BATCH))
    reviews = (review for partition in rows.partitions(_BATCH) for review in logged(partition))
    for guid, log in groupby(reviews, key=attrgetter("item_guid")):
        yield guid, list(log)
