"""Make the days on the buttons of the four lengths that the model asks for: rounding, fuzz, order.

Fuzz spreads items that were learnt together over neighbouring days. It is drawn from the item's
guid and its number of reviews, so the interval shown is the interval given, and undo then redo
repeats it. Days with a smaller share (easy days, a vacation) are drawn less often, or never.
"""

from __future__ import annotations

import math
from _blake2 import blake2b  # hashlib's, which loads OpenSSL as well: a start waits
from collections.abc import Callable, Mapping, Sequence

from studyattn.memory.state import Rating

# The part of an interval beyond `start` days adds its share to the spread, as FSRS schedulers agree
# on: (start, spread up to there, share). Below 2.5 days nothing is spread.
_SPREAD = (
    (20.0, 0.15 * 4.5 + 0.10 * 13.0, 0.05),
    (7.0, 0.15 * 4.5, 0.10),
    (2.5, 0.0, 0.15),
)

_ROOM = ((Rating.HARD, 2), (Rating.GOOD, 1), (Rating.EASY, 0))
"""Days that are left below the maximum for the better ratings still to come."""


def fuzz_draw(guid: str, seed: int | str) -> float:
    """A number in [0, 1), always the same for the same item and number of reviews, or seed."""
    digest = blake2b(f"{guid}\0{seed}".encode(), digest_size=7).digest()
    return (int.from_bytes(digest, "big") >> 3) / (1 << 53)


def fuzz_bounds(length: float) -> tuple[int, int]:
    """The shortest and longest interval (days, both inclusive) that fuzz may make of `length`."""
    for start, before, share in _SPREAD:
        if length >= start:
            spread = 1.0 + (before + share * (length - start))
            return max(2, _round(length - spread)), _round(length + spread)
    whole = _round(length)
    return whole, whole


def ordered_days(
    lengths: Mapping[Rating, float],
    maximum: int,
    draw: float | None,
    share: Callable[[int], float] | None = None,
) -> dict[Rating, int]:
    """Whole days for the ratings that are scheduled in days.

    `lengths` are the model's intervals (days), `draw` is in [0, 1) or None for no fuzz; `share`
    says how much of a usual day's work the day after so many days gets, None that all are usual. In
    the result hard < good < easy by at least a day, all are at least 1 and at most `maximum`, and
    again is never longer than the others.
    """
    days: dict[Rating, int] = {}
    shortest = 1
    for rating, room in _ROOM:
        if rating in lengths:
            wanted = min(whole_days(lengths[rating], draw, share), maximum - room)
            days[rating] = max(shortest, wanted)
            shortest = days[rating] + 1
    if Rating.AGAIN in lengths:
        wanted = max(1, whole_days(lengths[Rating.AGAIN], draw, share))
        days[Rating.AGAIN] = min(wanted, *days.values())
    return days


def whole_days(length: float, draw: float | None, share: Callable[[int], float] | None) -> int:
    """Return the days that a draw makes of a length: of the fuzz range, each day by its share.

    Where no day of the range has a share, all are as good.
    """
    if draw is None:
        return _round(length)
    shortest, longest = fuzz_bounds(length)
    shares = () if share is None else tuple(map(share, range(shortest, longest + 1)))
    if not any(shares):
        return shortest + int(draw * (longest - shortest + 1))
    left = draw * sum(shares)
    days = shortest
    for ahead, each in enumerate(shares):
        if each:
            days = shortest + ahead
            left -= each
            if left < 0:
                break
    return days


def _round(length: float) -> int:
    return math.floor(length + 0.5)


def retrievability(stability: float, days: float, parameters: Sequence[float]) -> float:
    """Probability of recall after `days`: FSRS-6's power curve, 0.9 where days = stability."""
    decay = -parameters[20]
    factor = 0.9 ** (1 / decay) - 1
    return float((1 + factor * days / stability) ** decay)
