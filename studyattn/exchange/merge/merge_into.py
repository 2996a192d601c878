"""Merge what another database or a file holds into this one, in one transaction.

What the two come to together is decided by `merge`. Memory is worked out anew from the joined
review log by `refold`, which the caller gives: scheduling is not this room's. Only what is new or
different is read, and the log in parts, so that the cost follows the difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, Protocol

from msgspec.structs import replace

from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.not_taken import NotTaken, not_taken_lines
from studyattn.exchange.merge.decided import record_name
from studyattn.exchange.merge.merge import Conflict, MergeResult, merge, same_review
from studyattn.exchange.reviews import review_log
from studyattn.memory import LoggedReview
from studyattn.store.database import Connection, Database
from studyattn.store.queries.difference import different
from studyattn.store.queries.snapshot import (
    add_reviews,
    apply_snapshot,
    load_beside,
    load_reviews,
)
from studyattn.store.snapshot import ReviewRecord, Snapshot, WordingRecord
from studyattn.text.counting import bytes_text, count, listed


class Refold(Protocol):
    """Works out memory from the log."""

    def __call__(
        self,
        connection: Connection,
        guids: Collection[str] | None,
        logs: Mapping[str, Sequence[LoggedReview]] = ...,
    ) -> object:
        """Do so for some items, by guid, or with None for all; whole logs need no reading."""


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
        kept = [each for each in self.media if each.kept]
        others = [each for each in self.media if not each.kept]
        lines = []
        if kept:
            size = bytes_text(sum(each.size or 0 for each in kept))
            kinds = count(len(kept), "picture or sound", "pictures and sounds")
            lines.append(f"{kinds} in the folder media of the home ({size})")
        if others:
            kinds = count(len(others), "picture or sound", "pictures and sounds")
            lines.append(f"{kinds} not imported, because no imported card uses them:")
        for each in others[:_LISTED]:
            size = "not in the package" if each.size is None else bytes_text(each.size)
            lines.append(f"  {each.name}  {size}")
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
    log: Iterable[ReviewRecord] = (),
    fit: Fit = lambda _, theirs: theirs,
) -> MergeReport:
    """Return what `merge_into` would do. Write nothing. Raises InputError."""
    with database.read() as connection:
        ours, united, known, reviews = _unite(connection, theirs, fit)
        new = len(_without(known, reviews)) + sum(map(len, _new_reviews(connection, log)))
        return _report(ours, united, new)


def merge_into(
    database: Database,
    theirs: Snapshot,
    refold: Refold,
    *,
    log: Iterable[ReviewRecord] = (),
    fit: Fit = lambda _, theirs: theirs,
) -> MergeReport:
    """Join `theirs` into the database: all of it, or, when something is wrong with it, nothing.

    `log` are reviews that come besides, so many that they are never held all at once. `fit` says
    what of `theirs` matters beside what is here. Raises InputError.
    """
    with database.write() as connection:
        return _merge(connection, theirs, log, fit, refold)


def merge_database(database: Database, other: Database, refold: Refold) -> MergeReport:
    """Join what another open database holds, as `merge_into` does."""
    with other.read() as there, database.write() as connection:
        theirs, log = different(there, connection)
        return _merge(connection, theirs, log, lambda _, theirs: theirs, refold)


def _merge(
    connection: Connection,
    theirs: Snapshot,
    log: Iterable[ReviewRecord],
    fit: Fit,
    refold: Refold,
) -> MergeReport:
    ours, united, known, reviews = _unite(connection, theirs, fit)
    after = united.snapshot
    if after != ours:
        apply_snapshot(connection, ours, after)
    touched = {each.guid for each in after.items} - {each.guid for each in ours.items}
    touched |= {each.item_guid for each in set(after.starts) - set(ours.starts)}
    new = _without(known, reviews)
    added = 0
    for part in chain([new], _new_reviews(connection, log)):
        add_reviews(connection, part)
        touched |= {each.item_guid for each in part}
        added += len(part)
    if after.settings != ours.settings:
        refold(connection, None)
    elif touched:
        refold(connection, touched, {} if log else _by_item((*known, *new)))
    return _report(ours, united, added)


def _unite(
    connection: Connection, theirs: Snapshot, fit: Fit
) -> tuple[Snapshot, MergeResult, Sequence[ReviewRecord], Sequence[ReviewRecord]]:
    """Return what is here beside `theirs` and both together, each without reviews.

    Then the reviews here, which are the whole logs of the items that theirs are about, and theirs.
    """
    ours = load_beside(connection, theirs)
    fitted = fit(ours, theirs)
    here = ours.reviews
    ours = replace(ours, reviews=())
    united = merge(ours, replace(fitted, reviews=()))
    return ours, united, here, fitted.reviews


def _by_item(reviews: Iterable[ReviewRecord]) -> Mapping[str, Sequence[LoggedReview]]:
    """Return the logs that reviews make up, by item."""
    logs: defaultdict[str, list[LoggedReview]] = defaultdict(list)
    for row in review_log(reviews):
        logs[row.item_guid].append(row)
    return logs


def _without(known: Iterable[ReviewRecord], reviews: Sequence[ReviewRecord]) -> list[ReviewRecord]:
    """Return the reviews that are not known. Raises InputError for one that is another there."""
    there = {each.uuid: each for each in known}
    for each in reviews:
        if each.uuid in there:
            same_review(there[each.uuid], each)
    return [each for each in reviews if each.uuid not in there]


def _new_reviews(
    connection: Connection, log: Iterable[ReviewRecord]
) -> Iterator[list[ReviewRecord]]:
    """Yield the reviews that are not here, a part at a time.

    Raises InputError for one that is another review here.
    """
    rest = iter(log)
    while part := list(islice(rest, _AT_ONCE)):
        yield _without(load_reviews(connection, [each.uuid for each in part]), part)


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
        elif new == old:  # the usual case, and reading names takes time
            added[kind] = changed[kind] = removed[kind] = 0
        else:
            known = {record_name(each): each for each in old}
            there = {record_name(each): each for each in new}
            added[kind] = len(there.keys() - known.keys())
            removed[kind] = len(known.keys() - there.keys())
            changed[kind] = sum(known.get(key, each) != each for key, each in there.items())
    return added, changed, removed
