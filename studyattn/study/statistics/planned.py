"""The days to come before and after a change of a setting, without making the change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from studyattn.memory import MemoryState, Remembered, Scheduler, learner_day
from studyattn.store.database import Connection
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.items_now import items_now
from studyattn.study.profile import Profile
from studyattn.study.review.backlog import new_plan
from studyattn.study.review.recompute import replay_log
from studyattn.study.rules.days_ahead import (
    after_vacation,
    count_by_day,
    spread_over,
    with_backlog,
)
from studyattn.study.settings import Settings, find_setting

DAYS: Final = 14


class PlannedDay(NamedTuple):
    """A learner day to come, and what comes due on it. What is overdue counts today."""

    day: date
    before: int
    after: int


class PlannedChange(NamedTuple):
    """The effect that a change of a setting would have on the schedule."""

    moved: int  # items that would come due, or be asked, on another day
    days: tuple[PlannedDay, ...]  # today first


def planned_change(profile: Profile, key: str, text: str) -> PlannedChange:
    """Return what setting `key` to the value of `text` would do. Changes nothing.

    Raises NotFoundError for an unknown key and SettingError for a value that is not accepted.
    """
    changed = profile.settings.with_text(key, text)
    with profile.database.read() as connection:
        dues = _dues(connection)
        states: dict[str, MemoryState] = {}
        if find_setting(key).reschedules:
            states = replay_log(connection, Scheduler(changed.scheduling)).changes
    new = {guid: state.due for guid, state in states.items() if isinstance(state, Remembered)}
    before = _asked(profile, dues.values(), profile.settings)
    after = _asked(profile, [new.get(guid, due) for guid, due in dues.items()], changed)
    moved = sum(guid in new and new[guid] != due for guid, due in dues.items())
    return PlannedChange(moved, _planned(profile.today(), before, after))


def planned_backlog(profile: Profile, days: int) -> PlannedChange:
    """Return what spreading the overdue cards over so many days would do. Changes nothing.

    Raises InputError when no card is overdue, and for a number of days out of range.
    """
    plan = new_plan(profile, days)
    with profile.database.read() as connection:
        dues = _dues(connection)
    before = _asked(profile, dues.values(), profile.settings)
    spread = spread_over(plan, plan.cards, plan.first, profile.settings.scheduling.share)
    after = with_backlog(before, plan.first, plan.cards, spread)
    return PlannedChange(plan.cards, _planned(plan.first, before, after))


def _dues(connection: Connection) -> dict[str, datetime]:
    """Return when each begun item comes due that is not suspended."""
    items = items_now(connection, Chosen())
    return {each.guid: each.due for each in items if each.due is not None and not each.suspended}


def _asked(profile: Profile, dues: Iterable[datetime], settings: Settings) -> list[int]:
    """Count what is asked on each of the next learner days under some settings."""
    scheduling, first, at = settings.scheduling, profile.today(), profile.moment()
    day_of = partial(learner_day, utc_offset=at.utc_offset, rollover_hour=scheduling.rollover_hour)
    counts = count_by_day(((due, 1) for due in dues), first, DAYS, day_of)
    return after_vacation(
        counts, (scheduling.on_vacation(first + timedelta(days=ahead)) for ahead in range(DAYS))
    )


def _planned(first: date, before: Sequence[int], after: Sequence[int]) -> tuple[PlannedDay, ...]:
    return tuple(
        PlannedDay(first + timedelta(days=ahead), *each)
        for ahead, each in enumerate(zip(before, after, strict=True))
    )
