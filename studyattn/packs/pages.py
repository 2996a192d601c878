"""Divides a concept's explanation into the pages of its lesson.

A page begins at a heading `## Title {#id cards="one other"}`; what comes before the first of them
belongs to it. An explanation without such headings is one page.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from studyattn.packs.fences import find_examples, find_parts, without_mending
from studyattn.packs.fields import id_of
from studyattn.packs.model import Example, LessonPage, Pack, SourceLocation, card_id
from studyattn.text.document import Attributes, Document, Section
from studyattn.text.markdown import parse_blocks

KEY_POINTS: Final = "Key points"
CARDS: Final = "Cards"
"""The headings at which the explanation ends, whichever comes first."""

_WORDS_A_SECOND: Final = 3.0
_CODE_LINE: Final = 1.5
_FORMULA: Final = 5.0
_PREDICTION: Final = 11.5
"""Seconds for a line of code or of a figure, a displayed formula, an output to predict: assumed."""

_PAGE_LEVEL: Final = 2
_KEYS: Final = frozenset({"cards"})


def read_pages(
    document: Document, slug: str, title: str
) -> tuple[tuple[LessonPage, ...], tuple[Example, ...]]:
    """The pages of the concept `slug`, and all runnable examples in them.

    Raises PackError, with file and line, for a heading or an example that cannot be read.
    """
    lines, end = _explanation(document)
    inside = range(document.preamble_line, end)
    first = next((line for line in inside if lines[line - 1].strip()), end)
    whole = "\n".join(lines[first - 1 : end - 1])
    examples = find_examples(whole, slug, SourceLocation(document.name, first)).examples
    # What comes before the first page's heading belongs to that page.
    headings = _page_headings(document) or [_whole(slug, title)]
    begins = [first, *(each.line for each in headings[1:])]
    pages: list[LessonPage] = []
    for heading, begin, after in zip(headings, begins, [*begins[1:], end], strict=True):
        body = "\n".join(lines[begin - 1 : after - 1]).strip("\n")
        if not body:
            continue
        place = SourceLocation(document.name, begin)
        own = [each for each in examples if begin <= each.place.line < after]
        pages.append(
            LessonPage(
                id=heading.attributes.id or slug,
                title=heading.title,
                body=without_mending(body),
                parts=tuple(find_parts(body, own, place)),
                cards=tuple(heading.attributes.values.get("cards", "").split()),
                place=place,
            )
        )
    return tuple(pages), examples


def _whole(slug: str, title: str) -> Section:
    """Return the heading of an explanation that has none."""
    return Section(_PAGE_LEVEL, title, 1, "", 1, Attributes(slug), ())


def reading_seconds(page: LessonPage) -> float:
    """Return how long reading a page takes, predictions included, in seconds: an estimate."""
    seconds = _PREDICTION * sum(part.asks is not None for part in page.parts)
    # Of the reasons why an output is wrong, a learner reads at most one.
    for token in parse_blocks("\n\n".join(part.text for part in page.parts)):
        if token.type in {"fence", "code_block"}:
            seconds += _CODE_LINE * sum(bool(line.strip()) for line in token.content.splitlines())
        elif token.type == "inline":
            seconds += len(token.content.split()) / _WORDS_A_SECOND
        elif token.type.startswith("math"):
            seconds += _FORMULA
    return seconds


def reading_before(pack: Pack) -> dict[str, float]:
    """Return the seconds of reading pages that come before each item, by guid; 0 is not listed."""
    seconds: dict[str, float] = {}
    read: dict[str, int] = {}  # pages of a concept that an earlier item has before it
    for item in pack.items():
        concept = pack.concepts[item.concept]
        if not concept.pages:
            continue
        until = concept.page_before(card_id(item.guid)) + 1
        before = concept.pages[read.get(item.concept, 0) : until]
        if before:
            seconds[item.guid] = round(sum(map(reading_seconds, before)), 1)
            read[item.concept] = until
    return seconds


def _explanation(document: Document) -> tuple[list[str], int]:
    """All lines with plain headings, and the line, from 1, at which the explanation ends."""
    lines = list(document.lines)
    for each in _explaining(document):
        lines[each.line - 1 : each.body_line - 1] = [
            f"{'#' * each.level} {each.title}",
            *[""] * (each.body_line - each.line - 1),
        ]
    rest = [each.line for each in document.sections if each.title in _ENDS]
    return lines, min(rest, default=len(lines) + 1)


_ENDS: Final = {KEY_POINTS, CARDS}


def _explaining(document: Document) -> list[Section]:
    sections = takewhile(lambda section: section.title not in _ENDS, document.sections)
    return [each for section in sections for each in section.walk()]


def _page_headings(document: Document) -> list[Section]:
    found: list[Section] = []
    for each in _explaining(document):
        if each.level == _PAGE_LEVEL and each.attributes != Attributes():
            _refuse_bad(each, found, SourceLocation(document.name, each.line))
            found.append(each)
    return found


def _refuse_bad(heading: Section, before: list[Section], place: SourceLocation) -> None:
    """Raise PackError for a page's heading that has no id of its own or an unknown attribute."""
    attributes = heading.attributes
    advice = 'Write ## Title {#some-id cards="card other-card"}'
    identifier = id_of(attributes, "a page", place, advice)
    if identifier in {each.attributes.id for each in before}:
        raise place.error(f"a second page {identifier!r}", "Give it its own")
    unknown = [*attributes.classes, *sorted(set(attributes.values) - _KEYS)]
    if unknown:
        raise place.error(f"a page has no {unknown[0]!r}", advice)
