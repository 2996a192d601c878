"""The days around today: what the last one brought, and what the next one asks."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from studyattn.text.counting import count


class DayDone(NamedTuple):
    """The gains of the last day of study: today, once something was answered."""

    day: date
    answers: int
    new: int  # cards that were seen for the first time
    held: int  # of the cards answered, those that hold for a week or more now
    passed: int  # drills


class DayAhead(NamedTuple):
    """The work of another day, as it looks now."""

    minutes: int
    cards: int  # due ones
    drills: int
    new: int
    concepts: tuple[str, ...]  # titles, of the new cards

    def words(self) -> str:
        """Return it in a line."""
        named = " · ".join(self.concepts)
        parts = [
            count(self.cards, "card") if self.cards else "",
            count(self.drills, "drill") if self.drills else "",
            f"{self.new} new: {named}" if self.new else "",
        ]
        told = ", ".join(filter(None, parts))
        return f"about {self.minutes} min: {told}" if told else "nothing due"
