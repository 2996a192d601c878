"""Answers counted together. Without numpy, which the summary does without."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from studyattn.store.queries.days import DayTotal


@dataclass(slots=True)
class Tally:
    """Answers that have something in common, such as their day."""

    answers: int = 0  # in effect
    seconds: float = 0.0  # of all of them, withdrawn ones too
    asked: int = 0  # that measure retention
    recalled: int = 0  # of these

    @classmethod
    def of(cls, days: Iterable[DayTotal]) -> Self:
        """Return the answers of some days."""
        found = cls()
        for each in days:
            found.answers += each.reviews
            found.seconds += each.seconds
            found.asked += each.asked
            found.recalled += each.recalled
        return found

    @property
    def share(self) -> float | None:
        """The retention; None where nothing was asked."""
        return self.recalled / self.asked if self.asked else None

    @property
    def error(self) -> float:
        """The standard error of the share, by Agresti and Coull; 1 where nothing was asked."""
        if not self.asked:
            return 1.0
        near = (self.recalled + 2) / (self.asked + 4)
        return math.sqrt(near * (1 - near) / (self.asked + 4))

    def share_below(self, desired: float) -> bool:
        """Return whether the share is below another by more than two standard errors."""
        return self.share is not None and self.share < desired - 2 * self.error

    def differs(self, other: Tally, errors: float) -> bool:
        """Return whether the shares are further apart than so many standard errors."""
        if self.share is None or other.share is None:
            return False
        return abs(self.share - other.share) > errors * math.hypot(self.error, other.error)
