"""The load of the days to come, balanced by the choice of a review's seed.

Where the load is balanced the fuzz of an interval is drawn from the last characters of its review's
UUID, its seed, in place of the item's number of reviews. A review that is about to be written may
have any UUID; so of a few seeds the one is taken whose day has the least to do. The log keeps the
UUID, and with it the day: whoever replays the log comes to the same one, whatever is due by then.
"""

from __future__ import annotations

from _blake2 import blake2b  # hashlib's, which loads OpenSSL as well: a start waits
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from studyattn.memory.state import Rating

NO_SEEDS: Final[Mapping[Rating, str]] = MappingProxyType({})

CANDIDATES: Final = 16
"""Seeds that are tried."""

_SEED: Final = 8  # characters


def seed_of(uuid: str) -> str:
    """Return the part of a review's UUID that seeds its fuzz."""
    return uuid[-_SEED:]


def with_seed(uuid: str, seed: str) -> str:
    """Return a new review's UUID with another seed; its time and count stay."""
    return uuid[:-_SEED] + seed


def candidate_seeds(guid: str, reps: int) -> Iterator[str]:
    """Yield seeds to choose from, always the same for the same item and number of reviews."""
    for number in range(CANDIDATES):
        name = f"{guid}\0{reps}\0{number}".encode()
        yield blake2b(name, digest_size=_SEED // 2).hexdigest()


def least_loaded(
    days: Mapping[str, Mapping[Rating, int]], cost: Callable[[int], float]
) -> dict[Rating, str]:
    """Return the seed for each rating whose day costs least; of equal ones the first.

    `days` are those to which each seed leads by rating, in order within a seed: hard < good < easy,
    and again no longer than these. The result keeps that order, since the seed of one rating always
    leads the next one to a later day.
    """
    chosen: dict[Rating, str] = {}
    shortest = 0
    for rating in (Rating.HARD, Rating.GOOD, Rating.EASY):
        able = [seed for seed, by_rating in days.items() if by_rating.get(rating, 0) > shortest]
        if able:
            chosen[rating] = min(able, key=lambda seed: cost(days[seed][rating]))
            shortest = days[chosen[rating]][rating]
    longest = min((days[seed][rating] for rating, seed in chosen.items()), default=0)
    again = Rating.AGAIN
    able = [seed for seed, each in days.items() if again in each and each[again] <= longest]
    if able:
        chosen[again] = min(able, key=lambda seed: cost(days[seed][again]))
    return chosen
