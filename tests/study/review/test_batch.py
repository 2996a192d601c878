"""Answers from files and of other days: all or nothing, in the order of their times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from studyattn.errors import DocumentError, InputError, NotFoundError
from studyattn.memory import New, Rating, Remembered
from studyattn.study.clock import FixedClock, Moment, parse_moment
from studyattn.study.profile import Profile
from studyattn.study.review import batch, recorder
from studyattn.study.review.batch import answer_many
from studyattn.study.review.rebuild import check_database
from tests.study.conftest import NOON, AddItem
from tests.study.review.test_session import log_length, memory


def write(profile: Profile, lines: Sequence[dict[str, Any] | str]) -> Path:
    path = profile.home.root / "answers.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts))
    return path


def line(guid: str, day: int, rating: object = 3) -> dict[str, Any]:
    at = NOON - timedelta(days=100 - day)
    return {"guid": guid, "rating": rating, "at": at.isoformat()}


def test_a_file_is_the_same_as_its_answers_one_by_one(profile: Profile, add: AddItem) -> None:
    many, single = add(), add()
    history = [(0, 3), (0, 3), (2, 1), (2, 3), (9, 4)]
    answer_many(profile, write(profile, [line(many, day, rating) for day, rating in history]))
    for day, rating in history:
        at = NOON - timedelta(days=100 - day)
        batch.answer(profile, single, Rating(rating), Moment(at, 0))
    one, other = memory(profile, many), memory(profile, single)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    # The due day is fuzzed by guid; the memory is not.
    assert (one.stability, one.difficulty, one.reps, one.lapses) == (
        other.stability,
        other.difficulty,
        other.reps,
        other.lapses,
    )
    assert check_database(profile.home) == []


def test_the_order_of_lines_with_one_time_is_kept(profile: Profile, add: AddItem) -> None:
    there, back = add(), add()
    answer_many(profile, write(profile, [line(there, 0, 1), line(there, 0, 4), line(there, 5, 3)]))
    answer_many(profile, write(profile, [line(back, 0, 4), line(back, 0, 1), line(back, 5, 3)]))
    one, other = memory(profile, there), memory(profile, back)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability != other.stability
    assert check_database(profile.home) == []


def test_lines_out_of_order_are_taken_by_time(profile: Profile, add: AddItem) -> None:
    sorted_, shuffled = add(), add()
    days = [0, 3, 8, 30]
    answer_many(profile, write(profile, [line(sorted_, day) for day in days]))
    answer_many(profile, write(profile, [line(shuffled, day) for day in reversed(days)]))
    one, other = memory(profile, sorted_), memory(profile, shuffled)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability == other.stability


def test_the_same_file_twice_changes_nothing(profile: Profile, add: AddItem) -> None:
    guid = add()
    path = write(profile, [line(guid, 0), line(guid, 0), line(guid, 5)])
    assert answer_many(profile, path).answered == 3
    before = memory(profile, guid)
    again = answer_many(profile, path)
    assert (again.answered, again.already) == (0, 3)
    assert memory(profile, guid) == before
    assert log_length(profile) == 3


def test_a_withdrawn_review_can_come_again(profile: Profile, add: AddItem) -> None:
    guid = add()
    path = write(profile, [line(guid, 0)])
    answer_many(profile, path)
    recorder.undo(profile)
    assert memory(profile, guid) == New()
    assert answer_many(profile, path).answered == 1


def test_a_review_of_the_past_takes_its_place(profile: Profile, add: AddItem) -> None:
    whole, pieces = add(), add()
    answer_many(profile, write(profile, [line(whole, day) for day in (0, 4, 20)]))
    answer_many(profile, write(profile, [line(pieces, 0), line(pieces, 20)]))
    single = batch.answer(profile, pieces, Rating.GOOD, Moment(NOON - timedelta(days=96), 0))
    assert single.replayed
    one, other = memory(profile, whole), memory(profile, pieces)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability == other.stability
    assert answer_many(profile, write(profile, [line(pieces, 2)])).replayed == 1
    assert check_database(profile.home) == []


def test_a_review_of_the_future_is_taken_as_told(profile: Profile, add: AddItem) -> None:
    guid = add()
    future = batch.answer(profile, guid, Rating.GOOD, Moment(NOON + timedelta(days=9), 0))
    assert isinstance(future.after, Remembered)
    assert future.after.last_review == NOON + timedelta(days=9)
    assert batch.answer(profile, guid, Rating.GOOD).replayed
    assert check_database(profile.home) == []


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        "[" * 100_000,
        '{"guid": "t:1"}',
        '{"guid": "t:1", "rating": 5}',
        '{"guid": "t:1", "rating": "good", "at": "yesterday"}',
        '{"guid": "t:1", "rating": "good", "at": 5}',
        '{"guid": "t:1", "rating": "good", "at": "0001-01-01T00:00:00+14:00"}',
        '{"guid": "nowhere", "rating": "good"}',
        '{"guid": "t:1", "rating": "good", "seconds": "long"}',
        '{"guid": "t:1", "rating": "good", "when": "now"}',
    ],
)
def test_a_bad_line_is_named_and_nothing_is_taken(profile: Profile, add: AddItem, bad: str) -> None:
    guid = add()
    path = write(profile, [line(guid, 0), "", bad])
    with pytest.raises(DocumentError) as raised:
        answer_many(profile, path)
    assert raised.value.where == f"{path}:3"
    assert log_length(profile) == 0


def test_a_file_that_is_not_text_or_not_there(profile: Profile, add: AddItem) -> None:
    path = profile.home.root / "binary.jsonl"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(DocumentError):
        answer_many(profile, path)
    with pytest.raises(InputError):
        answer_many(profile, path.with_name("missing.jsonl"))


def test_an_unknown_item_is_no_review(profile: Profile) -> None:
    with pytest.raises(NotFoundError):
        batch.answer(profile, "nowhere", Rating.GOOD)
    assert log_length(profile) == 0


def test_a_time_with_an_offset_brings_its_offset() -> None:
    clock = FixedClock(NOON, offset=-300)
    given = parse_moment("2026-03-02T23:30:00+05:30", clock)
    assert given == Moment(datetime(2026, 3, 2, 18, tzinfo=UTC), 330)
    assert parse_moment("2026-03-02T18:00:00Z", clock).utc_offset == 0
    own = parse_moment("2026-03-02 13:00", clock)
    assert own == Moment(datetime(2026, 3, 2, 18, tzinfo=UTC), -300)
    with pytest.raises(InputError):
        parse_moment("noon", clock)
