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


@dataclass(frozen=True, slots=True)
class SchedulingSettings:
    """The scheduling settings of one learner. Raises SettingError for a value out of its range."""

    desired_retention: float = setting(Proportion(0.70, 0.97), 0.9)
    learning_steps: tuple[timedelta, ...] = setting(
        StepList(), (timedelta(minutes=1), timedelta(minutes=10))
    )
    relearning_steps: tuple[timedelta, ...] = setting(StepList(), (timedelta(minutes=10),))
    maximum_interval: int = setting(WholeNumber(3, 36500), 36500)  # under 3, buttons are alike
    fuzz: bool = setting(Switch(), True)
    easy_days: tuple[float, ...] = setting(WeekdayShares(), (1.0,) * len(WEEKDAYS))
    vacation: tuple[tuple[date, date], ...] = setting(DateRanges(), ())
    load_balance: bool = setting(Switch(), False)
    rollover_hour: int = setting(WholeNumber(0, 23), ROLLOVER_HOUR)
    leech_lapses: int = setting(WholeNumber(1, 99), 8)
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS  # FSRS-6, 21 numbers; fitted, not chosen

    def __post_init__(self) -> None:
        check_settings(self)
        number, usual = len(self.parameters), len(DEFAULT_PARAMETERS)
        if number != usual:
            raise SettingError(f"{number} model parameters", advice=f"FSRS-6 has {usual}.")
        if not all(map(math.isfinite, self.parameters)):
            raise SettingError(
                "a model parameter is not a number", advice="Use the defaults or fit again."
            )

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
