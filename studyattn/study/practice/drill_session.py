"""Practising one drill: the file, attempts, hints, the solution, the rating, and going back.

The file on disk is the truth of the code, the database that of everything else. The session itself
holds nothing that matters, so it may be killed, and two of them may work on one drill. Grading
takes seconds and touches neither: run `grading.judge.grade` on `submission()` in another thread or
process, then `record` its report.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from studyattn.errors import InputError
from studyattn.grading.verdict import Report
from studyattn.memory import LoggedReview, MemoryState, New, Rating, effective_reviews
from studyattn.memory.state import is_due
from studyattn.study.practice import drill_log, mistakes
from studyattn.study.practice.attempts import history, record_attempt, undo_practice, version
from studyattn.study.practice.drill_file import DrillFile, decoded
from studyattn.study.practice.drill_views import CardBack, CodeVersion, FileState, RecordedAttempt
from studyattn.study.practice.drills import FoundDrill, checked_backend, find_drill
from studyattn.study.practice.mine import submission_of
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.review import recorder
from studyattn.study.review.recorder import RecordedReview, ReviewRecorder
from studyattn.study.review.views import RatingChoice, choices_of
from studyattn.study.rules.practice_series import (
    EntryKind,
    PracticeEntry,
    SuggestedRating,
    attempts_of,
    has,
    hints_seen,
    steps_reached,
    suggest_rating,
    worked,
    worked_since,
)

if TYPE_CHECKING:
    from studyattn.grading.drill import Drill
    from studyattn.grading.submission import Submission
    from studyattn.packs.model import DrillBrief


class _UndoStep(NamedTuple):
    """One thing that can be taken back and done again."""

    what: str
    back: Callable[[], object]
    again: Callable[[], object]


class PracticeSession:
    """A learner at one drill. Close it, or use it in a `with`.

    Opening continues the present series of attempts. A drill that was rated and is due again begins
    a new one: from the starter, the earlier file kept under a number (`ID.1.py`). Raises
    NotFoundError for an unknown drill, InputError when the file must be written and cannot be.
    """

    def __init__(
        self,
        profile: Profile,
        drill_id: str,
        *,
        path: Path | None = None,
        backend: str | None = None,
        resume: bool = False,
    ) -> None:
        """`path` is where the file is, in the home's drills unless told otherwise; `backend` that
        of a starter that has to be written. With `resume` the session is a moment of work that
        began before and goes on after it, as with a command: leaving it ends nothing.
        """
        self._profile = profile
        self._found: FoundDrill = find_drill(profile.home, drill_id)
        self._backend = checked_backend(self._found.brief, backend)
        self.file = DrillFile(path or profile.home.drills / f"{drill_id}.py")
        self._since = profile.clock.now()
        self._resumed = resume
        self._done: list[_UndoStep] = []
        self._undone: list[_UndoStep] = []
        self._rated: RecordedReview | None = None
        self.put_aside: int | None = None
        """The number under which opening kept the file of an earlier series."""
        if resume:
            self._since -= timedelta(seconds=worked_since(self._series(), self._since))
        self._open()
        rated = self._last_rating()
        self._known_rating = None if rated is None else rated.uuid
        if rated is not None:  # what was written before gives less away
            brief = self._found.brief.with_formula_as_hint()
            self._found = self._found._replace(brief=brief)

    @property
    def counterexamples(self) -> Path:
        """The home's folder of questions that deep passes found."""
        return self._profile.home.counterexamples

    def close(self) -> None:
        """Keep the time that was spent. The file stays as it is."""
        seconds = self._spent()
        if seconds >= 1 and self._rated is None and not self._resumed:
            self._step(EntryKind.LEFT, seconds=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ── what is to be done ───────────────────────────────────────────────────────────────────────

    @property
    def guid(self) -> str:
        """The drill's guid among the items."""
        return self._found.guid

    @property
    def brief(self) -> DrillBrief:
        """Task, formula, shapes, hints."""
        return self._found.brief

    @cached_property
    def drill(self) -> Drill:
        """The checks, for `grading.judge.grade`. Loads numpy. Raises PackError."""
        from studyattn.grading.drill_loader import load_drill  # loads numpy

        return load_drill(self.brief.folder)

    @property
    def memory(self) -> MemoryState:
        """The drill's memory now."""
        with self._profile.database.read() as connection:
            return recorder.memory_of_item(connection, self.guid)

    # ── the file ─────────────────────────────────────────────────────────────────────────────────

    @property
    def path(self) -> Path:
        """The path of the learner's file."""
        return self.file.path

    @property
    def file_state(self) -> FileState:
        """The file's state now: another program may have changed, moved or deleted it."""
        return self.file.state

    def code(self) -> str:
        """Return the file's text. Raises NotFoundError or InputError, which say what to do."""
        return decoded(self.file.read())

    def save(self, code: str) -> None:
        """Write the learner's code to the file, all of it or nothing. Raises InputError."""
        self.file.write(code)

    def submission(self, backend: str | None = None) -> Submission:
        """Return the file as it is to be graded. Raises NotFoundError or InputError."""
        return submission_of(
            lambda: nullcontext(self._profile), self.brief, self.path, self.file.read(), backend
        )

    # ── attempts ─────────────────────────────────────────────────────────────────────────────────

    def record(self, submission: Submission, report: Report) -> RecordedAttempt:
        """Record a submission with its report; a mistake in it brings its cards back.

        The same code with the same verdict as the version before is the same save, seen twice.
        """
        self._begin_if_needed()
        recorded, attempt = record_attempt(
            self._profile, self.guid, decoded(submission.source), report, self._running()
        )
        if attempt is not None:
            self._spent()
        self._rated = None
        if recorded.brought_back and attempt is not None:
            self._did(
                _UndoStep(
                    "cards brought back",
                    back=lambda: mistakes.take_back(self._profile, attempt),
                    again=lambda: mistakes.bring_again(self._profile, attempt),
                )
            )
        return recorded

    def history(self) -> tuple[CodeVersion, ...]:
        """Return every version that was graded or kept, the oldest first, through all series."""
        return history(self._profile, self.guid)

    def keep(self, code: str) -> None:
        """Keep code that no file holds as a version, unless a version has the same text."""
        kept = (version.code for version in self.history())
        if code.strip() and drill_log.storable(code) not in kept:
            self._step(EntryKind.KEPT, code=code)

    def restore(self, number: int) -> CodeVersion:
        """Write version `number` into the file, after keeping the file's text as a version.

        Raises NotFoundError when there is no such version, InputError when it cannot be written.
        """
        wanted = version(self._profile, self.guid, number)
        before = self._write_keeping(wanted.code)
        if before is not None:
            self._did(
                _UndoStep(
                    "restore",
                    back=lambda: self._write_keeping(before),
                    again=lambda: self._write_keeping(wanted.code),
                )
            )
        return wanted

    def start_afresh(self, backend: str | None = None) -> int | None:
        """Begin again from the starter; return the number of the file put aside, None for none."""
        chosen = checked_backend(self.brief, backend or self._backend)
        number = self._put_aside()
        before = self.file.text()
        self._write_starter(chosen)
        self._step(EntryKind.BEGAN, number=number or 0, seconds=self._spent())
        if before is not None:
            starter = self.brief.starter_code(chosen)
            self._did(
                _UndoStep(
                    "fresh start",
                    back=lambda: self._write_keeping(before),
                    again=lambda: self._write_keeping(starter),
                )
            )
        return number

    # ── hints and the solution ───────────────────────────────────────────────────────────────────

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints that were revealed in this series."""
        return self.brief.hints[: hints_seen(self._series())]

    def next_hint(self) -> str | None:
        """Reveal and record one more hint; None if there is none left."""
        seen = len(self.hints)
        if seen == len(self.brief.hints):
            return None
        self._begin_if_needed()
        self._step(EntryKind.HINT, number=seen + 1, seconds=self._spent())
        return self.brief.hints[seen]

    @property
    def revealed(self) -> bool:
        """True if the solution was looked at in this series."""
        return has(self._series(), EntryKind.REVEALED)

    def solution(self, backend: str | None = None) -> str:
        """Return the solution, which counts as revealed from now on: ask the learner before."""
        chosen = checked_backend(self.brief, backend or self._backend)
        source = self.brief.solution(chosen).read_text("utf-8")
        self.reveal()
        return source

    def reveal(self) -> None:
        """Record that what would be right was looked at: the solution, or what mends the code."""
        if not self.revealed:
            self._begin_if_needed()
            self._step(EntryKind.REVEALED, seconds=self._spent())

    # ── being done ───────────────────────────────────────────────────────────────────────────────

    @property
    def attempts(self) -> int:
        """Graded versions of this series."""
        return sum(each.kind is EntryKind.ATTEMPT for each in self._series())

    @property
    def passed(self) -> bool:
        """True if an attempt of this series passed."""
        return any(each.verdict == "passed" for each in self._series())

    @property
    def steps_passed(self) -> int:
        """The number of steps that passed in this series, of a drill that has some."""
        return steps_reached(self._series())

    def suggested(self) -> SuggestedRating:
        """Return the rating that the series suggests, and why. Without a pass it is giving up."""
        series = attempts_of(
            self._series(),
            self._starters(),
            hints_in_all=len(self.brief.hints),
            level=self.brief.level,
            running=self._running(),
        )
        return suggest_rating(series)

    def choices(self) -> tuple[RatingChoice, ...]:
        """Return the four ratings with the interval that each will give."""
        profile, moment = self._profile, self._profile.moment()
        with ReviewRecorder(profile) as log:
            seeds = log.load_ahead.seeds(self.guid, self.memory, moment)
        return choices_of(profile.scheduler, self.guid, self.memory, moment, seeds)

    def rate(self, rating: Rating | None = None) -> RecordedReview:
        """Rate the drill, as suggested unless told otherwise; FSRS schedules it as it does a card.

        Ends the series. When this returns, the rating survives a power cut. In a review session,
        hand the answer to `ReviewSession.answered_elsewhere`. Raises InputError when the series was
        ended elsewhere since this session began, and nothing was done here after it.
        """
        last = self._last_rating()
        if last is not None and last.uuid != self._known_rating and not self._series():
            rated = "" if last.rating is None else f": {last.rating.name.lower()}"
            raise InputError(
                f"{self.brief.id} was rated elsewhere in the meantime{rated}",
                advice="Undo that rating, or continue with a new series of attempts.",
            )
        chosen = self.suggested().rating if rating is None else rating
        seconds = sum(each.seconds for each in self._series()) + self._spent()
        profile = self._profile
        with ReviewRecorder(profile) as log:
            answered = log.take(self.guid, chosen, profile.moment(), seconds)
        uuid = answered.review.uuid
        self._rated = answered
        self._known_rating = uuid
        self._did(
            _UndoStep(
                chosen.name.lower(),
                back=lambda: recorder.withdraw(profile, uuid),
                again=lambda: recorder.restore(profile, uuid),
            )
        )
        return answered

    # ── going back ───────────────────────────────────────────────────────────────────────────────

    @property
    def brought_back(self) -> tuple[CardBack, ...]:
        """Cards that are due because of mistakes in this series, not answered yet."""
        uuids = {each.uuid for each in self._series()}
        with self._profile.database.read() as connection:
            return tuple(
                card
                for uuid in uuids
                for card in mistakes.waiting_cards(connection, attempt_uuid=uuid)
            )

    def undo(self) -> str | None:
        """Take back the last thing done here, or before, and return what it was; None for nothing.

        Ratings, cards brought back, restored versions and fresh starts can be taken back. Attempts,
        hints and a look at the solution cannot: what was seen was seen.
        """
        if self._done:
            step = self._done.pop()
            step.back()
            self._undone.append(step)
            self._rated = None
            return step.what
        return undo_practice(self._profile, self.guid)

    def redo(self) -> str | None:
        """Do the last thing again that was taken back; None if there is nothing."""
        if not self._undone:
            return None
        step = self._undone.pop()
        step.again()
        self._done.append(step)
        return step.what

    # ── inside ───────────────────────────────────────────────────────────────────────────────────

    def _open(self) -> None:
        """Begin a series where one is due, and see that there is a file."""
        with self._profile.database.read() as connection:
            series = drill_log.read_series(connection, self.guid)
            memory = recorder.memory_of_item(connection, self.guid)
        if has(series, EntryKind.BEGAN):
            if self.file_state is FileState.MISSING and not has(series, EntryKind.ATTEMPT):
                self._write_starter(self._backend)
            return
        due = is_due(memory, self._profile.clock.now())
        if not (due or isinstance(memory, New)):
            return  # it was rated and is not due: the file is there to be looked at
        number = None
        if due and not has(series, EntryKind.ATTEMPT):
            number = self._put_aside()
            self._write_starter(self._backend)
        elif self.file_state is FileState.MISSING:
            self._write_starter(self._backend)
        self._step(EntryKind.BEGAN, number=number or 0)
        self.put_aside = number

    def _last_rating(self) -> LoggedReview | None:
        with self._profile.database.read() as connection:
            ratings = effective_reviews(log_of(connection, self.guid))
        return ratings[-1] if ratings else None

    def _begin_if_needed(self) -> None:
        if not has(self._series(), EntryKind.BEGAN):
            self._step(EntryKind.BEGAN)

    def _put_aside(self) -> int | None:
        """Keep the present file under a number, unless it is a starter or missing."""
        text = self.file.text()
        if text is None or text.strip() in self._starters():
            return None
        return self.file.put_aside()

    def _starters(self) -> set[str]:
        """Return the texts of the starters of all backends."""
        return {
            drill_log.storable(self.brief.starter_code(backend)).strip()
            for backend in self.brief.backends
        }

    def _write_starter(self, backend: str) -> None:
        self.file.write(self.brief.starter_code(backend))

    def _write_keeping(self, code: str) -> str | None:
        """Write the file, and keep its earlier text unless a version has it; return that text."""
        before = self.file.text()
        if before is not None and before != code:
            self.keep(before)
        self.file.write(code)
        return before

    def _series(self) -> list[PracticeEntry]:
        with self._profile.database.read() as connection:
            return drill_log.read_series(connection, self.guid)

    def _step(
        self, kind: EntryKind, *, number: int = 0, code: str | None = None, seconds: float = 0.0
    ) -> None:
        with self._profile.database.write() as connection:
            drill_log.add_step(
                connection,
                self._profile,
                self.guid,
                kind,
                number=number,
                code=code,
                seconds=seconds,
            )

    def _running(self) -> float:
        """Return the seconds since the last row."""
        return worked(self._profile.clock.now() - self._since)

    def _spent(self) -> float:
        """Return the seconds since the last row, and start to count anew."""
        seconds = self._running()
        self._since = self._profile.clock.now()
        return seconds

    def _did(self, step: _UndoStep) -> None:
        self._done.append(step)
        self._undone.clear()
