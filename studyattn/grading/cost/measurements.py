"""The measurements of an implementation as n grew, and the power law behind them.

Pure values: `cost.lab` measures them, the command and the app show them. A cost of c · n^e is a
straight line of slope e where both axes are logarithmic; the largest n tell the slope best, because
what is constant, or grows more slowly, has faded there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

SHORTEST_TAIL = 3
"""Points that a law is fitted to, at least."""

FLAT = 0.05
"""Exponents below it are no growth: over five doublings it makes a fifth."""


class Quantity(StrEnum):
    """A quantity that is measured at each n."""

    OPERATIONS = "operations"
    LARGEST_ARRAY = "largest array"
    TIME = "time"


class Role(StrEnum):
    """Whose implementation it is."""

    YOURS = "yours"
    SOLUTION = "solution"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A cost of factor · n ** exponent."""

    exponent: float
    factor: float

    @property
    def doubling(self) -> float:
        """The factor by which the cost grows when n doubles."""
        return float(2.0**self.exponent)

    @property
    def is_flat(self) -> bool:
        """True when the cost does not grow with n."""
        return self.exponent < FLAT


@dataclass(frozen=True, slots=True)
class Point:
    """The cost of one call at one n. `right`: it answered as the reference does."""

    n: int
    flops: int
    largest_array: int  # elements
    seconds: float  # of the quickest of a few calls, on this machine
    right: bool = True

    def of(self, quantity: Quantity) -> float:
        """The measured value."""
        match quantity:
            case Quantity.OPERATIONS:
                return float(self.flops)
            case Quantity.LARGEST_ARRAY:
                return float(self.largest_array)
            case Quantity.TIME:
                return self.seconds


@dataclass(frozen=True, slots=True)
class Stopped:
    """The early end of a series and its reason; `line` in the file, where there is one."""

    n: int
    why: str
    line: int | None = None

    def __str__(self) -> str:
        place = "" if self.line is None else f" (line {self.line})"
        return f"stopped at n = {self.n}: {self.why}{place}"


@dataclass(frozen=True, slots=True)
class CostSeries:
    """One implementation over growing n. What was measured before it stopped stays."""

    title: str
    role: Role
    drill: str
    points: tuple[Point, ...] = ()
    stopped: Stopped | None = None

    def curve(self, quantity: Quantity) -> tuple[tuple[int, float], ...]:
        """(n, value) of each point."""
        return tuple((point.n, point.of(quantity)) for point in self.points)

    def law(self, quantity: Quantity) -> PowerLaw | None:
        """The law of its larger n; None with too few points."""
        return fit(self.curve(quantity))

    def words(self, quantity: Quantity) -> str:
        """Describe to a learner how the quantity grows: `grows as n^1.99: doubling n costs …`."""
        law = self.law(quantity)
        if law is None:
            return "too few points to tell how it grows"
        if law.is_flat:
            return "does not grow with n"
        return f"grows as n^{law.exponent:.2f}: doubling n costs {law.doubling:.1f} times as much"

    @property
    def remark(self) -> str:
        """A warning about the figures: that the series stopped, or that answers were wrong."""
        wrong = next((point.n for point in self.points if not point.right), None)
        if self.stopped is not None:
            return str(self.stopped)
        if wrong is not None:
            return f"gives wrong results from n = {wrong}, so its cost means little; grade it first"
        return ""

    @property
    def is_whole(self) -> bool:
        """True when the series is complete and every answer was right."""
        return not self.remark

    def to_json(self) -> dict[str, Any]:
        """The object that `drill cost --json` prints for each implementation."""
        laws = {quantity: self.law(quantity) for quantity in Quantity}
        return {
            "title": self.title,
            "role": self.role.value,
            "drill": self.drill,
            "points": [asdict(point) for point in self.points],
            "exponents": {
                quantity.value.replace(" ", "_"): None if law is None else round(law.exponent, 3)
                for quantity, law in laws.items()
            },
            "stopped": None if self.stopped is None else str(self.stopped),
        }


def fit(points: Sequence[tuple[float, float]]) -> PowerLaw | None:
    """The power law of (n, cost), by least squares on the logarithms of the larger half of n.

    At least three points are used, and None given where there are fewer. Costs of zero have no
    logarithm and are left out.
    """
    logs = sorted((math.log(n), math.log(cost)) for n, cost in points if n > 0 and cost > 0)
    tail = logs[-max(SHORTEST_TAIL, math.ceil(len(logs) / 2)) :]
    if len(tail) < SHORTEST_TAIL:
        return None
    mean_x = math.fsum(x for x, _ in tail) / len(tail)
    mean_y = math.fsum(y for _, y in tail) / len(tail)
    spread = math.fsum((x - mean_x) ** 2 for x, _ in tail)
    if spread == 0:
        return None
    exponent = math.fsum((x - mean_x) * (y - mean_y) for x, y in tail) / spread
    return PowerLaw(exponent, math.exp(mean_y - exponent * mean_x))
