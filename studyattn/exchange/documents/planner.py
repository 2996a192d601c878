"""Plan an import: what a document and the database hold, and what would be made of it.

Pure. A `Planner` keeps the names that are taken while it goes through the documents of one import,
so that two of them never make the same concept twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import PurePath
from typing import TypeVar

from studyattn.errors import InputError
from studyattn.exchange.documents.dialects import of_source
from studyattn.exchange.documents.draft import (
    Claim,
    ExtractedQuestion,
    ExtractedText,
    NoteDraft,
)
from studyattn.exchange.documents.edits import (
    EditedCard,
    Edits,
    cards_of,
    edits_of,
    keyed,
    propose_split,
)
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.matching import SAME_IDEA, match, same_idea
from studyattn.exchange.documents.plan import (
    Caution,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedNote,
    PlannedSource,
)
from studyattn.exchange.words import digest, normalised, slug_of, unused
from studyattn.packs.corrections import correct_answer, correct_statement
from studyattn.packs.errata import about, recognise
from studyattn.packs.model import Erratum
from studyattn.store.queries.imports import (
    ExistingCard,
    ExistingConcept,
    ExistingRows,
    ExistingSource,
)
from studyattn.store.vocabulary import KNOWN_UNKNOWN, UNSEEN

GUID_DIGITS = 16
"""Hexadecimal digits of a source's guid; a question has as many after the colon."""


class Planner:
    """Plans the documents of one import, one after another."""

    def __init__(self, known: ExistingRows, errata: Iterable[Erratum]) -> None:
        self._known = known
        self._errata = tuple(errata)
        self._slugs = {concept.slug for concept in known.concepts}
        self._guids = {source.guid for source in known.sources}
        self._by_row = {concept.row: concept for concept in known.concepts}
        self._pack_concepts = [each for each in known.concepts if each.pack is not None]
        self._mine = {
            normalised(each.title): each for each in reversed(known.concepts) if each.pack is None
        }
        self._planned: dict[str, str] = {}  # slugs of this import's new concepts, by their words

    def plan(
        self,
        draft: ExtractedText,
        path: str,
        before: ExistingSource | None,
        edits: Edits | None = None,
    ) -> PlannedSource:
        """Plan the import of one draft; `before` is its source of an earlier import.

        `edits` are the learner's; None for those of the earlier import.
        """
        text_digest = digest(draft.text)
        kept = {} if before is None else edits_of(before.edits)
        edits = kept if edits is None else edits
        if before is None:
            change = PlannedChange.NEW
            guid = unused(digest(draft.title, PurePath(path).name)[:GUID_DIGITS], self._guids)
            self._guids.add(guid)
        else:
            other = draft.understood.chosen and before.kind != draft.kind
            same = (before.digest, before.path, kept) == (text_digest, path, edits) and not other
            change = _change(before, same=same)
            guid = before.guid
        source = PlannedSource(
            change=change,
            guid=guid,
            kind=draft.kind,
            title=draft.title,
            path=path,
            text=draft.text,
            digest=text_digest,
            front_matter=draft.front_matter,
            row=None if before is None else before.row,
            understood=draft.understood,
            edits=edits,
            questions=keyed(draft.questions),
        )
        if change is not PlannedChange.UNCHANGED:
            self._fill(source, draft, before)
        return source

    def _fill(
        self, source: PlannedSource, draft: ExtractedText, before: ExistingSource | None
    ) -> None:
        """Plan what comes of a document."""
        errata = about(draft.text, self._errata)
        claims, notes = _read_again(before) if before else ((), ())
        old = self._known.cards.get(source.row or 0, ())
        left = self._cards(source, source.questions, old)
        self._claims(source, draft.claims, claims, errata)
        corrections = _corrections(source, errata)
        for gone in self._cards(source, corrections, left):
            slug = self._by_row[gone.concept].slug
            card = (PlannedChange.GONE, gone.guid, gone.front, gone.back, slug)
            source.cards.append(PlannedCard(*card, row=gone.row))
        source.questions += corrections
        self._notes(source, draft.notes, notes)
        # A warning for each erratum that no correction of a statement names.
        told = {each.title for concept in source.concepts for each in concept.corrections}
        source.cautions = [
            Caution(found.line, found.erratum.title, found.erratum.right)
            for found in recognise(draft.text, errata, draft.headings)
            if found.erratum.title not in told
        ]

    def _cards(
        self,
        source: PlannedSource,
        questions: Sequence[ExtractedQuestion],
        old: Sequence[ExistingCard],
    ) -> list[ExistingCard]:
        """Plan the cards of questions as the learner edited them; return those of `old` left."""
        made = [cards_of(each, source.edits) for each in questions]
        matches, left = match(old, [*chain.from_iterable(made)], attrgetter("front", "back"))
        matched = iter(matches)
        guids = {*map(attrgetter("guid"), (*old, *source.cards))}
        for question, cards in zip(questions, made, strict=True):
            for place, card in enumerate(cards):
                before = next(matched)
                slug = self._concept_of(question, card.concept, before, source)
                # By its erratum, or its words.
                name = question.key.replace(" ", ":") if question.chosen else _guid_of(card.front)
                guid = before.guid if before else unused(f"{source.guid}:{name}", guids)
                guids.add(guid)
                source.cards.append(_card(question, place, card, before, guid=guid, concept=slug))
            if question.answer and not cards:
                texts = ("", question.text, question.answer, "", question.line)
                skipped = PlannedCard(PlannedChange.SKIPPED, *texts, key=question.key)
                source.skipped.append(skipped)
            elif not cards:
                self._concept_of(question, "", None, source)
                source.unanswered.append(question.line)
        return left

    def _concept_of(
        self,
        question: ExtractedQuestion,
        chosen: str,
        old: ExistingCard | None,
        source: PlannedSource,
    ) -> str:
        """Return the slug of a card's concept, and plan what becomes of that."""
        known = None if old is None else self._by_row[old.concept]
        if known is None and (chosen or question.chosen):
            return chosen or question.chosen
        if known is not None and (question.chosen or known.source != source.row):
            return known.slug
        reason = f"a question of “{source.title}”"
        if question.remark:
            reason += f": {question.remark}"
        idea = PlannedConcept(question.concept, "", KNOWN_UNKNOWN, reason, question.line)
        return self._concept(idea, source, known)

    def _claims(
        self,
        source: PlannedSource,
        claims: Iterable[Claim],
        earlier: Iterable[Claim],
        errata: Sequence[Erratum],
    ) -> None:
        """Plan the concepts of claims; `earlier` are those of the document's last import."""
        # One claim an idea: the first that the document makes.
        first = _firsts(claims, attrgetter("words"))
        ideas = [_idea(each, source.title, errata) for each in first]
        taken = {*map(attrgetter("row"), source.concepts)}
        old = [each for each in self._concepts_of(source.row) if each.row not in taken]
        said = {each.words: each for each in earlier}
        matches, gone = match(old, ideas, attrgetter("title", "body"))
        for claim, idea, known in zip(first, ideas, matches, strict=True):
            # The document moves a concept that is still where it had put it. A state that the
            # learner has changed since is theirs. A statement that is contradicted may be where
            # the document put it (known, by a version that had no errata for it) or they did.
            moves = False
            if known and (before := said.get(normalised(known.title))):
                put = (before.state, _idea(before, source.title, errata).state)
                moves = put != (claim.state, idea.state) and known.state in {*put} - {idea.state}
            self._concept(idea, source, known, moves=moves)
        for lost in gone:
            idea = PlannedConcept(lost.title, lost.body, lost.state, slug=lost.slug, row=lost.row)
            source.concepts.append(replace(idea, change=PlannedChange.GONE))
        source.concepts = _firsts(source.concepts, attrgetter("slug"))

    def _concepts_of(self, row: int | None) -> Iterable[ExistingConcept]:
        """Return the concepts of a source; none of one that is new."""
        return (each for each in self._known.concepts if row and each.source == row)

    def _concept(
        self,
        idea: PlannedConcept,
        source: PlannedSource,
        known: ExistingConcept | None,
        *,
        moves: bool = False,
    ) -> str:
        """Plan an idea: `known`, else one that the learner has by this name, else a new one."""
        words = normalised(idea.title)
        if known is None:
            if words in self._planned:
                return self._planned[words]
            if (known := self._mine.get(words)) is not None:
                idea, moves = replace(idea, body=known.body), known.state == UNSEEN
        if known is None:
            slug = slug_of(idea.title, self._slugs)
            self._slugs.add(slug)
            self._planned[words] = slug
            if like := self._like(idea.title):
                idea = replace(idea, into=like.slug, into_title=like.title)
            source.concepts.append(replace(idea, slug=slug))
            return slug
        same = (normalised(known.title), known.body) == (words, idea.body)
        source.concepts.append(
            replace(
                idea,
                change=_change(known, same=same and not moves),
                slug=known.slug,
                title=known.title if same else idea.title,
                row=known.row,
                moves=moves,
            )
        )
        return known.slug

    def _like(self, title: str) -> ExistingConcept | None:
        """Return the concept of a pack that is most likely the same idea."""

        def likeness(each: ExistingConcept) -> float:
            return max(same_idea(title, each.title), same_idea(title, each.slug))

        best = max(self._pack_concepts, key=likeness, default=None)
        return best if best and likeness(best) >= SAME_IDEA else None

    def _notes(
        self, source: PlannedSource, sections: Sequence[NoteDraft], earlier: Sequence[NoteDraft]
    ) -> None:
        """Plan the notes of sections; `earlier` are those of the document's last import."""
        old = self._known.notes.get(source.row or 0, ())
        matches, gone = match(old, sections, attrgetter("title", "body"))
        imported = {*map(attrgetter("body"), earlier)}
        guids = {*map(attrgetter("guid"), old)}
        for each, before in zip(sections, matches, strict=True):
            name = f"{source.guid}:note:{_guid_of(each.title)}"
            guid = before.guid if before else unused(name, guids)
            guids.add(guid)
            said = (each.title, each.body)
            same = (before and (before.title, before.body)) == said
            keeps = bool(before and not same and before.body not in imported)
            row = before.row if before else None
            change = _change(before, same=same)
            source.notes.append(PlannedNote(change, guid, *said, each.line, row, keeps))
        for lost in gone:
            text = (lost.guid, lost.title, lost.body)
            source.notes.append(PlannedNote(PlannedChange.GONE, *text, row=lost.row))


def _card(
    question: ExtractedQuestion,
    place: int,
    card: EditedCard,
    old: ExistingCard | None,
    *,
    guid: str,
    concept: str,
) -> PlannedCard:
    """Plan a card of a question. Its links and its memory stay with the first."""
    front, back, _ = card
    links, learned = (question.links, question.learned) if place == 0 else ((), None)
    told = "\n".join(f"{link.text} {link.address}" for link in links)
    text_digest = digest(front, back, told)
    is_whole = not question.chosen and (front, back) == (question.text, question.answer)
    planned = PlannedCard(
        PlannedChange.NEW,
        guid,
        front,
        back,
        concept,
        question.line,
        digest=text_digest,
        key=question.key,
        place=place,
        parts=len(propose_split(question)) if is_whole else 1,
        links=links,
        tags=question.tags,
        learned=learned,
    )
    if old is None:
        return planned
    same = old.digest == text_digest
    reworded = not old.edited and normalised(old.front) != normalised(front)
    return replace(
        planned,
        change=_change(old, same=same),
        row=old.row,
        before=old.front if reworded else "",
        keeps_wording=old.edited and not same,
        learned=None,
    )


def _change(old: object, *, same: bool) -> PlannedChange:
    """Return the change of what is in the document, and was before if there is an `old`."""
    if old is None:
        return PlannedChange.NEW
    return PlannedChange.UNCHANGED if same else PlannedChange.EDITED


def _guid_of(words: str) -> str:
    """Return the last part of a guid."""
    return digest(normalised(words))[:GUID_DIGITS]


def _corrections(source: PlannedSource, errata: Iterable[Erratum]) -> list[ExtractedQuestion]:
    """Return what asks for each correction of a statement or an answer, once an erratum."""
    wrong = [
        (each, concept.slug, concept.line)
        for concept in source.concepts
        for each in concept.corrections
    ]
    wrong += [
        (each, card.concept, card.line)
        for card in source.cards
        for each in correct_answer(card.back, source.title, errata)
    ]
    return [
        ExtractedQuestion(
            f"Which part of this is wrong? “{correction.says}”",
            f"{correction.title}.\n\n**Right:** {correction.right}",
            line,
            chosen=slug,
            key=f"erratum {correction.erratum}",
        )
        for correction, slug, line in _firsts(wrong, lambda each: each[0].erratum)
    ]


T = TypeVar("T")


def _firsts(things: Iterable[T], key: Callable[[T], object]) -> list[T]:
    """Return the first of all things with one key."""
    found: dict[object, T] = {}
    for each in things:
        found.setdefault(key(each), each)
    return [*found.values()]


def _idea(claim: Claim, title: str, errata: Iterable[Erratum]) -> PlannedConcept:
    """Return what a document claims: what the errata contradict is not known."""
    state, reason = claim.state, f"{claim.state} in “{title}”"
    corrections = correct_statement(claim.concept, claim.body, title, errata)
    if corrections and state != KNOWN_UNKNOWN:
        right = "; ".join(each.title for each in corrections)
        state, reason = KNOWN_UNKNOWN, f"{reason}, but the errata correct it: {right}"
    body = "" if claim.body == claim.concept else claim.body
    return PlannedConcept(claim.concept, body, state, reason, claim.line, corrections)


def _read_again(source: ExistingSource) -> tuple[tuple[Claim, ...], tuple[NoteDraft, ...]]:
    """Return the claims and notes of the last import; none if the reader is stricter since."""
    try:
        earlier = extract(source.text, source.path, of_source(source.kind))
    except InputError:
        return (), ()
    return earlier.claims, earlier.notes
