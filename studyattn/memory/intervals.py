"""From the four lengths the model asks for to the days on the buttons: rounding, fuzz, order.

Fuzz spreads items that were learnt together over neighbouring days. It is drawn from the item's
guid and its number of reviews, so the interval shown is the interval given, and undo then redo
repeats it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b

from studyattn.memory.state import Rating

# (from, to, share): the part of an interval between `from` and `to` days adds its share to the
# spread, as FSRS schedulers agree on. Below 2.5 days nothing is spread.
_SPREAD = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, math.inf, 0.05))


def fuzz_draw(guid: str, reps: int) -> float:
    """A number in [0, 1), always the same for the same item and number of reviews."""
    digest = blake2b(f"{guid}\0{reps}".encode(), digest_size=7).digest()
    return (int.from_bytes(digest, "big") >> 3) / (1 << 53)


def fuzz_bounds(length: float) -> tuple[int, int]:
    """The shortest and longest interval (days, both inclusive) that fuzz may make of `length`."""
    if length < _SPREAD[0][0]:
        whole = _round(length)
        return whole, whole
    spread = 1.0 + sum(share * max(0.0, min(length, to) - start) for start, to, share in _SPREAD)
    return max(2, _round(length - spread)), _round(length + spread)


def ordered_days(
    lengths: Mapping[Rating, float], maximum: int, draw: float | None
) -> dict[Rating, int]:
    """Whole days for the ratings that are scheduled in days.

    `lengths` are the model's intervals (days), `draw` is in [0, 1) or None for no fuzz. In the
    result hard < good < easy by at least a day, all are at least 1 and at most `maximum`, and again
    is never longer than the others.
    """
    wanted = {rating: _whole_days(length, draw) for rating, length in lengths.items()}
    days: dict[Rating, int] = {}
    shortest = 1
    for rating in sorted(rating for rating in wanted if rating is not Rating.AGAIN):
        # Room is left below the maximum for the better ratings still to come.
        longest = maximum - (Rating.EASY - rating)
        days[rating] = max(shortest, min(wanted[rating], longest))
        shortest = days[rating] + 1
    if Rating.AGAIN in wanted:
        days[Rating.AGAIN] = min(max(1, wanted[Rating.AGAIN]), *days.values())
    return days


def _whole_days(length: float, draw: float | None) -> int:
    if draw is None:
        return _round(length)
    shortest, longest = fuzz_bounds(length)
    return shortest + int(draw * (longest - shortest + 1))


def _round(length: float) -> int:
    return math.floor(length + 0.5)
