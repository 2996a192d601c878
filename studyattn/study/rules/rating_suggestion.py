"""Which rating a series of attempts at a drill suggests, or a typed answer, and why. Pure.

revealed, or never passed                         again
the last hint was seen                            hard
passed at the first submission without a hint     easy when quick, else good
passed after few failures, or with a hint         good
passed after many failures, or both               hard

a typed answer that differs                       again
a right one that took SLOW times as long as usual hard
a right one                                       good

The learner may overrule it: a suggestion is only what the series shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from studyattn.memory.state import Rating
from studyattn.study.rules.practice_series import (
    EntryKind,
    PracticeEntry,
    has,
    hints_seen,
    seconds_to_pass,
)

MANY_FAILURES = 4
"""Wrong submissions from which passing in the end was hard."""

SLOW = 3.0
"""Times the usual seconds of its kind of card from which a right answer was hard to find."""

BRISK = {1: 120.0, 2: 240.0, 3: 420.0, 4: 600.0, 5: 900.0}
"""Seconds, by the level of a drill, within which it was easy to write."""


@dataclass(frozen=True, slots=True)
class SuggestedRating:
    """The rating that a series of attempts suggests. The learner confirms or changes it."""

    rating: Rating
    reason: str  # a sentence


@dataclass(frozen=True, slots=True)
class AttemptSeries:
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


@dataclass(frozen=True, slots=True)
class Submitted:
    """One submission, as far as the rules read it."""

    code: str
    verdict: str


def failures_before_passing(
    submitted: Sequence[Submitted], starters: Collection[str]
) -> tuple[bool, int]:
    """Return whether the series passed, and how many different submissions had failed before.

    An untouched starter (`starters` are stripped) is not the learner's submission, code that does
    not import yet was saved half-written, and the same code twice counts once.
    """
    failed: set[str] = set()
    for each in submitted:
        if each.verdict == "passed":
            return True, len(failed)
        if each.verdict != "invalid" and each.code.strip() not in starters:
            failed.add(each.code.strip())
    return False, len(failed)


def attempts_of(
    series: Sequence[PracticeEntry],
    starters: Collection[str],
    *,
    hints_in_all: int,
    level: int,
    running: float = 0.0,
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


def suggest_for_answer(*, correct: bool, seconds: float, usual: float) -> SuggestedRating:
    """Return the rating that a typed answer suggests.

    `seconds` is how long it took, `usual` how long cards of its kind usually take.
    """
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
