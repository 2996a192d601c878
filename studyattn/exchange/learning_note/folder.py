"""The learning note as a folder of linked files, as Obsidian keeps them. Pure: names and texts.

One file a concept, with front matter and `[[links]]` to what it requires and is joined with, and an
index. Names are slugs, so a link is the name of a file everywhere. Cards and notes are marked as in
the note, so that `reader` can read back what was changed; what is not marked is summed up in the
front matter, so that a change there can be told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TypeVar

import yaml
from msgspec import structs

from studyattn.exchange.format import ExportInput, Selection, Written
from studyattn.exchange.learning_note.content import Idea, LearningNote, learning_note
from studyattn.exchange.learning_note.marks import lowered, mark, read_marks
from studyattn.exchange.learning_note.records import concept_mark
from studyattn.exchange.learning_note.writer import (
    TITLE,
    context_marks,
    correction_lines,
    day_text,
    drill_lines,
    first_line,
    inline,
    note_lines,
    origin_lines,
    question_lines,
    summary_line,
)
from studyattn.exchange.recognition import INDEX, MADE_BY, PAGE
from studyattn.exchange.words import digest, slug_of
from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.store.snapshot import ConceptRecord, Snapshot
from studyattn.text.characters import without_controls
from studyattn.text.cloze import ungrouped
from studyattn.text.counting import count
from studyattn.text.links import Names, Target, renamed

_REST = re.compile(rf"\n{MADE_BY}: {PAGE}\nrest: (\S+)\n")
_Linked = Callable[[str], str]


def write(source: ExportInput) -> Written:
    """Write the folder of a home. Raises NotFoundError."""
    files = write_folder(source.snapshot, source.selection, installed_errata(source.home))
    return Written(files, count(len(files), "file"))


def write_folder(
    snapshot: Snapshot, selection: Selection | None = None, errata: Iterable[Erratum] = ()
) -> Mapping[str, str]:
    """The files by their names. The same snapshot gives the same files. Raises NotFoundError."""
    note = learning_note(snapshot, selection, errata)
    concepts = {idea.concept.slug: idea for idea in note.ideas}
    for topic in note.topics:
        concepts.setdefault(topic.concept.slug, Idea(topic.concept, None, None, None))
    names = Names(Target(slug, idea.concept.title) for slug, idea in concepts.items())

    def linked(markdown: str) -> str:
        """A text as Obsidian reads it: links by the names of files, gaps as marks."""
        return renamed(ungrouped(markdown), lambda name: _file_of(names.find(name)))

    files = {INDEX: _page({"title": TITLE}, _index(note, concepts, linked))}
    for slug, idea in concepts.items():
        front: dict[str, object] = {"title": inline(idea.concept.title)}
        front["state"] = idea.concept.state
        if idea.change is not None:
            front["since"] = idea.change.at.date().isoformat()
        front["tags"] = [f"studyattn/{idea.concept.state}"]
        files[f"{_stem(slug)}.md"] = _page(front, _concept(note, idea, set(concepts), linked))
    return files


def stated_rest(text: str) -> str:
    """Return the sum of what was not marked in a page when it was written."""
    found = _REST.search(text)
    return found[1] if found else ""


def rest_sum(rest: Sequence[list[str]]) -> str:
    """Return the sum of the rows of a page that are not marked, below its front matter."""
    rows = [row.rstrip() for run in rest for row in run if row.strip()]
    begin = rows.index("---", 1) + 1 if "---" in rows[1:] else 0
    return f"s{digest(*rows[begin:])[:8]}"


def _file_of(target: Target | None) -> str | None:
    return None if target is None else _stem(target.slug)


def _page(front: Mapping[str, object], lines: Iterator[str]) -> str:
    told = yaml.safe_dump({**front, MADE_BY: PAGE}, allow_unicode=True, sort_keys=False)
    head = f"---\n{told}"
    body = without_controls("\n".join(["---", "", *lines])).rstrip("\n") + "\n"
    rest: list[list[str]] = []
    for _ in read_marks(f"{head}{body}".split("\n"), "", rest):
        pass
    return f"{head}rest: {rest_sum(rest)}\n{body}"


def _index(note: LearningNote, concepts: Mapping[str, Idea], linked: _Linked) -> Iterator[str]:
    yield from (f"# {TITLE}", "", summary_line(note))
    if note.changed:
        yield f"As of {day_text(note.changed)}."
    for title, ideas in (("Known", note.known), ("Known unknown", note.known_unknown)):
        yield from ("", f"## {title}", "", *map(_entry, ideas))
    shown = {idea.concept.slug for idea in (*note.known, *note.known_unknown)}
    rest = [idea for slug, idea in concepts.items() if slug not in shown]
    if rest:
        yield from ("", "## Not yet begun", "", *(f"- {_link(idea.concept)}" for idea in rest))
    yield ""
    yield from _all_of(note_lines, note.notes, linked)
    yield from _all_of(drill_lines, note.drills, linked)
    if note.origins:
        yield from ("## Sources", "")
    for origin in note.origins:  # the folder of its file is nobody else's business
        source = structs.replace(origin.source, path=PurePath(origin.source.path).name)
        yield from origin_lines(replace(origin, source=source), 3, linked)
    yield from context_marks(note)


T = TypeVar("T")


def _all_of(
    lines: Callable[[T, int, _Linked], Iterator[str]], things: Iterable[T], linked: _Linked
) -> Iterator[str]:
    """Yield the lines of things, each below a heading of the second level."""
    for each in things:
        yield from lines(each, 2, linked)


def _entry(idea: Idea) -> str:
    asks = f": {first_line(idea.question)}" if idea.question else ""
    return f"- {_link(idea.concept)}{asks}"


def _concept(note: LearningNote, idea: Idea, there: set[str], linked: _Linked) -> Iterator[str]:
    concept, change = idea.concept, idea.change
    needs = [f"[[{_stem(slug)}]]" for slug in concept.requires if slug in there]
    told = [f"# {inline(concept.title)}"]
    told += [inline(change.reason)] if change else []
    told += [f"The same as {_link(idea.same_as)}."] if idea.same_as else []
    told += [f"After {', '.join(needs)}."] if needs else []
    told += [lowered(linked(concept.body), 2)[0]] if concept.pack is None else []
    for each in filter(None, told):
        yield from (each, "")
    yield from correction_lines(idea.corrections)
    yield from (mark(*concept_mark(concept, change, bare=True)), "")
    for topic in note.topics:
        if topic.concept.slug == concept.slug:
            yield from _all_of(question_lines, topic.questions, linked)
            yield from _all_of(note_lines, topic.notes, linked)


def _stem(slug: str) -> str:
    """The slug as the name of a file; one that could lead elsewhere gets another."""
    return slug if re.fullmatch(r"[\w-]+", slug) else slug_of(slug)


def _link(concept: ConceptRecord) -> str:
    return f"[[{_stem(concept.slug)}|{inline(concept.title)}]]"
