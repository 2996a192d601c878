"""A backlog in the queue: a part a day, the latest for its interval first, no due date moved."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studyattn.errors import InputError
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.records import memories
from studyattn.study.review.backlog import cancel_plan, make_plan, read_backlog
from studyattn.study.review.queue import due_items, read_day
from studyattn.study.review.recorder import ReviewRecorder
from studyattn.study.statistics.planned import planned_backlog
from studyattn.study.statistics.today import numbers
from tests.study.conftest import AddItem

DAY = timedelta(days=1)


def forecast(profile: Profile) -> list[int]:
    return [number for _, number in numbers(profile).forecast]


def test_a_backlog_is_asked_in_parts_and_the_plan_can_be_cancelled(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    profile.change_setting("minutes_per_day", "1")
    guids = [add() for _ in range(20)]
    with ReviewRecorder(profile) as recorder:
        for guid in guids:
            recorder.take(guid, Rating.EASY, profile.moment())
    new = add()
    with pytest.raises(InputError, match="no card is overdue"):
        make_plan(profile, 3)
    clock.advance(60 * DAY)
    whole = [each.guid for each in due_items(profile) if each.due]
    assert len(whole) == 20
    today = numbers(profile)
    assert (today.behind, today.behind_days, today.backlog) == (20, 10, None)
    shown = planned_backlog(profile, 3)
    assert [each.before for each in shown.days][:4] == [20, 0, 0, 0]
    assert [each.after for each in shown.days][:4] == [7, 7, 6, 0]
    assert forecast(profile) == [20, 0, 0, 0, 0, 0, 0]
    with profile.database.read() as connection:
        before = memories(connection)

    made = make_plan(profile, 3)
    assert made is not None
    assert forecast(profile)[:4] == [7, 7, 6, 0]
    assert [each.guid for each in due_items(profile)] == whole[:7]  # and nothing new
    assert [each.guid for each in read_day(profile, only=[whole[12], new]).items] == [
        whole[12],
        new,
    ]
    with profile.database.read() as connection:
        assert memories(connection) == before
    with ReviewRecorder(profile) as recorder:
        for guid in whole[:5]:
            recorder.take(guid, Rating.GOOD, profile.moment())
    assert [each.guid for each in due_items(profile)] == whole[5:7]
    clock.advance(2 * DAY)  # a day was missed: the last one asks all that is left
    old = [each.guid for each in due_items(profile) if each.guid in whole[5:]]
    assert set(old) == set(whole[5:])
    assert cancel_plan(profile)
    assert not cancel_plan(profile)
    with profile.database.read() as connection:
        assert read_backlog(connection, profile.settings, profile.today()) is None
    assert new in {each.guid for each in due_items(profile)} or numbers(profile).put_off


def test_what_comes_due_meanwhile_is_asked_beside_it(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    old, other, late = add(), add(), add()
    with ReviewRecorder(profile) as recorder:
        recorder.take(old, Rating.EASY, profile.moment())
        recorder.take(other, Rating.EASY, profile.moment())
        clock.advance(40 * DAY)
        recorder.take(late, Rating.EASY, profile.moment())
        profile.change_setting("vacation", f"{profile.today() + DAY}")
        make_plan(profile, 2)
        assert len(due_items(profile)) == 1
        clock.advance(DAY)
        assert due_items(profile) == []  # on vacation
        clock.advance(20 * DAY)
    assert {each.guid for each in due_items(profile)} == {old, other, late}  # the plan is over
