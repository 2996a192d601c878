"""The words that columns of the tables hold, importable without SQLAlchemy.

The tables' own constraints (`models`) and the merge of two databases refuse any other word.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

CARD: Final = "card"
DRILL: Final = "drill"
"""Kinds of items: a card's text is in the database, a drill's stays in its pack."""

OWN: Final = "own:"
"""Begins the guid of an item that came from no pack and no document: the learner made it."""

PHASES: Final = ("new", "learning", "review", "relearning")
"""Phases of an item's memory, in the order in which it goes through them."""

State = Literal["unseen", "known-unknown", "known"]
UNSEEN: Final = "unseen"
KNOWN_UNKNOWN: Final = "known-unknown"
KNOWN: Final = "known"
STATES: Final[tuple[State, State, State]] = (UNSEEN, KNOWN_UNKNOWN, KNOWN)
"""States of a concept, in the order in which one learns it."""

LEARNER: Final = "learner"
UNDO: Final = "undo"
PROGRAM: Final = "program"
"""Authors of changes: the learner's own word, the learner taking a change back, and the program
where the learner lets it move concepts on its evidence."""


class ListColumn(StrEnum):
    """The order of a list of items: the path of its concepts, or one of its columns."""

    PATH = "path"
    FRONT = "card"
    CONCEPT = "concept"
    DUE = "due"
    STATE = "state"
    STABILITY = "stability"
    LAPSES = "lapses"
    TAGS = "tags"
