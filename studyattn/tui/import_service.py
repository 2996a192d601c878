"""What a path gives when it is imported: documents to preview, or a file that is taken as it is.

Review logs and what an export wrote are not previewed line by line: what they would come to is a
few sentences. Everything here runs in the database's thread, through the same functions as the
command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import InputError
from studyattn.tui.formatting import count

if TYPE_CHECKING:
    from studyattn.exchange.documents.plan import ImportPlan
    from studyattn.exchange.format import Format
    from studyattn.study.profile import Profile
    from studyattn.study.review.batch import AnsweredMany

Progress = Callable[[int, int, Path], None]
"""Documents done, documents in all, the next one."""

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenFile:
    """The result of taking a file in."""

    lines: Lines
    new_cards: tuple[str, ...] = ()
    """Guids of the cards that were not there before."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is taken in whole or not at all."""

    kind: str
    lines: Lines
    """What taking it in would come to."""
    changes_nothing: bool
    take: Callable[[Profile], TakenFile]
    """Takes it in, in the database's thread."""


def look(path: Path, progress: Progress, profile: Profile) -> ImportPlan | WholeFile:
    """Return what importing `path` would make. Writes nothing.

    Raises DocumentError (file:line) and InputError.
    """
    from studyattn.exchange.documents.erratum_warnings import installed_cautions
    from studyattn.exchange.documents.importing import PathKind, kind_of, plan_import
    from studyattn.exchange.registry import format_of

    if (form := format_of(path)) is not None:
        return _exported(path, form, profile)
    kind = kind_of(path)
    if kind is PathKind.REVIEW_LOG:
        return _review_log(path, profile)
    if kind is PathKind.BACKUP:
        raise InputError(
            "it is a backup of a whole database",
            where=str(path),
            advice="Close this app, then put it in place with `studyattn db restore`",
        )
    return plan_import(profile.database, [path], progress, installed_cautions(profile.home))


def _review_log(path: Path, profile: Profile) -> WholeFile:
    from studyattn.study.review.batch import answer_many

    def take(profile: Profile) -> TakenFile:
        return TakenFile(_answered(answer_many(profile, path, origin="import")))

    weighed = answer_many(profile, path, origin="import", dry_run=True)
    return WholeFile("review log", _answered(weighed), weighed.answered == 0, take)


def _answered(result: AnsweredMany) -> Lines:
    lines = [f"{count(result.answered, 'review')} of {count(result.items, 'item')}"]
    if result.already:
        lines.append(f"{count(result.already, 'review')} already there")
    return tuple(lines)


def _exported(path: Path, form: Format, profile: Profile) -> WholeFile:
    from studyattn.exchange.import_file import preview

    weighed = preview(profile.database, path, form, profile.clock.now())
    taking = partial(_take_back, path, form)
    return WholeFile(form.kind, tuple(weighed.lines()), weighed.changes_nothing, taking)


def _take_back(path: Path, form: Format, profile: Profile) -> TakenFile:
    from studyattn.exchange.import_file import import_file
    from studyattn.study.review.rebuild import refold

    taken = import_file(profile.database, path, form, profile.clock.now(), refold)
    profile.reload()
    return TakenFile(tuple(taken.lines()), taken.new_cards)
