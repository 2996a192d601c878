"""Reads a concept's file: its front matter, its lesson, its cards."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.packs.card_kinds import BASIC, KINDS, CardKind, WrittenCard
from studyattn.packs.fences import find_examples, without_checks
from studyattn.packs.fields import Fields, id_of
from studyattn.packs.model import Card, Concept, KeyPoint, SourceLocation
from studyattn.packs.pages import CARDS, KEY_POINTS, read_pages
from studyattn.text.document import Document, Section, read_document

_REVERSED: Final = "reversed"
_ANY_CARD: Final = frozenset({"misconception", "lab"})
"""The keys that a heading of every kind may have."""


def read_concept(text: str, file: Path) -> tuple[Concept, list[PackError]]:
    """The concept in `file`, and what is wrong with single cards, which are left out.

    Raises PackError or DocumentError when the file itself cannot be used.
    """
    name = str(file)
    document = read_document(without_checks(text), name, strict=True)
    fields = Fields(document.front_matter, SourceLocation(name, 1))
    slug = fields.id("slug")
    if slug != file.stem:
        raise fields.place.error(
            f"the concept {slug!r} is in {file.name}", "Give both the same name"
        )
    title = fields.text("title")
    pages, examples = read_pages(document, slug, title)
    problems: list[PackError] = []
    concept = Concept(
        slug=slug,
        title=title,
        body="\n\n".join(page.body for page in pages),
        place=fields.place,
        requires=fields.texts("requires", default=()),
        core=fields.truth("core"),
        drills=fields.texts("drills", default=()),
        sources=fields.texts("sources", default=()),
        given=fields.texts("given", default=()),
        terms=_terms(fields),
        pages=pages,
        examples=examples,
        key_points=_key_points(document),
        cards=_cards(document, problems),
    )
    fields.refuse_others()
    return concept, problems


def _terms(fields: Fields) -> tuple[tuple[str, ...], ...]:
    written = fields.texts("terms", default=())
    terms = tuple(tuple(form.strip() for form in each.split("|")) for each in written)
    if not all(form for each in terms for form in each):
        raise fields.place.error(
            "a term without a word", 'Write terms: [softmax, "key|keys", "$d_k$"]'
        )
    return terms


def _section(document: Document, title: str) -> tuple[Section | None, tuple[Section, ...]]:
    """Return the first section of this title, and those after it."""
    titles = [each.title for each in document.sections]
    at = titles.index(title) if title in titles else len(titles)
    return next(iter(document.sections[at:]), None), document.sections[at + 1 :]


def _key_points(document: Document) -> tuple[KeyPoint, ...]:
    """Return the items of the list below `## Key points`; () where there is no such heading."""
    section, follows = _section(document, KEY_POINTS)
    if section is None:
        return ()
    others = (*section.children, *(each for each in follows if each.title != CARDS))
    if others:
        raise SourceLocation(document.name, others[0].line).error(
            f"{others[0].title!r} comes after the key points, which only the cards may follow",
            "Move it before ## Key points",
        )
    points: list[KeyPoint] = []
    for number, line in enumerate(section.body.splitlines(), start=section.body_line):
        place = SourceLocation(document.name, number)
        if line.startswith("- "):
            points.append(KeyPoint(line.removeprefix("- ").strip(), place))
        elif line.startswith("  ") and points:
            points[-1] = points[-1]._replace(text=f"{points[-1].text} {line.strip()}")
        elif line.strip():
            raise place.error(
                "a line that belongs to no key point",
                "Begin each point with “- ” and indent the lines that continue it",
            )
    return tuple(points)


def _cards(document: Document, problems: list[PackError]) -> tuple[Card, ...]:
    section, after = _section(document, CARDS)
    if section is None:
        return ()
    if after:
        raise SourceLocation(document.name, after[0].line).error(
            f"{after[0].title!r} comes after the cards, which must be last",
            "Move it before ## Cards, or make it a card with ###",
        )
    if section.body.strip():
        raise SourceLocation(document.name, section.body_line).error(
            "this text belongs to no card", "Nothing may come between ## Cards and the first ###"
        )
    cards: list[Card] = []
    for each in section.children:
        try:
            cards.append(_card(each, document.name))
        except PackError as error:
            problems.append(error)
    return tuple(cards)


def _card(section: Section, file: str) -> Card:
    place = SourceLocation(file, section.line)
    if section.level != 3 or section.children:
        raise place.error("a card is a heading of level 3 without headings below it")
    advice = "End its heading with {#some-id}: lowercase letters, digits and hyphens"
    identifier = id_of(section.attributes, "a card", place, advice)
    kind, turned = _kind(section, place)
    values = dict(section.attributes.values)
    known = kind.heading_keys | _ANY_CARD
    unknown = sorted(set(values) - known)
    if unknown:
        raise place.error(
            f"a {kind.name} card has no key {unknown[0]!r}",
            f"It may have {', '.join(sorted(known))}",
        )
    found = find_examples(section.body, identifier, SourceLocation(file, section.body_line))
    if not section.title:
        raise place.error("a card without a question")
    written = WrittenCard(section.title, found.rest, values, str(place))
    kind.check(written)
    lab = values.get("lab")
    if lab is not None and found.examples:
        raise place.error("a card has an example or a cost lab, not both", "x opens one")
    return Card(
        id=identifier,
        kind=kind,
        front=written.front,
        back=kind.back(written),
        place=place,
        answer=kind.answer(written),
        extra=kind.extra_values(written),
        reversed=turned,
        groups=kind.groups(written),
        misconceptions=tuple(values.get("misconception", "").split()),
        lab=lab,
        examples=found.examples,
    )


def _kind(section: Section, place: SourceLocation) -> tuple[CardKind, bool]:
    turned = _REVERSED in section.attributes.classes
    names = [each for each in section.attributes.classes if each != _REVERSED]
    known = [name for name, kind in KINDS.items() if kind.in_concepts]
    if len(names) > 1 or not {*names} <= {*known}:
        raise place.error(
            f"{' '.join(names)!r} is not a card kind", f"Kinds are {', '.join(known)}"
        )
    kind = KINDS[names[0]] if names else BASIC
    if turned and not kind.reversible:
        raise place.error(f"a {kind.name} card cannot be reversed")
    return kind, turned
