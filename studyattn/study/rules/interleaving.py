"""The places that drills may have among the cards of a session."""

from enum import StrEnum


class Interleaving(StrEnum):
    """The place of drills in the day's session."""

    FIRST = "first"
    LAST = "last"
    MIXED = "mixed"
    CARDS_ONLY = "cards"
