"""The whole page. Pure: a page's content in, the text of the file out."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Final

from studyattn.exchange.html.content import HtmlPage, Studied
from studyattn.exchange.html.renderer import words
from studyattn.exchange.html.sections import HtmlSection, day_of, sections
from studyattn.exchange.learning_note.writer import TITLE, day_text
from studyattn.text.characters import for_xml
from studyattn.text.counting import count

WEEKS: Final = 26
_CELL: Final = 10
_STEP: Final = 13
_LEVELS: Final = 4
_FOOT = (
    "<footer><p>Written by studyattn. This page loads nothing and runs nothing; "
    "it can be kept, printed and sent as it is.</p></footer>"
)


def page_text(page: HtmlPage) -> str:
    """The text of the file. The same page gives the same text."""
    shown = sections(page)
    parts = [_head(), *_top(page), _contents(shown), "<main>"]
    parts += [section.text for section in shown]
    parts += ["</main>", _FOOT, "</body>", "</html>"]
    return for_xml("\n".join(parts)) + "\n"


@cache
def _head() -> str:
    """The head. Its policy lets no style but this one count, nothing load and nothing run."""
    css = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    style = f"\n{css.strip()}\n"
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


def _top(page: HtmlPage) -> Iterator[str]:
    note, chosen = page.note, page.note.selection
    when = f" as of {day_of(page.when)}" if page.when else ""
    yield f"<header>\n<h1>{TITLE}</h1>"
    yield (
        f"<p>What I know, what I still need to learn, and my notes{',' if when else ''}{when}.</p>"
    )
    part = [f"the concept {words(chosen.concept)}"] if chosen.concept else []
    part += [f"the source {words(chosen.source)}"] if chosen.source else []
    part += [f"changes since {day_text(chosen.since)}"] if chosen.since else []
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
    days, reviews = len(page.studied.days), page.studied.reviews
    if days:
        told = f"{count(reviews, 'review')} on {count(days, 'day')}"
        yield f"<figure>{_calendar(page.studied)}"
        yield f"<figcaption>{told}, the last on {day_of(page.studied.last)}.</figcaption></figure>"
    yield "</header>"


def _figure(number: int, one: str, anchor: str, many: str = "") -> str:
    label = one if number == 1 or not many else many
    return f'<li class="{anchor}"><b>{number}</b> {label}</li>'


def _contents(shown: Sequence[HtmlSection]) -> str:
    entries = "".join(
        f'<li><a href="#{each.anchor}">{each.title}</a>'
        f"{f' <span>{each.count}</span>' if each.count else ''}</li>"
        for each in shown
    )
    return f'<nav aria-label="Contents"><ul>{entries}</ul></nav>' if entries else ""


def _calendar(studied: Studied) -> str:
    """An `svg` with a column a week and a row a day, darker the more was done; none for nothing."""
    last = studied.last
    if last is None:
        return ""
    counts = dict(studied.days)
    first = last - timedelta(days=last.weekday() + 7 * (WEEKS - 1))
    most = max(taken for day, taken in studied.days if day >= first)
    label = f"Reviews per day from {day_text(first)} to {day_text(last)}, maximum {most}"
    cells = "".join(_cells(counts, first, last, most))
    width, height = WEEKS * _STEP, 7 * _STEP
    return (
        f'<svg class="calendar" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{cells}</svg>"
    )


def _cells(counts: dict[date, int], first: date, last: date, most: int) -> Iterator[str]:
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        taken = counts.get(day, 0)
        level = 0 if not taken else -(-taken * _LEVELS // most)
        yield (
            f'<rect class="n{level}" x="{number // 7 * _STEP}" y="{number % 7 * _STEP}"'
            f' width="{_CELL}" height="{_CELL}" rx="2">'
            f"<title>{day_text(day)}: {count(taken, 'review')}</title></rect>"
        )
