"""Importing source documents: `read_documents` and `plan` say what it makes, `apply_import` does.

A document becomes a source, and what it holds becomes cards, concepts and notes (`extract`). The
same document again changes nothing; an edited one keeps the history of its questions. Documents
that cannot be used are refused whole.

    files        the documents there are, and their text
    dialects     the ways in which programs write cards
    extract      the contents of a document
    edits        the learner's edits of its cards
    planner      the difference from the database, as a `plan`
    apply_plan   the plan into the database, in one transaction

Review logs (`.jsonl`) and backups are not documents: `files.kind_of` tells them apart, and `study`
and `store` take them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from studyattn.errors import DocumentError, InputError, StoreError
from studyattn.exchange.documents import dialects
from studyattn.exchange.documents.apply_plan import write_plan
from studyattn.exchange.documents.draft import ExtractedText
from studyattn.exchange.documents.edits import Edits
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.matching import digest, normalised
from studyattn.exchange.documents.plan import ImportPlan, PlannedChange
from studyattn.exchange.documents.planner import Planner
from studyattn.exchange.files import SUFFIXES, PathKind, find_documents, kind_of, read_text
from studyattn.exchange.merge.merge_into import Refold
from studyattn.exchange.recognition import MADE_BY
from studyattn.packs.model import Erratum
from studyattn.paths import tidy
from studyattn.store.database import Database
from studyattn.store.queries.imports import (
    ExistingRows,
    ExistingSource,
    read_existing,
    read_last_rows,
)
from studyattn.text.counting import count

Progress = Callable[[int, int, Path], None]
"""Called before each document with how many are done, how many there are, and which is next."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """A plan that was carried out."""

    plan: ImportPlan
    joined: tuple[str, ...]
    """Slugs of the concepts that were joined with one of a pack."""

    @property
    def new_cards(self) -> tuple[str, ...]:
        """Guids of the new cards, in the order of the documents."""
        cards = (card for source in self.plan.sources for card in source.cards)
        return tuple(card.guid for card in cards if card.change is PlannedChange.NEW)

    def numbers(self) -> Mapping[str, object]:
        """Return what `--json` prints: counts by change, what was joined, and the new cards."""
        changes = (PlannedChange.NEW, PlannedChange.EDITED, PlannedChange.GONE)
        counts = {change.value: self.plan.count(change) for change in changes}
        return {**counts, "joined": self.joined, "new_cards": self.new_cards}

    def line(self) -> str:
        """Return in one line how much was made and changed."""
        parts = [f"{made} {told}" for told, made in self.plan.made()]
        if self.joined:
            parts.append(f"{count(len(self.joined), 'concept')} joined")
        return f"Imported: {'; '.join(parts) or 'nothing new'}."


@dataclass(frozen=True, slots=True)
class _Read:
    path: Path
    draft: ExtractedText
    digest: str


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """Documents that were read, and the rows of the database that they are compared with."""

    read: tuple[_Read, ...]
    known: ExistingRows
    errata: tuple[Erratum, ...]
    problems: tuple[DocumentError, ...]
    copies: tuple[str, ...]
    first: Mapping[str, ExtractedText] = field(default_factory=dict)
    """What was read first of documents that the learner has read in another way, by path."""

    def plan(self, edits: Mapping[str, Edits] | None = None) -> ImportPlan:
        """Plan their import. `edits` are the learner's, by the path of the document.

        A document without an entry has the edits of its last import.
        """
        edits = edits or {}
        planner = Planner(self.known, self.errata)
        matched = _match_sources(self.read, self.known)
        sources = []
        for index, each in enumerate(self.read):
            path = _place(each.path)
            sources.append(planner.plan(each.draft, path, matched.get(index), edits.get(path)))
        return ImportPlan(tuple(sources), self.known.last, self.problems, self.copies)

    def read_as(self, path: str, ways: Sequence[str]) -> ReadDocuments:
        """Read one document in other ways, which stay offers; without one, as it was read first.

        Raises InputError for ways that do not go together.
        """
        old = self._of(path)
        first = self.first.get(path, old.draft)
        draft = extract(first.text, first.name, "+".join(ways)) if ways else first
        understood = replace(draft.understood, offers=first.understood.offers)
        new = replace(old, draft=replace(draft, understood=understood))
        read = tuple(new if each is old else each for each in self.read)
        return replace(self, read=read, first={**self.first, path: first})

    def _of(self, path: str) -> _Read:
        return next(each for each in self.read if _place(each.path) == path)


def read_documents(
    database: Database,
    paths: Sequence[Path],
    progress: Progress | None = None,
    errata: Iterable[Erratum] = (),
    dialect: str = "",
) -> ReadDocuments:
    """Read the documents at `paths` and under the folders among them. Writes nothing.

    `dialect` chooses how they are read; without it each is read as at its last import, or as what
    it is recognised to be. A statement that `errata` contradict becomes known-unknown, with its
    correction and a card that asks for it, even where the document calls it known.

    Raises DocumentError (file:line) for a document that was named and cannot be used, InputError
    for a path where there is nothing to import. Documents of a folder that cannot be used are the
    plan's `problems`.
    """
    found = find_documents(paths, SUFFIXES | dialects.SUFFIXES)
    problems = list(found.problems)
    named = {path for path in paths if kind_of(path) is not PathKind.FOLDER}
    with database.read() as connection:
        known = read_existing(connection)
    before = {
        each.path: way
        for each in known.sources
        if (way := dialects.of_source(each.kind)) not in dialects.OUR_OWN
    }

    def draft_of(path: Path, text: str) -> ExtractedText:
        return extract(text, str(path), dialect or before.get(_place(path), ""))

    read, copies = _read_all(found.documents, named, problems, progress, draft_of)
    return ReadDocuments(tuple(read), known, tuple(errata), tuple(problems), copies)


def apply_import(
    database: Database,
    plan: ImportPlan,
    at: datetime,
    accept_joins: Iterable[str] = (),
    refold: Refold | None = None,
) -> ImportResult:
    """Carry the plan out, all of it in one transaction.

    `refold` works out the memories with which cards begin. `accept_joins` are the slugs of those
    imported concepts whose proposed join the learner accepts; the others stay apart. Raises
    InputError for a slug that has no proposal, StoreError when the database has changed since the
    plan was made.
    """
    accepted = tuple(accept_joins)
    unknown = set(accepted) - {join.slug for join in plan.joins}
    if unknown:
        raise InputError(
            f"no merge is proposed for {', '.join(sorted(unknown))}",
            advice="Accept only proposals from the preview",
        )
    if not plan.changes_nothing:
        with database.write() as connection:
            if read_last_rows(connection) != plan.last:
                raise StoreError(
                    "the database has changed since the preview",
                    advice="Nothing was imported; import again",
                )
            learned = write_plan(connection, plan, at, accepted)
            if learned and refold is not None:
                refold(connection, learned)
    return ImportResult(plan, accepted)


def _read_all(
    documents: Sequence[Path],
    named: set[Path],
    problems: list[DocumentError],
    progress: Progress | None,
    draft_of: Callable[[Path, str], ExtractedText],
) -> tuple[list[_Read], tuple[str, ...]]:
    """The drafts of all documents that can be used, each text once."""
    read: list[_Read] = []
    copies: list[str] = []
    digests: set[str] = set()
    for done, path in enumerate(documents):
        if progress:
            progress(done, len(documents), path)
        try:
            text = dialects.load(path)
            text = read_text(path) if text is None else text
            text_digest = digest(text)
            if text_digest in digests:
                copies.append(str(path))
                continue
            draft = draft_of(path, text)
            _refuse_export(draft, path)
            read.append(_Read(path, draft, text_digest))
            digests.add(text_digest)
        except (DocumentError, RecursionError) as found:
            error = found if isinstance(found, DocumentError) else _too_deep(path)
            if path in named:
                raise error from found
            problems.append(error)
    return read, tuple(copies)


def _too_deep(path: Path) -> DocumentError:
    """Return what is said of a text that goes down further than its parser."""
    return DocumentError("its contents are nested too deeply", where=str(path))


def _refuse_export(draft: ExtractedText, path: Path) -> None:
    """Raise DocumentError for what studyattn wrote: it would come in a second time, as new."""
    if MADE_BY in draft.front_matter:
        raise DocumentError(
            "it was exported by studyattn",
            where=f"{path}:1",
            advice="Import a learning note, or a folder of Obsidian pages, by naming it directly",
        )


def _match_sources(read: Sequence[_Read], known: ExistingRows) -> dict[int, ExistingSource]:
    """Find the source of each document: by path, by text, or by title and name if it moved."""
    rules: tuple[Callable[[_Read, ExistingSource], bool], ...] = (
        lambda each, source: source.path in {_place(each.path), str(each.path.absolute())},
        lambda each, source: source.digest == each.digest,
        lambda each, source: (
            normalised(source.title) == normalised(each.draft.title)
            and Path(source.path).name == each.path.name
            and not Path(source.path).exists()  # its old place is empty now
        ),
    )
    free = {source.row: source for source in known.sources}
    matched: dict[int, ExistingSource] = {}
    for same in rules:
        for index, each in enumerate(read):
            if index in matched:
                continue
            source = next((source for source in free.values() if same(each, source)), None)
            if source is not None:
                matched[index] = source
                del free[source.row]
    return matched


def _place(path: Path) -> str:
    """Return the path of a document, the same however the learner wrote it."""
    return str(tidy(path.absolute()))
