"""How long answers take, by kind of item: the learner's own pace, read from the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from studyattn.memory.state import DRILL_MARK, is_drill
from studyattn.packs.card_kinds import BASIC
from studyattn.store.queries.days import SecondsRule, timed_card_answers, timed_drill_answers
from studyattn.store.queries.settings import KeptDrill, kept_drills, reading_times
from studyattn.store.sql import Connection as Readable
from studyattn.study.rules.budget import LONGEST_ANSWER, READING, Pace, drill_kind

SECONDS = SecondsRule(LONGEST_ANSWER, DRILL_MARK)
"""How the seconds of the log's answers are summed."""

_FEWEST = 20  # timed answers before their median is used
_UNKNOWN_LEVEL = 3  # of a drill whose pack is gone


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kind under which each item is timed: a card's own, a drill's level."""

    drills: Mapping[str, KeptDrill]
    """By guid; a drill whose pack is gone is not listed."""

    def of(self, guid: str, card_kind: str | None) -> str:
        """Return a card's own kind, `drill-1` … `drill-5` for a drill."""
        if is_drill(guid):
            drill = self.drills.get(guid)
            return drill_kind(_UNKNOWN_LEVEL if drill is None else drill.level)
        return card_kind or BASIC.name

    def requires(self, guid: str) -> tuple[str, ...]:
        """Return the guids of the drills that a drill requires."""
        drill = self.drills.get(guid)
        return () if drill is None else drill.requires


def read_kinds(connection: Readable) -> Kinds:
    """Return the kinds of all items, those of drills as their packs were last written."""
    return Kinds(kept_drills(connection))


@dataclass(frozen=True, slots=True)
class ReadingTimes:
    """How long the pages of lessons take that come before new items."""

    packs: frozenset[str] = frozenset()
    """The packs that say so."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By guid; an item that is not listed has no page of its own."""

    def of(self, guid: str) -> float:
        """Return the seconds of reading before an item that is new."""
        if guid.partition(":")[0] not in self.packs:
            return READING
        return self.seconds.get(guid, 0.0)


def read_reading_times(connection: Readable, *, lessons: bool) -> ReadingTimes:
    """Return the reading times of all packs, or none where `lessons` are not wanted."""
    if not lessons:
        return ReadingTimes()
    seconds = reading_times(connection)
    return ReadingTimes(frozenset(guid.partition(":")[0] for guid in seconds), seconds)


def read_pace(connection: Readable, kinds: Kinds) -> Pace:
    """Return the learner's pace by their latest answers."""
    answers = [*timed_card_answers(connection), *timed_drill_answers(connection)]
    return Pace.of((kinds.of(each.guid, each.card_kind), each.seconds) for each in answers)


def seconds_a_card(connection: Readable) -> float:
    """Return the learner's usual time for an answer to a card of any kind, in seconds."""
    taken = [min(each.seconds, LONGEST_ANSWER) for each in timed_card_answers(connection)]
    return median(taken) if len(taken) >= _FEWEST else BASIC.usual_seconds
