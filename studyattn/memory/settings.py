"""Settings of the scheduler, checked when they are made.

The limits on a day's new cards, reviews and drills belong to the queue (`order.Limits`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta

from fsrs_rs_python import DEFAULT_PARAMETERS as _LIBRARY_DEFAULTS

from studyattn.errors import SettingError
from studyattn.memory.days import ROLLOVER_HOUR
from studyattn.setting import (
    WEEKDAYS,
    DateRanges,
    Proportion,
    StepList,
    Switch,
    WeekdayShares,
    WholeNumber,
    check_settings,
    setting,
)

# The library keeps its defaults as 32-bit floats; four decimals are how they were published.
DEFAULT_PARAMETERS: tuple[float, ...] = tuple(round(value, 4) for value in _LIBRARY_DEFAULTS)

_GROUP = "Scheduling"


@dataclass(frozen=True, slots=True)
class SchedulingSettings:
    """The scheduling settings of one learner. Raises SettingError for a value out of its range."""

    desired_retention: float = setting(
        Proportion(0.70, 0.97),
        0.9,
        label="Desired retention",
        group=_GROUP,
        help="Target probability of recalling a card when it comes up. Higher means more reviews: "
        "0.95 takes about twice as many as 0.90.",
        reschedules=True,
    )
    learning_steps: tuple[timedelta, ...] = setting(
        StepList(),
        (timedelta(minutes=1), timedelta(minutes=10)),
        label="Learning steps",
        group=_GROUP,
        help="Waits between the first reviews of a new card, before it is scheduled in days.",
        reschedules=True,
    )
    relearning_steps: tuple[timedelta, ...] = setting(
        StepList(),
        (timedelta(minutes=10),),
        label="Relearning steps",
        group=_GROUP,
        help="Waits after you forget a card, before it is scheduled in days again.",
        reschedules=True,
    )
    maximum_interval: int = setting(
        WholeNumber(3, 36500),  # under 3, hard, good and easy could not differ
        36500,
        label="Maximum interval",
        group=_GROUP,
        help="Never schedule a card more than this many days ahead.",
        reschedules=True,
    )
    fuzz: bool = setting(
        Switch(),
        default=True,
        label="Fuzz intervals",
        group=_GROUP,
        help="Vary intervals slightly so that cards learned together don't stay together.",
        reschedules=True,
    )
    easy_days: tuple[float, ...] = setting(
        WeekdayShares(),
        (1.0,) * len(WEEKDAYS),
        label="Easy days",
        group=_GROUP,
        help="Weekdays with less work than usual: sat=0.5,sun=0. Reviews move to nearby days as "
        "far as fuzz allows; new cards and minutes shrink in proportion. Empty = none.",
        reschedules=True,
    )
    vacation: tuple[tuple[date, date], ...] = setting(
        DateRanges(),
        (),
        label="Vacation",
        group=_GROUP,
        help=(
            "Days without reviews: 2026-12-20..2027-01-03. Reviews move before or after as far "
            "as fuzz allows; the rest wait. Your streak continues. Empty = none."
        ),
        reschedules=True,
    )
    load_balance: bool = setting(
        Switch(),
        default=False,
        label="Balance the load",
        group=_GROUP,
        help="Among the days that fuzz allows, choose the one with the fewest reviews.",
        reschedules=True,
    )
    rollover_hour: int = setting(
        WholeNumber(0, 23),
        ROLLOVER_HOUR,
        label="Day starts at",
        group=_GROUP,
        help="Hour of your local clock at which a new study day begins.",
        reschedules=True,
    )
    leech_lapses: int = setting(
        WholeNumber(1, 99),
        8,
        label="Leech threshold",
        group=_GROUP,
        help=(
            "After this many lapses, the card's concept is suggested as known unknown and a note "
            "opens."
        ),
    )
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS  # FSRS-6, 21 numbers; fitted, not chosen

    def __post_init__(self) -> None:
        check_settings(self)
        _check_parameters(self.parameters)

    def share(self, day: date) -> float:
        """Return how much of a usual day's work this learner day gets, 0 to 1; 0 on vacation."""
        return 0.0 if self.on_vacation(day) else self.easy_days[day.weekday()]

    def on_vacation(self, day: date) -> bool:
        """Return whether nothing is asked on this learner day."""
        return any(first <= day <= last for first, last in self.vacation)

    @property
    def every_day_is_usual(self) -> bool:
        """Return whether no day has less than its full share."""
        return not self.vacation and min(self.easy_days) == 1


def _check_parameters(parameters: tuple[float, ...]) -> None:
    if len(parameters) != len(DEFAULT_PARAMETERS):
        raise SettingError(
            f"{len(parameters)} model parameters", advice=f"FSRS-6 has {len(DEFAULT_PARAMETERS)}."
        )
    if not all(math.isfinite(value) for value in parameters):
        raise SettingError(
            "a model parameter is not a number", advice="Use the defaults or fit again."
        )
