"""The parts of the page: ideas, questions, drills, notes, sources. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Final

from studyattn.exchange.html.figures import figure_blocks
from studyattn.exchange.html.renderer import Prose, code, link, words
from studyattn.exchange.learning_note.content import (
    KNOWN,
    KNOWN_UNKNOWN,
    Drilled,
    Idea,
    LearningNote,
    NoteQuestion,
    Origin,
    Topic,
    links_of,
)
from studyattn.exchange.learning_note.writer import day_text
from studyattn.memory.state import drill_id
from studyattn.packs.card_kinds import kind_named
from studyattn.packs.corrections import Correction
from studyattn.store.snapshot import ConceptRecord, NoteRecord
from studyattn.text.counting import count
from studyattn.text.figure import Figure
from studyattn.text.links import Names, Target

_STATES: Final = {KNOWN: "known", KNOWN_UNKNOWN: "known unknown", "unseen": "not yet begun"}
_SIGNS: Final = {KNOWN: "✓", KNOWN_UNKNOWN: "?", "unseen": "·"}


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """All that the page shows."""

    note: LearningNote
    media: Mapping[str, str] = field(default_factory=dict)
    """Pictures as addresses that hold them, by the addresses that texts name them by."""
    figures: tuple[Figure, ...] = ()


class HtmlSection:
    """A part of the page that the list of contents names."""

    def __init__(self, anchor: str, title: str, body: Iterable[str], count: int = 0) -> None:
        self.anchor, self.title, self.count = anchor, title, count
        self.body = "\n".join(body)

    @property
    def text(self) -> str:
        return (
            f'<section id="{self.anchor}" aria-labelledby="{self.anchor}-title">\n'
            f'<h2 id="{self.anchor}-title">{self.title}</h2>\n{self.body}\n</section>'
        )


def sections(page: HtmlPage) -> list[HtmlSection]:
    """The parts that have something to show."""
    return [section for section in _SectionRenderer(page).sections() if section.body]


class _SectionRenderer:
    """Sets the parts of one page."""

    def __init__(self, page: HtmlPage) -> None:
        self._page = page
        note = page.note
        # A slug may have any character, an anchor not.
        topics = enumerate(note.topics, start=1)
        self._anchors = {topic.concept.slug: f"topic-{place}" for place, topic in topics}
        ideas = note.ideas
        concepts = [topic.concept for topic in note.topics]
        concepts += [idea.concept for idea in ideas]
        self._bare = {
            idea.concept.slug: f"idea-{place}"
            for place, idea in enumerate(ideas, start=1)
            if idea.concept.slug not in self._anchors
        }
        names = Names(Target(each.slug, each.title) for each in concepts)
        self._prose = Prose(names, {**self._bare, **self._anchors}, page.media)

    def sections(self) -> Iterator[HtmlSection]:
        note = self._page.note
        unseen = [idea for idea in note.unseen if idea.concept.slug not in self._anchors]
        yield HtmlSection("known", "Known", self._ideas(note.known), len(note.known))
        yield HtmlSection(
            "known-unknown",
            "Known unknown",
            self._ideas(note.known_unknown),
            len(note.known_unknown),
        )
        topics = map(self._topic, note.topics)
        questions = len(note.questions)
        yield HtmlSection("questions", "Questions and answers", topics, questions)
        yield HtmlSection("drills", "Drills", map(self._drill, note.drills), len(note.drills))
        yield HtmlSection("figures", "Figures", figure_blocks(self._page.figures))
        notes = (self._note(each, 3) for each in note.notes)
        yield HtmlSection("notes", "Notes", notes, len(note.notes))
        yield HtmlSection("sources", "Sources", self._sources(note.origins), len(note.origins))
        yield HtmlSection("links", "Read on", _links(note.links), len(note.links))
        yield HtmlSection("next", "Next steps", self._next_steps(note.next_steps))
        yield HtmlSection("unseen", "Not yet begun", self._ideas(unseen), len(unseen))

    def _ideas(self, ideas: Sequence[Idea]) -> Iterator[str]:
        if ideas:
            yield '<ul class="ideas">'
            for idea in ideas:
                yield from self._idea(idea)
            yield "</ul>"

    def _idea(self, idea: Idea) -> Iterator[str]:
        concept, change = idea.concept, idea.change
        bare = self._bare.get(concept.slug)
        place = f' id="{bare}"' if bare else ""
        yield f'<li class="idea {concept.state}"{place}><h3>{self._named(concept)}</h3>'
        if idea.same_as is not None:
            yield f"<p>The same as {words(idea.same_as.title)}.</p>"
        if idea.question is not None and concept.state == KNOWN_UNKNOWN:
            yield f'<p class="behind">{self._question_line(idea)}</p>'
        if concept.pack is None and concept.body.strip():
            yield f'<div class="own">{self._prose.blocks(concept.body)}</div>'
        yield self._corrections(idea.corrections)
        if change is not None:
            told = self._prose.line(change.reason) or words(change.reason)
            reason = f"<span>{told}</span>" if change.reason.strip() else ""
            yield f'<p class="since">since {_moment(change.at)} {reason}</p>'
        yield "</li>"

    def _question_line(self, idea: Idea) -> str:
        """Return the question of the first card, on one line."""
        if idea.question is None or idea.question.card is None:
            return ""
        front = idea.question.card.front
        first = next((row for row in front.split("\n") if row.strip()), "")
        return self._prose.line(front) or self._prose.line(first) or words(first)

    def _next_steps(self, ideas: Sequence[Idea]) -> Iterator[str]:
        if ideas:
            yield "<ol>"
            for idea in ideas:
                asks = self._question_line(idea)
                yield f"<li>{self._named(idea.concept)}{f': {asks}' if asks else ''}</li>"
            yield "</ol>"

    def _named(self, concept: ConceptRecord) -> str:
        """Return the title of a concept, as a link to its topic if it has one."""
        title, anchor = words(concept.title), self._anchors.get(concept.slug)
        return f'<a href="#{anchor}">{title}</a>' if anchor else title

    def _topic(self, topic: Topic) -> str:
        concept, anchor = topic.concept, self._anchors[topic.concept.slug]
        held = count(len(topic.questions), "question") if topic.questions else ""
        head = (
            f'<summary><h3>{words(concept.title)}</h3> <span class="state {concept.state}">'
            f"{_SIGNS[concept.state]} {_STATES[concept.state]}</span>"
            f' <span class="count">{held}</span></summary>'
        )
        notes = "".join(self._note(each, 4) for each in topic.notes)
        questions = "".join(map(self._question, topic.questions))
        return f'<details id="{anchor}" open="open">{head}{notes}{questions}</details>'

    def _question(self, question: NoteQuestion) -> str:
        card = question.items[0].card
        if card is None:
            return ""
        kind = kind_named(card.kind)
        parts = [self._asked(card.front), '<div class="answer">']
        if card.answer is not None:
            values = " or ".join(
                f"<code>{words(each)}</code>" for each in kind.accepted(card.answer)
            )
            parts.append(f'<p class="value">{values}</p>')
        if kind.reader_note:
            parts.append(f'<p class="since">{words(kind.reader_note)}</p>')
        parts.append(self._prose.blocks(card.back, 5))
        links = links_of(question.items[0])
        if links:
            parts.append(
                f'<p class="on">Read on: {", ".join(link(to, text) for text, to in links)}</p>'
            )
        parts += [self._corrections(question.corrections), "</div>"]
        parts += [self._note(each, 5) for each in question.notes]
        return f'<article class="card">{"".join(parts)}</article>'

    def _corrections(self, corrections: Iterable[Correction]) -> str:
        """Return a table for each correction: the wrong statement beside the right one."""
        return "".join(
            '<div class="table" tabindex="0">'
            f'<table class="correction"><caption>{words(each.title)}</caption>'
            "<thead><tr>"
            f"<th>It says{f' (“{words(each.source)}”)' if each.source else ''}</th><th>Right</th>"
            f"</tr></thead><tbody><tr><td>{self._prose.blocks(each.says)}</td>"
            f"<td>{self._prose.blocks(each.right)}</td></tr></tbody></table></div>"
            for each in corrections
        )

    def _asked(self, front: str) -> str:
        """A question; one that is more than a sentence is no heading."""
        asked = self._prose.line(front)
        if asked:
            return f"<h4>{asked}</h4>"
        return f'<div class="asked">{self._prose.blocks(front)}</div>'

    def _note(self, note: NoteRecord, level: int) -> str:
        title = self._prose.line(note.title) or words(note.title) or "Note"
        body = self._prose.blocks(note.body, min(6, level + 1))
        return (
            f'<div class="note"><h{level}>{title}</h{level}>{body}'
            f'<p class="since">my note of {_moment(note.updated_at)}</p></div>'
        )

    def _drill(self, drilled: Drilled) -> str:
        attempt = drilled.attempt
        parts = [f"<h3>{words(drill_id(drilled.item.guid))}</h3>"]
        if attempt is not None:
            revealed = " after looking at the solution" if attempt.revealed else ""
            day = day_of(attempt.learner_day)
            parts.append(f'<p class="badge passed">passed on {day} with {words(attempt.backend)}')
            parts.append(f"{revealed}</p>")
            parts.append(code(attempt.code, "python"))
        parts += [self._note(each, 4) for each in drilled.notes]
        return f'<article class="drill">{"".join(parts)}</article>'

    def _sources(self, origins: Sequence[Origin]) -> Iterator[str]:
        if origins:
            yield '<ul class="sources">'
            for origin in origins:
                source = origin.source
                name = words(PurePath(source.path).name)  # the folder is nobody else's business
                yield (
                    f"<li><h3>{words(source.title) or name}</h3>"
                    f'<p class="since">imported on {_moment(source.imported_at)} from '
                    f"<code>{name}</code></p>"
                    f"{''.join(self._note(each, 4) for each in origin.notes)}</li>"
                )
            yield "</ul>"


def _links(links: Sequence[tuple[str, str]]) -> Iterator[str]:
    if links:
        yield "<ul>"
        yield from (f"<li>{link(address, text)}</li>" for text, address in links)
        yield "</ul>"


def day_of(day: date | None) -> str:
    """A day, for people and for machines."""
    return "" if day is None else f'<time datetime="{day.isoformat()}">{day_text(day)}</time>'


def _moment(at: datetime) -> str:
    return day_of(at.astimezone(UTC).date())
