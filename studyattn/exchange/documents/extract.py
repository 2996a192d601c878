"""Extract questions with answers, claims and notes from a source document.

A text in, a draft out: besides the settings of an Obsidian vault nothing is looked up, and what is
already in the database is left to `planner`. A document is read in one of these ways, or in two:

    a dialect      the marks of a program (`dialects`): certain, or likely where nothing else asks
    qa             what the document itself marks as a question (`shapes`)
    a shape        units that look alike: headings of a level, bold lines, list items (`shapes`)
    note           none of these: each section is a note

What is not certain is offered: the preview shows how many cards each other way would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from pathlib import PurePath
from statistics import median
from typing import Final

from studyattn.errors import InputError
from studyattn.exchange.documents import contents, dialects
from studyattn.exchange.documents.dialects import NOTE, QUESTIONS
from studyattn.exchange.documents.dialects.columns import Grid
from studyattn.exchange.documents.dialects.dialect import Dialect, Reading
from studyattn.exchange.documents.draft import ExtractedQuestion, ExtractedText, Offer, Understood
from studyattn.exchange.documents.shapes import Shapes
from studyattn.exchange.documents.units import FILE, TITLES, asks
from studyattn.packs.errata import heading_lines
from studyattn.text.document import Unclosed, read_document

MOST_TOLD: Final = 8
"""Things never closed whose lines a preview tells."""
MOST_OFFERS: Final = 3
FEW: Final = 5
"""Cards of a document that may be something else; one that has more is what it looks like."""
SHORT_FRONT: Final = 60
"""Characters of a front that is a term or a question, rather than a sentence."""


def extract(text: str, name: str, way: str = "") -> ExtractedText:
    """Return the contents of a document.

    `way` chooses how it is read, two ways joined by `+`. Without it the document is read in the
    dialect of its cards, or by its shape where it asks, or else as a note.

    Raises DocumentError, with `name:line`, for front matter that is not YAML; InputError for a
    way that there is not.
    """
    ways = dialects.ways(way)
    dialect = dialects.chosen(way, name, text)
    if dialect is None or dialect.markdown:
        ways = (dialect.name,) if dialect and not ways else ways
        return _in_markdown(text, name, ways, chosen=bool(way))
    found = _in_columns(text, name, dialect, pair=dialects.pair_of(way), chosen=bool(way))
    if dialect.otherwise is None or found.questions or found.understood.unread:
        return found
    return _in_markdown(text, name, (), chosen=False)


def _in_markdown(text: str, name: str, ways: tuple[str, ...], *, chosen: bool) -> ExtractedText:
    """Return the contents of a document in Markdown; without `ways` in those that are likely."""
    markdown = _as_markdown(text, name)
    dialect = dialects.DIALECTS.get("".join(ways[:1]))
    document = read_document(markdown, name, in_lists=dialect is None)
    shapes = Shapes(document)
    if not ways:
        ways = _likely(markdown, name, shapes)
        dialect = dialects.DIALECTS.get(ways[0])
        if dialect is not None and not dialect.markdown:
            return _in_columns(text, name, dialect, chosen=chosen)
    reading = _read(ways, markdown, name, shapes)
    of_cards = bool(reading.questions and dialect)
    title = reading.title or contents.title_of(document, of_cards=of_cards)
    questions = [
        replace(each, asked=each.asked or title) if dialect else each for each in reading.questions
    ]
    offers = _offers(markdown, name, ways, shapes, reading)
    return ExtractedText(
        name=name,
        kind="+".join(ways) if questions else NOTE,
        title=title,
        text=text,
        front_matter=dict(document.front_matter),
        questions=tuple(questions),
        claims=tuple(contents.claims(document)),
        notes=() if questions else tuple(contents.notes(document)),
        headings=heading_lines(document),
        understood=_understood(name, ways, reading, offers, document.unclosed, chosen=chosen),
    )


def _as_markdown(text: str, name: str) -> str:
    """Return the text of a file by its suffix as Markdown."""
    suffix = PurePath(name).suffix.lower()
    readers = (each for each in dialects.DIALECTS.values() if suffix in each.suffixes)
    otherwise = next((each.otherwise for each in readers if each.otherwise), None)
    return text if otherwise is None else otherwise(text)


def _likely(text: str, name: str, shapes: Shapes) -> tuple[str, ...]:
    """Return the way to read a document that no program's marks are certain in.

    Its own questions come first; else a dialect that is likely, or units within its texts,
    whichever gives more cards.
    """
    if any(True for _ in shapes.questions()):
        return (QUESTIONS,)
    likely = dialects.likely(name, text)
    if likely is not None and likely.otherwise is not None:
        likely = None
    units = sum(bool(each.answer) for each in shapes.with_units())
    if likely is not None and len(likely.read(text, name).questions) >= units:
        return (likely.name,)
    return (QUESTIONS,) if units else (NOTE,)


def _reading(way: str, text: str, name: str, shapes: Shapes) -> Reading:
    """Return the cards that a document has in one way."""
    if way in dialects.DIALECTS:
        return dialects.DIALECTS[way].read(text, name)
    found = Reading()
    if way == NOTE:
        for line in shapes.bare():
            found.leave(line, "nothing below answers it")
    else:
        found.questions += shapes.with_units() if way == QUESTIONS else shapes.by_shape(way)
    return found


def _read(ways: Iterable[str], text: str, name: str, shapes: Shapes) -> Reading:
    """Return the cards of a document in its ways, in its order, each row's once."""
    first, *others = (_reading(each, text, name, shapes) for each in ways)
    for reading in others:
        used = {each.line for each in first.questions}
        first.questions += [each for each in reading.questions if each.line not in used]
        first.questions.sort(key=lambda each: each.line)
        first.unread += reading.unread
        first.remarks += reading.remarks
    return first


def _in_columns(
    text: str, name: str, dialect: Dialect, *, pair: tuple[int, int] | None = None, chosen: bool
) -> ExtractedText:
    """Return the contents of a document that is no Markdown: its cards, or those of two columns.

    Where there are none the likeliest columns are offered.
    """
    grid = dialect.grid(text, name) if pair and dialect.grid else None
    reading = grid.read(Reading(), pair) if grid else dialect.read(text, name)
    make = None if reading.questions or chosen else dialect.grid
    offers = [*_columns(make(text, name))] if make else []
    way = dialect.name if pair is None else f"{pair[0] + 1}-{pair[1] + 1}"
    return ExtractedText(
        name=name,
        kind=way,
        title=reading.title or PurePath(name).stem,
        text=text,
        questions=tuple(reading.questions),
        understood=_understood(name, (way,), reading, offers, chosen=chosen),
    )


def _columns(grid: Grid) -> Iterator[Offer]:
    """Yield the likeliest columns of a grid as offers."""
    for sides in (grid.likely() or [(0, 1)])[:MOST_OFFERS]:
        title = " → ".join(grid.name(at) or f"column {at + 1}" for at in sides)
        if cards := grid.read(Reading(), sides).questions:
            yield _offer("-".join(str(at + 1) for at in sides), title, cards)


def _understood(
    name: str,
    ways: Sequence[str],
    reading: Reading,
    offers: Iterable[Offer] = (),
    unclosed: Sequence[Unclosed] = (),
    *,
    chosen: bool,
) -> Understood:
    """Return how a document was read."""
    remarks = reading.remarks
    if PurePath(name).suffix.lower() == ".ipynb":
        told = "The notebook's code cells become code; lines are counted across all cells"
        remarks.insert(0, told)
    if unclosed:
        told = ", ".join(f"{each.what} (line {each.line})" for each in unclosed[:MOST_TOLD])
        more = f" and {len(unclosed) - MOST_TOLD} more" if len(unclosed) > MOST_TOLD else ""
        remarks.append(f"Never closed: {told}{more}")
    return Understood(
        name="+".join(ways),
        title=" and ".join(dialects.title_of(each) for each in ways),
        # The forms of cards come before what is known of them.
        kinds=dict(sorted(reading.kinds.items(), key=lambda each: each[0] == "with a memory")),
        chosen=chosen,
        cards=sum(bool(each.answer) for each in reading.questions),
        unread=tuple(reading.unread),
        remarks=tuple(remarks),
        offers=tuple(offers),
    )


def _offers(
    text: str, name: str, ways: Sequence[str], shapes: Shapes, reading: Reading
) -> list[Offer]:
    """Return the best other ways to read a document, by the cards that they would add."""
    taken = {*map(attrgetter("line"), reading.questions)}
    found: list[tuple[float, Offer]] = []
    for way, questions in _other_ways(text, name, ways, shapes, any_shape=len(taken) < FEW):
        new = [each for each in questions if each.answer and each.line not in taken]
        if 2 * len(new) >= max(2, len(questions), len(taken) * (way in TITLES)):
            found.append((_score(new), _offer(way, dialects.title_of(way), new)))
    if taken or len(found) > 1:  # the whole file is offered where nothing else is
        found = [each for each in found if each[1].name != FILE]
    found.sort(key=itemgetter(0), reverse=True)
    return [*map(itemgetter(1), found[:MOST_OFFERS])]


def _offer(way: str, title: str, cards: Sequence[ExtractedQuestion]) -> Offer:
    lines = tuple(dict.fromkeys(each.line for each in cards))
    examples = tuple((each.text, each.answer) for each in cards[:2])
    return Offer(way, title, lines, len(cards), examples)


def _other_ways(
    text: str, name: str, ways: Sequence[str], shapes: Shapes, *, any_shape: bool
) -> Iterator[tuple[str, Sequence[ExtractedQuestion]]]:
    """Yield what a document would give in ways that were not chosen.

    Any shape where it has few cards or none; beside others only what marks say is one, too.
    """
    for dialect in dialects.DIALECTS.values():
        fits = dialect.recognises(name, text) or (any_shape and dialect.looks(text))
        if dialect.name not in ways and dialect.markdown and fits:
            try:
                yield dialect.name, dialect.read(text, name).questions
            except InputError:
                continue
    if any_shape:
        yield from shapes.offers()
    if not {QUESTIONS, NOTE} & set(ways):
        yield QUESTIONS, list(shapes.questions())


def _score(questions: Sequence[ExtractedQuestion]) -> float:
    """Return how likely these are cards: many, with short fronts, that ask."""
    short = median(len(each.text) for each in questions) <= SHORT_FRONT
    asking = sum(asks(each.text) for each in questions) / len(questions)
    return len(questions) * (1.0 if short else 0.5) * (1 + asking)
