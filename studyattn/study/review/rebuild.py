"""Rebuilding what follows from other data, and checking it: item memory and the search index."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from types import MappingProxyType
from typing import NamedTuple

from studyattn.errors import DamagedDatabaseError, NotFoundError
from studyattn.home import Home
from studyattn.memory import MemoryStart, New, Rating, Scheduler, fold_all
from studyattn.memory.columns import memory_to_columns
from studyattn.memory.log import is_plain
from studyattn.memory.scheduler import History
from studyattn.store import database_file, hindered, in_use, search, sqlite_file
from studyattn.store.backup_files import restore_advice
from studyattn.store.database import Connection
from studyattn.store.engine import opened, translate_error
from studyattn.store.health import dangling
from studyattn.store.log_values import FIRST_DAY, LogRow
from studyattn.store.migrate import read_revision
from studyattn.store.queries.days import forget_days
from studyattn.store.queries.items import (
    FirstMemory,
    MemoryColumns,
    guids_there,
    write_memories,
)
from studyattn.store.queries.review_log import stored_of
from studyattn.store.revisions import HEAD
from studyattn.store.sqlite_file import State
from studyattn.store.transactions import PATIENCE
from studyattn.study.profile import Profile
from studyattn.study.records import logged, starts_of
from studyattn.study.review.recompute import AT_ONCE, recompute, replay_log
from studyattn.study.settings import read_settings


class Rebuilt(NamedTuple):
    """The result of a rebuild."""

    reviews: int  # rows of the log, withdrawals too
    items: int
    changed: tuple[str, ...]  # guids whose cached memory was not the fold of their log
    orphans: tuple[str, ...]  # guids in the log that no item has (yet)
    search: tuple[str, ...]  # what was wrong with the search index


def rebuild(profile: Profile) -> Rebuilt:
    """Recompute memory and totals from the log, and the search index from the texts.

    The result says which of them had been wrong.
    """
    with profile.database.write() as connection:
        out_of_step = search.out_of_step(connection)
        search.rebuild_index(connection)
        forget_days(connection)
        replayed = recompute(connection, profile.scheduler)
    return Rebuilt(
        reviews=replayed.reviews,
        items=replayed.items,
        changed=tuple(sorted(replayed.changes)),
        orphans=replayed.orphans,
        search=tuple(out_of_step),
    )


def refold(
    connection: Connection,
    guids: Collection[str] | None = None,
    new: Mapping[str, Sequence[LogRow]] = MappingProxyType({}),
    starts: Mapping[str, MemoryStart] = MappingProxyType({}),
) -> Mapping[str, FirstMemory]:
    """Recompute these items, or all, by the settings in the database, which may be new too.

    `new` are the whole logs of items that the caller adds, and `starts` where the memory of any of
    them begins: what they come to is returned, for the caller to write with the items. The log's
    totals are counted anew when all items are; else `keep_days` counts them later.
    """
    scheduler = Scheduler(read_settings(connection).scheduling)
    if guids is None:
        recompute(connection, scheduler)
        return {}
    ordered = sorted(guids)
    for first in range(0, len(ordered), AT_ONCE):
        part = guids_there(connection, ordered[first : first + AT_ONCE])
        logs: dict[str, list[LogRow]] = {guid: [] for guid in part}
        for row in stored_of(connection, part):
            logs[row.item_guid].append(row)
        write_memories(connection, _memories(logs, scheduler, starts_of(connection, part)))
    return _memories(new, scheduler, starts)


def _memories(
    new: Mapping[str, Sequence[LogRow]], scheduler: Scheduler, starts: Mapping[str, MemoryStart]
) -> Mapping[str, FirstMemory]:
    """Return the memory of items that whole logs come to; nearly all of them are columns enough."""
    plain = {
        guid: _history(guid, rows)
        for guid, rows in new.items()
        if rows and guid not in starts and is_plain(rows)
    }
    others = {guid: [*map(logged, new[guid])] for guid in new.keys() - plain.keys()}
    states = dict(zip(plain, scheduler.replay_columns([*plain.values()]), strict=True))
    states |= fold_all(others, scheduler, starts)
    return {
        guid: FirstMemory(
            MemoryColumns(*memory_to_columns(states[guid])),
            max((row.at for row in rows if row.rating == Rating.AGAIN), default=None),
        )
        for guid, rows in new.items()
    }


def _history(guid: str, rows: Sequence[LogRow]) -> History:
    ratings = [row.rating or 0 for row in rows]
    days = [row.learner_day + FIRST_DAY for row in rows]
    return History(guid, New(), ratings, days, logged(rows[-1]))


def check_database(home: Home) -> list[str]:
    """Return what is wrong with the database, a line each; nothing when it is sound.

    Changes nothing. Damage is looked for first, and its last line says how to restore a backup. A
    sound database of this program's own schema is then checked for items whose memory is not the
    fold of their log and for a search index that is out of step. Raises NotFoundError when there is
    no database, and StoreError when it cannot be read.
    """
    if home.server is not None:
        return _check_content(home)
    if sqlite_file.look(home.database) is State.ABSENT:
        raise NotFoundError("there is no database", where=str(home.database))
    with closing(in_use.share(home.root, PATIENCE)), hindered.readable(home) as place:
        try:
            findings = database_file.examine_file(place.database, thorough=True)
            if not findings:
                return _check_content(place)
        except Exception as error:
            known = translate_error(error, home)
            if known is None:
                raise
            if not isinstance(known, DamagedDatabaseError):
                raise known from error
            findings = [known.message]
    return [*findings, restore_advice(home.database)]


def _check_content(home: Home) -> list[str]:
    """Check a database whose file, if it is one, is sound."""
    with opened(home) as connection:
        revision = read_revision(connection, home)
        if revision is None:
            raise NotFoundError("there is no database yet", where=home.database_shown)
        findings = dangling(connection)
        if revision != HEAD:  # the next opening migrates it
            return findings
        replayed = replay_log(connection, Scheduler(read_settings(connection).scheduling))
    findings += [
        f"{guid}: its memory state does not match the log" for guid in sorted(replayed.changes)
    ]
    # SQLite checks an index by an INSERT that adds nothing, yet has to be alone in writing.
    with opened(home, writing=True) as connection:
        return findings + search.out_of_step(connection)
