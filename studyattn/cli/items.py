"""`due`, `items`, `answer`, `undo`: the daily review without the app; `add`: cards of one's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, Rows, Shown, local, say, title
from studyattn.memory.state import Rating
from studyattn.study import notes, review
from studyattn.study.clock import parse_moment
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


def add(
    profile: Profile,
    *,
    question: str,
    answer: str | None,
    concept: str | None,
    tags: tuple[str, ...],
    cloze: bool,
) -> Answer:
    cards = notes.own_cards
    if question != "-":
        texts = [cards.CardText(question, answer or "")]
    elif answer is not None:
        raise click.UsageError("Include the answer in standard input")
    else:
        try:
            texts = cards.read_card_texts(sys.stdin.read(), only_cloze=cloze)
        except UnicodeDecodeError:
            raise click.UsageError("Standard input is not UTF-8 text") from None
    slug = concept or cards.suggested_concept(profile, cards.SelectedPassage())
    made = cards.make_cards(profile, texts, concept=slug, tags=tags, only_cloze=cloze)
    return Answer({"concept": made.concept, "cards": made.guids}, made.guids)


def due(profile: Profile, at: str | None, only_count: bool) -> Answer:
    if only_count:
        number = review.due_count.count_due(profile)
        return Answer(number, str(number))
    moment = None if at is None else parse_moment(at, profile.clock)
    day = review.queue.read_day(profile, moment)
    if at is None:
        for problem in review.redate.told_ahead(profile):
            say(f"studyattn: {problem}", err=True)
    value = [
        {
            "guid": item.guid,
            "kind": item.kind,
            "concept": item.concept_slug,
            "phase": item.phase,
            "due": item.due,
            "title": item.title,
            "brought_back": item.brought_back or None,
            "step": item.step or None,
        }
        for item in day.items
    ]

    def shown() -> Iterator[Shown]:
        rows = [
            (item.guid, "back" if item.brought_back else item.phase, item.title_with_step)
            for item in day.items
        ]
        yield Rows(rows, title)
        yield dict.fromkeys(item.brought_back for item in day.items if item.brought_back)
        if day.long_drill:
            yield f"{day.long_drill.capitalize()}."
        if not day.items:
            yield "Nothing is due."
        if day.later:
            first = local(day.later[0][0])
            yield f"Later today: {count(len(day.later), 'item')}, the first at {first}."

    return Answer(value, shown())


def items(profile: Profile, retired: bool, most: int | None) -> Answer:
    found = review.browse.items(profile, most, retired=retired)
    rows = (
        (
            row.guid,
            "suspended" if row.suspended else row.phase,
            "" if row.stability is None else f"{row.stability:.1f} d",
            local(row.due),
            row.title,
        )
        for row in found
    )
    return Answer(found, Rows(rows, title))


def answer(profile: Profile, guid: str, rating: str, at: str | None, file: Path | None) -> Answer:
    if file is not None:
        return _answer_many(profile, file)
    parsed = Rating.parse(rating)
    moment = None if at is None else parse_moment(at, profile.clock)
    answered = review.batch.answer(profile, guid, parsed, moment)
    after = answered.after
    next_due = "" if after.phase == "new" else f", next on {local(getattr(after, 'due', None))}"
    shown = [f"{guid}: {parsed.name.lower()}{next_due}."]
    if answered.replayed:
        shown.append("It is earlier than the item's last review, so the history was replayed.")
    if answered.review.at > profile.clock.now():
        shown.append("Its date is in the future.")
    value = {
        "review": answered.review.uuid,
        "guid": guid,
        "rating": parsed,
        "at": answered.review.at,
        "memory": after,
        "leech": answered.leech,
        "replayed": answered.replayed,
    }
    return Answer(value, shown)


def _answer_many(profile: Profile, file: Path) -> Answer:
    # Late: one answer does without them.
    from studyattn.exchange.learning_note.autosave import autosave_note
    from studyattn.study.after_session import after_session

    result = review.batch.answer_many(profile, file)
    unwritten = after_session(profile, autosave_note)
    if unwritten is not None:
        say(f"studyattn: {unwritten}", err=True)
    shown = [f"{count(result.answered, 'review')} of {count(result.items, 'item')}."]
    if result.already:
        were = "was" if result.already == 1 else "were"
        shown.append(f"{result.already} {were} already in the log.")
    if result.replayed:
        later = f"{count(result.replayed, 'item')} had later reviews"
        shown.append(f"{later}: memory states were recomputed.")
    return Answer(result, shown)


def undo(profile: Profile) -> Answer:
    withdrawn = review.recorder.undo(profile)
    if withdrawn is None:
        return Answer(None, "No review to undo.", failed=True)
    undone = withdrawn.review
    rating = "" if undone.rating is None else undone.rating.name.lower()
    value = {
        "review": undone.uuid,
        "guid": undone.item_guid,
        "rating": undone.rating,
        "at": undone.at,
        "memory": withdrawn.after,
    }
    return Answer(value, f"{undone.item_guid}: {rating} of {local(undone.at)} withdrawn.")
