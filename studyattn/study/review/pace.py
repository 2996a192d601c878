"""What answers take, by kind of item: the learner's own pace, read from the log."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from statistics import median

from studyattn.errors import DocumentError, PackError
from studyattn.home import Home
from studyattn.memory.state import is_drill
from studyattn.packs.locate import installed_packs
from studyattn.store.driver import Driver
from studyattn.study.review.card_loader import drill_id
from studyattn.study.rules.budget import LONGEST_ANSWER, USUAL, Pace, drill_kind

# Of the latest rows only, so that a log of a million costs no more than one of a thousand.
_CARDS = """
SELECT card.kind, latest.seconds
FROM (SELECT id, item_guid, seconds, rating FROM review ORDER BY id DESC LIMIT 1000) AS latest
JOIN item ON item.guid = latest.item_guid
JOIN card ON card.item_id = item.id
WHERE latest.seconds > 0 AND latest.rating IS NOT NULL
ORDER BY latest.id DESC"""
_DRILLS = """
SELECT latest.guid, latest.seconds
FROM (
    SELECT review.id, item.guid, review.seconds
    FROM item JOIN review ON review.item_guid = item.guid
    WHERE item.kind = 'drill' AND review.seconds > 0 AND review.rating IS NOT NULL
    ORDER BY review.id DESC LIMIT 200) AS latest
ORDER BY latest.id DESC"""

_FEWEST = 20  # answers from which their median says something
_UNKNOWN_LEVEL = 3  # of a drill whose pack is gone or cannot be read


class Kinds:
    """Under which kind each item is timed: a card's own, a drill's level."""

    def __init__(self, home: Home) -> None:
        self._folders = installed_packs(home)

    def of(self, guid: str, card_kind: str | None) -> str:
        """`card_kind` of a card, `drill-1` … `drill-5` for a drill."""
        if is_drill(guid):
            return drill_kind(self._level(drill_id(guid)))
        return card_kind or "basic"

    def _level(self, drill: str) -> int:
        for folder in self._folders:
            file = folder / "drills" / drill / "brief.md"
            if file.is_file():
                return _level(file, file.stat().st_mtime_ns)
        return _UNKNOWN_LEVEL


def read_pace(driver: Driver, kinds: Kinds) -> Pace:
    """The learner's pace by their latest answers."""
    cards = [(str(kind), float(seconds)) for kind, seconds in driver.stream(_CARDS)]
    drills = [(kinds.of(guid, None), float(seconds)) for guid, seconds in driver.stream(_DRILLS)]
    return Pace.of([*cards, *drills])


def seconds_a_card(driver: Driver) -> float:
    """The learner's usual time for an answer to a card, of whatever kind."""
    taken = [min(float(seconds), LONGEST_ANSWER) for _, seconds in driver.stream(_CARDS)]
    return median(taken) if len(taken) >= _FEWEST else USUAL["basic"]


@lru_cache(maxsize=256)
def _level(file: Path, _changed_at: int) -> int:
    from studyattn.packs.briefs import read_brief

    try:
        brief, _ = read_brief(file.read_text("utf-8"), file)
    except (PackError, DocumentError, OSError, UnicodeDecodeError):
        return _UNKNOWN_LEVEL
    return brief.level
