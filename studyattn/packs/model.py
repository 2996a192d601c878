"""The content of a pack, as frozen values: concepts, cards, bugs, examples, drills' briefs.

`read` makes these from files; `sync` takes them into the database; `check` judges them. A pack's
items (`Pack.items`) are what the learner is asked: one card may be several of them (siblings).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from studyattn.errors import PackError
from studyattn.grading.steps import DrillStep, in_folder
from studyattn.memory.state import EXPLANATION_MARK, drill_guid
from studyattn.packs.bug_drawing import FaultyProgram
from studyattn.packs.card_kinds import BUG, EXPLAIN, CardKind, written
from studyattn.packs.locate import Capstone, digest_with

WHY: Final = "**Why:**"
"""Begins the paragraph of an answer that says why it is so."""


@dataclass(frozen=True, slots=True, order=True)
class SourceLocation:
    """A line of a pack's file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def below(self, lines: int) -> SourceLocation:
        """Return the place so many lines below."""
        return SourceLocation(self.file, self.line + lines)

    def error(self, message: str, advice: str = "") -> PackError:
        """Return what is raised for something that cannot be used here."""
        return PackError(message, where=str(self), advice=advice)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The question for the output of an example, asked before it is shown."""

    choices: tuple[str, ...] = ()
    """Wrong outputs to pick from beside the right one; without any the output is typed."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """A sentence, as Markdown, on why an output is wrong, by that output."""
    mended_by: Mapping[str, str] = field(default_factory=dict)
    """What mends an output, by that output: a card's id, or the misconception that cards name."""


class Example(NamedTuple):
    """A runnable example: Python code and exactly what it prints."""

    id: str
    title: str
    """What it shows, from its first comment."""
    source: str
    output: str
    place: SourceLocation
    prediction: Prediction | None = None
    """None where the output is shown with the code."""


@dataclass(frozen=True, slots=True)
class Card:
    """A question with an answer, as its author wrote it."""

    id: str
    kind: CardKind
    front: str
    """The heading's Markdown, cloze marks included."""
    back: str
    """The answer's Markdown without the runnable examples."""
    place: SourceLocation
    answer: str | None = None
    """What a typed answer is compared with, as its author wrote it."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What only its kind has: a number's `tolerance` and `unit`, a computed card's `function`."""
    reversed: bool = False
    groups: tuple[int, ...] = (1,)
    """The numbers of the items that it becomes: of a cloze, one for each group of gaps."""
    misconceptions: tuple[str, ...] = ()
    lab: str | None = None
    """The drill whose growing cost shows what the card says."""
    examples: tuple[Example, ...] = ()


class PagePart(NamedTuple):
    """Markdown of a page up to a prediction, or to the page's end."""

    text: str
    """With the code of `asks`, without its output and the reasons after it."""
    asks: Example | None = None
    """The example whose output is asked before the page goes on."""


class LessonPage(NamedTuple):
    """A part of a concept's explanation that is read at once, before the cards it prepares for."""

    id: str
    """Its name within the concept, by which is kept that it was read."""
    title: str
    """Its heading; that of the concept for an explanation without page headings."""
    body: str
    """Markdown, headings and outputs included."""
    parts: tuple[PagePart, ...]
    cards: tuple[str, ...]
    """Ids of cards of the concept, in the order in which they are asked."""
    place: SourceLocation
    """Where `body` begins: its lines are those of the file."""


class KeyPoint(NamedTuple):
    """A fact that a good explanation of a concept has in it."""

    text: str
    """One sentence, as Markdown."""
    place: SourceLocation


class Concept(NamedTuple):
    """One idea to know, with its lesson and its cards."""

    slug: str
    title: str
    body: str
    """The explanation's Markdown, examples included."""
    place: SourceLocation
    requires: tuple[str, ...] = ()
    core: bool = False
    drills: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    """Numbers it states that nothing here could compute, each with where it is from."""

    terms: tuple[tuple[str, ...], ...] = ()
    """The terms and symbols that it introduces, each with its other forms."""

    pages: tuple[LessonPage, ...] = ()
    """The explanation as a lesson; none where there is no explanation."""

    examples: tuple[Example, ...] = ()
    key_points: tuple[KeyPoint, ...] = ()
    cards: tuple[Card, ...] = ()

    def page_before(self, card: str) -> int:
        """Return the number of the page, from 0, after which the card with this id is asked.

        What no page names comes after the last one. The concept must have pages.
        """
        named = (at for at, page in enumerate(self.pages) if card in page.cards)
        return next(named, len(self.pages) - 1)

    def cards_in_order(self) -> list[Card]:
        """Return its cards in the order of the lesson: those of each page, then the others."""
        named = [card for page in self.pages for card in page.cards]
        return sorted(
            self.cards,
            key=lambda card: named.index(card.id) if card.id in named else len(named),
        )


class Contract(NamedTuple):
    """The rules for every submission to a drill of the pack: what it must do and must not do."""

    text: str
    """Markdown, one paragraph."""
    demands: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()


class DrillBrief(NamedTuple):
    """The task that a drill sets. Its checks, which grading reads, judge a submission.

    Each of `demands` and `bans` names a way to break the brief that its checks must catch; of
    those of the pack's contract, the drill does not make the `waives`.
    """

    id: str
    title: str
    concept: str
    level: int
    entry: tuple[str, ...]
    backends: tuple[str, ...]
    requires: tuple[str, ...]
    text: str
    """Markdown of task, formula, shapes and example, and of the pack's contract."""
    hints: tuple[str, ...]
    """From vague to nearly the answer: three, and the formula where the text does not have it."""
    folder: Path
    place: SourceLocation
    formula: str = ""
    """Markdown of the formula, wherever it is shown."""
    examples: tuple[Example, ...] = ()
    contract: Contract | None = None
    demands: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    waives: tuple[str, ...] = ()
    model: str = ""
    """The place in a real model where its code can be put."""
    steps: tuple[DrillStep, ...] = ()

    def with_formula_as_hint(self) -> DrillBrief:
        """Return the brief with its formula as the second hint, if it is in the text."""
        if self.formula not in self.text:
            return self
        hints = (*self.hints[:1], self.formula, *self.hints[1:])
        text = self.text.replace(f"## Formula\n\n{self.formula}\n\n", "")
        return self._replace(text=text, hints=hints)

    def text_in(self, backend: str) -> str:
        """Return the text with its example in that library; it is written in numpy."""
        if backend != "torch":
            return self.text
        return self.text.replace("np.array(", "torch.tensor(").replace("np.", "torch.")

    def starter_code(self, backend: str) -> str:
        """Return what `drill start` writes."""
        return self.starter(backend).read_text("utf-8")

    def starter(self, backend: str) -> Path:
        """The file that `drill start` hands out for this backend."""
        return in_folder(self.folder, "starter", backend)

    def solution(self, backend: str) -> Path:
        """The solution for this backend."""
        return in_folder(self.folder, "solution", backend)

    def contrast(self, backend: str) -> Path:
        """Another way to the same answer at another cost, where the drill has one."""
        return in_folder(self.folder, "contrast", backend)


@dataclass(frozen=True, slots=True)
class Bug(FaultyProgram):
    """A card made from a misconception: a program that has it, and what the program prints."""

    misconception: str
    """Its id, by which the card is called too."""
    concept: str
    place: SourceLocation
    begins: SourceLocation
    """Where the code begins that is run."""

    @property
    def example(self) -> Example:
        """The code that is run, and what it prints."""
        name = f"bug-{self.misconception}"
        return Example(name, self.question, self.source, self.output, self.begins)


class Erratum(NamedTuple):
    """Something that a source gets wrong, and by which figures or words a document shows it."""

    id: str
    title: str
    concept: str
    source: str
    says: str
    right: str
    place: SourceLocation
    figures: tuple[float, ...] = ()
    terms: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    """Words that the claim does not have: a statement with one of them is not contradicted."""
    subject: tuple[str, ...] = ()
    """Words of which a document about the subject has at least one; empty: any document."""
    example: str | None = None
    """The id of the example whose output shows what is right: one of its own, or any other."""
    examples: tuple[Example, ...] = ()


class CardText(NamedTuple):
    """The text of one card item as the database keeps it."""

    kind: CardKind
    front: str
    back: str
    answer: str | None
    extra: Mapping[str, Any]
    """What its kind alone has, and `misconceptions`, `lab`, `examples` (a list of mappings with
    `id`, `title`, `source`, `output`). Absent when empty."""

    def digest(self) -> str:
        """SHA-256 of all of it."""
        parts = [self.kind.name, self.front, self.back, self.answer, dict(self.extra)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class PackItem(NamedTuple):
    """One thing to schedule. `card` is None for a drill."""

    guid: str
    concept: str
    card: CardText | None
    sibling_group: str | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A whole pack."""

    id: str
    title: str
    version: str
    language: str
    path: tuple[str, ...]
    folder: Path
    digest: str
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    """By slug, in the order of `path`."""
    drills: Mapping[str, DrillBrief] = field(default_factory=dict)
    bugs: Mapping[str, Bug] = field(default_factory=dict)
    """By misconception."""
    errata: tuple[Erratum, ...] = ()
    goals: tuple[str, ...] = ()
    """Ids of the drills that a learner of the pack wants to be able to write."""
    capstones: tuple[Capstone, ...] = ()
    after: tuple[str, ...] = ()
    """Ids of the packs that it is taught after."""
    routes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The concepts that each goal a learner may choose is about."""

    def needed_for(self, goal: str) -> set[str]:
        """Return the concepts that a goal is about, and all that these require.

        Of several goals (`one, two`) the pack's own count; without one it goes its usual way.
        """
        first: set[str] = set()
        own = [each for each in goal.split(", ") if each in self.routes] or [""]
        waiting = [slug for each in own for slug in self.routes.get(each, ())]
        while waiting:
            slug = waiting.pop()
            if slug in self.concepts and slug not in first:
                first.add(slug)
                waiting += self.concepts[slug].requires
                waiting += self._concepts_of_drills_required(slug)
        return first

    def _concepts_of_drills_required(self, slug: str) -> list[str]:
        drills = [each for each in self.drills.values() if each.concept == slug]
        needed = {each for drill in drills for each in drill.requires}
        return [self.drills[each].concept for each in needed & self.drills.keys()]

    def toward(self, goal: str, share: int = 1) -> Pack:
        """Return the pack with what a goal needs first, and its checksum with goal and `share`."""
        first = self.needed_for(goal)
        path = tuple(sorted(self.path, key=lambda slug: slug not in first))
        concepts = {slug: self.concepts[slug] for slug in path if slug in self.concepts}
        digest = digest_with(self.digest, goal, share)
        return replace(self, path=path, concepts=concepts, digest=digest)

    def cards(self) -> Iterator[Card]:
        """Every card, along the path."""
        for concept in self.concepts.values():
            yield from concept.cards

    def examples(self) -> Iterator[Example]:
        """Every runnable example, of explanations, cards, bugs, briefs and errata."""
        for concept in self.concepts.values():
            yield from concept.examples
            for card in concept.cards:
                yield from card.examples
        for bug in self.bugs.values():
            yield bug.example
        for drill in self.drills.values():
            yield from drill.examples
        for erratum in self.errata:
            yield from erratum.examples

    def items(self) -> Iterator[PackItem]:
        """Yield what is scheduled, in the order of being new: of a concept cards, bugs, drills."""
        for concept in self.concepts.values():
            for card in concept.cards_in_order():
                yield from _card_items(self.id, concept.slug, card)
            for bug in self.bugs.values():
                if bug.concept == concept.slug:
                    guid = f"{self.id}:bug/{bug.misconception}"
                    yield PackItem(guid, concept.slug, bug_text(bug))
            own = [each for each in self.drills.values() if each.concept == concept.slug]
            ids = {each.id for each in own}
            for drill in sorted(
                own, key=lambda each: (len(ids & {*each.requires}), each.level, each.id)
            ):
                yield PackItem(drill_guid(self.id, drill.id), concept.slug, None)

    def explanations(self) -> Iterator[PackItem]:
        """Yield the cards that ask to explain a concept, of each concept that has key points.

        They are no part of the path (`items`): such a card is scheduled once it was asked for.
        """
        for concept in self.concepts.values():
            if concept.key_points:
                guid = explanation_guid(self.id, concept.slug)
                yield PackItem(guid, concept.slug, explanation_text(concept))


def explanation_guid(pack: str, slug: str) -> str:
    """Return the guid of the card that asks to explain a concept of a pack."""
    return f"{pack}{EXPLANATION_MARK}{slug}"


def explanation_text(concept: Concept) -> CardText:
    """Return the card that asks to explain a concept: its key points as a list."""
    front = f"Explain in your own words: **{concept.title}**"
    back = "\n".join(f"- {point.text}" for point in concept.key_points)
    return CardText(EXPLAIN, front, back, None, {})


def card_id(guid: str) -> str:
    """Return the id that a pack gives to the card of an item; siblings have the same one."""
    return guid.split(":")[1] if ":" in guid else guid


def bug_text(bug: Bug) -> CardText:
    """A bug as a card, with what its program is drawn anew from."""
    front = BUG.front(bug.question, bug.program, bug.output)
    extra = {
        "misconceptions": [bug.misconception],
        "examples": [_example(bug.example)],
        "drill": bug.drill,
        "sizes": [dict(each) for each in bug.sizes],
        "written": written(front, bug.answer),
    }
    return CardText(BUG, front, bug.answer, None, extra)


def _example(example: Example) -> Mapping[str, str]:
    return {
        "id": example.id,
        "title": example.title,
        "source": example.source,
        "output": example.output,
    }


def _card_items(pack_id: str, concept: str, card: Card) -> Iterator[PackItem]:
    """One item, or siblings: a group of gaps each, or the two directions of a reversed card.

    The first sibling has the plain guid, so that a card that gains siblings keeps its memory.
    """
    guid = f"{pack_id}:{card.id}"
    directions: list[tuple[str, CardText]] = [
        ("" if index == 0 else f":{group}", _text(card, group=group))
        for index, group in enumerate(card.groups)
    ]
    if card.reversed:
        directions.append((":reversed", _text(card, turned=True)))
    siblings = guid if len(directions) > 1 else None
    for suffix, text in directions:
        yield PackItem(guid + suffix, concept, text, siblings)


def _text(card: Card, *, group: int = 1, turned: bool = False) -> CardText:
    extra = {
        **card.extra,
        **card.kind.group_extra(group),
        "misconceptions": list(card.misconceptions),
        "lab": card.lab,
        "examples": [_example(each) for each in card.examples],
    }
    front, back = _turned(card) if turned else (card.front, card.back)
    present = {key: value for key, value in extra.items() if value}
    return CardText(card.kind, front, back, card.answer, present)


def _turned(card: Card) -> tuple[str, str]:
    """Answer and question exchanged; the why stays on the side that is revealed."""
    answer, mark, why = card.back.partition(WHY)
    return answer.strip(), f"{card.front}\n\n{mark}{why}".strip()
