"""Merge what another database or a file holds into this one, in one transaction.

What the two come to together is decided by `merge`. Memory is worked out anew from the joined
review log by `refold`, which the caller gives: scheduling is not this room's. Only what is new or
different is read, and the log in parts, so that the cost follows the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, Protocol

from msgspec.structs import replace

from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken, not_taken_lines
from studyattn.exchange.merge.decided import by_name
from studyattn.exchange.merge.merge import Conflict, MergeResult, merge, two_reviews
from studyattn.exchange.reviews import starts_of, unknown
from studyattn.grouping import grouped
from studyattn.memory import MemoryStart
from studyattn.store.database import Connection, Database
from studyattn.store.log_values import LogRow, read_uuid
from studyattn.store.queries.difference import different
from studyattn.store.queries.items import FirstMemory
from studyattn.store.queries.review_log import append_rows, stored_named, stored_of
from studyattn.store.queries.snapshot import apply_snapshot, load_beside, log_row
from studyattn.store.snapshot import Snapshot, WordingRecord
from studyattn.text.counting import bytes_text, count, listed


class Refold(Protocol):
    """Works out memory from the log."""

    def __call__(
        self,
        connection: Connection,
        guids: Collection[str] | None,
        new: Mapping[str, Sequence[LogRow]] = ...,
        starts: Mapping[str, MemoryStart] = ...,
    ) -> Mapping[str, FirstMemory]:
        """Write that of some items, by guid, or with None of all; return that of new ones.

        Of these the whole logs are given, and where the memory of some begins.
        """


Fit = Callable[[Snapshot, Snapshot], Snapshot]
"""From what is here and what comes to what of that is to be joined."""


@dataclass(frozen=True, slots=True)
class MergeReport:
    """The numbers of what a merge changed, by kind (sources, concepts, items, reviews, …)."""

    added: Mapping[str, int]
    changed: Mapping[str, int]
    removed: Mapping[str, int]
    """Notes and settings that the learner removed elsewhere."""
    conflicts: tuple[Conflict, ...]
    """Texts that both sides had reworded. The later wording holds; the other is kept."""
    new_cards: tuple[str, ...] = ()
    """Guids of the cards that were added, in the order in which they lay where they come from."""
    media: tuple[Medium, ...] = ()
    """Pictures and sounds of a package; those that cards name are kept in the home."""
    not_taken: tuple[NotTaken, ...] = ()
    """Everything else in a package that has no place here."""
    remarks: tuple[str, ...] = ()
    """What else was not taken, in sentences."""

    def lines(self) -> list[str]:
        """Return the lines that tell a person what was merged."""
        parts = [
            f"{counted} {verb}"
            for verb, counts in (
                ("added", self.added),
                ("changed", self.changed),
                ("removed", self.removed),
            )
            if (counted := listed((number, *_WORDS[kind]) for kind, number in counts.items()))
        ]
        told = ["; ".join(parts) or "nothing new"]
        for each in self.conflicts:
            told.append(f"{each.guid} was reworded on both sides; the later wording is kept:")
            told += [f"  holds: {_short(each.kept)}", f"  kept:  {_short(each.other)}"]
        return [*told, *not_taken_lines(self.not_taken), *self._media_lines(), *self.remarks]

    def _media_lines(self) -> list[str]:
        others = [each for each in self.media if not each.kept]
        lines = []
        if kept := len(self.media) - len(others):
            size = bytes_text(sum(each.size or 0 for each in self.media if each.kept))
            kinds = count(kept, "picture or sound", "pictures and sounds")
            lines.append(f"{kinds} in the folder media of the home ({size})")
        if others:
            kinds = count(len(others), "picture or sound", "pictures and sounds")
            lines.append(f"{kinds} not imported, because no imported card uses them:")
        lines += [f"  {each.name}  {each.size_text}" for each in others[:_LISTED]]
        if len(others) > _LISTED:
            lines.append(f"  … and {len(others) - _LISTED} more")
        return lines

    @property
    def changes_nothing(self) -> bool:
        return not any(any(counts.values()) for counts in (self.added, self.changed, self.removed))


def preview_merge(
    database: Database,
    theirs: Snapshot,
    *,
    log: Iterable[LogRow] = (),
    moved_on: int | None = None,
    fit: Fit = lambda _, theirs: theirs,
) -> MergeReport:
    """Return what `merge_into` would do. Write nothing. Raises InputError."""
    theirs, log = _parted(theirs, log)
    with database.read() as connection:
        ours, united = _unite(connection, theirs, fit)
        _, parts = _new_rows(connection, log, moved_on)
        new = sum(map(len, parts))
        return _report(ours, united, new)


def merge_into(
    database: Database,
    theirs: Snapshot,
    refold: Refold,
    *,
    log: Iterable[LogRow] = (),
    moved_on: int | None = None,
    fit: Fit = lambda _, theirs: theirs,
) -> MergeReport:
    """Join `theirs` into the database: all of it, or, when something is wrong with it, nothing.

    `log` are its reviews. They may be so many that they are never held all at once, unless they may
    be `moved_on`: then the whole logs of their items are compared. `fit` says what of `theirs`
    matters beside what is here. Raises InputError.
    """
    with database.write() as connection:
        ours, united, new = join(connection, theirs, refold, log=log, moved_on=moved_on, fit=fit)
        return _report(ours, united, new)


def merge_database(database: Database, other: Database, refold: Refold) -> MergeReport:
    """Join what another open database holds, as `merge_into` does."""
    with other.read() as there, database.write() as connection:
        theirs, log = different(there, connection)
        return _report(*join(connection, theirs, refold, log=log))


def join(
    connection: Connection,
    theirs: Snapshot,
    refold: Refold,
    *,
    log: Iterable[LogRow] = (),
    moved_on: int | None = None,
    fit: Fit = lambda _, theirs: theirs,
) -> tuple[Snapshot, MergeResult, int]:
    """Join `theirs` and its reviews within a transaction.

    Return what was here beside them, both together, and how many reviews are new.
    """
    theirs, log = _parted(theirs, log)
    ours, united = _unite(connection, theirs, fit)
    after = united.snapshot
    whole, parts = _new_rows(connection, log, moved_on)
    new = {each.guid for each in after.items} - {each.guid for each in ours.items}
    logs = _logs_of(new, whole)
    memory = refold(connection, (), logs, starts_of(after)) if logs else {}
    if after != ours:
        apply_snapshot(connection, ours, after, memory)
    touched = new | {each.item_guid for each in set(after.starts) - set(ours.starts)}
    added = 0
    for part in parts:
        append_rows(connection, part)
        touched.update(each.item_guid for each in part)
        added += len(part)
    if after.settings != ours.settings:
        refold(connection, None)
    elif touched - memory.keys():
        refold(connection, touched - memory.keys())
    return ours, united, added


def _logs_of(guids: Collection[str], rows: Iterable[LogRow]) -> Mapping[str, Sequence[LogRow]]:
    return grouped((row.item_guid, row) for row in rows if row.item_guid in guids)


def _parted(theirs: Snapshot, log: Iterable[LogRow]) -> tuple[Snapshot, Iterable[LogRow]]:
    """Return a snapshot without its reviews, and all reviews as rows."""
    if not theirs.reviews:
        return theirs, log
    return replace(theirs, reviews=()), chain(map(log_row, theirs.reviews), log)


def _unite(connection: Connection, theirs: Snapshot, fit: Fit) -> tuple[Snapshot, MergeResult]:
    """Return what is here beside `theirs`, and both together."""
    ours = load_beside(connection, theirs)
    return ours, merge(ours, fit(ours, theirs))


def _new_rows(
    connection: Connection, log: Iterable[LogRow], moved_on: int | None
) -> tuple[Iterable[LogRow], Iterable[Sequence[LogRow]]]:
    """Return the whole logs of the log's items, if they are compared, and what is new, in parts."""
    if moved_on is None:
        return (), _parts(connection, log)
    held = list(log)
    known = stored_of(connection, {each.item_guid for each in held})
    if not known:
        return held, (held,)
    here, there = {each.uuid for each in known}, {each.uuid for each in held}
    new = unknown(
        (each for each in held if each.uuid not in here),
        (each for each in known if each.uuid not in there),
        lambda row: ((row.item_guid, row.rating), round(row.at / 1000)),
        range(-moved_on, 2),  # a millisecond of ours may have been rounded up or down
    )
    return [*known, *new], (new,)


def _parts(connection: Connection, log: Iterable[LogRow]) -> Iterator[list[LogRow]]:
    """Yield the reviews that are not here, a part at a time.

    Raises InputError for one that is another review here.
    """
    rest = iter(log)
    while part := list(islice(rest, _AT_ONCE)):
        there = {each.uuid: each for each in stored_named(connection, (e.uuid for e in part))}
        for each in part:
            if each[:-1] != there.get(each.uuid, each)[:-1]:  # its origin may be another
                raise two_reviews(read_uuid(each.uuid))
        yield [each for each in part if each.uuid not in there]


def _short(wording: WordingRecord) -> str:
    text = " ".join(f"{wording.title} – {wording.body}".split())
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


_AT_ONCE: Final = 5000  # reviews
_SHORT: Final = 100  # characters of a wording in a message
_LISTED: Final = 20  # media in a message
_WORDS: Final = {
    "sources": ("source", "sources"),
    "concepts": ("concept", "concepts"),
    "changes": ("change of a state", "changes of states"),
    "items": ("item", "items"),
    "notes": ("note", "notes"),
    "wordings": ("earlier wording", "earlier wordings"),
    "reviews": ("review", "reviews"),
    "starts": ("initial memory state", "initial memory states"),
    "attempts": ("attempt", "attempts"),
    "steps": ("step of practice", "steps of practice"),
    "brought_back": ("card brought back", "cards brought back"),
    "settings": ("setting", "settings"),
    "decisions": ("decision", "decisions"),
}
_NAMELESS: Final = frozenset({"changes", "wordings", "steps"})
"""Lists whose records cannot change."""


def _report(ours: Snapshot, united: MergeResult, reviews: int) -> MergeReport:
    """Return what merging changes in `ours`, to whose log so many reviews are added."""
    known = {item.guid for item in ours.items}
    new = (item for item in united.snapshot.items if item.card and item.guid not in known)
    added, changed, removed = _counts(ours, united.snapshot)
    return MergeReport(
        {**added, "reviews": reviews},
        changed,
        removed,
        united.conflicts,
        new_cards=tuple(
            item.guid for item in sorted(new, key=lambda item: (item.position, item.guid))
        ),
    )


def _counts(
    before: Snapshot, after: Snapshot
) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Return how many of each kind are new, how many are different, and how many are gone."""
    added: dict[str, int] = {}
    changed: dict[str, int] = {}
    removed: dict[str, int] = {}
    for kind in _WORDS:  # what came from Anki as it was there is no one's to count
        old, new = getattr(before, kind), getattr(after, kind)
        if kind in _NAMELESS:
            added[kind] = len(new) - len(old)
        elif not old or new == old:  # the usual cases, and reading names takes time
            added[kind], changed[kind], removed[kind] = len(new) - len(old), 0, 0
        else:
            known, there = by_name(old), by_name(new)
            added[kind] = len(there.keys() - known.keys())
            removed[kind] = len(known.keys() - there.keys())
            changed[kind] = sum(known.get(key, each) != each for key, each in there.items())
    return added, changed, removed
