"""The days to come before and after a change of a setting, without making the change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from studyattn.memory import MemoryState, Remembered, Scheduler, learner_day
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.items_now import items_now
from studyattn.study.profile import Profile
from studyattn.study.review.backlog import new_plan
from studyattn.study.review.recompute import replay_log
from studyattn.study.rules.backlog import spread_over, with_backlog
from studyattn.study.rules.free_days import after_vacation
from studyattn.study.settings import Settings, find_setting

DAYS: Final = 14


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """A learner day to come, and what comes due on it. What is overdue counts today."""

    day: date
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """What a change of a setting would do to the schedule."""

    moved: int  # items that would come due, or be asked, on another day
    days: tuple[PlannedDay, ...]  # today first


def planned_change(profile: Profile, key: str, text: str, days: int = DAYS) -> PlannedChange:
    """Return what setting `key` to the value of `text` would do. Changes nothing.

    Raises NotFoundError for an unknown key and SettingError for a value that is not accepted.
    """
    changed = profile.settings.with_text(key, text)
    moment = profile.moment()
    first = profile.day_of(moment)
    with profile.database.read() as connection:
        dues = {
            each.guid: each.due
            for each in items_now(connection, Chosen())
            if each.due is not None and not each.suspended
        }
        states: dict[str, MemoryState] = {}
        if find_setting(key).reschedules:
            states = replay_log(connection, Scheduler(changed.scheduling)).changes
    new = {guid: state.due for guid, state in states.items() if isinstance(state, Remembered)}
    before = _counts(list(dues.values()), first, moment.utc_offset, profile.settings, days)
    later = [new.get(guid, due) for guid, due in dues.items()]
    after = _counts(later, first, moment.utc_offset, changed, days)
    moved = sum(guid in new and new[guid] != due for guid, due in dues.items())
    planned = enumerate(zip(before, after, strict=True))
    return PlannedChange(
        moved, tuple(PlannedDay(first + timedelta(days=ahead), *each) for ahead, each in planned)
    )


def planned_backlog(profile: Profile, days: int, shown: int = DAYS) -> PlannedChange:
    """Return what spreading the overdue cards over so many days would do. Changes nothing.

    Raises InputError when no card is overdue, and for a number of days out of range.
    """
    plan = new_plan(profile, days)
    moment = profile.moment()
    with profile.database.read() as connection:
        dues = [
            each.due
            for each in items_now(connection, Chosen())
            if each.due is not None and not each.suspended
        ]
    before = _counts(dues, plan.first, moment.utc_offset, profile.settings, shown)
    spread = spread_over(plan, plan.cards, plan.first, profile.settings.scheduling.share)
    after = with_backlog(before, plan.first, plan.cards, spread)
    planned = enumerate(zip(before, after, strict=True))
    return PlannedChange(
        plan.cards,
        tuple(PlannedDay(plan.first + timedelta(days=ahead), *each) for ahead, each in planned),
    )


def _counts(
    dues: list[datetime], first: date, utc_offset: int, settings: Settings, days: int
) -> list[int]:
    """Count what comes due on each of the next learner days."""
    counts = [0] * days
    rollover = settings.scheduling.rollover_hour
    for due in dues:
        ahead = max(0, (learner_day(due, utc_offset, rollover) - first).days)
        if ahead < days:
            counts[ahead] += 1
    away = settings.scheduling.on_vacation
    return after_vacation(counts, [away(first + timedelta(days=ahead)) for ahead in range(days)])
