"""The import of a path: documents to preview, or a file that is taken as it is.

Review logs and what an export wrote are not previewed line by line: a few sentences say what they
would come to. Everything here runs in the database's thread, which also imports this module with
its readers, and through the same functions as the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studyattn.errors import InputError
from studyattn.exchange.documents import importing
from studyattn.exchange.documents.importing import read_documents
from studyattn.exchange.documents.plan import ImportPlan
from studyattn.exchange.documents.preview import ImportPreview
from studyattn.exchange.files import PathKind, kind_of
from studyattn.exchange.format import Format
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.registry import format_of
from studyattn.packs.errata import installed_errata
from studyattn.study.profile import Profile
from studyattn.study.review.batch import AnsweredMany, answer_many
from studyattn.study.review.rebuild import refold
from studyattn.tui.formatting import count

Progress = Callable[[int, int, Path], None]  # documents done, documents in all, the next one

Lines = tuple[str, ...]


Taken = tuple[Lines, tuple[str, ...]]
"""Sentences on a file that was taken in, and the guids of the cards that are new."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is taken in whole or not at all."""

    kind: str
    lines: Lines  # the changes that taking it in would make, in sentences
    changes_nothing: bool
    take: Callable[[Profile], Taken]  # takes it in, in the database's thread


def look(path: Path, progress: Progress, profile: Profile) -> ImportPreview | WholeFile:
    """Return what importing `path` would make. Writes nothing.

    Raises DocumentError (file:line) and InputError.
    """
    if (form := format_of(path)) is not None:
        return _exported(path, form, profile)
    kind = kind_of(path)
    if kind is PathKind.REVIEW_LOG:
        return _review_log(path, profile)
    if kind is PathKind.DATABASE:
        raise InputError(
            "this is a database, not a document",
            where=str(path),
            advice="If it is a backup, close this app and run `studyattn db restore`",
        )
    errata = installed_errata(profile.home)
    return read_documents(profile.database, [path], progress, errata)


def apply_import(profile: Profile, plan: ImportPlan, joins: tuple[str, ...]) -> None:
    """Import what was previewed; `joins` are the slugs of the accepted ones."""
    importing.apply_import(profile.database, plan, profile.clock.now(), joins, refold)


def _review_log(path: Path, profile: Profile) -> WholeFile:
    def take(profile: Profile) -> Taken:
        return _answered(answer_many(profile, path, origin="import")), ()

    weighed = answer_many(profile, path, origin="import", dry_run=True)
    return WholeFile("review log", _answered(weighed), weighed.answered == 0, take)


def _answered(result: AnsweredMany) -> Lines:
    lines = [f"{count(result.answered, 'review')} of {count(result.items, 'item')}"]
    if result.already:
        lines.append(f"{count(result.already, 'review')} already there")
    return tuple(lines)


def _exported(path: Path, form: Format, profile: Profile) -> WholeFile:
    def take(profile: Profile) -> Taken:
        taken = import_file(profile.database, path, form, profile.clock.now(), refold)
        profile.reload()
        return tuple(taken.lines()), taken.new_cards

    weighed = preview(profile.database, path, form, profile.clock.now())
    return WholeFile(form.kind, tuple(weighed.lines()), weighed.changes_nothing, take)
