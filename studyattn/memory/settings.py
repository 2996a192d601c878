"""What a learner can choose about scheduling, checked where it is made.

Limits of new, review and drill items a day belong to the queue (`order.Limits`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from fsrs_rs_python import DEFAULT_PARAMETERS as _LIBRARY_DEFAULTS

from studyattn.errors import SettingError
from studyattn.memory.days import ROLLOVER_HOUR

# The library keeps its defaults as 32-bit floats; four decimals are how they were published.
DEFAULT_PARAMETERS: tuple[float, ...] = tuple(round(value, 4) for value in _LIBRARY_DEFAULTS)

RETENTION_RANGE = (0.70, 0.97)
MAXIMUM_INTERVAL_RANGE = (3, 36500)  # days; under 3, hard, good and easy could not differ
LONGEST_STEP = timedelta(days=1)
MOST_STEPS = 10


@dataclass(frozen=True, slots=True)
class SchedulingSettings:
    """How one learner's items are scheduled. Raises SettingError for a value out of its range."""

    desired_retention: float = 0.9  # probability of recall that an interval aims at
    learning_steps: tuple[timedelta, ...] = (timedelta(minutes=1), timedelta(minutes=10))
    relearning_steps: tuple[timedelta, ...] = (timedelta(minutes=10),)
    maximum_interval: int = 36500  # days
    rollover_hour: int = ROLLOVER_HOUR
    fuzz: bool = True
    leech_lapses: int = 8
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS  # FSRS-6, 21 numbers

    def __post_init__(self) -> None:
        _check_range("desired retention", self.desired_retention, *RETENTION_RANGE)
        _check_range("maximum interval", self.maximum_interval, *MAXIMUM_INTERVAL_RANGE)
        _check_range("rollover hour", self.rollover_hour, 0, 23)
        _check_range("lapses of a leech", self.leech_lapses, 1, 99)
        _check_steps("learning steps", self.learning_steps)
        _check_steps("relearning steps", self.relearning_steps)
        _check_parameters(self.parameters)


def _check_range(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:  # also refuses NaN, which compares false
        raise SettingError(f"{name} is {value:g}", advice=f"Choose {lowest:g} to {highest:g}.")


def _check_steps(name: str, steps: tuple[timedelta, ...]) -> None:
    if len(steps) > MOST_STEPS:
        raise SettingError(f"{len(steps)} {name}", advice=f"Choose at most {MOST_STEPS}.")
    if any(not timedelta(0) < step <= LONGEST_STEP for step in steps):
        raise SettingError(
            f"{name} out of range", advice="A step is longer than 0 and at most 1 d."
        )
    if any(later <= earlier for earlier, later in pairwise(steps)):
        raise SettingError(f"{name} do not grow", advice="Each step is longer than the one before.")


def _check_parameters(parameters: tuple[float, ...]) -> None:
    if len(parameters) != len(DEFAULT_PARAMETERS):
        raise SettingError(
            f"{len(parameters)} model parameters", advice=f"FSRS-6 has {len(DEFAULT_PARAMETERS)}."
        )
    if not all(math.isfinite(value) for value in parameters):
        raise SettingError(
            "a model parameter is not a number", advice="Use the defaults or fit anew."
        )
