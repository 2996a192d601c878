"""The learning note as a folder of linked files, as Obsidian keeps them. Pure: names and texts.

One file a concept, with front matter and `[[links]]` to what it requires and is joined with, and an
index. Names are slugs, so a link is the name of a file everywhere. Cards and notes are marked, so
that `folder_reader` can read back what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import yaml

from studyattn.exchange.documents.matching import slug_of
from studyattn.exchange.format import Selection
from studyattn.exchange.learning_note.content import (
    Idea,
    LearningNote,
    NoteQuestion,
    learning_note,
    links_of,
)
from studyattn.exchange.learning_note.marks import (
    below,
    fenced,
    lowered_below,
)
from studyattn.exchange.learning_note.pages import ANSWER, END, REST, mark, rest_sum
from studyattn.exchange.learning_note.writer import (
    MADE_BY,
    TITLE,
    code_span,
    correction_lines,
    day_text,
    first_line,
    link_to,
    summary_line,
)
from studyattn.memory.state import drill_id
from studyattn.packs.model import Erratum
from studyattn.store.snapshot import ConceptRecord, NoteRecord, Snapshot
from studyattn.text.characters import without_controls
from studyattn.text.cloze import ungrouped
from studyattn.text.links import Names, Target, renamed

INDEX = "Learning note.md"
KIND = "page"
"""The value of `MADE_BY` in each file's front matter."""
_Linked = Callable[[str], str]


def write_folder(
    snapshot: Snapshot, selection: Selection | None = None, errata: Iterable[Erratum] = ()
) -> Mapping[str, str]:
    """The files by their names. The same snapshot gives the same files. Raises NotFoundError."""
    note = learning_note(snapshot, selection, errata)
    ideas = (*note.known, *note.known_unknown, *note.unseen)
    concepts = {idea.concept.slug: idea for idea in ideas}
    for topic in note.topics:
        slug = topic.concept.slug
        concepts.setdefault(slug, Idea(topic.concept, None, None, None))
    names = Names(Target(slug, idea.concept.title) for slug, idea in concepts.items())

    def linked(markdown: str) -> str:
        """A text as Obsidian reads it: links by the names of files, gaps as marks."""
        return renamed(ungrouped(markdown), lambda name: _file_of(names.find(name)))

    files = {INDEX: _page(_index(note, concepts, linked))}
    for slug, idea in concepts.items():
        files[f"{_stem(slug)}.md"] = _page(_concept(note, idea, set(concepts), linked))
    return files


def is_page(text: str) -> bool:
    """Return whether a document's front matter names it a page of such a folder."""
    head = re.match(r"\A---\n(?:[^\n]*\n){0,30}?---\n", text)
    return head is not None and f"\n{MADE_BY}: {KIND}\n" in head[0]


def _file_of(target: Target | None) -> str | None:
    return None if target is None else _stem(target.slug)


def _page(lines: Iterator[str]) -> str:
    """Return the text of a page, with the sum of what is no card and no note in its front matter.

    So a page that comes back tells whether that was changed.
    """
    text = without_controls("\n".join(lines)).rstrip("\n") + "\n"
    head, _, body = text.partition(f"\n{MADE_BY}: {KIND}\n")
    return f"{head}\n{MADE_BY}: {KIND}\n{REST}: s{rest_sum(text)}\n{body}"


def _marked(fields: Mapping[str, object], rows: Iterable[str]) -> Iterator[str]:
    """The rows of a card or note, between the mark that lets them come back and its end."""
    rows = "\n".join(rows).strip("\n").split("\n")
    rows = [without_controls(row) for row in rows]
    yield from (mark(fields, rows), "", *rows, "", END, "")


def _front(values: Mapping[str, object]) -> Iterator[str]:
    told = yaml.safe_dump({**values, MADE_BY: KIND}, allow_unicode=True, sort_keys=False)
    yield from ("---", told.rstrip("\n"), "---", "")


def _index(note: LearningNote, concepts: Mapping[str, Idea], linked: _Linked) -> Iterator[str]:
    yield from _front({"title": TITLE})
    yield from (f"# {TITLE}", "", summary_line(note))
    if note.changed:
        yield f"As of {day_text(note.changed)}."
    for title, ideas in (("Known", note.known), ("Known unknown", note.known_unknown)):
        yield from ("", f"## {title}", "")
        for idea in ideas:
            asks = f": {first_line(idea.question)}" if idea.question else ""
            yield f"- {_link(idea.concept)}{asks}"
    shown = {idea.concept.slug for idea in (*note.known, *note.known_unknown)}
    rest = [idea for slug, idea in concepts.items() if slug not in shown]
    if rest:
        yield from ("", "## Not yet begun", "")
        yield from (f"- {_link(idea.concept)}" for idea in rest)
    yield from _own(note.notes, linked, 2)
    for drilled in note.drills:
        yield from ("", f"## Drill {drill_id(drilled.item.guid)}", "")
        if drilled.attempt is not None:
            yield fenced(drilled.attempt.code.rstrip("\n"), "python")
        yield from _own(drilled.notes, linked)
    if note.origins:
        yield from ("", "## Sources", "")
    for origin in note.origins:
        yield f"- {_line(origin.source.title)}"
        yield from _own(origin.notes, linked)


def _concept(note: LearningNote, idea: Idea, there: set[str], linked: _Linked) -> Iterator[str]:
    concept = idea.concept
    yield from _about(idea, there, linked)
    topic = next((each for each in note.topics if each.concept.slug == concept.slug), None)
    if topic is None:
        return
    for question in topic.questions:
        yield from _question(question, linked)
    yield from _own(topic.notes, linked, 2)


def _about(idea: Idea, there: set[str], linked: _Linked) -> Iterator[str]:
    concept, change = idea.concept, idea.change
    front: dict[str, object] = {"title": _line(concept.title), "state": concept.state}
    if change is not None:
        front["since"] = change.at.date().isoformat()
    yield from _front({**front, "tags": [f"studyattn/{concept.state}"]})
    yield from (f"# {_line(concept.title)}", "")
    if change is not None and change.reason:
        yield from (_line(change.reason), "")
    if idea.same_as is not None:
        yield from (f"The same as {_link(idea.same_as)}.", "")
    needs = [f"[[{_stem(slug)}]]" for slug in concept.requires if slug in there]
    if needs:
        yield from (f"After {', '.join(needs)}.", "")
    if concept.pack is None and concept.body:
        yield from (below(linked(concept.body), 1), "")
    yield from correction_lines(idea.corrections)


def _question(question: NoteQuestion, linked: _Linked) -> Iterator[str]:
    item = question.items[0]
    if item.card is None:
        return
    heading = first_line(item)
    front = linked(item.card.front).strip()
    back, deeper = lowered_below(linked(item.card.back), 2)
    rows = [f"## {heading}", ""]
    if front != heading:
        rows += [below(front, 2), "", ANSWER, ""]
    if item.card.answer is not None:
        rows += [f"Answer: {code_span(item.card.answer)}", ""]
    fields: dict[str, object] = {"cards": [each.guid for each in question.items]}
    if deeper:
        fields["deeper"] = deeper
    yield from _marked(fields, (*rows, back))
    yield from (f"- {link_to(text, address)}" for text, address in links_of(item))
    if question.corrections:
        yield from ("", *correction_lines(question.corrections))
    yield from _own(question.notes, linked)


def _own(notes: Iterable[NoteRecord], linked: _Linked, level: int = 3) -> Iterator[str]:
    for own in notes:
        body, deeper = lowered_below(linked(own.body), level)
        fields: dict[str, object] = {"note": own.guid}
        if deeper:
            fields["deeper"] = deeper
        yield ""
        yield from _marked(fields, (f"{'#' * level} {_line(own.title)}", "", body))


def _stem(slug: str) -> str:
    """The slug as the name of a file; one that could lead elsewhere gets another."""
    return slug if re.fullmatch(r"[\w-]+", slug) else slug_of(slug)


def _link(concept: ConceptRecord) -> str:
    return f"[[{_stem(concept.slug)}|{_line(concept.title)}]]"


def _line(text: str) -> str:
    return " ".join(without_controls(text).split())
