"""Plan an import: what a document and the database hold, and what would be made of it.

Pure. A `Planner` keeps the names that are taken while it goes through the documents of one import,
so that two of them never make the same concept twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from studyattn.errors import InputError
from studyattn.exchange.documents.dialects import of_source
from studyattn.exchange.documents.draft import (
    Claim,
    ExtractedQuestion,
    ExtractedText,
    NoteDraft,
)
from studyattn.exchange.documents.edits import (
    CORRECTION_KEY,
    Edits,
    edited_questions,
    edits_from_json,
    propose_split,
    question_key,
)
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.matching import (
    SAME_IDEA,
    TitledText,
    digest,
    match,
    normalised,
    same_idea,
    slug_of,
    unused,
)
from studyattn.exchange.documents.plan import (
    Caution,
    Join,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedNote,
    PlannedSource,
)
from studyattn.packs.corrections import correct_answer, correct_statement
from studyattn.packs.errata import about, recognise
from studyattn.packs.model import Erratum
from studyattn.store.queries.imports import (
    ExistingCard,
    ExistingConcept,
    ExistingNote,
    ExistingRows,
    ExistingSource,
)

KNOWN_UNKNOWN = "known-unknown"
GUID_DIGITS = 16
"""Hexadecimal digits of a source's guid; a question has as many after the colon."""

_CORRECTED = ":erratum:"
"""Comes before the erratum in the guid of a card that asks what is wrong with a statement."""


@dataclass(slots=True)
class _Page:
    """One document while it is planned."""

    draft: ExtractedText
    guid: str
    before: ExistingSource | None
    earlier: ExtractedText | None
    """The contents of the document at the last import."""
    errata: tuple[Erratum, ...]
    """Those about its subject."""
    concepts: dict[str, PlannedConcept] = field(default_factory=dict)
    """By slug, in the order of the document."""
    cards: list[PlannedCard] = field(default_factory=list)
    guids: set[str] = field(default_factory=set)
    questions: tuple[ExtractedQuestion, ...] = ()
    """Its questions as the learner edited them."""
    edits: Edits = field(default_factory=dict)
    skipped: list[ExtractedQuestion] = field(default_factory=list)
    placed: Counter[str] = field(default_factory=Counter)
    """The cards planned so far, by their question's key."""

    def place_of(self, key: str) -> int:
        """Give the next card of a question its place among that question's cards."""
        self.placed[key] += 1
        return self.placed[key] - 1


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
        kept: Edits = edits_from_json(before.edits) if before is not None else {}
        edits = kept if edits is None else edits
        if before is None:
            change, guid = PlannedChange.NEW, self._new_guid(draft, path)
        else:
            other = draft.understood.chosen and before.kind != draft.kind
            same = (before.digest, before.path, kept) == (text_digest, path, edits) and not other
            change = PlannedChange.UNCHANGED if same else PlannedChange.EDITED
            guid = before.guid
        page = _Page(
            draft=draft,
            guid=guid,
            before=before,
            earlier=_read_again(before) if before and change is PlannedChange.EDITED else None,
            errata=about(draft.text, self._errata),
            questions=tuple(
                part for each in draft.questions for part in edited_questions(each, edits)
            ),
            edits=edits,
        )
        notes: tuple[PlannedNote, ...] = ()
        if change is not PlannedChange.UNCHANGED:
            self._plan_questions(page)
            self._plan_claims(page)
            self._plan_corrections(page)
            notes = tuple(self._notes(page))
        concepts = tuple(page.concepts.values())
        return PlannedSource(
            change=change,
            guid=page.guid,
            kind=draft.kind,
            title=draft.title,
            path=path,
            text=draft.text,
            digest=text_digest,
            front_matter=draft.front_matter,
            row=None if before is None else before.row,
            questions=draft.questions,
            cards=tuple(page.cards),
            concepts=concepts,
            notes=notes,
            joins=tuple(self._joins(concepts)),
            cautions=() if change is PlannedChange.UNCHANGED else tuple(self._warnings(page)),
            unanswered=tuple(each.line for each in page.questions if not each.answer),
            edits=edits,
            skipped=tuple(page.skipped),
            understood=draft.understood,
            splits={
                question_key(each.text): parts
                for each in draft.questions
                if (parts := len(propose_split(each))) > 1
            },
        )

    def _new_guid(self, draft: ExtractedText, path: str) -> str:
        guid = unused(digest(draft.title, PurePath(path).name)[:GUID_DIGITS], self._guids)
        self._guids.add(guid)
        return guid

    # -- questions -----------------------------------------------------------------------------

    def _plan_questions(self, page: _Page) -> None:
        old = self._known.cards.get(page.before.row, ()) if page.before else ()
        old = [card for card in old if _CORRECTED not in card.guid]
        page.guids.update(card.guid for card in old)
        answered = [each for each in page.questions if each.answer]
        matches = match(
            {card: TitledText(card.front, card.back) for card in old},
            [TitledText(each.text, each.answer) for each in answered],
        )
        matched = {answered[index]: card for index, card in matches.old_of.items()}
        for question in page.questions:
            card = matched.get(question)
            slug = self._concept_of(question, card, page)
            if question.answer:
                page.cards.append(_card(question, card, slug, page))
        page.skipped += [
            replace(each, key=key)
            for each in page.draft.questions
            if page.edits.get(key := question_key(each.text)) == ()
        ]
        page.cards += [self._gone(card) for card in matches.gone]

    def _gone(self, card: ExistingCard) -> PlannedCard:
        slug = self._by_row[card.concept].slug
        text = (card.front, card.back, (), card.digest)
        return PlannedCard(PlannedChange.GONE, card.guid, *text, slug, 0, card.row)

    def _concept_of(
        self, question: ExtractedQuestion, card: ExistingCard | None, page: _Page
    ) -> str:
        if card is None and question.chosen:
            return question.chosen
        reason = f"a question of “{page.draft.title}”"
        if question.remark:
            reason += f": {question.remark}"
        new, line = PlannedChange.NEW, question.line
        idea = PlannedConcept(new, "", question.concept, "", KNOWN_UNKNOWN, reason, line)
        if card is None:
            return self._add_concept(idea, page)
        concept = self._by_row[card.concept]
        if page.before and concept.source == page.before.row:
            return self._keep_concept(concept, idea, page, moves=False)
        return concept.slug

    # -- what is known, and what is not ----------------------------------------------------------

    def _plan_claims(self, page: _Page) -> None:
        # One claim an idea: the first that the document makes.
        claims: dict[str, Claim] = {}
        for each in page.draft.claims:
            claims.setdefault(normalised(each.concept), each)
        taken = {each.row for each in page.concepts.values()}
        old = [
            each
            for each in self._known.concepts
            if page.before and each.source == page.before.row and each.row not in taken
        ]
        earlier = page.earlier.claims if page.earlier else ()
        said = {normalised(each.concept): each for each in earlier}
        matches = match(
            {each: TitledText(each.title, each.body) for each in old},
            [TitledText(each.concept, _body(each)) for each in claims.values()],
        )
        for index, claim in enumerate(claims.values()):
            idea = self._idea(claim, page)
            concept = matches.old_of.get(index)
            if concept is None:
                self._add_concept(idea, page)
                continue
            before = said.get(normalised(concept.title))
            moves = before is not None and self._moves(concept, before, claim, page)
            self._keep_concept(concept, idea, page, moves=moves)
        for concept in matches.gone:
            of = (concept.slug, concept.title, concept.body, concept.state, "", 0, concept.row)
            page.concepts[concept.slug] = PlannedConcept(PlannedChange.GONE, *of)

    # -- statements that are wrong ---------------------------------------------------------------

    def _plan_corrections(self, page: _Page) -> None:
        """Make a card of each statement and each answer that an erratum contradicts."""
        old = self._known.cards.get(page.before.row, ()) if page.before else ()
        before = {card.guid: card for card in old if _CORRECTED in card.guid}
        wrong = [
            (each, concept.slug, concept.line)
            for concept in page.concepts.values()
            for each in concept.corrections
        ]
        wrong += [
            (each, card.concept, card.line)
            for card in page.cards
            for each in correct_answer(card.back, page.draft.title, page.errata)
        ]
        for correction, slug, line in wrong:
            guid = f"{page.guid}{_CORRECTED}{correction.erratum}"
            if guid in page.guids:
                continue
            page.guids.add(guid)
            key = f"{CORRECTION_KEY}{correction.erratum}"
            question = ExtractedQuestion(
                f"Which part of this is wrong? “{correction.says}”",
                f"{correction.title}.\n\n**Right:** {correction.right}",
                line,
                key=key,
            )
            if page.edits.get(key) == ():
                page.skipped.append(question)
                continue
            page.cards.append(_card(question, before.pop(guid, None), slug, page, guid))
        page.cards += [self._gone(card) for card in before.values()]

    def _idea(self, claim: Claim, page: _Page) -> PlannedConcept:
        """Return what a claim says: one that the errata contradict is not known."""
        state, reason = claim.state, f"{claim.state} in “{page.draft.title}”"
        corrections = correct_statement(claim.concept, claim.body, page.draft.title, page.errata)
        if corrections and state != KNOWN_UNKNOWN:
            right = "; ".join(each.title for each in corrections)
            state, reason = KNOWN_UNKNOWN, f"{reason}, but the errata correct it: {right}"
        new, title, line = PlannedChange.NEW, claim.concept, claim.line
        body = _body(claim)
        return PlannedConcept(new, "", title, body, state, reason, line, corrections=corrections)

    def _moves(self, concept: ExistingConcept, before: Claim, now: Claim, page: _Page) -> bool:
        """Return whether the document moves a concept that is still where it had put it.

        A state that the learner has changed since is theirs. A statement that is contradicted may
        be where the document put it (known, by a version that had no errata for it) or where they
        did.
        """
        put, says = ((each.state, self._idea(each, page).state) for each in (before, now))
        return put != says and concept.state in {*put} - {says[1]}

    def _warnings(self, page: _Page) -> Iterator[Caution]:
        """Yield a warning for each erratum that no correction of a statement names."""
        told = {each.title for concept in page.concepts.values() for each in concept.corrections}
        for found in recognise(page.draft.text, page.errata, page.draft.headings):
            if found.erratum.title not in told:
                yield Caution(found.line, found.erratum.title, found.erratum.right)

    def _add_concept(self, idea: PlannedConcept, page: _Page) -> str:
        """The slug of the idea: of one that the learner has by this name, else of a new one."""
        words = normalised(idea.title)
        if words in self._planned:
            return self._planned[words]
        if (known := self._mine.get(words)) is not None:
            idea = replace(idea, body=known.body)
            return self._keep_concept(known, idea, page, moves=known.state == "unseen")
        slug = slug_of(idea.title, self._slugs)
        self._slugs.add(slug)
        self._planned[words] = slug
        page.concepts[slug] = replace(idea, slug=slug)
        return slug

    def _keep_concept(
        self, concept: ExistingConcept, idea: PlannedConcept, page: _Page, *, moves: bool
    ) -> str:
        same = (normalised(concept.title), concept.body) == (normalised(idea.title), idea.body)
        page.concepts.setdefault(
            concept.slug,
            replace(
                idea,
                change=PlannedChange.UNCHANGED if same and not moves else PlannedChange.EDITED,
                slug=concept.slug,
                title=concept.title if same else idea.title,
                row=concept.row,
                moves=moves,
            ),
        )
        return concept.slug

    def _joins(self, concepts: Iterable[PlannedConcept]) -> Iterator[Join]:
        for concept in concepts:
            if concept.change is not PlannedChange.NEW:
                continue
            scored = [
                (max(same_idea(concept.title, each.title), same_idea(concept.title, each.slug)), at)
                for at, each in enumerate(self._pack_concepts)
            ]
            best, at = max(scored, default=(0.0, -1), key=lambda entry: entry[0])
            if best >= SAME_IDEA:
                into = self._pack_concepts[at]
                yield Join(concept.slug, concept.title, into.slug, into.title, best, concept.line)

    # -- notes -----------------------------------------------------------------------------------

    def _notes(self, page: _Page) -> Iterator[PlannedNote]:
        old = self._known.notes.get(page.before.row, ()) if page.before else ()
        matches = match(
            {note: TitledText(note.title, note.body) for note in old},
            [TitledText(each.title, each.body) for each in page.draft.notes],
        )
        imported = {each.body for each in page.earlier.notes} if page.earlier else set()
        guids = {note.guid for note in old}
        for index, section in enumerate(page.draft.notes):
            yield _note(section, matches.old_of.get(index), page.guid, guids, imported)
        for note in matches.gone:
            yield PlannedNote(PlannedChange.GONE, note.guid, note.title, note.body, 0, note.row)


def _card(
    question: ExtractedQuestion,
    old: ExistingCard | None,
    concept: str,
    page: _Page,
    guid: str = "",
) -> PlannedCard:
    links = "\n".join(f"{link.text} {link.address}" for link in question.links)
    text_digest = digest(question.text, question.answer, links)
    if old is None:
        if not guid:
            key = digest(normalised(question.text))[:GUID_DIGITS]
            guid = unused(f"{page.guid}:{key}", page.guids)
            page.guids.add(guid)
        change, row, before, edited = PlannedChange.NEW, None, "", False
    else:
        guid, row, edited = old.guid, old.row, old.edited
        change = PlannedChange.UNCHANGED if old.digest == text_digest else PlannedChange.EDITED
        reworded = not edited and normalised(old.front) != normalised(question.text)
        before = old.front if reworded else ""
    return PlannedCard(
        change=change,
        guid=guid,
        front=question.text,
        back=question.answer,
        links=question.links,
        digest=text_digest,
        concept=concept,
        line=question.line,
        row=row,
        before=before,
        keeps_wording=edited and change is PlannedChange.EDITED,
        key=question.key,
        place=page.place_of(question.key),
        tags=question.tags,
        learned=question.learned if old is None else None,
    )


def _note(
    section: NoteDraft, old: ExistingNote | None, source: str, guids: set[str], imported: set[str]
) -> PlannedNote:
    if old is None:
        guid = unused(f"{source}:note:{digest(normalised(section.title))[:GUID_DIGITS]}", guids)
        guids.add(guid)
        return PlannedNote(PlannedChange.NEW, guid, section.title, section.body, section.line)
    same = (old.title, old.body) == (section.title, section.body)
    own = old.body not in imported
    return PlannedNote(
        PlannedChange.UNCHANGED if same else PlannedChange.EDITED,
        old.guid,
        section.title,
        section.body,
        section.line,
        old.row,
        keeps_wording=own and not same,
    )


def _body(claim: Claim) -> str:
    return "" if claim.body == claim.concept else claim.body


def _read_again(source: ExistingSource) -> ExtractedText | None:
    """Extract a source again as imported; None if the reader has become stricter since."""
    try:
        return extract(source.text, source.path, of_source(source.kind))
    except InputError:
        return None
