"""Find what a package has that a database has not: cards, reviews, changed labels. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from studyattn.exchange.anki.reader import Labels
from studyattn.store.snapshot import (
    DecisionRecord,
    ItemRecord,
    MemoryStartRecord,
    RatingName,
    ReviewRecord,
    Snapshot,
)
from studyattn.store.tags import FLAGS

_MOVED_ON: Final = 60_000  # milliseconds
_REPLICA: Final = "anki"  # where a decision was made


def without_known(labels: Mapping[str, Labels], ours: Snapshot, theirs: Snapshot) -> Snapshot:
    """Return what is new in a package: known items keep their text, reviews come in once.

    Tags, flags and marks of known items are decisions of the time at which Anki changed them.
    """
    names = _earlier_names(ours, theirs)
    theirs, labels = _renamed(theirs, names), {names.get(g, g): e for g, e in labels.items()}
    guids = {each.guid for each in ours.items}
    sources = {each.guid for each in ours.sources}
    slugs = {each.slug for each in ours.concepts}
    items = tuple(each for each in theirs.items if each.guid not in guids)
    named = {each.concept for each in items}
    origins = {each.source for each in items}
    return replace(
        theirs,
        items=items,
        concepts=tuple(e for e in theirs.concepts if e.slug in named and e.slug not in slugs),
        sources=tuple(e for e in theirs.sources if e.guid in origins and e.guid not in sources),
        reviews=tuple(_unknown_reviews(ours.reviews, theirs.reviews)),
        starts=tuple(_unknown_starts(ours.starts, theirs.starts)),
        decisions=tuple(_changed_labels(labels, ours.items)),
    )


def _earlier_names(ours: Snapshot, theirs: Snapshot) -> dict[str, str]:
    """Return by what names we know their cards that came when names began with the package's."""
    sources = {each.guid for each in ours.sources if each.kind == "anki"}
    packages: dict[str, str] = {}
    for each in ours.items:
        package, _, card = each.guid.partition(":")
        if card and package in sources and each.source == package:
            packages.setdefault(card.partition(":")[0], package)
    if not packages:
        return {}
    known = {each.guid for each in ours.items}
    names: dict[str, str] = {}
    for each in theirs.items:
        _, _, card = each.guid.partition(":")
        package = packages.get(card.partition(":")[0], "")
        if package and each.guid not in known:
            names[each.guid] = f"{package}:{card}"
    return names


def _renamed(theirs: Snapshot, names: Mapping[str, str]) -> Snapshot:
    """Return a package in which the cards of notes that we know are called as we call them."""
    if not names:
        return theirs

    def renamed(item: ItemRecord) -> ItemRecord:
        name = names.get(item.guid)
        if name is None or item.card is None:
            return item
        siblings = ":".join(name.split(":")[:2])
        return replace(item, guid=name, card=replace(item.card, sibling_group=siblings))

    return replace(
        theirs,
        items=tuple(map(renamed, theirs.items)),
        reviews=tuple(
            replace(e, item_guid=names.get(e.item_guid, e.item_guid)) for e in theirs.reviews
        ),
        starts=tuple(
            replace(e, item_guid=names.get(e.item_guid, e.item_guid)) for e in theirs.starts
        ),
    )


def _changed_labels(
    labels: Mapping[str, Labels], ours: Iterable[ItemRecord]
) -> Iterator[DecisionRecord]:
    """Yield decisions on the items whose labels are others in Anki than ours are there.

    There a note has the tags and the mark of all its cards, and a card one flag.
    """
    known = [each for each in ours if each.guid in labels]
    notes: defaultdict[str, list[ItemRecord]] = defaultdict(list)
    for item in known:
        notes[_note(item)].append(item)
    for item in known:
        theirs, siblings = labels[item.guid], notes[_note(item)]
        flags = [tag for tag in item.tags if tag in FLAGS]
        words = [tag for tag in item.tags if tag not in FLAGS]
        changed: list[datetime] = []
        if {tag for each in siblings for tag in each.tags} - {*FLAGS} != {*theirs.words}:
            words = [*theirs.words]
            changed.append(theirs.note_changed)
        if tuple(flags[:1]) != theirs.flag:
            flags = [*theirs.flag]
            changed.append(theirs.card_changed)
        if changed:
            value = [*words, *flags]
            yield DecisionRecord("item", item.guid, "tags", value, max(changed), _REPLICA)
        if theirs.marked != any(each.marked for each in siblings):
            yield DecisionRecord(
                "item", item.guid, "marked", theirs.marked, theirs.note_changed, _REPLICA
            )


def _note(item: ItemRecord) -> str:
    """Return the name of the note that an item is a card of."""
    return (item.card and item.card.sibling_group) or item.guid


def _unknown_reviews(
    ours: Sequence[ReviewRecord], theirs: Iterable[ReviewRecord]
) -> Iterator[ReviewRecord]:
    """Those of theirs that ours do not have.

    Anki numbers reviews by their millisecond, so of several in one it moves some on: the same
    review may come back a little later than it was.
    """
    if not ours:
        yield from theirs
        return
    known: defaultdict[tuple[str, RatingName | None], list[int]] = defaultdict(list)
    for review in sorted(ours, key=lambda each: each.at):
        known[review.item_guid, review.rating].append(_ms(review.at))
    for review in theirs:
        times = known[review.item_guid, review.rating]
        same = next((at for at in times if 0 <= _ms(review.at) - at <= _MOVED_ON), None)
        if same is None:
            yield review
        else:
            times.remove(same)


def _unknown_starts(
    ours: Iterable[MemoryStartRecord], theirs: Iterable[MemoryStartRecord]
) -> Iterator[MemoryStartRecord]:
    """Those of theirs that ours do not have; like reviews, they may come back a little later."""
    known = {each.item_guid: each for each in ours}
    for start in theirs:
        mine = known.get(start.item_guid)
        same = mine is not None and (mine.interval, mine.ease) == (start.interval, start.ease)
        if mine is None or not same or not 0 <= _ms(start.at) - _ms(mine.at) <= _MOVED_ON:
            yield start


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)
