"""Collect the cards for a card file from the learning note, each gap text once. Pure.

A file has no place for kinds of cards, so each card is a question with an answer, or a text with
gaps. Two cards that ask the same both ways become one that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from studyattn.exchange.anki.history import walk
from studyattn.exchange.format import ExportInput
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.memories import LearnedBefore
from studyattn.exchange.reviews import logs_of, starts_of
from studyattn.memory import Phase, Remembered, learner_day
from studyattn.packs.card_kinds import kind_named
from studyattn.store.snapshot import ItemRecord
from studyattn.text import cloze
from studyattn.text.cloze import deletions
from studyattn.text.markdown import GAP

_ASKED = re.compile(r"==\[((?:(?!\]==).)*)\]==")
_EASE = 2500.0  # what SM-2 begins with, for a card that has none
_SMALLEST_EASE = 1300.0  # a smaller one is a difficulty of FSRS


@dataclass(frozen=True, slots=True)
class FileCard:
    """One entry of a file: a question with its answer, or a text with gaps."""

    guid: str
    deck: str
    """The title of its concept."""
    tags: tuple[str, ...]
    front: str
    """The question; of a text with gaps the text, with our marks `==1|gap::hint==`."""
    back: str
    """The answer; of a text with gaps what follows it."""
    gaps: bool = False
    both_ways: bool = False
    learned: tuple[LearnedBefore | None, ...] = ()
    """The memory of each card that the entry makes, in order."""

    @property
    def cards(self) -> int:
        """Return the number of cards that the entry makes."""
        if self.gaps:
            return len({each.group for each in deletions(self.front)})
        return 2 if self.both_ways else 1


@dataclass(frozen=True, slots=True)
class _Gap:
    """A gap of a text, by its place in the text as it reads with all gaps shown."""

    start: int
    text: str
    hint: str
    learned: LearnedBefore | None = None


def file_cards(source: ExportInput) -> tuple[tuple[FileCard, ...], int]:
    """Return the entries of a file, concept by concept, and how many cards no file can hold.

    They are those that the learning note shows; cards with fresh numbers and explanations are left
    out. Raises NotFoundError for a selection of something that there is not.
    """
    note = learning_note(source.snapshot, source.selection)
    learned = _memories(source)
    entries: list[FileCard] = []
    left_out = 0
    for topic in note.topics:
        for question in topic.questions:
            entries += _entries(question.items, topic.concept.title, learned)
            left_out += sum(not _has_two_sides(each) for each in question.items)
    return tuple(_joined(entries)), left_out


def _entries(
    items: Sequence[ItemRecord], deck: str, learned: dict[str, LearnedBefore]
) -> Iterator[FileCard]:
    first = items[0]
    card = first.card
    if card is None or not _has_two_sides(first):
        return
    memories = tuple(learned.get(each.guid) for each in items)
    entry = FileCard(first.guid, deck, first.tags, card.front, card.back, learned=memories)
    if kind_named(card.kind).gaps:
        within = bool(deletions(card.back))
        text = f"{card.front}\n\n{card.back}" if within else card.front
        yield replace(entry, front=text, back="" if within else card.back, gaps=True)
        return
    if card.answer is not None:
        entry = replace(entry, back=f"{card.answer}\n\n{card.back}".strip())
    yield entry


def _has_two_sides(item: ItemRecord) -> bool:
    return item.card is not None and item.card.kind in {"basic", "typed", "numeric", "cloze", "bug"}


def _joined(entries: Sequence[FileCard]) -> Iterator[FileCard]:
    """Yield the entries; gaps of one text, and a question and its reverse, are one."""
    at = 0
    while at < len(entries):
        entry = entries[at]
        after = entries[at + 1] if at + 1 < len(entries) else None
        text, gaps, below = _gap_of(entry)
        if gaps:
            at += 1
            while at < len(entries) and (more := _gap_of(entries[at]))[1]:
                if (more[0], more[2], entries[at].deck) != (text, below, entry.deck):
                    break
                gaps += more[1]
                at += 1
            yield _with_gaps(entry, text, gaps, below)
        elif after and _is_reverse(entry, after):
            yield replace(entry, both_ways=True, learned=(*entry.learned, *after.learned))
            at += 2
        else:
            yield entry
            at += 1


def _is_reverse(entry: FileCard, after: FileCard) -> bool:
    sides = (after.back, after.front, after.deck)
    return not entry.gaps and not after.gaps and (entry.front, entry.back, entry.deck) == sides


def _gap_of(entry: FileCard) -> tuple[str, list[_Gap], str]:
    """Return the text, the gap and what follows of a card that was made of one gap of a text.

    There is no gap where the answer is more than the question with its gaps filled.
    """
    asked = _ASKED.findall(entry.front)
    found = deletions(entry.back)
    if entry.gaps or not len(asked) == len(found) == 1:
        return "", [], ""
    plain_front = _ASKED.sub(f"=={GAP}==", entry.front)
    with_gap = cloze.front(entry.back, 1)
    rest = with_gap.removeprefix(plain_front)
    if rest == with_gap or not f"{rest}\n\n".startswith("\n\n"):
        return "", [], ""
    (hint,), (only,) = asked, found
    plain = cloze.replaced(entry.back.removesuffix(rest), lambda each: each.text)
    gap = _Gap(only.start, only.text, hint if hint != "…" else "", *entry.learned[:1])
    return plain, [gap], rest.strip()


def _with_gaps(entry: FileCard, text: str, gaps: Sequence[_Gap], below: str) -> FileCard:
    """Return one entry for all gaps of a text, numbered in the order of the text."""
    parts, position = [], 0
    ordered = sorted(gaps, key=lambda each: each.start)
    kept = [each for at, each in enumerate(ordered) if at == 0 or _follows(ordered[at - 1], each)]
    for number, each in enumerate(kept, start=1):
        hint = f"::{each.hint}" if each.hint else ""
        parts += [text[position : each.start], f"=={number}|{each.text}{hint}=="]
        position = each.start + len(each.text)
    front = "".join(parts) + text[position:]
    learned = tuple(each.learned for each in kept)
    return replace(entry, front=front, back=below, gaps=True, learned=learned)


def _follows(before: _Gap, gap: _Gap) -> bool:
    return gap.start >= before.start + len(before.text)


def _memories(source: ExportInput) -> dict[str, LearnedBefore]:
    """Return when each card is due that is asked after days, and by what interval and ease."""
    logs, starts = logs_of(source.snapshot), starts_of(source.snapshot)
    all_logs = {each.guid: logs.get(each.guid, []) for each in source.snapshot.items}
    found: dict[str, LearnedBefore] = {}
    rollover = source.scheduler.settings.rollover_hour
    for (guid, log), (_, state) in zip(
        all_logs.items(), walk(all_logs, source.scheduler, starts), strict=True
    ):
        if not isinstance(state, Remembered) or state.phase is not Phase.REVIEW:
            continue
        start = starts.get(guid)
        offset = log[-1].utc_offset if log else start.utc_offset if start else 0
        due = learner_day(state.due, offset, rollover)
        ease = start.ease if start and start.ease and start.ease >= _SMALLEST_EASE else _EASE
        found[guid] = LearnedBefore(due, max(1, (due - state.last_day).days), ease)
    return found
