"""Databases of one learner that meet in a folder, which any file sync or git carries.

Each database appends to a file of its own and only reads the others', so no two machines ever write
one file. A file is JSON Lines: the head and the records of the exchange format, where a later line
about a thing replaces an earlier one. What it needs of others' records it has itself, so files may
arrive late, twice, or in part: a last line without its end is left for the next time, and what was
read before is known by its position. Everything is taken in as a merge is.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from msgspec import structs

from studyattn.errors import InputError, StoreError
from studyattn.exchange.json_lines import (
    HEAD,
    LOGGED,
    read_lines,
    records,
    write_line,
)
from studyattn.exchange.merge.decided import record_name
from studyattn.exchange.merge.merge_into import Refold, join
from studyattn.store.database import Connection, Database
from studyattn.store.media import carry_all_media
from studyattn.store.queries import sync as queries
from studyattn.store.queries.decisions import rename_replica, replica_of
from studyattn.store.queries.sync import OwnFile, ReadUpTo
from studyattn.store.snapshot import Record, ReviewRecord, Snapshot
from studyattn.text.counting import count
from studyattn.text.media import PREFIX

SUFFIX: Final = ".jsonl"
_AT_ONCE: Final = 16 * 1024 * 1024  # bytes of one file taken in by one transaction
_PASSED: Final = ("reviews", "attempts", "steps")  # logs that are not written again by those who
# took them in; everything else is, so that a file has all that its lines name
_TAIL: Final = 4096  # bytes before a position by which a file is recognised


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of one sync: counts of what it wrote and what it read."""

    folder: Path
    file: str
    """The name of this database's own file."""
    written: int
    """Lines that were added to it."""
    taken: int
    """Lines of others' files that were read."""
    changed: bool
    """Something here is different now."""
    problems: tuple[str, ...] = ()
    """Files that could not be read to their end; they are tried again the next time."""

    def lines(self) -> list[str]:
        """Return the lines that tell a person about it."""
        done = f"{count(self.written, 'line')} written, {count(self.taken, 'line')} read"
        return [f"{done}{'' if self.changed else '; nothing new here'}.", *self.problems]


def sync(database: Database, folder: Path, refold: Refold) -> SyncReport:
    """Write what is new here to the own file in `folder`, and take in what is new in the others'.

    Each is one transaction: a process that is killed leaves all or nothing of it. Raises InputError
    for a database on a server and for what is no folder, StoreError when it cannot be written.
    """
    _check(database, folder)
    folder = folder.resolve()
    try:
        own, written = _write(database, folder)
        taken, changed, problems = 0, False, []
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            if path.name == own.name:
                continue
            try:
                for lines, different in _take_in(database, folder, path, refold):
                    taken += lines
                    changed |= different
            except InputError as error:
                problems.append(str(error))
            except OSError as error:
                problems.append(f"{path}: it cannot be read ({error.strerror})")
        # Names say the content, so pictures and sounds can be copied both ways.
        carry_all_media(database.home.media, folder / PREFIX)
        carry_all_media(folder / PREFIX, database.home.media)
    except OSError as error:
        raise StoreError(
            f"the folder cannot be used ({error.strerror})",
            where=str(error.filename or folder),
            advice="No data is lost; the next sync retries.",
        ) from error
    return SyncReport(folder, own.name, written, taken, changed, tuple(problems))


def _check(database: Database, folder: Path) -> None:
    """Refuse what cannot be synced."""
    if database.home.server is not None:
        raise InputError(
            "a database on a server needs no sync",
            advice="All machines use it directly.",
        )
    if not folder.is_dir():
        what = "this is a file, not a folder" if folder.exists() else "there is no folder"
        raise InputError(what, where=str(folder), advice="Create it, or check its name.")


# -- the own file ----------------------------------------------------------------------------------


def _write(database: Database, folder: Path) -> tuple[OwnFile, int]:
    """Append what is not in the own file yet. Return the file and how many lines that were.

    The lines reach the disk before the transaction that remembers them. When a process dies in
    between they are written again, which changes nothing for those who read them.
    """
    with database.write() as connection:
        machine = f"{platform.node()}:{database.home.root.resolve()}"
        own = _open_own(connection, folder, machine)
        known = queries.written_digests(connection, str(folder))
        marks = queries.last_rows(connection)
        present = queries.load_unwritten(connection, own.marks)
        log = queries.unwritten_reviews(connection, own.marks)
        new = _Unwritten(known)
        path = folder / own.name
        written = _append(path, new.lines(present, log))
        own = replace(own, marks=marks, size=path.stat().st_size, tail="")
        own = replace(own, tail=_tail(path, own.size))
        queries.remember_own_file(connection, str(folder), own)
        queries.remember_written(connection, str(folder), new.digests, known.keys())
    return own, written


def _open_own(connection: Connection, folder: Path, machine: str) -> OwnFile:
    """Return the own file: the one there is, if it is as this machine left it, or a new one.

    A copied home, or a folder that was put back to an earlier state, begins a new file, so no two
    databases write one.
    """
    own = queries.own_file(connection, str(folder))
    if own is not None:
        path = folder / own.name
        if own.machine == machine and _begins_as(path, own.size, own.tail):
            _cut_torn_line(path)
            return own
        rename_replica(connection)
    queries.forget_written(connection, str(folder))
    return OwnFile(f"{replica_of(connection)}{SUFFIX}", machine, 0, "", {})


class _Unwritten:
    """Finds what is not in the own file yet."""

    def __init__(self, known: dict[str, str]) -> None:
        """Take the digests of the records in the file; those that are gone are left of them."""
        self._known = known
        self.digests: dict[str, str] = {}
        """Of the records whose lines are new."""

    def lines(self, present: Snapshot, log: Iterable[ReviewRecord]) -> Iterator[str]:
        """Yield the lines to write; `log` are the reviews, so many that they are never held.

        Settings travel as decisions. A note that was put back, and a card whose wording was taken
        back, are written again for those who have it not.
        """
        taken_back = {
            f"{each.kind} {each.name}": f"decision {record_name(each)}"
            for each in present.decisions
            if each.field in {"removed", "reworded"} and not each.value
        }
        again: dict[str, str] = {}
        for record in records(structs.replace(present, settings=()), log):
            line = write_line(record)
            if isinstance(record, LOGGED):
                yield line
                continue
            name = _full_name(record)
            digest = hashlib.blake2b(line.encode(), digest_size=8).hexdigest()
            if self._known.pop(name, None) != digest:
                self.digests[name] = digest
                yield line
            elif name in taken_back:
                again[taken_back[name]] = line
        for decision, line in again.items():
            if decision in self.digests:
                yield line


def _full_name(record: Record) -> str:
    return f"{record.__struct_config__.tag} {record_name(record)}"


def _append(path: Path, lines: Iterator[str]) -> int:
    """Add lines to a file, which begins with the head, and wait until they are on the disk.

    Return their number. A file that there is stays untouched when there are none.
    """
    first = next(lines, None)
    if first is None and path.exists():
        return 0
    written = 0
    with path.open("ab") as file:
        if file.tell() == 0:
            file.write(f"{HEAD}\n".encode())
        for line in chain(() if first is None else (first,), lines):
            file.write(f"{line}\n".encode())
            written += 1
        file.flush()
        os.fsync(file.fileno())
    return written


def _cut_torn_line(path: Path) -> None:
    """Cut the last line of the own file when a process died while it wrote it.

    Nobody has read it: others read whole lines only.
    """
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - _TAIL)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                file.truncate(start + found + 1)
                return
            end = start
        file.truncate(0)


# -- the others' files -----------------------------------------------------------------------------


def _take_in(
    database: Database, folder: Path, path: Path, refold: Refold
) -> Iterator[tuple[int, bool]]:
    """Take in the whole lines of a file that are new; yield lines and whether they changed any.

    Raises InputError for a line that does not fit; what came before it has been taken in.
    """
    more = True
    while more:
        with database.write() as connection:
            upto = queries.read_up_to(connection, str(folder)).get(path.name, ReadUpTo(0, ""))
            if not _begins_as(path, upto.offset, upto.tail):
                upto = ReadUpTo(0, "")  # another version of the file: all of it again
            raw = _whole_lines(path, upto.offset)
            if not raw:
                return
            end = upto.offset + len(raw)
            theirs = read_lines(
                _with_head(raw.splitlines(keepends=True), upto.offset),
                str(path) if upto.offset == 0 else f"{path} from byte {upto.offset}",
                repeated=True,
            )
            changed = _merge(connection, folder, theirs, refold)
            queries.remember_read(
                connection, str(folder), path.name, ReadUpTo(end, _tail(path, end))
            )
        more = len(raw) >= _AT_ONCE
        yield raw.count(b"\n"), changed


def _with_head(lines: list[bytes], offset: int) -> list[bytes]:
    """Begin with a head, as a file does; beyond its first line a file has none."""
    return lines if offset == 0 else [f"{HEAD}\n".encode(), *lines]


def _merge(connection: Connection, folder: Path, theirs: Snapshot, refold: Refold) -> bool:
    """Merge records into the database. Return whether that changed anything."""
    before = queries.last_rows(connection)
    own = queries.own_file(connection, str(folder))
    ours, result, reviews = join(connection, theirs, refold)
    united = result.snapshot
    if united == ours and not reviews:
        return False
    known = {_full_name(each): each for each in records(ours) if not isinstance(each, LOGGED)}
    # What was changed from outside is written again, even when it is changed back before that.
    queries.forget_records(
        connection,
        [name for each in records(united) if known.get(name := _full_name(each), each) != each],
    )
    if own is not None:
        # What came from the folder is in it. Rows of our own that are not yet are written first.
        now = queries.last_rows(connection)
        passed = {log: now[log] for log in _PASSED if own.marks.get(log) == before[log]}
        own = replace(own, marks={**own.marks, **passed})
        queries.remember_own_file(connection, str(folder), own)
    return True


def _whole_lines(path: Path, offset: int) -> bytes:
    """Read whole lines from a position, a limited number of bytes but at least one line."""
    with path.open("rb") as file:
        file.seek(offset)
        raw = file.read(_AT_ONCE)
        while raw and b"\n" not in raw and (more := file.read(_AT_ONCE)):
            raw += more
    return raw[: raw.rfind(b"\n") + 1]


def _begins_as(path: Path, size: int, tail: str) -> bool:
    """Return whether a file has its first `size` bytes as they were."""
    try:
        return size == 0 or (path.stat().st_size >= size and _tail(path, size) == tail)
    except FileNotFoundError:
        return False


def _tail(path: Path, end: int) -> str:
    """Return a digest of the bytes before a position."""
    with path.open("rb") as file:
        start = max(0, end - _TAIL)
        file.seek(start)
        return hashlib.blake2b(file.read(end - start), digest_size=8).hexdigest()
