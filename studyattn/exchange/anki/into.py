"""Write what changed here into the collection file of an Anki that is closed.

Anki's own import of a package updates texts and tags of notes that it has, and leaves the review
log and schedules of their cards alone. So reviews go into its database itself: in one transaction,
after a copy of it was made, with the marks by which Anki's sync sends what changed.
"""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from studyattn.errors import InputError
from studyattn.exchange.anki.collection import Collection
from studyattn.exchange.anki.package import unicase

_PATIENCE: Final = 2.0  # seconds in which another program may end its transaction
_PAIRS: Final = """
CREATE TEMP TABLE pair AS
SELECT here.id AS theirs, there.id AS ours, note.id AS note, ours_note.id AS ours_note
FROM new.notes AS ours_note JOIN main.notes AS note ON note.guid = ours_note.guid
JOIN new.cards AS there ON there.nid = ours_note.id
JOIN main.cards AS here ON here.nid = note.id AND here.ord = there.ord
"""
_NEW_ROWS: Final = """
CREATE TEMP TABLE row AS
SELECT new.revlog.id, theirs, ours, ease, ivl, lastIvl, factor, time, type
FROM new.revlog JOIN pair ON ours = cid
WHERE NOT EXISTS (SELECT 1 FROM main.revlog AS known WHERE known.id = new.revlog.id)
"""
_UNKNOWN: Final = """
SELECT count(*) FROM main.revlog AS known JOIN pair ON theirs = known.cid
WHERE theirs IN (SELECT theirs FROM row)
AND NOT EXISTS (SELECT 1 FROM new.revlog WHERE new.revlog.id = known.id)
"""
_TEXTS: Final = """
UPDATE main.notes SET flds = it.flds, sfld = it.sfld, csum = it.csum, tags = it.tags, mod = it.mod,
    usn = -1
FROM new.notes AS it WHERE it.guid = main.notes.guid AND it.mod > main.notes.mod
"""
_SCHEDULES: Final = """
UPDATE main.cards SET type = it.type, queue = it.queue, ivl = it.ivl, factor = it.factor,
    due = it.due + iif(it.type IN (2, 3) AND it.due < 1000000, :days, 0), reps = it.reps,
    lapses = it.lapses, left = it.left, flags = it.flags, mod = it.mod, usn = -1,
    did = iif(main.cards.odid > 0, main.cards.odid, main.cards.did), odid = 0, odue = 0,
    data = json_patch(iif(json_valid(main.cards.data), main.cards.data, '{}'), it.data)
FROM pair JOIN new.cards AS it ON it.id = ours
WHERE theirs = main.cards.id AND (it.mod > main.cards.mod OR theirs IN (SELECT theirs FROM row))
"""

_LOCKED: Final = "Anki has its collection open", "Close Anki, and try again."
_DAMAGED: Final = "the collection is damaged, or is not one", "Restore one of Anki's backups."
_PROTECTED: Final = (
    "the collection cannot be written",
    "Check the permissions of the file and of its folder.",
)
_NOT_ANKIS: Final = (
    "it does not have the tables of an Anki collection",
    "Name the file collection.anki2; open a very old one in Anki once.",
)
_FAILURES: Final = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_READONLY: _PROTECTED,
    sqlite3.SQLITE_PERM: _PROTECTED,
    sqlite3.SQLITE_CANTOPEN: _PROTECTED,
    sqlite3.SQLITE_IOERR: ("the disk cannot be read or written", "Check the disk."),
    sqlite3.SQLITE_FULL: ("the disk is full", "Make room for a copy of the collection."),
}
"""The fault and the advice, by SQLite's codes."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The numbers of what was changed in a collection."""

    notes: int
    cards: int
    reviews: int
    copy: Path | None
    """The collection as it was before, if anything was changed."""


def send(package: Path, collection: Path, now: datetime) -> Sent:
    """Change in a collection what a package of ours has newer. New notes are left to Anki's import.

    Where nothing is newer the file stays as it is. Raises InputError for a file that is not a
    collection, that cannot be written, or that has reviews which the package lacks.
    """
    copy = collection.with_name(f"{collection.stem}-before-studyattn.anki2")
    with TemporaryDirectory() as folder:
        with zipfile.ZipFile(package) as archive:
            unpacked = archive.extract("collection.anki2", folder)
        try:
            with closing(_opened(collection)) as connection:
                connection.execute("ATTACH ? AS new", (unpacked,))
                days = _first_day(Path(unpacked)) - Collection(connection, collection).first_day()
                connection.execute("PRAGMA cache_spill = OFF")  # the file is read for its copy
                connection.execute("BEGIN IMMEDIATE")
                counts = _change(connection, collection, days)
                if not any(counts):
                    return Sent(*counts, None)
                with closing(_opened(collection)) as before, closing(sqlite3.connect(copy)) as kept:
                    before.backup(kept)
                changed = round(now.timestamp() * 1000)
                connection.execute("UPDATE main.col SET mod = max(mod + 1, ?)", (changed,))
                connection.execute("COMMIT")
        except (sqlite3.Error, TypeError, ValueError) as error:  # or its one row is no calendar
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            problem, advice = _FAILURES.get(code, _NOT_ANKIS)
            problem = f"{problem} ({error})"
            raise InputError(problem, where=str(collection), advice=advice) from error
    return Sent(*counts, copy)


def _opened(collection: Path) -> sqlite3.Connection:
    if not collection.is_file():
        raise InputError("no such file", where=str(collection))
    connection = sqlite3.connect(collection, timeout=_PATIENCE, isolation_level=None)
    connection.create_collation("unicase", unicase)
    return connection


def _first_day(unpacked: Path) -> int:
    with closing(sqlite3.connect(unpacked)) as connection:
        return Collection(connection, unpacked).first_day()


def _change(connection: sqlite3.Connection, collection: Path, days: int) -> tuple[int, int, int]:
    """Change notes, reviews and cards; return how many."""
    connection.execute(_PAIRS)
    connection.execute("CREATE INDEX temp.by_ours ON pair (ours)")
    connection.execute("CREATE INDEX temp.by_theirs ON pair (theirs)")
    connection.execute(_NEW_ROWS)
    ((unknown,),) = connection.execute(_UNKNOWN).fetchall()
    if unknown:
        raise InputError(
            f"it has {unknown} newer reviews of cards that were answered here",
            where=str(collection),
            advice="Export it from Anki and import it here first.",
        )
    notes = connection.execute(_TEXTS).rowcount
    cards = connection.execute(_SCHEDULES, {"days": days}).rowcount
    reviews = connection.execute(
        "INSERT INTO main.revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type)"
        " SELECT id, theirs, -1, ease, ivl, lastIvl, factor, time, type FROM row"
    ).rowcount
    return notes, cards, reviews
