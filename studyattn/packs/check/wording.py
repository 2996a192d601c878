"""Check that a pack can be read: links, formulas, length, and nothing asked twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from markdown_it.token import Token
from rich.cells import cell_len

from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Card, CardText, Example, Pack, SourceLocation
from studyattn.text.markdown import parse, walk
from studyattn.text.mathematics import render_math
from studyattn.text.render import CODE_INDENT, render

WIDTH: Final = 72
"""Columns in which text is read."""

CARD_LINES: Final = 15
"""Lines for question and answer on a terminal of 24, beside the screen's own."""

ANSWER_LINES: Final = 3
"""Lines which a typed answer and what was expected take of them."""

OFFER: Final = 2
"""Lines in which a card offers an example or a cost lab: a blank one and the offer."""

EXAMPLE_LINES: Final = 25
EXAMPLE_WIDTH: Final = WIDTH - CODE_INDENT
"""What `WIDTH` leaves beside the indentation of a listing."""

ALIKE: Final = 0.8
"""Share of trigrams in common from which two questions count as the same."""

_MATHS: Final = {"math_inline": False, "math_display": True, "math_block": True}
_SOURCE = re.compile(r".*\S\s+<(?P<address>[^<>]+)>")


@dataclass(frozen=True, slots=True)
class TextPassage:
    """Some Markdown of a pack and where it begins."""

    markdown: str
    place: SourceLocation


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    for passage in passages(pack):
        yield from check_passage(passage)
    yield from _sources(pack)
    yield from _lengths(pack)
    yield from _examples(pack)
    yield from _duplicates(pack)


def passages(pack: Pack) -> Iterator[TextPassage]:
    """Every piece of Markdown that a learner gets to read."""
    for concept in pack.concepts.values():
        yield TextPassage(concept.body, concept.place)
        for point in concept.key_points:
            yield TextPassage(point.text, point.place)
        for card in concept.cards:
            yield TextPassage(card.front, card.place)
            yield TextPassage(card.back, card.place)
    for bug in pack.bugs.values():
        yield TextPassage(bug.question, bug.place)
        yield TextPassage(bug.answer, bug.place)
    for brief in pack.drills.values():
        yield TextPassage(brief.text, brief.place)
        for hint in brief.hints:
            yield TextPassage(hint, brief.place)
    for erratum in pack.errata:
        for text in (erratum.title, erratum.source, erratum.says, erratum.right):
            yield TextPassage(text, erratum.place)


def check_passage(passage: TextPassage) -> Iterator[Finding]:
    """Links whose form will not do, formulas shown as LaTeX, figures and code that would wrap."""
    for token in walk(parse(passage.markdown)):
        if token.type in _MATHS:
            lines = render_math(token.content, display=_MATHS[token.type], width=WIDTH)
            if lines is None:
                yield _at(passage, token, f"this formula cannot be shown: {token.content.strip()}")
        elif token.type == "link_open":
            address = str(token.attrGet("href") or "")
            if not is_address(address):
                yield _at(passage, token, f"not an address that can be opened: {address!r}")
        elif token.type == "image":
            yield _at(passage, token, "a picture, which a terminal does not show")
        elif token.type in {"html_block", "html_inline"}:
            yield _at(passage, token, f"HTML, which is shown as it is: {token.content.strip()}")
        elif token.type in {"fence", "code_block"}:
            yield from _wide_lines(passage, token)


def _wide_lines(passage: TextPassage, block: Token) -> Iterator[Finding]:
    """Lines of a figure or of code that are wider than the screen, which would break them."""
    for line in block.content.splitlines():
        width = cell_len(line.rstrip())
        if width > EXAMPLE_WIDTH:
            place = _place_of_text(passage, line.strip())
            yield Finding(
                place,
                f"a line of {width} columns in a figure or code block, but only {EXAMPLE_WIDTH} "
                "fit; make it narrower",
            )


def is_address(address: str) -> bool:
    """An https or http address with a host, and no spaces."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return (
        parts.scheme in {"https", "http"}
        and "." in (parts.hostname or "")
        and not re.search(r"\s", address)
    )


def _sources(pack: Pack) -> Iterator[Finding]:
    for concept in pack.concepts.values():
        for source in concept.sources:
            form = _SOURCE.fullmatch(source)
            if form is None or not is_address(form["address"]):
                yield Finding(concept.place, f"a source is a text and <https://…>, not {source!r}")


# ── length ───────────────────────────────────────────────────────────────────────────────────────


def _lengths(pack: Pack) -> Iterator[Finding]:
    for item in pack.items():
        if item.card is None or not item.card.kind.in_concepts:
            continue
        height = card_height(item.card)
        expected = item.card.kind.expected(item.card.answer, item.card.extra)
        room = CARD_LINES if expected is None else CARD_LINES - ANSWER_LINES
        if height > room:
            yield Finding(
                _place_of(pack, item.guid),
                f"{item.guid} takes {height} lines at {WIDTH} columns, but only {room} fit",
            )


def card_height(card: CardText) -> int:
    """Lines of question, answer, and the offer to run an example or to open the cost lab."""
    offers = OFFER * (len(card.extra.get("examples", ())) + ("lab" in card.extra))
    return sum(text_height(part) for part in card.kind.revealed(card) if part.strip()) + offers


def text_height(markdown: str) -> int:
    """Lines that the Markdown takes when it is rendered."""
    return render(markdown, width=WIDTH).plain.rstrip("\n").count("\n") + 1


def _place_of(pack: Pack, guid: str) -> SourceLocation:
    identifier = guid.removeprefix(f"{pack.id}:").split(":")[0]
    return next(card.place for card in pack.cards() if card.id == identifier)


def _examples(pack: Pack) -> Iterator[Finding]:
    bugs = {bug.example.id for bug in pack.bugs.values()}  # judged by `check.bugs`
    for example in pack.examples():
        if example.id in bugs:
            continue
        lines = [*example.source.splitlines(), *example.output.splitlines()]
        if len(example.source.splitlines()) > EXAMPLE_LINES:
            yield _example(example, f"an example of more than {EXAMPLE_LINES} lines")
        if any(len(line) > EXAMPLE_WIDTH for line in lines):
            yield _example(example, f"a line of more than {EXAMPLE_WIDTH} columns")


def _example(example: Example, message: str) -> Finding:
    return Finding(example.place, f"{message}, in {example.id}")


# ── asked twice ──────────────────────────────────────────────────────────────────────────────────


def _duplicates(pack: Pack) -> Iterator[Finding]:
    cards = [(card, _trigrams(_asked(card))) for card in pack.cards()]
    for (one, first), (other, second) in combinations(cards, 2):
        common = len(first & second)
        if common and common / len(first | second) >= ALIKE:
            yield Finding(other.place, f"asks nearly the same as {one.id!r} at {one.place}")


def _asked(card: Card) -> str:
    """The question in lowercase letters and digits alone."""
    text = unicodedata.normalize("NFKC", card.front).casefold()
    return "".join(character if character.isalnum() else " " for character in text)


def _trigrams(text: str) -> frozenset[str]:
    padded = f"  {' '.join(text.split())}  "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def _at(passage: TextPassage, token: Token, message: str) -> Finding:
    first = (token.content or str(token.attrGet("href") or "")).strip().split("\n")[0]
    return Finding(_place_of_text(passage, first), " ".join(message.split()))


def _place_of_text(passage: TextPassage, text: str) -> SourceLocation:
    """Return the line of the file on which `text` first occurs after the passage's beginning."""
    lines = _lines(passage.place.file)
    after = range(passage.place.line - 1, len(lines))
    line = next((number + 1 for number in after if text and text in lines[number]), None)
    return SourceLocation(passage.place.file, line or passage.place.line)


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    return tuple(Path(file).read_text(encoding="utf-8").splitlines())
