"""The times that items take: the learner's own pace, read from the log.

The queue, Today, the path and statistics ask it. `review.learner` reads how well they recall.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from studyattn.memory.state import DRILL_MARK, is_drill
from studyattn.packs.card_kinds import BASIC
from studyattn.store.queries.days import SecondsRule, timed_card_answers, timed_drill_answers
from studyattn.store.queries.settings import kept_drills, reading_times
from studyattn.store.sql import Connection as Readable
from studyattn.store.sql import driver_of
from studyattn.study.rules.pace import (
    LONGEST_ANSWER,
    READING,
    Asked,
    DoneToday,
    Pace,
    Timed,
    Times,
    drill_kind,
)

if TYPE_CHECKING:
    from studyattn.study.review.steps import StepsProgress

SECONDS = SecondsRule(LONGEST_ANSWER, DRILL_MARK)
"""How the seconds of the log's answers are summed."""

_UNKNOWN_LEVEL = 3  # of a drill whose pack is gone


class Estimator:
    """The time that items take of the learner: today's queue, the path and its goals ask it.

    A card is timed under its own kind, a drill under its level, as its pack was last written. With
    `lessons` a new item takes the pages that come before it, too.
    """

    def __init__(self, connection: Readable, *, lessons: bool, today: date | None = None) -> None:
        """Begin with an open database. With `today`, steps that had not passed by then count."""
        self._connection, self._today = connection, today
        self._drills = kept_drills(connection)  # by guid; none of a pack that is gone
        self._reading = reading_times(connection) if lessons else {}
        self._packs = {guid.partition(":")[0] for guid in self._reading}

    @cached_property
    def times(self) -> Times:
        """The times of the learner's latest answers.

        Of a drill that was rated once among the latest ones, that is its first writing: whoever
        wrote so many drills more knows every level anyway.
        """
        drills = timed_drill_answers(self._connection)
        first = {each.guid: place for place, each in enumerate(drills)}  # the latest come first
        timed = [
            Timed(self.kind(each.guid, None), each.seconds, first[each.guid] == place)
            for place, each in enumerate(drills)
        ]
        cards = timed_card_answers(self._connection)
        timed += [Timed(self.kind(each.guid, each.card_kind), each.seconds) for each in cards]
        return Times(reversed(timed))

    @cached_property
    def progress(self) -> dict[str, StepsProgress]:
        """The progress in drills that have steps."""
        if self._today is None:
            return {}
        from studyattn.study.review.steps import read_progress  # late: most profiles do without it

        return read_progress(self._connection, self._drills, self._today)

    @cached_property
    def pace(self) -> Pace:
        """The learner's pace by their latest answers."""
        driver = driver_of(self._connection)
        return driver.remembered("pace", lambda: self.times.pace())  # noqa: PLW0108 - reads them

    def asked(
        self,
        guid: str,
        card_kind: str | None,
        *,
        new: bool,
        late: bool = False,
        after: frozenset[str] = frozenset(),
    ) -> Asked:
        """Return an item as far as its time goes."""
        reading = READING
        if guid.partition(":")[0] in self._packs:
            reading = self._reading.get(guid, 0.0)
        asked = Asked(guid, self.kind(guid, card_kind), new, reading, after, late)
        progress = self.progress.get(guid)
        return (
            asked
            if progress is None
            else asked._replace(shares=progress.left, begun=progress.now > 0)
        )

    def steps(self, guid: str) -> tuple[tuple[float, ...], int]:
        """Return the shares of the time of a drill's steps, and how many of them have passed."""
        progress = self.progress.get(guid)
        return ((1.0,), 0) if progress is None else (progress.shares, progress.now)

    def requires(self, guid: str) -> tuple[str, ...]:
        """Return the guids of the drills that a drill requires."""
        drill = self._drills.get(guid)
        return () if drill is None else drill.requires

    def done_on(self, day: date) -> DoneToday:
        """Return what was answered on a learner day."""
        # Late: every profile knows this module, and most do without the queue.
        from studyattn.store.queries.queue import answered_on, untried_drills

        answered = answered_on(self._connection, day)
        asked = {}
        for each in answered:
            item = self.asked(each.guid, each.card_kind, new=each.was_new)
            if each.guid in self.progress:
                item = item._replace(shares=(self.progress[each.guid].rest,))
            asked[each.guid] = item
        begun = {
            guid: progress.today
            for guid, progress in self.progress.items()
            if guid not in asked and progress.today
        }
        new = set(untried_drills(self._connection)) if begun else set()
        return DoneToday(
            tuple(asked.values()),
            frozenset(each.sibling_group for each in answered if each.sibling_group is not None),
            tuple(
                self.asked(guid, None, new=guid in new)._replace(shares=(share,))
                for guid, share in begun.items()
            ),
        )

    def kind(self, guid: str, card_kind: str | None) -> str:
        """Return the kind under which an item is timed."""
        if is_drill(guid):
            drill = self._drills.get(guid)
            return drill_kind(_UNKNOWN_LEVEL if drill is None else drill.level)
        return card_kind or BASIC.name
