"""What a path gives when it is imported: documents to preview, or a file that is taken as it is.

Review logs and what an export wrote are not previewed line by line: what they would come to is a
few sentences. Everything here runs at the desk, through the same functions as the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import InputError
from studyattn.tui.layout import count

if TYPE_CHECKING:
    from studyattn.exchange.plan import ImportPlan
    from studyattn.exchange.returning import ReturnKind
    from studyattn.study.answers import AnsweredMany
    from studyattn.study.learner import Learner

Progress = Callable[[int, int, Path], None]
"""Documents done, documents in all, the next one."""

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is taken in whole or not at all."""

    kind: str
    lines: Lines
    """What taking it in would come to."""
    changes_nothing: bool
    take: Callable[[Learner], Lines]
    """Takes it in, at the desk; what came of it."""


def look(path: Path, progress: Progress, learner: Learner) -> ImportPlan | WholeFile:
    """What importing `path` would make. Writes nothing.

    Raises DocumentError (file:line) and InputError.
    """
    from studyattn.exchange.cautions import installed_cautions
    from studyattn.exchange.documents import PathKind, kind_of, plan_import
    from studyattn.exchange.returning import kind_of_return

    if (returned := kind_of_return(path)) is not None:
        return _exported(path, returned, learner)
    kind = kind_of(path)
    if kind is PathKind.REVIEW_LOG:
        return _review_log(path, learner)
    if kind is PathKind.BACKUP:
        raise InputError(
            "it is a backup of a whole database",
            where=str(path),
            advice="Close this app, then put it in place with `studyattn db restore`",
        )
    return plan_import(learner.database, [path], progress, installed_cautions(learner.home))


def _review_log(path: Path, learner: Learner) -> WholeFile:
    from studyattn.study.answers import answer_many

    def take(learner: Learner) -> Lines:
        return _answered(answer_many(learner, path, origin="import"))

    weighed = answer_many(learner, path, origin="import", dry_run=True)
    return WholeFile("review log", _answered(weighed), weighed.answered == 0, take)


def _answered(result: AnsweredMany) -> Lines:
    lines = [f"{count(result.answered, 'review')} of {count(result.items, 'item')}"]
    if result.already:
        lines.append(f"{count(result.already, 'review')} already there")
    return tuple(lines)


def _exported(path: Path, kind: ReturnKind, learner: Learner) -> WholeFile:
    from studyattn.exchange.returning import preview

    weighed = preview(learner.database, path, kind, learner.clock.now())
    taking = partial(_take_back, path, kind)
    return WholeFile(str(kind), tuple(weighed.lines()), weighed.changes_nothing, taking)


def _take_back(path: Path, kind: ReturnKind, learner: Learner) -> Lines:
    from studyattn.exchange.returning import take_back
    from studyattn.study.rebuild import refold

    taken = take_back(learner.database, path, kind, learner.clock.now(), refold)
    learner.reload()
    return tuple(taken.lines())
