"""What to say when something goes wrong: an error a learner can act on, or a bug and its log.

A `StudyattnError` explains itself. Anything else is a bug: its traceback goes into `errors.log` of
the home, and the learner reads one sentence and where that file is.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studyattn.errors import StudyattnError

_KEPT_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that went wrong, in words for the screen."""

    title: str
    what: str
    advice: str
    where: str = ""

    @property
    def line(self) -> str:
        """All of it in one line, for standard error."""
        place = f"{self.where}: " if self.where else ""
        return " ".join(f"{place}{self.what} {self.advice}".split())


def describe(error: BaseException, log: Path, at: datetime) -> Trouble:
    """Words for `error`; a bug is written to `log` first."""
    cause = _innermost(error)
    if isinstance(cause, StudyattnError):
        return Trouble(
            title="This did not work",
            what=_sentence(cause.message),
            advice=_sentence(cause.advice) or "Nothing was changed.",
            where=cause.where,
        )
    written = _write(cause, log, at)
    report = f"The details are in {log}" if written else "The details could not be written"
    return Trouble(
        title="Something unexpected happened",
        what=f"{type(cause).__name__}: {_first_line(cause)}",
        advice=f"Every answer that was shown as taken is kept. {report}.",
    )


def _innermost(error: BaseException) -> BaseException:
    """The error that a worker wrapped."""
    wrapped = getattr(error, "error", None)
    return _innermost(wrapped) if isinstance(wrapped, BaseException) else error


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else "no message"


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
