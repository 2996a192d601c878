"""Reviews up to where an item's memory begins stay in the log and move nothing."""

from __future__ import annotations

import json
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import insert

from studyattn.memory import MemoryStart, MemoryState, New, Rating, Remembered, Scheduler
from studyattn.store.models import MemoryStartRow
from studyattn.study.clock import FixedClock, Moment
from studyattn.study.profile import Profile
from studyattn.study.review import batch, recorder
from studyattn.study.review.rebuild import check_database, refold
from studyattn.study.statistics.totals import statistics
from tests.study.conftest import NOON, AddItem

Memory = tuple[float | None, float | None]
RESET: Memory = (None, None)
LEARNED: Memory = (30.0, 2500.0)


def begin(profile: Profile, guid: str, memory: Memory) -> MemoryStart:
    """Let the memory of an item begin at noon."""
    start = MemoryStart(NOON, 60, NOON.date(), *memory)
    with profile.database.write() as connection:
        row = {"item_guid": guid, "at": NOON, "utc_offset": 60, "learner_day": NOON.date()}
        row |= dict(zip(("interval", "ease"), memory, strict=True))
        connection.execute(insert(MemoryStartRow).values(row))
        refold(connection)
    return start


def time_of(days: int) -> str:
    """Write noon of another day by the learner's clock."""
    return (NOON + timedelta(days=days)).astimezone(timezone(timedelta(hours=1))).isoformat()


def memory_of(profile: Profile, guid: str) -> MemoryState:
    with profile.database.read() as connection:
        return recorder.memory_of_item(connection, guid)


@pytest.mark.parametrize("memory", [RESET, LEARNED])
def test_an_item_is_remembered_from_where_its_memory_begins(
    profile: Profile, add: AddItem, clock: FixedClock, memory: Memory
) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.GOOD, Moment(NOON - timedelta(days=3), 60))
    start = begin(profile, guid, memory)
    begun = memory_of(profile, guid)
    assert begun == Scheduler().started(start)
    assert (begun == New()) == (memory == RESET)
    if isinstance(begun, Remembered):
        assert begun.stability == pytest.approx(30)
        assert begun.last_review == NOON
    early = batch.answer(profile, guid, Rating.AGAIN, Moment(NOON - timedelta(days=1), 60))
    assert early.after == begun
    later = Moment(NOON + timedelta(days=2), 60)
    expected = Scheduler().answer(guid, begun, Rating.GOOD, later.at, 60)
    assert batch.answer(profile, guid, Rating.GOOD, later).after == expected
    assert statistics(profile).reviews == 3
    recorder.undo(profile)
    assert memory_of(profile, guid) == begun
    assert not check_database(profile.home)


def test_a_file_of_answers_counts_from_where_memory_begins(
    profile: Profile, add: AddItem, tmp_path: Path
) -> None:
    guid = add()
    start = begin(profile, guid, LEARNED)
    lines = [
        {"guid": guid, "rating": "again", "at": time_of(-9)},
        {"guid": guid, "rating": "good", "at": time_of(9)},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert batch.answer_many(profile, path).answered == 2
    after = memory_of(profile, guid)
    begun = Scheduler().started(start)
    assert after == Scheduler().answer(guid, begun, Rating.GOOD, NOON + timedelta(days=9), 60)
    assert batch.answer_many(profile, path).already == 2
    assert not check_database(profile.home)
