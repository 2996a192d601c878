"""The learning note as one Markdown document, which `reading` reads back. Pure.

Mathematics stays LaTeX and cards keep their Markdown. Whatever the document says in its own words
(dates, where to read on, what to do next) is outside the marks and is made anew every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from studyattn.exchange.documents.matching import digest
from studyattn.exchange.learning_note.content import (
    Drilled,
    Idea,
    LearningNote,
    NoteQuestion,
    Origin,
    Topic,
    links_of,
)
from studyattn.exchange.learning_note.marks import fenced, mark, marked
from studyattn.memory.state import drill_id
from studyattn.packs.card_kinds import BASIC
from studyattn.packs.corrections import Correction
from studyattn.store.snapshot import (
    AttemptRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    SourceRecord,
)
from studyattn.text.characters import without_controls
from studyattn.text.counting import count

FORMAT: Final = 1
MADE_BY: Final = "studyattn"
"""The key of front matter under which an exported file says what it is."""
KIND: Final = "learning-note"
"""The value of that key in a learning note."""
TITLE: Final = "Learning note"

_CLOZE = re.compile(r"==(?:\d{1,3}\|)?(.+?)==")
_LINK_MARKS = re.compile(r"([\\\[\]<>])")


def write_note(note: LearningNote) -> str:
    """The whole document. The same note gives the same text."""
    lines = [*_head(note)]
    lines += _ideas("Known", note.known, "Nothing yet.")
    lines += _ideas("Known unknown", note.known_unknown, "Nothing yet.")
    lines += _section("Questions and answers", note.topics, _topic)
    lines += _section("Notes", note.notes, lambda each: _note(each, 3))
    lines += _section("Drills", note.drills, _drill)
    lines += _section("Sources", note.origins, _origin)
    lines += _links(note)
    lines += _next_steps(note)
    lines += [mark("concept", _bare_fields(each)) for each in note.context]
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
    questions = sum(len(topic.questions) for topic in note.topics)
    passed = sum(each.attempt is not None for each in note.drills)
    return (
        f"{count(len(note.known), 'idea')} known, {len(note.known_unknown)} known unknown, "
        f"{count(questions, 'question')} with answers, {count(passed, 'drill')} passed."
    )


def _head(note: LearningNote) -> Iterator[str]:
    yield from ("---", f"title: {TITLE}", f"{MADE_BY}: {KIND}", f"format: {FORMAT}")
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
    yield from marked([("concept", idea_fields(idea))], concept.title, body, 3)
    if idea.same_as is not None:
        yield from (f"The same as {_inline(idea.same_as.title)}.", "")
    if idea.change is not None:
        reason = _inline(idea.change.reason)
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


def idea_fields(idea: Idea) -> Mapping[str, Any]:
    """Return the fields of an idea's mark."""
    change = idea.change
    fields = dict(concept_fields(idea.concept))
    if change is not None:
        fields["change"] = [_at(change.at), change.from_state, change.reason, change.author]
    return fields


def concept_fields(concept: ConceptRecord) -> Mapping[str, Any]:
    """Return the fields of a concept's mark; for a pack's concept those the pack does not know."""
    own = concept.pack is None
    return _without_nothing(
        {
            "slug": concept.slug,
            "state": concept.state,
            "pack": concept.pack,
            "named": None if own else concept.title,
            "source": concept.source,
            "joined": concept.joined_into,
            "position": concept.position,
            "core": concept.core,
            "requires": list(concept.requires) if own else None,
        }
    )


def _bare_fields(concept: ConceptRecord) -> Mapping[str, Any]:
    """Return the fields of the mark of a concept that is only named: no text follows it."""
    needed = ("slug", "state", "pack", "position", "core")
    fields = {key: value for key, value in concept_fields(concept).items() if key in needed}
    return {**fields, "named": concept.title, "bare": True}


# -- questions, notes, drills ----------------------------------------------------------------------


def _topic(topic: Topic) -> Iterator[str]:
    yield from (f"### {_inline(topic.concept.title)}", "")
    for note in topic.notes:
        yield from _note(note, 4)
    for question in topic.questions:
        yield from _question(question)


def _question(question: NoteQuestion) -> Iterator[str]:
    card = question.items[0].card
    if card is None:
        return
    marks = [("card", card_fields(item)) for item in question.items]
    yield from marked(marks, card.front, card.back, 4)
    if card.answer is not None:
        yield from (f"Answer: {code_span(card.answer)}", "")
    links = links_of(question.items[0])
    if links:
        yield from (f"Read on: {', '.join(link_to(*each) for each in links)}", "")
    yield from correction_lines(question.corrections)
    for note in question.notes:
        yield from _note(note, 5)


def card_fields(item: ItemRecord) -> Mapping[str, Any]:
    """Return the fields of a card's mark."""
    card, own = item.card, item.pack is None
    if card is None:
        raise ValueError(f"{item.guid} is a drill and has no card")
    return _without_nothing(
        {
            "guid": item.guid,
            "kind": card.kind if card.kind != BASIC.name else None,
            "concept": item.concept,
            "source": item.source,
            "pack": item.pack,
            "position": item.position,
            "made": _at(item.created_at) if own else None,
            "edited": _at(card.edited_at) if card.edited_at else None,
            "answer": card.answer,
            "extra": dict(card.extra) or None,
            "digest": card.digest if own and card.digest != own_digest(item) else None,
            "siblings": card.sibling_group,
            "suspended": item.suspended,
            "marked": item.marked,
            "retired": item.retired,
            "tags": list(item.tags) or None,
        }
    )


def own_digest(item: ItemRecord) -> str:
    """The digest of an imported card that still says what its source said."""
    links = "\n".join(f"{text} {address}" for text, address in links_of(item))
    return digest(item.card.front, item.card.back, links) if item.card else ""


def _note(note: NoteRecord, level: int) -> Iterator[str]:
    yield from marked([("note", note_fields(note))], note.title, note.body, level)
    yield from (f"My note of {_day(note.updated_at)}.", "")


def note_fields(note: NoteRecord) -> Mapping[str, Any]:
    """Return the fields of a note's mark."""
    return _without_nothing(
        {
            "guid": note.guid,
            "concept": note.concept,
            "source": note.source,
            "item": note.item,
            "made": _at(note.created_at),
            "updated": _at(note.updated_at),
        }
    )


def _drill(drilled: Drilled) -> Iterator[str]:
    attempt = drilled.attempt
    fields = _without_nothing(
        {
            "guid": drilled.item.guid,
            "concept": drilled.item.concept,
            "pack": drilled.item.pack,
            "position": drilled.item.position,
            "attempt": attempt_fields(attempt) if attempt else None,
        }
    )
    code = fenced(attempt.code.removesuffix("\n"), "python") if attempt else ""
    yield from marked([("drill", fields)], drill_id(drilled.item.guid), code, 3)
    if attempt is not None:
        revealed = ", after looking at the solution" if attempt.revealed else ""
        yield from (f"Passed on {_day(attempt.at)} with {attempt.backend}{revealed}.", "")
    for note in drilled.notes:
        yield from _note(note, 4)


def attempt_fields(attempt: AttemptRecord) -> Mapping[str, Any]:
    """Return the fields about the passed attempt in a drill's mark."""
    return _without_nothing(
        {
            "at": _at(attempt.at),
            "offset": attempt.utc_offset,
            "day": attempt.learner_day.isoformat(),
            "backend": attempt.backend,
            "device": attempt.device,
            "hints": attempt.hints,
            "revealed": attempt.revealed,
            "seconds": attempt.seconds,
            "ends": attempt.code.endswith("\n"),
        }
    )


# -- sources, links, next steps --------------------------------------------------------------------


def _origin(origin: Origin) -> Iterator[str]:
    source = origin.source
    yield from marked([("source", source_fields(source))], source.title, "", 3)
    yield from (f"Imported on {_day(source.imported_at)} from {code_span(source.path)}.", "")
    for note in origin.notes:
        yield from _note(note, 4)


def source_fields(source: SourceRecord) -> Mapping[str, Any]:
    """Return the fields of a source's mark; its text is left out."""
    return _without_nothing(
        {
            "guid": source.guid,
            "kind": source.kind,
            "path": source.path,
            "imported": _at(source.imported_at),
        }
    )


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
        yield f"{number}. {_inline(idea.concept.title)}{asks}"
    if note.next_steps:
        yield ""
    for idea in note.unseen:
        yield from _idea(idea)
    if not note.next_steps and not note.unseen:
        yield from ("Nothing is open. Import something, or continue on the path.", "")


def link_to(text: str, address: str) -> str:
    """A link in Markdown, whatever its words and its address are."""
    words = _LINK_MARKS.sub(r"\\\1", _inline(text)) or _inline(address)
    target = _inline(address)
    if re.search(r"[\s()<>]", target):
        target = f"<{target.replace('<', '%3C').replace('>', '%3E')}>"
    return f"[{words}]({target})"


def code_span(text: str) -> str:
    """Text in a code span whose marks do not occur in it."""
    text = _inline(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text else "nothing"


def _inline(text: str) -> str:
    return " ".join(without_controls(text).split())


def _day(at: datetime) -> str:
    return day_text(at.astimezone(UTC).date())


def _at(at: datetime) -> str:
    return at.isoformat()


def _without_nothing(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields that are not None, not false and not an empty list; a zero is kept."""
    return {
        key: value
        for key, value in fields.items()
        if value is not None and value is not False and value != []
    }
