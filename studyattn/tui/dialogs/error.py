"""The dialog for an error: one that the learner can act on, or a bug and where it was logged.

A `StudyattnError` explains itself. Anything else is a bug: its traceback goes into `errors.log` of
the home, and the learner reads one sentence and where that file is.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from studyattn.disk import full_disk, is_full
from studyattn.errors import StudyattnError

_KEPT_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ErrorNotice:
    """One thing that went wrong, in words for the screen."""

    title: str
    what: str
    advice: str
    where: str = ""

    @property
    def line(self) -> str:
        """The notice in one line, for standard error."""
        place = f"{self.where}: " if self.where else ""
        return " ".join(f"{place}{self.what} {self.advice}".split())


def describe(error: BaseException, log: Path, at: datetime) -> ErrorNotice:
    """Words for `error`; a bug is written to `log` first."""
    cause = _innermost(error)
    if is_full(cause, log.parent):
        cause = full_disk(log.parent)
    if isinstance(cause, StudyattnError):
        return ErrorNotice(
            title="This did not work",
            what=_sentence(cause.message),
            advice=_sentence(cause.advice) or "Nothing was changed.",
            where=cause.where,
        )
    written = _write(cause, log, at)
    said = str(cause).strip().splitlines() or ["no message"]
    report = f"Details are in {log}" if written else "Details could not be written"
    return ErrorNotice(
        title="Unexpected error",
        what=f"{type(cause).__name__}: {said[0][:200]}",
        advice=f"Every answer you saw confirmed is saved. {report}.",
    )


def _innermost(error: BaseException) -> BaseException:
    """The error that a worker wrapped."""
    wrapped = getattr(error, "error", None)
    return _innermost(wrapped) if isinstance(wrapped, BaseException) else error


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


def _write(error: BaseException, log: Path, at: datetime) -> bool:
    text = "".join(traceback.format_exception(error))
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > _KEPT_BYTES:
            log.replace(log.with_suffix(".log.old"))
        with log.open("a", encoding="utf-8") as file:
            file.write(f"── {at.isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return False
    return True


class ErrorScreen(ModalScreen[None]):
    """Closes with escape, enter or space."""

    BINDINGS: ClassVar = [Binding("escape,enter,space", "app.pop_screen", "Close", show=False)]
    AUTO_FOCUS = ""

    def __init__(self, notice: ErrorNotice) -> None:
        super().__init__()
        self.notice = notice

    def compose(self) -> ComposeResult:
        notice = self.notice
        lines = [Content.assemble(("✗ ", "$wrong bold"), (notice.title, "bold")), Content()]
        if notice.where:
            lines.append(Content.styled(notice.where, "$quiet"))
        lines += [Content(notice.what), Content(), Content(notice.advice)]
        lines += [Content(), Content.assemble(("enter", "$accent bold"), " close")]
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static(Content("\n").join(lines))
