"""The preview of an import, whose cards the learner can edit. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from studyattn.exchange.documents.dialects import goes_with_others
from studyattn.exchange.documents.draft import ExtractedText
from studyattn.exchange.documents.edit_text import edit_text, read_edits
from studyattn.exchange.documents.edits import (
    EditedCard,
    Edits,
    cards_of,
    edits_for,
    propose_split,
)
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.matching import pair_equal
from studyattn.exchange.documents.plan import ImportPlan, PlannedCard, PlannedSource
from studyattn.exchange.documents.planner import Planner
from studyattn.exchange.words import digest, normalised
from studyattn.packs.model import Erratum
from studyattn.paths import tidy
from studyattn.store.queries.imports import ExistingRows, ExistingSource


class ImportPreview:
    """Documents that were read, the learner's edits, and the plan that both give.

    The methods that edit return whether they changed something.
    """

    def __init__(
        self,
        drafts: Mapping[str, ExtractedText],
        known: ExistingRows,
        errata: tuple[Erratum, ...],
        nothing: ImportPlan,
    ) -> None:
        self._first = drafts  # by path, as they were read first
        self._drafts = dict(drafts)
        self._known = known
        self._errata = errata
        self._edits: dict[str, Edits] = {}  # by path; of others those of the last import
        self.plan = nothing  # yet
        self._plan_again()

    def _plan_again(self) -> None:
        planner = Planner(self._known, self._errata)
        before = _match_sources(self._drafts, self._known.sources)
        sources = [
            planner.plan(draft, path, before.get(path), self._edits.get(path))
            for path, draft in self._drafts.items()
        ]
        self.plan = replace(self.plan, sources=tuple(sources))

    @property
    def concepts(self) -> Mapping[str, str]:
        """The titles of the concepts that a card may go to, by slug."""
        return {each.slug: each.title for each in self._known.concepts}

    @property
    def text(self) -> str:
        """All cards as one text, to be edited."""
        return edit_text(self.plan.sources)

    def use_text(self, text: str) -> None:
        """Take the cards of an edited text. Raises DocumentError, and changes nothing then."""
        self._edits = read_edits(text, self.plan.sources, self.concepts)
        self._plan_again()

    def choose(self, path: str, offer: str) -> None:
        """Take an offered way of reading a document as well, or no longer.

        Without any it is read as it was first. Raises InputError for one that does not go together
        with those that are taken.
        """
        before = self._source(path).understood.name.split("+")
        together = [each for each in before if goes_with_others(each) and goes_with_others(offer)]
        ways = [each for each in together if each != offer]
        if offer not in before:
            ways.append(offer)
        first = self._first[path]
        draft = extract(first.text, first.name, "+".join(ways)) if ways else first
        understood = replace(draft.understood, offers=first.understood.offers)
        self._drafts[path] = replace(draft, understood=understood)
        self._plan_again()

    def skip(self, path: str, card: PlannedCard) -> bool:
        """Leave the card out; of a question that was left out, make what the document says."""
        return self._put(path, card) or self.restore(path, card)

    def restore(self, path: str, card: PlannedCard) -> bool:
        """Make of the question what the document says."""
        before = self._source(path).edits
        return self._use(path, {key: cards for key, cards in before.items() if key != card.key})

    def split(self, path: str, card: PlannedCard) -> bool:
        """Make a card of each part of the answer."""
        source = self._source(path)
        parts = propose_split(next(each for each in source.questions if each.key == card.key))
        return len(parts) > 1 and self._use(path, {**source.edits, card.key: parts})

    def merge(self, path: str, card: PlannedCard) -> bool:
        """Merge the card with the one after it, of its question or of the next that has one.

        The first question stays. The second one becomes a bold line of the answer.
        """
        cards, place = self._cards(path, card)
        if place is None or place + 1 == len(cards):
            return False
        (_, first), (_, other) = cards[place : place + 2]
        back = f"{first.back}\n\n**{other.front}**\n\n{other.back}"
        return self._put(path, card, first._replace(back=back), instead_of=2)

    def reword(self, path: str, card: PlannedCard, front: str, back: str) -> bool:
        """Give the card another text."""
        cards, place = self._cards(path, card)
        if place is None or not front.strip() or not back.strip():
            return False
        concept = cards[place][1].concept
        return self._put(path, card, EditedCard(front.strip(), back.strip(), concept))

    def choose_concept(self, path: str, card: PlannedCard, slug: str) -> bool:
        """Put the card under another concept."""
        cards, place = self._cards(path, card)
        return place is not None and self._put(path, card, cards[place][1]._replace(concept=slug))

    def _source(self, path: str) -> PlannedSource:
        return next(each for each in self.plan.sources if each.path == path)

    def _cards(
        self, path: str, card: PlannedCard
    ) -> tuple[list[tuple[str, EditedCard]], int | None]:
        """Return all cards of the document, each with its question, and where this one is."""
        source = self._source(path)
        cards = [(e.key, made) for e in source.questions for made in cards_of(e, source.edits)]
        places = [place for place, (key, _) in enumerate(cards) if key == card.key]
        return cards, places[card.place] if card.place < len(places) else None

    def _put(self, path: str, card: PlannedCard, *new: EditedCard, instead_of: int = 1) -> bool:
        """Put cards in the place of one, or of that and the next."""
        cards, place = self._cards(path, card)
        if place is None:
            return False
        cards[place : place + instead_of] = [(card.key, each) for each in new]
        source = self._source(path)
        return self._use(path, edits_for(source.questions, cards, source.edits))

    def _use(self, path: str, edits: Edits) -> bool:
        """Use the edits of a document; return whether they are others than before."""
        if edits == self._source(path).edits:
            return False
        self._edits[path] = edits
        self._plan_again()
        return True


def _match_sources(
    drafts: Mapping[str, ExtractedText], sources: Iterable[ExistingSource]
) -> dict[str, ExistingSource]:
    """Find the source of each document: by path, by text, or by title and name if it moved."""
    paths, known = [*drafts], [*sources]
    pairs: dict[int, int] = {}
    pair_equal(pairs, [str(tidy(Path(each.path))) for each in known], paths)
    pair_equal(
        pairs, [each.digest for each in known], [digest(drafts[path].text) for path in paths]
    )
    moved = ["" if Path(each.path).exists() else _named(each.title, each.path) for each in known]
    pair_equal(pairs, moved, [_named(drafts[path].title, path) for path in paths])
    return {paths[new]: known[old] for new, old in pairs.items()}


def _named(title: str, path: str) -> str:
    return f"{normalised(title)}\n{Path(path).name}"
