"""What stands of a log, and that the fold over it depends on nothing but the rows."""

from __future__ import annotations

import random
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import (
    LoggedReview,
    MemoryStart,
    MemoryState,
    New,
    Rating,
    Scheduler,
    effective_reviews,
    fold,
    fold_all,
)
from tests.memory.histories import START, logged, logs, review_lists

SCHEDULER = Scheduler()


def answered_one_by_one(reviews: list[LoggedReview], guid: str = "card") -> MemoryState:
    state: MemoryState = New()
    for review in reviews:
        assert review.rating is not None
        state = SCHEDULER.answer(guid, state, review.rating, review.at, review.utc_offset)
    return state


@given(review_lists(max_size=15))
def test_the_fold_is_what_answering_one_by_one_gave(reviews: list[LoggedReview]) -> None:
    assert fold("card", reviews, SCHEDULER) == answered_one_by_one(reviews)


@given(review_lists(max_size=15))
def test_replaying_a_drill_is_what_answering_one_by_one_gave(reviews: list[LoggedReview]) -> None:
    drill = "attention:drill/softmax"
    assert SCHEDULER.replay(drill, New(), reviews) == answered_one_by_one(reviews, drill)


@given(st.lists(review_lists(), max_size=4), st.integers(0, 4))
def test_many_logs_fold_together_as_each_alone(
    histories: list[list[LoggedReview]], begun: int
) -> None:
    logs: dict[str, list[LoggedReview]] = {}
    for number, history in enumerate(histories):
        guid = f"pack:drill/{number}" if number % 2 else f"card-{number}"
        logs[guid] = [row._replace(item_guid=guid) for row in history]
    learned = MemoryStart(START, 0, START.date(), interval=30.0, ease=2500.0)
    starts = dict.fromkeys(list(logs)[:begun], learned)
    alone = {guid: fold(guid, log, SCHEDULER, starts.get(guid)) for guid, log in logs.items()}
    assert fold_all(logs, SCHEDULER, starts) == alone
    for guid, log in logs.items():
        if guid not in starts:
            assert alone[guid] == answered_one_by_one(log, guid)


@given(review_lists(max_size=15), st.integers(0, 15))
def test_the_fold_goes_on_from_wherever_it_was_split(reviews: list[LoggedReview], cut: int) -> None:
    halfway = SCHEDULER.replay("card", New(), reviews[:cut])
    assert SCHEDULER.replay("card", halfway, reviews[cut:]) == fold("card", reviews, SCHEDULER)


@given(logs(), st.integers(0), st.integers(0, 20))
def test_two_logs_merge_to_the_same_fold_in_any_order(
    log: list[LoggedReview], seed: int, cut: int
) -> None:
    here, there = log[: cut + 2], log[cut:]  # two rows are in both
    merged = here + there
    random.Random(seed).shuffle(merged)
    assert fold("card", merged, SCHEDULER) == fold("card", log, SCHEDULER)


@given(review_lists(), st.data())
def test_undo_is_as_if_it_had_never_been_and_redo_as_if_it_had_never_been_undone(
    reviews: list[LoggedReview], data: st.DataObject
) -> None:
    if not reviews:
        return
    victim = data.draw(st.sampled_from(reviews))
    later = reviews[-1].at
    undo = logged(900, later, None, withdraws=victim.uuid)
    redo = logged(901, later, None, withdraws=undo.uuid)
    without = [review for review in reviews if review is not victim]
    assert fold("card", [*reviews, undo], SCHEDULER) == fold("card", without, SCHEDULER)
    assert fold("card", [*reviews, undo, redo], SCHEDULER) == fold("card", reviews, SCHEDULER)


def test_undoing_everything_makes_an_item_new() -> None:
    review = logged(1, START, Rating.GOOD)
    assert (
        fold("card", [review, logged(2, START, None, withdraws="row-000001")], SCHEDULER) == New()
    )


def test_one_of_two_undos_withdrawn_leaves_the_other_in_force() -> None:
    review = logged(1, START, Rating.GOOD)
    both = [logged(number, START, None, withdraws=review.uuid) for number in (2, 3)]
    redo = logged(4, START, None, withdraws=both[0].uuid)
    assert effective_reviews([review, *both, redo]) == ()


def test_an_undo_that_arrives_before_its_review_still_counts() -> None:
    review = logged(1, START, Rating.GOOD)
    undo = logged(2, START, None, withdraws=review.uuid)
    assert effective_reviews([undo]) == ()
    assert effective_reviews([undo, review]) == ()


def test_withdrawals_in_a_circle_end_and_change_nothing() -> None:
    review = logged(1, START, Rating.GOOD)
    circle = [
        logged(2, START, None, withdraws="row-000003"),
        logged(3, START, None, withdraws="row-000002"),
    ]
    assert effective_reviews([review, *circle]) == (review,)
    assert effective_reviews([logged(4, START, None, withdraws="row-000004"), review]) == (review,)


def test_a_withdrawal_reaches_only_its_own_item() -> None:
    review = logged(1, START, Rating.GOOD)
    stray = logged(2, START, None, guid="another", withdraws=review.uuid)
    assert effective_reviews([review, stray]) == (review,)


def test_rows_of_other_items_are_passed_over() -> None:
    mine, other = logged(1, START, Rating.GOOD), logged(2, START, Rating.EASY, guid="another")
    assert fold("card", [other, mine], SCHEDULER) == fold("card", [mine], SCHEDULER)


def test_reviews_of_one_instant_keep_the_order_of_their_uuids() -> None:
    rows = [logged(number, START, rating) for number, rating in enumerate(Rating)]
    assert effective_reviews(reversed(rows)) == tuple(rows)


def test_reviews_of_a_machine_with_another_clock_are_ordered_by_instant() -> None:
    later = logged(1, START + timedelta(hours=1), Rating.GOOD)
    earlier = logged(2, START, Rating.AGAIN)  # its UUID was made later
    assert effective_reviews([later, earlier]) == (earlier, later)
