"""The preview of an import, whose cards the learner can edit. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from studyattn.exchange.documents.dialects import goes_with_others
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.edit_text import edit_text, read_edits
from studyattn.exchange.documents.edits import (
    EditedCard,
    Edits,
    cards_of,
    propose_split,
    question_key,
)
from studyattn.exchange.documents.importing import ReadDocuments
from studyattn.exchange.documents.plan import ImportPlan, PlannedSource


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card of the preview: the document's path, its question, and the card's place in that."""

    path: str
    key: str
    place: int = 0


class ImportPreview:
    """Documents that were read, the learner's edits, and the plan that both give.

    The methods that edit return whether they changed something. A card that asks what is wrong with
    a statement is no question of the document: it can be skipped, nothing else.
    """

    def __init__(self, documents: ReadDocuments) -> None:
        self._documents = documents
        self._edits: dict[str, Edits] = {}
        self.plan: ImportPlan = documents.plan()

    @property
    def concepts(self) -> Mapping[str, str]:
        """The titles of the concepts that a card may go to, by slug."""
        return {each.slug: each.title for each in self._documents.known.concepts}

    @property
    def text(self) -> str:
        """All cards as one text, to be edited."""
        return edit_text(self.plan.sources)

    def use_text(self, text: str) -> None:
        """Take the cards of an edited text. Raises DocumentError, and changes nothing then."""
        self._edits = read_edits(text, self.plan.sources, self.concepts)
        self.plan = self._documents.plan(self._edits)

    def choose(self, path: str, offer: str) -> bool:
        """Take an offered way of reading a document as well, or no longer.

        Raises InputError for one that does not go together with those that are taken.
        """
        before = self.ways(path)
        if offer in before:
            after = [each for each in before if each != offer]
        else:
            after = [each for each in before if goes_with_others(each)]
            after = [*after, offer] if goes_with_others(offer) else [offer]
        self._documents = self._documents.read_as(path, after)
        self.plan = self._documents.plan(self._edits)
        return True

    def ways(self, path: str) -> tuple[str, ...]:
        """Return the ways in which a document is read."""
        return tuple(self._source(path).understood.name.split("+"))

    def _source(self, path: str) -> PlannedSource:
        return next(each for each in self.plan.sources if each.path == path)

    def card(self, at: CardPlace) -> EditedCard | None:
        """Return the text of a card, None for one that is no question of the document."""
        cards = self._cards(at)
        return cards[at.place] if at.place < len(cards) else None

    def skip(self, at: CardPlace) -> bool:
        """Leave the card out; of a question that was left out, make what the document says."""
        if self._source(at.path).edits.get(at.key) == ():
            return self.restore(at)
        cards = self._cards(at)
        return self._use(at, {at.key: cards[: at.place] + cards[at.place + 1 :]})

    def restore(self, at: CardPlace) -> bool:
        """Make of the question what the document says."""
        before = self._source(at.path).edits
        self._edits[at.path] = {key: cards for key, cards in before.items() if key != at.key}
        return at.key in before and self._use(at, {})

    def split(self, at: CardPlace) -> bool:
        """Make a card of each part of the answer."""
        question = self._question(at)
        parts = () if question is None else propose_split(question)
        return len(parts) > 1 and self._use(at, {at.key: parts})

    def merge(self, at: CardPlace) -> bool:
        """Merge the card with the one after it, of its question or of the next that has one.

        The first question stays. The second one becomes a bold line of the answer.
        """
        edits, cards = self._source(at.path).edits, list(self._cards(at))
        if at.place >= len(cards):
            return False
        taken: dict[str, tuple[EditedCard, ...]] = {}
        if at.place + 1 < len(cards):
            other = cards.pop(at.place + 1)
        else:
            after = self._source(at.path).questions
            keys = [question_key(each.text) for each in after]
            rest = after[keys.index(at.key) + 1 :]
            found = next((each for each in rest if cards_of(each, edits)), None)
            if found is None:
                return False
            other, *left = cards_of(found, edits)
            taken[question_key(found.text)] = tuple(left)
        card = cards[at.place]
        cards[at.place] = replace(card, back=f"{card.back}\n\n**{other.front}**\n\n{other.back}")
        return self._use(at, {at.key: tuple(cards), **taken})

    def reword(self, at: CardPlace, front: str, back: str) -> bool:
        """Give the card another text."""
        old = self.card(at)
        if old is None or not front.strip() or not back.strip():
            return False
        card = EditedCard(front.strip(), back.strip(), old.concept)
        return card != old and self._put(at, card)

    def choose_concept(self, at: CardPlace, slug: str) -> bool:
        """Put the card under another concept."""
        old = self.card(at)
        return old is not None and self._put(at, replace(old, concept=slug))

    def _put(self, at: CardPlace, card: EditedCard) -> bool:
        cards = list(self._cards(at))
        cards[at.place] = card
        return self._use(at, {at.key: tuple(cards)})

    def _use(self, at: CardPlace, changed: Edits) -> bool:
        self._edits[at.path] = {**self._edits.get(at.path, self._source(at.path).edits), **changed}
        self.plan = self._documents.plan(self._edits)
        return True

    def _cards(self, at: CardPlace) -> tuple[EditedCard, ...]:
        """Return the cards of a question; none of a card that is no question of the document."""
        question = self._question(at)
        return () if question is None else cards_of(question, self._source(at.path).edits)

    def _question(self, at: CardPlace) -> ExtractedQuestion | None:
        questions = self._source(at.path).questions
        return next((each for each in questions if question_key(each.text) == at.key), None)
