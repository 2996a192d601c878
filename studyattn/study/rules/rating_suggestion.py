"""Which rating a series of attempts at a drill speaks for, and why. Pure.

revealed, or never passed                         again
the last hint was seen                            hard
passed at the first submission without a hint     easy when quick, else good
passed after few failures, or with a hint         good
passed after many failures, or both               hard

The rules are for the learner to overrule: what is suggested is only what the series shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from studyattn.memory.state import Rating
from studyattn.study.practice.drill_views import SuggestedRating

MANY_FAILURES = 4
"""Wrong submissions from which passing in the end was hard."""

BRISK = {1: 120.0, 2: 240.0, 3: 420.0, 4: 600.0, 5: 900.0}
"""Seconds, by the level of a drill, within which it was easy to write."""


@dataclass(frozen=True, slots=True)
class AttemptSeries:
    """All that is known of the attempts since the drill was last rated.

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
    """One submission, as far as it counts here."""

    code: str
    verdict: str


def failures_before_passing(
    submitted: Sequence[Submitted], starters: Collection[str]
) -> tuple[bool, int]:
    """Whether the series passed, and how many different submissions had failed before.

    An untouched starter (`starters` are stripped) is no submission of the learner's; code that does
    not import yet is one that was saved half-written; the same code twice is one.
    """
    failed: set[str] = set()
    for each in submitted:
        if each.verdict == "passed":
            return True, len(failed)
        if each.verdict != "invalid" and each.code.strip() not in starters:
            failed.add(each.code.strip())
    return False, len(failed)


def suggest_rating(series: AttemptSeries) -> SuggestedRating:
    """The rating to offer, with a sentence that says why."""
    if series.revealed:
        return SuggestedRating(Rating.AGAIN, "The solution was looked at.")
    if not series.passed:
        return SuggestedRating(Rating.AGAIN, "It has not passed.")
    if 0 < series.hints_in_all <= series.hints:
        return SuggestedRating(Rating.HARD, "It passed with the last hint, which is nearly it.")
    if not series.failures and not series.hints:
        return _at_first(series)
    how = _how(series)
    if series.failures >= MANY_FAILURES or (series.failures and series.hints):
        return SuggestedRating(Rating.HARD, f"It passed {how}.")
    return SuggestedRating(Rating.GOOD, f"It passed {how}.")


def _at_first(series: AttemptSeries) -> SuggestedRating:
    minutes = max(1, round(series.seconds / 60))
    took = f"in {minutes} min" if series.seconds >= 60 else "in under a minute"
    reason = f"It passed at the first submission, without a hint, {took}."
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
