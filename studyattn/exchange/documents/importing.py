"""Importing source documents: `read_documents` says what it would make, `apply_import` makes it.

A document becomes a source, and what it holds becomes cards, concepts and notes (`extract`). The
same document again changes nothing; an edited one keeps the history of its questions. Documents
that cannot be used are refused whole.

    files        the documents there are, and their text
    dialects     the ways in which programs write cards
    extract      the contents of a document
    edits        the learner's edits of its cards
    planner      the difference from the database, as a `plan`

The import is alone in writing and numbers its new rows itself, so that ten thousand cards are a
handful of statements.

Review logs (`.jsonl`) and backups are not documents: `files.kind_of` tells them apart, and `study`
and `store` take them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from operator import attrgetter
from pathlib import Path

from studyattn.errors import DocumentError, InputError, StoreError
from studyattn.exchange.documents import dialects
from studyattn.exchange.documents.draft import ExtractedText
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.plan import (
    ImportPlan,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedNote,
    PlannedSource,
)
from studyattn.exchange.documents.preview import ImportPreview
from studyattn.exchange.files import SUFFIXES, find_documents
from studyattn.exchange.memories import LearnedBefore
from studyattn.exchange.merge.merge_into import Refold
from studyattn.exchange.recognition import MADE_BY
from studyattn.packs.card_kinds import BASIC
from studyattn.packs.model import Erratum
from studyattn.paths import tidy
from studyattn.store.database import Connection, Database
from studyattn.store.queries.bulk import Columns
from studyattn.store.queries.concept_changes import StateChange, join, record_change, record_changes
from studyattn.store.queries.imports import (
    concept_ids,
    read_existing,
    read_last_rows,
    write_imported,
)
from studyattn.store.queries.review_log import StartColumns, put_memory_starts
from studyattn.store.tags import tags_of

_FIRST_DAY = date(1970, 1, 1).toordinal()
"""The first day a last review may have; a schedule written by hand may give an earlier one."""

AUTHOR = "import"
Progress = Callable[[int, int, Path], None]
"""Called before each document with how many are done, how many there are, and which is next."""


def read_documents(
    database: Database,
    paths: Sequence[Path],
    progress: Progress | None = None,
    errata: Iterable[Erratum] = (),
    dialect: str = "",
) -> ImportPreview:
    """Read the documents at `paths` and under the folders among them. Writes nothing.

    `dialect` chooses how they are read; without it each is read as at its last import, or as what
    it is recognised to be. A statement that `errata` contradict becomes known-unknown, with its
    correction and a card that asks for it, even where the document calls it known.

    Raises DocumentError (file:line) for a document that was named and cannot be used, InputError
    for a path where there is nothing to import. Documents of a folder that cannot be used are the
    plan's `problems`.
    """
    found = find_documents(paths, SUFFIXES | dialects.SUFFIXES)
    problems: list[InputError] = [*found.problems]
    with database.read() as connection:
        known = read_existing(connection)
    before = {
        each.path: way
        for each in known.sources
        if (way := dialects.of_source(each.kind)) not in dialects.OUR_OWN
    }

    drafts: dict[str, ExtractedText] = {}
    copies: list[str] = []
    texts: set[str] = set()
    for done, path in enumerate(found.documents):
        if progress:
            progress(done, len(found.documents), path)
        place = str(tidy(path.absolute()))
        try:
            text = dialects.load(path)
            if text in texts:
                copies.append(str(path))
                continue
            drafts[place] = _extracted(text, path, dialect or before.get(place, ""))
            texts.add(text)
        except InputError as error:
            if path in paths:
                raise
            problems.append(error)
    nothing = ImportPlan((), known.last, tuple(problems), tuple(copies))
    return ImportPreview(drafts, known, tuple(errata), nothing)


def _extracted(text: str, path: Path, way: str) -> ExtractedText:
    """Return the contents of a document.

    Raises InputError, also for what studyattn wrote: it would come in a second time, as new.
    """
    try:
        draft = extract(text, str(path), way)
    except RecursionError as error:
        raise DocumentError("its contents are nested too deeply", where=str(path)) from error
    if MADE_BY in draft.front_matter:
        raise DocumentError(
            "it was exported by studyattn",
            where=f"{path}:1",
            advice="Import a learning note, or a folder of Obsidian pages, by naming it directly",
        )
    return draft


def apply_import(
    database: Database,
    plan: ImportPlan,
    at: datetime,
    accept_joins: Iterable[str] = (),
    refold: Refold | None = None,
) -> None:
    """Carry the plan out, all of it in one transaction.

    `refold` works out the memories with which cards begin. `accept_joins` are the slugs of those
    imported concepts whose proposed join the learner accepts; the others stay apart. Raises
    InputError for a slug that has no proposal, StoreError when the database has changed since the
    plan was made.
    """
    accepted = set(accept_joins)
    if unknown := accepted - plan.joins.keys():
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
            learned = _write(connection, plan, at, accepted)
            if learned and refold is not None:
                refold(connection, learned)


def _write(
    connection: Connection, plan: ImportPlan, at: datetime, accepted: Container[str]
) -> tuple[str, ...]:
    """Write all of a plan; `accepted` are the slugs whose proposed join the learner accepts.

    Returns the guids of the cards that begin with a memory, which has to be worked out yet.
    """
    concepts = concept_ids(connection)
    rows = _Rows(plan.last)
    for source in plan.sources:
        _add(source, rows, concepts, at)
    write_imported(connection, rows.added, rows.changed)

    def state_of(each: PlannedConcept) -> StateChange:
        return StateChange(concepts[each.slug], each.state, each.reason)

    new = [state_of(each) for each in plan.concepts if each.change is PlannedChange.NEW]
    record_changes(connection, new, AUTHOR, at)
    for each in filter(attrgetter("moves"), plan.concepts):
        record_change(connection, *state_of(each), AUTHOR, at)
    for slug, each in plan.joins.items():
        if slug in accepted:
            join(connection, concepts[slug], concepts[each.into], AUTHOR, at)
    starts = {card.guid: _start(card.learned, at) for card in plan.cards if card.learned}
    put_memory_starts(connection, starts)
    return tuple(starts)


class _Rows:
    """The rows of a plan by table, numbered on from the last row of each."""

    def __init__(self, last: Mapping[str, int]) -> None:
        self._last = last
        self.added: defaultdict[str, list[Columns]] = defaultdict(list)
        self.changed: defaultdict[str, list[Columns]] = defaultdict(list)

    def put(self, table: str, row: int | None, always: Columns, new: Columns) -> int:
        """Change a row, or add one, which has the columns `new`, too; return its number.

        A new row comes last in its table, if that has an order.
        """
        if row is not None:
            self.changed[table].append({"id": row, **always})
            return row
        row = self._last[table] + len(self.added[table]) + 1
        self.added[table].append({"id": row, "position": row, **always, **new})
        return row


def _add(source: PlannedSource, rows: _Rows, concepts: dict[str, int], at: datetime) -> None:
    """Add the rows of one source; `concepts` are the rows of all concepts by slug."""
    if source.change is PlannedChange.UNCHANGED:
        return
    names = ("kind", "title", "path", "text", "digest", "front_matter", "edits")
    columns = {**{name: getattr(source, name) for name in names}, "imported_at": at}
    source_row = rows.put("source", source.row, columns, {"guid": source.guid})
    text: Columns
    for concept in filter(_is_written, source.concepts):
        text = {"title": concept.title, "body": concept.body}
        new = {"slug": concept.slug, "source_id": source_row}
        concepts[concept.slug] = rows.put("concept", concept.row, text, new)
    for card in filter(_is_written, source.cards):
        links = [{"text": link.text, "address": link.address} for link in card.links]
        text = {
            "front": card.front,
            "back": card.back,
            "extra": {"links": links} if links else {},
            "digest": card.digest,
        }
        if card.row is not None:
            rows.changed["card"].append({"item_id": card.row, **text})
            continue
        item = {
            "guid": card.guid,
            "kind": "card",
            "concept_id": concepts[card.concept],
            "source_id": source_row,
            "created_at": at,
            "tags": tags_of(card.tags),
        }
        row = rows.put("item", None, {}, item)
        rows.added["card"].append({"item_id": row, "kind": BASIC.name, **text})
    for note in filter(_is_written, source.notes):
        if not note.keeps_wording:
            text = {"title": note.title, "body": note.body, "updated_at": at}
            new = {"guid": note.guid, "source_id": source_row, "created_at": at}
            rows.put("note", note.row, text, new)


def _is_written(thing: PlannedConcept | PlannedCard | PlannedNote) -> bool:
    return thing.change in {PlannedChange.NEW, PlannedChange.EDITED}


def _start(learned: LearnedBefore, at: datetime) -> StartColumns:
    """Return where a memory begins: at noon of the last review, which was before the import."""
    last = max(learned.due.toordinal() - round(learned.interval), _FIRST_DAY)
    day = min(date.fromordinal(last), at.astimezone(UTC).date())
    noon = datetime.combine(day, time(12), UTC)
    return StartColumns(min(noon, at), 0, day, learned.interval, learned.ease)
