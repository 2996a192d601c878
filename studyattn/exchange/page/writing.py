"""The whole page. Pure: a page's content in, the text of the file out."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources
from typing import Final

from studyattn.exchange.holdings import HeldNote, Holdings
from studyattn.exchange.learningnote.content import (
    KNOWN,
    KNOWN_UNKNOWN,
    Idea,
    Origin,
    Question,
    Selection,
    Topic,
    links_of,
)
from studyattn.exchange.learningnote.writing import TITLE, day_text, drill_name
from studyattn.exchange.page.chart import calendar
from studyattn.exchange.page.content import DrillStory, Event, Page, Rated, learning_page
from studyattn.exchange.page.prose import code, line, link, prose, words
from studyattn.text.counting import count

_STATES: Final = {KNOWN: "known", KNOWN_UNKNOWN: "known unknown", "unseen": "not yet begun"}
_SIGNS: Final = {KNOWN: "✓", KNOWN_UNKNOWN: "?", "unseen": "·"}
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u2028\u2029]")
"""Characters that no document may have, and those that move a terminal's or a reader's line."""


def write_page(holdings: Holdings, selection: Selection | None = None) -> str:
    """The page of the holdings. Raises NotFoundError for no such part."""
    return page_text(learning_page(holdings, selection))


def page_text(page: Page) -> str:
    """The text of the file. The same page gives the same text."""
    sections = [section for section in _sections(page) if section.body]
    parts = [_head(), *_top(page), _contents(sections), "<main>"]
    parts += [section.text for section in sections]
    parts += ["</main>", _foot(), "</body>", "</html>"]
    return _NO_XML.sub("\ufffd", "\n".join(parts)) + "\n"


class _Section:
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


def _sections(page: Page) -> Iterator[_Section]:
    note = page.note
    questions = sum(len(topic.questions) for topic in note.topics)
    shown = {topic.concept.slug for topic in note.topics}
    anchors = _anchors(note.topics)
    yield _Section("known", "Known", _ideas(note.known, anchors), len(note.known))
    unknown = _ideas(note.known_unknown, anchors)
    yield _Section("known-unknown", "Known unknown", unknown, len(note.known_unknown))
    topics = (_topic(topic, anchors[topic.concept.slug]) for topic in note.topics)
    yield _Section("questions", "Questions and answers", topics, questions)
    yield _Section("drills", "Drills", map(_drill, page.drills), len(page.drills))
    yield _Section("notes", "Notes", (_note(each, 3) for each in note.notes), len(note.notes))
    yield _Section("sources", "Sources", _sources(note.origins), len(note.origins))
    yield _Section("links", "Read on", _links(note.links), len(note.links))
    yield _Section("next", "Next steps", _next_steps(note.next_steps, anchors))
    unseen = [idea for idea in note.unseen if idea.concept.slug not in shown]
    yield _Section("unseen", "Not yet begun", _ideas(unseen, anchors), len(unseen))


# -- the frame -------------------------------------------------------------------------------------


@cache
def _style() -> str:
    return resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8").strip()


def _head() -> str:
    """The head. Its policy lets no style but this one count, nothing load and nothing run."""
    style = f"\n{_style()}\n"
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
            "<head>",
            '<meta charset="utf-8"/>',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            '<meta name="referrer" content="no-referrer"/>',
            '<meta name="color-scheme" content="light dark"/>',
            '<meta name="generator" content="studyattn"/>',
            '<link rel="icon" href="data:,"/>',
            f"<title>{TITLE}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
        ]
    )


def _top(page: Page) -> Iterator[str]:
    note, chosen = page.note, page.note.selection
    when = f" as of {_day(page.when)}" if page.when else ""
    yield f"<header>\n<h1>{TITLE}</h1>"
    yield (
        "<p>What I know, what I know that I do not know, and what I wrote down"
        f"{',' if when else ''}{when}.</p>"
    )
    part = [f"the concept {words(chosen.concept)}"] if chosen.concept else []
    part += [f"the source {words(chosen.source)}"] if chosen.source else []
    part += [f"what changed since {day_text(chosen.since)}"] if chosen.since else []
    if part:
        yield f'<p class="part">This is a part of it: {", ".join(part)}.</p>'
    questions = sum(len(topic.questions) for topic in note.topics)
    passed = sum(story.drilled.attempt is not None for story in page.drills)
    yield '<ul class="figures">'
    yield _figure(len(note.known), "known", "known")
    yield _figure(len(note.known_unknown), "known unknown", "known-unknown")
    yield _figure(questions, "question answered", "questions", "questions answered")
    yield _figure(passed, "drill passed", "drills", "drills passed")
    yield "</ul>"
    yield from _studied(page)
    yield "</header>"


def _figure(number: int, one: str, anchor: str, many: str = "") -> str:
    label = one if number == 1 or not many else many
    return f'<li class="{anchor}"><b>{number}</b> {label}</li>'


def _studied(page: Page) -> Iterator[str]:
    days, reviews = len(page.studied.days), page.studied.reviews
    if days:
        told = f"{count(reviews, 'review')} on {count(days, 'day')}"
        yield f"<figure>{calendar(page.studied)}"
        yield f"<figcaption>{told}, the last on {_day(page.studied.last)}.</figcaption></figure>"


def _contents(sections: Sequence[_Section]) -> str:
    entries = "".join(
        f'<li><a href="#{each.anchor}">{each.title}</a>'
        f"{f' <span>{each.count}</span>' if each.count else ''}</li>"
        for each in sections
    )
    return f'<nav aria-label="Contents"><ul>{entries}</ul></nav>' if entries else ""


def _foot() -> str:
    return (
        "<footer><p>Written by studyattn. This page loads nothing and runs nothing; "
        "it can be kept, printed and sent as it is.</p></footer>"
    )


# -- ideas -----------------------------------------------------------------------------------------


def _anchors(topics: Sequence[Topic]) -> dict[str, str]:
    """Where the questions of a concept stand; a slug may have any character, an anchor not."""
    return {topic.concept.slug: f"topic-{place}" for place, topic in enumerate(topics, start=1)}


def _ideas(ideas: Sequence[Idea], anchors: dict[str, str]) -> Iterator[str]:
    if ideas:
        yield '<ul class="ideas">'
        for idea in ideas:
            yield from _idea(idea, anchors)
        yield "</ul>"


def _idea(idea: Idea, anchors: dict[str, str]) -> Iterator[str]:
    concept, change = idea.concept, idea.change
    title = words(concept.title)
    anchor = anchors.get(concept.slug)
    named = f'<a href="#{anchor}">{title}</a>' if anchor else title
    yield f'<li class="idea {concept.state}"><h3>{named}</h3>'
    if idea.same_as is not None:
        yield f"<p>The same as {words(idea.same_as.title)}.</p>"
    if idea.question is not None and concept.state == KNOWN_UNKNOWN:
        yield f'<p class="behind">{_question_line(idea)}</p>'
    if concept.pack is None and concept.body.strip():
        yield f'<div class="own">{prose(concept.body)}</div>'
    if change is not None:
        reason = f"<span>{words(change.reason)}</span>" if change.reason.strip() else ""
        yield f'<p class="since">since {_moment(change.at)} {reason}</p>'
    yield "</li>"


def _question_line(idea: Idea) -> str:
    """What the first card asks, on one line."""
    if idea.question is None or idea.question.card is None:
        return ""
    front = idea.question.card.front
    first = next((row for row in front.split("\n") if row.strip()), "")
    return line(front) or line(first) or words(first)


def _next_steps(ideas: Sequence[Idea], anchors: dict[str, str]) -> Iterator[str]:
    if ideas:
        yield "<ol>"
        for idea in ideas:
            anchor = anchors.get(idea.concept.slug)
            title = words(idea.concept.title)
            named = f'<a href="#{anchor}">{title}</a>' if anchor else title
            asks = _question_line(idea)
            yield f"<li>{named}{f': {asks}' if asks else ''}</li>"
        yield "</ol>"


# -- questions and notes ---------------------------------------------------------------------------


def _topic(topic: Topic, anchor: str) -> str:
    concept = topic.concept
    held = count(len(topic.questions), "question") if topic.questions else ""
    head = (
        f'<summary><h3>{words(concept.title)}</h3> <span class="state {concept.state}">'
        f"{_SIGNS[concept.state]} {_STATES[concept.state]}</span>"
        f' <span class="count">{held}</span></summary>'
    )
    notes = "".join(_note(each, 4) for each in topic.notes)
    questions = "".join(map(_question, topic.questions))
    return f'<details id="{anchor}" open="open">{head}{notes}{questions}</details>'


def _question(question: Question) -> str:
    card = question.items[0].card
    if card is None:
        return ""
    asked = line(card.front)
    heading = f"<h4>{asked}</h4>" if asked else f'<div class="asked">{prose(card.front)}</div>'
    parts = [heading, '<div class="answer">']
    if card.answer is not None:
        accepted = card.answer.split("|") if card.kind == "typed" else [card.answer]
        values = " or ".join(f"<code>{words(each)}</code>" for each in accepted)
        parts.append(f'<p class="value">{values}</p>')
    if card.kind == "computed":
        parts.append('<p class="since">asked with fresh numbers every time</p>')
    parts.append(prose(card.back, 5))
    links = links_of(question.items[0])
    if links:
        parts.append(
            f'<p class="on">Read on: {", ".join(link(to, text) for text, to in links)}</p>'
        )
    parts.append("</div>")
    parts += [_note(each, 5) for each in question.notes]
    return f'<article class="card">{"".join(parts)}</article>'


def _note(note: HeldNote, level: int) -> str:
    title = line(note.title) or words(note.title) or "Note"
    return (
        f'<aside class="note"><h{level}>{title}</h{level}>{prose(note.body, min(6, level + 1))}'
        f'<p class="since">my note of {_moment(note.updated_at)}</p></aside>'
    )


# -- drills ----------------------------------------------------------------------------------------


def _drill(story: DrillStory) -> str:
    drilled = story.drilled
    attempt = drilled.attempt
    parts = [f"<h3>{words(drill_name(drilled.item))}</h3>"]
    if attempt is None:
        parts.append('<p class="badge open">not passed yet</p>')
    else:
        revealed = " after looking at the solution" if attempt.revealed else ""
        day = _day(attempt.learner_day)
        parts.append(f'<p class="badge passed">passed on {day} with {words(attempt.backend)}')
        parts.append(f"{revealed}</p>")
        parts.append(code(attempt.code, "python"))
    if story.events:
        parts.append(_history(story.events))
    parts += [_note(each, 4) for each in drilled.notes]
    return f'<article class="drill">{"".join(parts)}</article>'


def _history(events: Sequence[Event]) -> str:
    rows = "".join(f'<tr class="{_kind(each)}">{_event(each)}</tr>' for each in events)
    return (
        '<div class="table"><table class="history"><caption>How it went</caption>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _kind(event: Event) -> str:
    if isinstance(event, Rated):
        return "rated"
    return "passed" if event.passed else "failed"


def _event(event: Event) -> str:
    day = f"<td>{_day(event.day)}</td>"
    if isinstance(event, Rated):
        return f"{day}<td>rated</td><td>{event.rating.name.lower()}</td>"
    sign = "✓" if event.passed else "✗"
    told = [prose(each) for each in event.diagnoses]
    if not told and event.message and not event.passed:
        told = [f"<p>{words(event.message)}</p>"]
    helped = [count(event.hints, "hint")] if event.hints else []
    helped += ["solution seen"] if event.revealed else []
    if helped:
        told.append(f'<p class="since">{", ".join(helped)}</p>')
    return f"{day}<td>{sign} {words(event.verdict)}</td><td>{''.join(told)}</td>"


# -- sources and links -----------------------------------------------------------------------------


def _sources(origins: Sequence[Origin]) -> Iterator[str]:
    if origins:
        yield '<ul class="sources">'
        for origin in origins:
            source = origin.source
            yield (
                f"<li><h3>{words(source.title) or words(source.path)}</h3>"
                f'<p class="since">imported on {_moment(source.imported_at)} from '
                f"<code>{words(source.path)}</code></p>"
                f"{''.join(_note(each, 4) for each in origin.notes)}</li>"
            )
        yield "</ul>"


def _links(links: Sequence[tuple[str, str]]) -> Iterator[str]:
    if links:
        yield "<ul>"
        yield from (f"<li>{link(address, text)}</li>" for text, address in links)
        yield "</ul>"


def _day(day: date | None) -> str:
    return "" if day is None else f'<time datetime="{day.isoformat()}">{day_text(day)}</time>'


def _moment(at: datetime) -> str:
    return _day(at.astimezone(UTC).date())
