"""What comes due on the days to come, counted once and kept in step with the answers of a session.

It only serves to choose among days that are all right, so what other processes do meanwhile may be
missing from it.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Final

from studyattn.memory import Rating, Remembered, day_start, learner_day
from studyattn.memory.state import MemoryState
from studyattn.store.queries.queue import due_counts
from studyattn.study.clock import Moment
from studyattn.study.profile import Profile

_DAYS: Final = 100
"""Days that are counted: later ones have their load from answers still to come."""


class LoadAhead:
    """Chooses the seeds of reviews by what is due when they come due."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._day: date | None = None
        self._counts: Counter[date] = Counter()

    def seeds(self, guid: str, state: MemoryState, moment: Moment) -> dict[Rating, str]:
        """Return the seed that each rating's review should have; empty if nothing is balanced."""
        scheduler = self._profile.scheduler
        if not scheduler.settings.load_balance:
            return {}
        at = moment.at
        if isinstance(state, Remembered):
            at = max(at, state.last_review)
        self._count(moment)
        return scheduler.balanced_seeds(
            guid, state, at, moment.utc_offset, lambda day: self._counts[day]
        )

    def add(self, state: MemoryState, moment: Moment) -> None:
        """Count an answered item on the day on which it comes due now."""
        if self._day is not None and isinstance(state, Remembered):
            rollover = self._profile.settings.scheduling.rollover_hour
            self._counts[learner_day(state.due, moment.utc_offset, rollover)] += 1

    def _count(self, moment: Moment) -> None:
        today = self._profile.day_of(moment)
        if self._day == today:
            return
        rollover = self._profile.settings.scheduling.rollover_hour
        end = day_start(today + timedelta(days=_DAYS), moment.utc_offset, rollover)
        self._day, self._counts = today, Counter()
        with self._profile.read() as connection:
            due = due_counts(connection, end)
        for each in due:
            self._counts[learner_day(each.due, moment.utc_offset, rollover)] += each.items
