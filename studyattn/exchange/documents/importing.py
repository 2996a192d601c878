"""Importing source documents: `read_documents` says what it would make, `apply_import` makes it.

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

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from studyattn.errors import DocumentError, InputError, StoreError
from studyattn.exchange.documents import dialects
from studyattn.exchange.documents.apply_plan import write_plan
from studyattn.exchange.documents.draft import ExtractedText
from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.plan import ImportPlan
from studyattn.exchange.documents.preview import ImportPreview
from studyattn.exchange.files import SUFFIXES, PathKind, find_documents, kind_of, read_text
from studyattn.exchange.merge.merge_into import Refold
from studyattn.exchange.recognition import MADE_BY
from studyattn.packs.model import Erratum
from studyattn.paths import tidy
from studyattn.store.database import Database
from studyattn.store.queries.imports import read_existing, read_last_rows

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
    problems = list(found.problems)
    named = {path for path in paths if kind_of(path) is not PathKind.FOLDER}
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
        try:
            text = dialects.load(path)
            text = read_text(path) if text is None else text
            if text in texts:
                copies.append(str(path))
                continue
            place = str(tidy(path.absolute()))
            draft = extract(text, str(path), dialect or before.get(place, ""))
            _refuse_export(draft, path)
            drafts[place] = draft
            texts.add(text)
        except (DocumentError, RecursionError) as caught:
            deep = DocumentError("its contents are nested too deeply", where=str(path))
            error = caught if isinstance(caught, DocumentError) else deep
            if path in named:
                raise error from caught
            problems.append(error)
    nothing = ImportPlan((), known.last, tuple(problems), tuple(copies))
    return ImportPreview(drafts, known, tuple(errata), nothing)


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
            learned = write_plan(connection, plan, at, accepted)
            if learned and refold is not None:
                refold(connection, learned)


def _refuse_export(draft: ExtractedText, path: Path) -> None:
    """Raise DocumentError for what studyattn wrote: it would come in a second time, as new."""
    if MADE_BY in draft.front_matter:
        raise DocumentError(
            "it was exported by studyattn",
            where=f"{path}:1",
            advice="Import a learning note, or a folder of Obsidian pages, by naming it directly",
        )
