"""The series of a drill: what was done with it since its last rating, and how long it took. Pure.

Rows of practice are only added. Taking a rating back makes the series before it present again. An
attempt itself is never taken back: what was seen was seen.

The rating that a series suggests, and a typed answer:

revealed, or never passed                         again
the last hint was seen                            hard
passed at the first submission without a hint     easy when quick, else good
passed after few failures, or with a hint         good
passed after many failures, or both               hard

a typed answer that differs                       again
a right one that took SLOW times as long as usual hard
a right one                                       good
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from studyattn.memory.log import LoggedReview
from studyattn.memory.state import Rating
from studyattn.store.queries.practice import CardBatch
from studyattn.store.queries.queue import passed_steps

MANY_FAILURES = 4
"""Wrong submissions from which passing in the end was hard."""

SLOW = 3.0
"""Times the usual seconds of its kind of card from which a right answer was hard to find."""

BRISK = {1: 120.0, 2: 240.0, 3: 420.0, 4: 600.0, 5: 900.0}
"""Seconds, by the level of a drill, within which it was easy to write."""


class SuggestedRating(NamedTuple):
    """The rating that a series of attempts suggests. The learner confirms or changes it."""

    rating: Rating
    reason: str  # a sentence


class AttemptSeries(NamedTuple):
    """Everything known about the attempts since the drill was last rated.

    `failures` counts different submissions that ran and did not pass, up to the first that passed;
    `hints` and `revealed` are what had been seen by then.
    """

    passed: bool
    failures: int
    hints: int
    hints_in_all: int
    revealed: bool
    seconds: float  # of work, up to the first pass
    level: int


class Submitted(NamedTuple):
    """One submission, as far as the rules read it."""

    code: str
    verdict: str


def failures_before_passing(
    submitted: Sequence[Submitted], starters: Collection[str]
) -> tuple[bool, int]:
    """Return whether the series passed, and how many different submissions had failed before.

    An untouched starter (`starters` are stripped) is not the learner's submission, code that does
    not import yet was saved half-written, a step of a long drill that is right did not fail, and
    the same code twice counts once.
    """
    failed: set[str] = set()
    for each in submitted:
        if each.verdict == "passed":
            return True, len(failed)
        if each.verdict not in {"invalid", "step"} and each.code.strip() not in starters:
            failed.add(each.code.strip())
    return False, len(failed)


def attempts_of(
    series: Sequence[PracticeEntry],
    starters: Collection[str],
    *,
    hints_in_all: int,
    level: int,
    running: float,
) -> AttemptSeries:
    """Return what the entries since the last rating say, with `running` seconds after the last."""
    attempts = [each for each in series if each.kind is EntryKind.ATTEMPT]
    submitted = [Submitted(each.code, each.verdict or "") for each in attempts]
    passed, failures = failures_before_passing(submitted, starters)
    # Hints and the solution do not count if they were looked at after the drill had passed.
    first = next((each for each in attempts if each.verdict == "passed"), None)
    return AttemptSeries(
        passed=passed,
        failures=failures,
        hints=hints_seen(series) if first is None else first.hints,
        hints_in_all=hints_in_all,
        revealed=has(series, EntryKind.REVEALED) if first is None else first.revealed,
        seconds=seconds_to_pass(series) + (0.0 if passed else running),
        level=level,
    )


def suggest_rating(series: AttemptSeries) -> SuggestedRating:
    """Return the rating to offer, with a sentence that says why."""
    if series.revealed:
        return SuggestedRating(Rating.AGAIN, "You looked at the solution.")
    if not series.passed:
        return SuggestedRating(Rating.AGAIN, "Not passed.")
    if 0 < series.hints_in_all <= series.hints:
        return SuggestedRating(
            Rating.HARD, "Passed with the last hint, which nearly gives it away."
        )
    if not series.failures and not series.hints:
        return _at_first(series)
    how = _how(series)
    if series.failures >= MANY_FAILURES or (series.failures and series.hints):
        return SuggestedRating(Rating.HARD, f"It passed {how}.")
    return SuggestedRating(Rating.GOOD, f"It passed {how}.")


def suggest_for_answer(*, correct: bool | None, seconds: float, usual: float) -> SuggestedRating:
    """Return the rating that a typed answer suggests; `correct` is None for other words.

    `seconds` is how long it took, `usual` how long cards of its kind usually take.
    """
    if correct is None:
        return SuggestedRating(Rating.AGAIN, "Good if it means the same.")
    if not correct:
        return SuggestedRating(Rating.AGAIN, "The answer differs.")
    if seconds >= SLOW * usual:
        return SuggestedRating(Rating.HARD, f"Right, after {round(seconds)} s.")
    return SuggestedRating(Rating.GOOD, "Right.")


def _at_first(series: AttemptSeries) -> SuggestedRating:
    minutes = max(1, round(series.seconds / 60))
    took = f"in {minutes} min" if series.seconds >= 60 else "in under a minute"
    reason = f"Passed on the first submission without a hint, {took}."
    brisk = series.seconds <= BRISK[min(max(series.level, 1), 5)]
    return SuggestedRating(Rating.EASY if brisk else Rating.GOOD, reason)


def _how(series: AttemptSeries) -> str:
    parts = []
    if series.failures:
        plural = "s" if series.failures > 1 else ""
        parts.append(f"after {series.failures} failed submission{plural}")
    if series.hints:
        parts.append(f"with {series.hints} hint{'s' if series.hints > 1 else ''}")
    return " and ".join(parts)


def change_to_undo(
    effective: Sequence[LoggedReview], batch: CardBatch | None
) -> LoggedReview | CardBatch | None:
    """Return the later of the drill's last own rating and its last batch of cards; None for none.

    `effective` are the drill's reviews in effect, oldest first. Imported and merged ones are passed
    over: they are history, not something the learner just did.
    """
    own = [each for each in effective if each.origin == "learner" and each.rating is not None]
    if own and (batch is None or (batch.at, batch.uuid) < (own[-1].at, own[-1].uuid)):
        return own[-1]
    return batch


LONGEST_PAUSE = timedelta(minutes=30)
"""The longest time between two rows that counts as work: a longer one was a break."""


class EntryKind(StrEnum):
    """The kind of event that a row of practice records."""

    ATTEMPT = "attempt"
    BEGAN = "began"  # a series; `number` is that of the file put aside, 0 for none
    HINT = "hint"  # `number` counts from 1
    REVEALED = "revealed"  # the solution was looked at
    KEPT = "kept"  # the file's text before something took its place
    LEFT = "left"  # the learner went away


class PracticeEntry(NamedTuple):
    """One row of practice: an attempt or another step."""

    kind: EntryKind
    uuid: str
    at: datetime
    learner_day: date
    seconds: float  # of work since the row before
    number: int = 0
    code: str = ""
    verdict: str | None = None  # of an attempt
    report: Mapping[str, Any] = MappingProxyType({})
    hints: int = 0
    revealed: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """The order of rows. UUIDs grow as they are made, so rows of one instant keep theirs."""
        return self.at, self.uuid


def present_series(
    entries: Iterable[PracticeEntry], ratings: Sequence[LoggedReview]
) -> list[PracticeEntry]:
    """Return the entries since the last of the drill's ratings in effect."""
    if not ratings:
        return list(entries)
    last = (ratings[-1].at, ratings[-1].uuid)
    return [each for each in entries if each.order > last]


def has(series: Iterable[PracticeEntry], kind: EntryKind) -> bool:
    """Return whether the series has an entry of this kind."""
    return any(each.kind is kind for each in series)


def steps_reached(series: Iterable[PracticeEntry]) -> int:
    """Return how many steps of a long drill have passed, by the reports of its attempts."""
    return max((passed_steps(each.report.get("steps")) for each in series), default=0)


def hints_seen(series: Iterable[PracticeEntry]) -> int:
    """Return how many hints were revealed."""
    return max((each.number for each in series if each.kind is EntryKind.HINT), default=0)


def worked(elapsed: timedelta) -> float:
    """Return the seconds of work in the time between two rows."""
    return min(max(elapsed, timedelta(0)), LONGEST_PAUSE).total_seconds()


def worked_since(series: Sequence[PracticeEntry], now: datetime) -> float:
    """Return the seconds of work since the last row; none after the learner had left."""
    if not series or series[-1].kind is EntryKind.LEFT:
        return 0.0
    return worked(now - series[-1].at)


def seconds_to_pass(series: Iterable[PracticeEntry]) -> float:
    """Return the seconds of work up to the first pass, or on all of the series."""
    seconds = 0.0
    for entry in series:
        seconds += entry.seconds
        if entry.verdict == "passed":
            break
    return seconds
