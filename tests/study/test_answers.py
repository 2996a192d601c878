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
from studyattn.study import answers
from studyattn.study.answers import answer_many
from studyattn.study.clock import FixedClock, Moment, parse_moment
from studyattn.study.learner import Learner
from studyattn.study.rebuild import check_database
from tests.study.conftest import NOON, AddItem
from tests.study.test_session import log_length, memory


def write(learner: Learner, lines: Sequence[dict[str, Any] | str]) -> Path:
    path = learner.home.root / "answers.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts))
    return path


def line(guid: str, day: int, rating: object = 3) -> dict[str, Any]:
    at = NOON - timedelta(days=100 - day)
    return {"guid": guid, "rating": rating, "at": at.isoformat()}


def test_a_file_is_the_same_as_its_answers_one_by_one(learner: Learner, add: AddItem) -> None:
    many, single = add(), add()
    history = [(0, 3), (0, 3), (2, 1), (2, 3), (9, 4)]
    answer_many(learner, write(learner, [line(many, day, rating) for day, rating in history]))
    for day, rating in history:
        at = NOON - timedelta(days=100 - day)
        answers.answer(learner, single, Rating(rating), Moment(at, 0))
    one, other = memory(learner, many), memory(learner, single)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    # The due day is fuzzed by guid; the memory is not.
    assert (one.stability, one.difficulty, one.reps, one.lapses) == (
        other.stability,
        other.difficulty,
        other.reps,
        other.lapses,
    )
    assert check_database(learner.home) == []


def test_the_order_of_lines_with_one_time_is_kept(learner: Learner, add: AddItem) -> None:
    there, back = add(), add()
    answer_many(learner, write(learner, [line(there, 0, 1), line(there, 0, 4), line(there, 5, 3)]))
    answer_many(learner, write(learner, [line(back, 0, 4), line(back, 0, 1), line(back, 5, 3)]))
    one, other = memory(learner, there), memory(learner, back)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability != other.stability
    assert check_database(learner.home) == []


def test_lines_out_of_order_are_taken_by_time(learner: Learner, add: AddItem) -> None:
    sorted_, shuffled = add(), add()
    days = [0, 3, 8, 30]
    answer_many(learner, write(learner, [line(sorted_, day) for day in days]))
    answer_many(learner, write(learner, [line(shuffled, day) for day in reversed(days)]))
    one, other = memory(learner, sorted_), memory(learner, shuffled)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability == other.stability


def test_the_same_file_twice_changes_nothing(learner: Learner, add: AddItem) -> None:
    guid = add()
    path = write(learner, [line(guid, 0), line(guid, 0), line(guid, 5)])
    assert answer_many(learner, path).answered == 3
    before = memory(learner, guid)
    again = answer_many(learner, path)
    assert (again.answered, again.already) == (0, 3)
    assert memory(learner, guid) == before
    assert log_length(learner) == 3


def test_a_withdrawn_review_can_come_again(learner: Learner, add: AddItem) -> None:
    guid = add()
    path = write(learner, [line(guid, 0)])
    answer_many(learner, path)
    answers.undo(learner)
    assert memory(learner, guid) == New()
    assert answer_many(learner, path).answered == 1


def test_a_review_of_the_past_takes_its_place(learner: Learner, add: AddItem) -> None:
    whole, pieces = add(), add()
    answer_many(learner, write(learner, [line(whole, day) for day in (0, 4, 20)]))
    answer_many(learner, write(learner, [line(pieces, 0), line(pieces, 20)]))
    single = answers.answer(learner, pieces, Rating.GOOD, Moment(NOON - timedelta(days=96), 0))
    assert single.replayed
    one, other = memory(learner, whole), memory(learner, pieces)
    assert isinstance(one, Remembered)
    assert isinstance(other, Remembered)
    assert one.stability == other.stability
    assert answer_many(learner, write(learner, [line(pieces, 2)])).replayed == 1
    assert check_database(learner.home) == []


def test_a_review_of_the_future_is_taken_as_told(learner: Learner, add: AddItem) -> None:
    guid = add()
    future = answers.answer(learner, guid, Rating.GOOD, Moment(NOON + timedelta(days=9), 0))
    assert isinstance(future.after, Remembered)
    assert future.after.last_review == NOON + timedelta(days=9)
    assert answers.answer(learner, guid, Rating.GOOD).replayed
    assert check_database(learner.home) == []


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
def test_a_bad_line_is_named_and_nothing_is_taken(learner: Learner, add: AddItem, bad: str) -> None:
    guid = add()
    path = write(learner, [line(guid, 0), "", bad])
    with pytest.raises(DocumentError) as raised:
        answer_many(learner, path)
    assert raised.value.where == f"{path}:3"
    assert log_length(learner) == 0


def test_a_file_that_is_not_text_or_not_there(learner: Learner, add: AddItem) -> None:
    path = learner.home.root / "binary.jsonl"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(DocumentError):
        answer_many(learner, path)
    with pytest.raises(InputError):
        answer_many(learner, path.with_name("missing.jsonl"))


def test_an_unknown_item_is_no_review(learner: Learner) -> None:
    with pytest.raises(NotFoundError):
        answers.answer(learner, "nowhere", Rating.GOOD)
    assert log_length(learner) == 0


def test_a_time_with_an_offset_brings_its_offset() -> None:
    clock = FixedClock(NOON, offset=-300)
    given = parse_moment("2026-03-02T23:30:00+05:30", clock)
    assert given == Moment(datetime(2026, 3, 2, 18, tzinfo=UTC), 330)
    assert parse_moment("2026-03-02T18:00:00Z", clock).utc_offset == 0
    own = parse_moment("2026-03-02 13:00", clock)
    assert own == Moment(datetime(2026, 3, 2, 18, tzinfo=UTC), -300)
    with pytest.raises(InputError):
        parse_moment("noon", clock)
