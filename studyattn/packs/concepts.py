"""Reads a concept's file: its front matter, its explanation, its cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.packs.answers import read_number, read_tolerance
from studyattn.packs.fences import find_examples
from studyattn.packs.fields import Fields, is_id
from studyattn.packs.model import Card, CardKind, Concept, Example, SourceLocation
from studyattn.text.cloze import groups
from studyattn.text.document import Document, Section, read_document

_CARDS: Final = "Cards"
_REVERSED: Final = "reversed"
_ANY_CARD: Final = {"misconception", "lab"}
_KEYS: Final = {
    CardKind.BASIC: _ANY_CARD,
    CardKind.CLOZE: _ANY_CARD,
    CardKind.TYPED: {*_ANY_CARD, "answer"},
    CardKind.NUMERIC: {*_ANY_CARD, "answer", "tolerance", "unit"},
    CardKind.COMPUTED: {*_ANY_CARD, "by"},
}


def read_concept(text: str, file: Path) -> tuple[Concept, list[PackError]]:
    """The concept in `file`, and what is wrong with single cards, which are left out.

    Raises PackError or DocumentError when the file itself cannot be used.
    """
    name = str(file)
    document = read_document(text, name, strict=True)
    fields = Fields(document.front_matter, SourceLocation(name, 1))
    slug = fields.id("slug")
    if slug != file.stem:
        raise PackError(
            f"the concept {slug!r} stands in {file.name}",
            where=str(fields.place),
            advice="Call both the same",
        )
    body, examples = _explanation(document, slug)
    problems: list[PackError] = []
    concept = Concept(
        slug=slug,
        title=fields.text("title"),
        body=body,
        place=fields.place,
        requires=fields.texts("requires", default=()),
        core=fields.truth("core", default=False),
        drills=fields.texts("drills", default=()),
        sources=fields.texts("sources", default=()),
        given=fields.texts("given", default=()),
        examples=examples,
        cards=_cards(document, problems),
    )
    fields.refuse_others()
    return concept, problems


def _explanation(document: Document, slug: str) -> tuple[str, tuple[Example, ...]]:
    """All that stands before `## Cards`, as it stands, and the examples in it."""
    pieces = [(document.preamble, document.preamble_line)]
    for section in document.sections:
        if section.title == _CARDS:
            break
        for each in section.walk():
            pieces.append((f"{'#' * each.level} {each.title}", each.line))
            pieces.append((each.body, each.body_line))
    examples: list[Example] = []
    for text, line in pieces:
        found = find_examples(text, slug, SourceLocation(document.name, line)).examples
        examples.extend(_numbered(found, slug, len(examples)))
    return "\n\n".join(text for text, _ in pieces if text), tuple(examples)


def _numbered(examples: tuple[Example, ...], slug: str, before: int) -> list[Example]:
    """Nameless examples count through the whole explanation, not section by section."""
    return [
        replace(each, id=f"{slug}-{before + index}") if each.id == f"{slug}-{index}" else each
        for index, each in enumerate(examples, start=1)
    ]


def _cards(document: Document, problems: list[PackError]) -> tuple[Card, ...]:
    sections = [section for section in document.sections if section.title == _CARDS]
    if not sections:
        return ()
    after = document.sections[document.sections.index(sections[0]) + 1 :]
    if after:
        raise PackError(
            f"{after[0].title!r} stands after the cards, which come last",
            where=f"{document.name}:{after[0].line}",
            advice="Move it before ## Cards, or make it a card with ###",
        )
    if sections[0].body.strip():
        raise PackError(
            "this text belongs to no card",
            where=f"{document.name}:{sections[0].body_line}",
            advice="Between ## Cards and the first ### nothing may stand",
        )
    cards: list[Card] = []
    for section in sections[0].children:
        try:
            cards.append(_card(section, document.name))
        except PackError as error:
            problems.append(error)
    return tuple(cards)


def _card(section: Section, file: str) -> Card:
    place = SourceLocation(file, section.line)
    if section.level != 3 or section.children:
        raise PackError(
            "a card is a heading of level 3 without headings below it", where=str(place)
        )
    identifier = section.attributes.id
    if identifier is None or not is_id(identifier):
        raise PackError(
            "a card without an id" if identifier is None else f"{identifier!r} is no id",
            where=str(place),
            advice="End its heading with {#some-id}: lower-case letters, digits and hyphens",
        )
    kind, turned = _kind(section, place)
    values = dict(section.attributes.values)
    unknown = sorted(set(values) - _KEYS[kind])
    if unknown:
        raise PackError(
            f"a {kind} card has no key {unknown[0]!r}",
            where=str(place),
            advice=f"It may have {', '.join(sorted(_KEYS[kind]))}",
        )
    found = find_examples(section.body, identifier, SourceLocation(file, section.body_line))
    card = Card(
        id=identifier,
        kind=kind,
        front=section.title,
        back=found.rest,
        place=place,
        answer=values.get("answer"),
        tolerance=values.get("tolerance"),
        unit=values.get("unit", ""),
        function=values.get("by"),
        reversed=turned,
        groups=_groups(kind, section, found.rest, place),
        misconceptions=tuple(values.get("misconception", "").split()),
        lab=values.get("lab"),
        examples=found.examples,
    )
    _refuse_unfinished(card)
    return card


def _kind(section: Section, place: SourceLocation) -> tuple[CardKind, bool]:
    classes = list(section.attributes.classes)
    turned = _REVERSED in classes
    kinds = [each for each in classes if each != _REVERSED]
    if len(kinds) > 1 or any(each not in set(map(str, _KEYS)) for each in kinds):
        raise PackError(
            f"{' '.join(kinds)!r} is no kind of card",
            where=str(place),
            advice=f"Kinds are {', '.join(_KEYS)}",
        )
    kind = CardKind(kinds[0]) if kinds else CardKind.BASIC
    if turned and kind is not CardKind.BASIC:
        raise PackError(f"a {kind} card cannot be reversed", where=str(place))
    return kind, turned


def _groups(kind: CardKind, section: Section, back: str, place: SourceLocation) -> tuple[int, ...]:
    found = tuple(sorted({*groups(section.title), *groups(back)}))
    if kind is not CardKind.CLOZE:
        return (1,)
    if found != tuple(range(1, len(found) + 1)) or not found:
        raise PackError(
            "a cloze card without a gap" if not found else f"gap groups {found} have a hole",
            where=str(place),
            advice="Write ==gap==, or ==1|gap== and ==2|gap==, outside of code and formulas",
        )
    return found


def _refuse_unfinished(card: Card) -> None:
    """Raise for what its kind cannot do without."""
    place = str(card.place)
    if not card.front:
        raise PackError("a card without a question", where=place)
    needs_body = card.kind in {CardKind.BASIC, CardKind.TYPED, CardKind.NUMERIC}
    if needs_body and not card.back.strip():
        raise PackError(
            "a card without an answer" if card.kind is CardKind.BASIC else "a card without a why",
            where=place,
            advice="Write it below the heading",
        )
    if card.kind in {CardKind.TYPED, CardKind.NUMERIC} and not (card.answer or "").strip():
        raise PackError(f'a {card.kind} card needs answer="…" in its heading', where=place)
    if card.kind is CardKind.NUMERIC and read_number(card.answer or "") is None:
        raise PackError(f"{card.answer!r} is no number", where=place)
    if card.tolerance is not None and read_tolerance(card.tolerance) is None:
        raise PackError(
            f"{card.tolerance!r} is no tolerance", where=place, advice="Write 0.005 or 1%"
        )
    if card.lab is not None and card.examples:
        raise PackError(
            "a card has an example or a cost lab, not both", where=place, advice="x opens one"
        )
    if card.kind is CardKind.COMPUTED and not _is_function(card.function or ""):
        raise PackError("a computed card needs by=function_name in its heading", where=place)


def _is_function(name: str) -> bool:
    """`function`, or `module.function`."""
    parts = name.split(".")
    return len(parts) <= 2 and all(part.isidentifier() for part in parts)
