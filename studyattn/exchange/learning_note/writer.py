"""The learning note as one Markdown document, which `reader` reads back. Pure.

Mathematics stays LaTeX and cards keep their Markdown. Whatever the document says in its own words
(dates, where to read on, what to do next) is outside the marks and is made anew every time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.learning_note.content import (
    Drilled,
    Idea,
    LearningNote,
    NoteQuestion,
    Origin,
    Topic,
    learning_note,
    links_of,
)
from studyattn.exchange.learning_note.marks import mark, marked
from studyattn.exchange.learning_note.records import (
    card_mark,
    concept_mark,
    drill_body,
    drill_mark,
    note_mark,
    source_mark,
)
from studyattn.exchange.recognition import MADE_BY, NOTE
from studyattn.memory.state import drill_id
from studyattn.packs.corrections import Correction
from studyattn.packs.errata import installed_errata
from studyattn.store.snapshot import ItemRecord, NoteRecord
from studyattn.text.characters import without_controls
from studyattn.text.counting import count

FORMAT: Final = 1
TITLE: Final = "Learning note"

_CLOZE = re.compile(r"==(?:\d{1,3}\|)?(.+?)==")
_LINK_MARKS = re.compile(r"([\\\[\]<>])")


Shown = Callable[[str], str]
"""From a text to how it is written."""


def write(source: ExportInput) -> Written:
    """Write the learning note of a home. Raises NotFoundError."""
    note = learning_note(source.snapshot, source.selection, installed_errata(source.home))
    return Written(write_note(note), summary_line(note))


def write_note(note: LearningNote) -> str:
    """The whole document. The same note gives the same text."""
    lines = [*_head(note)]
    lines += _ideas("Known", note.known, "Nothing yet.")
    lines += _ideas("Known unknown", note.known_unknown, "Nothing yet.")
    lines += _section("Questions and answers", note.topics, _topic)
    lines += _section("Notes", note.notes, lambda each: note_lines(each, 3))
    lines += _section("Drills", note.drills, lambda each: drill_lines(each, 3))
    lines += _section("Sources", note.origins, lambda each: origin_lines(each, 3))
    lines += _links(note)
    lines += _next_steps(note)
    lines += context_marks(note)
    return re.sub(r"\n{3,}\Z", "\n", "\n".join(lines).rstrip("\n") + "\n")


def day_text(day: date) -> str:
    """`2 November 2026`: read the same everywhere, and the same in every locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def first_line(item: ItemRecord) -> str:
    """Return a card's question on one line, without the marks of its gaps."""
    front = item.card.front if item.card else item.guid
    row = next((row for row in without_controls(front).split("\n") if row.strip()), "")
    return _CLOZE.sub(r"\1", row).strip()


def summary_line(note: LearningNote) -> str:
    """Return the numbers of ideas, questions and drills in a note."""
    return (
        f"{count(len(note.known), 'idea')} known, {len(note.known_unknown)} known unknown, "
        f"{count(len(note.questions), 'question')} with answers, "
        f"{count(note.passed, 'drill')} passed."
    )


def _head(note: LearningNote) -> Iterator[str]:
    yield from ("---", f"title: {TITLE}", f"{MADE_BY}: {NOTE}", f"format: {FORMAT}")
    if note.changed:
        yield f"changed: {note.changed.isoformat()}"
    yield from ("---", "", f"# {TITLE}", "")
    chosen = note.selection
    part = [f"of the concept `{chosen.concept}`"] if chosen.concept else []
    part += [f"of the source `{chosen.source}`"] if chosen.source else []
    part += [f"since {day_text(chosen.since)}"] if chosen.since else []
    what = f" (the part {', '.join(part)})" if part else ""
    when = f", as of {day_text(note.changed)}" if note.changed else ""
    yield f"What I know, what I still need to learn, and my notes{what}{when}:"
    yield summary_line(note)
    yield ""


def _section(title: str, things: Iterable[Any], lines: Any) -> Iterator[str]:
    things = tuple(things)
    if things:
        yield from (f"## {title}", "")
        for each in things:
            yield from lines(each)


# -- ideas -----------------------------------------------------------------------------------------


def _ideas(title: str, ideas: Iterable[Idea], nothing: str) -> Iterator[str]:
    yield from (f"## {title}", "")
    ideas = tuple(ideas)
    for idea in ideas:
        yield from _idea(idea)
    if not ideas:
        yield from (nothing, "")


def _idea(idea: Idea) -> Iterator[str]:
    concept = idea.concept
    body = concept.body if concept.pack is None else ""  # a pack's explanation stays in the pack
    yield from marked([concept_mark(concept, idea.change)], concept.title, body, 3)
    if idea.same_as is not None:
        yield from (f"The same as {inline(idea.same_as.title)}.", "")
    if idea.change is not None:
        reason = inline(idea.change.reason)
        since = f"{concept.state.replace('-', ' ').capitalize()} since {_day(idea.change.at)}"
        yield from (f"{since}: {reason}" if reason else f"{since}.", "")
    if concept.state == "known-unknown" and idea.question is not None:
        yield from (f"The question behind it: {first_line(idea.question)}", "")
    yield from correction_lines(idea.corrections)


def correction_lines(corrections: Iterable[Correction]) -> Iterator[str]:
    """Quotations below what is wrong: the claim with its source, and what is right."""
    for each in corrections:
        for row in without_controls(each.markdown).split("\n"):
            yield f"> {row}".rstrip()
        yield ""


# -- questions, notes, drills, sources: also on the pages of the folder ----------------------------


def _topic(topic: Topic) -> Iterator[str]:
    yield from (f"### {inline(topic.concept.title)}", "")
    for note in topic.notes:
        yield from note_lines(note, 4)
    for question in topic.questions:
        yield from question_lines(question, 4)


def question_lines(question: NoteQuestion, level: int, shown: Shown = str) -> Iterator[str]:
    """Yield a question below a heading of `level`, its answer, and the notes on it."""
    card = question.items[0].card
    if card is None:
        return
    yield from marked(list(map(card_mark, question.items)), card.front, card.back, level, shown)
    if card.answer is not None:
        yield from (f"Answer: {code_span(card.answer)}", "")
    links = links_of(question.items[0])
    if links:
        yield from (f"Read on: {', '.join(link_to(*each) for each in links)}", "")
    yield from correction_lines(question.corrections)
    for note in question.notes:
        yield from note_lines(note, level + 1, shown)


def note_lines(note: NoteRecord, level: int, shown: Shown = str) -> Iterator[str]:
    """Yield a note below a heading of `level`."""
    yield from marked([note_mark(note)], note.title, note.body, level, shown)
    yield from (f"My note of {_day(note.updated_at)}.", "")


def drill_lines(drilled: Drilled, level: int, shown: Shown = str) -> Iterator[str]:
    """Yield a drill below a heading of `level`, its code, and the notes on it."""
    item, attempt = drilled.item, drilled.attempt
    yield from marked([drill_mark(item, attempt)], drill_id(item.guid), drill_body(attempt), level)
    if attempt is not None:
        revealed = ", after looking at the solution" if attempt.revealed else ""
        yield from (f"Passed on {_day(attempt.at)} with {attempt.backend}{revealed}.", "")
    for note in drilled.notes:
        yield from note_lines(note, level + 1, shown)


def origin_lines(origin: Origin, level: int, shown: Shown = str) -> Iterator[str]:
    """Yield a source below a heading of `level`, and the notes on it."""
    source = origin.source
    yield from marked([source_mark(source)], source.title, "", level)
    yield from (f"Imported on {_day(source.imported_at)} from {code_span(source.path)}.", "")
    for note in origin.notes:
        yield from note_lines(note, level + 1, shown)


def context_marks(note: LearningNote) -> list[str]:
    """Return the marks of the concepts that are named and not shown."""
    return [mark(*concept_mark(each, bare=True)) for each in note.context]


def _links(note: LearningNote) -> Iterator[str]:
    links = note.links
    if links:
        yield from ("## Links", "")
        yield from (f"- {link_to(text, address)}" for text, address in links)
        yield ""


def _next_steps(note: LearningNote) -> Iterator[str]:
    yield from ("## Next steps", "")
    for number, idea in enumerate(note.next_steps, start=1):
        asks = f": {first_line(idea.question)}" if idea.question else ""
        yield f"{number}. {inline(idea.concept.title)}{asks}"
    if note.next_steps:
        yield ""
    for idea in note.unseen:
        yield from _idea(idea)
    if not note.next_steps and not note.unseen:
        yield from ("Nothing is open. Import something, or continue on the path.", "")


def link_to(text: str, address: str) -> str:
    """A link in Markdown, whatever its words and its address are."""
    words = _LINK_MARKS.sub(r"\\\1", inline(text)) or inline(address)
    target = inline(address)
    if re.search(r"[\s()<>]", target):
        target = f"<{target.replace('<', '%3C').replace('>', '%3E')}>"
    return f"[{words}]({target})"


def code_span(text: str) -> str:
    """Text in a code span whose marks do not occur in it."""
    text = inline(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text else "nothing"


def inline(text: str) -> str:
    """A text on one line."""
    return " ".join(without_controls(text).split())


def _day(at: datetime) -> str:
    return day_text(at.astimezone(UTC).date())
