"""The plan that spreads a backlog over days: read, made and cancelled.

The plan is a choice of the learner's and reaches the other machines as settings do. Reading it
loads no SQLAlchemy.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from studyattn.errors import InputError
from studyattn.setting import STORED_PREFIX
from studyattn.store.queries.queue import count_cards_due_before
from studyattn.store.queries.settings import read_value
from studyattn.store.sql import Connection as Readable
from studyattn.study.rules.days_ahead import HORIZON, BacklogPlan, spread_over

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.settings import Settings

PLAN: Final = f"{STORED_PREFIX}backlog"
"""Key of the table `setting` that holds the plan."""


class Backlog(NamedTuple):
    """The plan that is in force, and what is left of the backlog."""

    before: datetime  # aware, UTC; cards that came due earlier are of the backlog
    waiting: int
    spread: tuple[tuple[date, int], ...]  # the days from today on, and how many each asks

    def asked_on(self, day: date) -> int:
        """Return how many cards of the backlog a day still asks."""
        return dict(self.spread).get(day, 0)

    @property
    def last(self) -> date:
        """The day on which the last of them are asked."""
        return self.spread[-1][0]


def read_backlog(connection: Readable, settings: Settings, today: date) -> Backlog | None:
    """Return the plan in force; None without one, when it is over, and when nothing waits."""
    plan = BacklogPlan.read(read_value(connection, PLAN))
    if plan is None:
        return None
    waiting = count_cards_due_before(connection, plan.before)
    spread = spread_over(plan, waiting, today, settings.scheduling.share)
    return Backlog(plan.before, waiting, spread) if waiting and spread else None


def new_plan(profile: Profile, days: int) -> BacklogPlan:
    """Return a plan for the cards that came due before today. Changes nothing.

    Raises InputError when there are none, and for a number of days out of range.
    """
    if not 1 <= days <= HORIZON:
        raise InputError(f"{days} days", advice=f"Give a number from 1 to {HORIZON}.")
    moment = profile.moment()
    today = profile.day_of(moment)
    before = profile.day_start(today, moment)
    with profile.read() as connection:
        cards = count_cards_due_before(connection, before)
    if not cards:
        raise InputError("no card is overdue", advice="There is nothing to spread.")
    return BacklogPlan(today, days, before, cards)


def make_plan(profile: Profile, days: int) -> Backlog | None:
    """Spread the cards that are overdue over the next days of study. Raises as `new_plan`."""
    plan = new_plan(profile, days)
    _choose(profile, plan)
    with profile.read() as connection:
        return read_backlog(connection, profile.settings, plan.first)


def cancel_plan(profile: Profile) -> bool:
    """Ask the whole backlog again as the limits of a day allow. False when there was no plan."""
    with profile.read() as connection:
        if read_backlog(connection, profile.settings, profile.today()) is None:
            return False
    _choose(profile, None)
    return True


def _choose(profile: Profile, plan: BacklogPlan | None) -> None:
    # Late: it loads SQLAlchemy.
    from studyattn.store.queries.decisions import choose_setting

    with profile.database.write() as connection:
        value = None if plan is None else plan.stored()
        choose_setting(connection, PLAN, value, profile.clock.now())
