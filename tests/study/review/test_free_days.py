"""The day's queue and the days ahead on easy days and in a vacation."""

from __future__ import annotations

from datetime import timedelta

from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review.queue import due_items, read_day
from studyattn.study.review.rebuild import rebuild
from studyattn.study.review.recorder import ReviewRecorder
from studyattn.study.statistics.planned import planned_change
from studyattn.study.statistics.today import today
from tests.study.conftest import AddItem

DAY = timedelta(days=1)


def test_an_easy_day_brings_its_share_of_new_cards(profile: Profile, add: AddItem) -> None:
    for _ in range(8):
        add()
    profile.change_setting("minutes_per_day", "0")
    profile.change_setting("new_per_day", "4")
    assert len(due_items(profile)) == 4
    profile.change_setting("easy_days", "mon=0.5")  # the clock's day is a Monday
    assert len(due_items(profile)) == 2
    profile.change_setting("easy_days", "mon=0")
    assert due_items(profile) == []
    profile.change_setting("easy_days", "sun=0")
    assert len(due_items(profile)) == 4


def test_a_vacation_asks_nothing_and_keeps_the_row_of_days(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid, chosen = add(), add()
    add(kind="drill")
    with ReviewRecorder(profile) as recorder:
        recorder.take(guid, Rating.EASY, profile.moment())
    clock.advance(DAY)
    first = profile.today()
    profile.change_setting("vacation", f"{first}..{first + 20 * DAY}")
    for day in (1, 12, 20):
        assert due_items(profile) == []
        assert today(profile).streak == 1, day
        clock.advance(8 * DAY)
    # What was chosen is asked, and brought to its end.
    clock.at = clock.at - 10 * DAY
    assert [each.guid for each in read_day(profile, only=[chosen]).items] == [chosen]
    with ReviewRecorder(profile) as recorder:
        recorder.take(chosen, Rating.AGAIN, profile.moment())
    clock.advance(timedelta(minutes=5))
    assert [each.guid for each in due_items(profile)] == [chosen]
    clock.advance(DAY)
    assert due_items(profile) == []
    clock.advance(20 * DAY)
    assert guid in {each.guid for each in due_items(profile)}


def test_a_change_is_shown_before_it_is_made_and_follows_from_the_log(
    profile: Profile, add: AddItem
) -> None:
    guids = [add() for _ in range(30)]
    with ReviewRecorder(profile) as recorder:
        for guid in guids:
            recorder.take(guid, Rating.EASY, profile.moment())
    days = [count for _, count in today(profile).forecast]
    text = f"{profile.today() + DAY}..{profile.today() + 5 * DAY}"
    shown = planned_change(profile, "vacation", text)
    assert [each.before for each in shown.days][:7] == days
    assert [count for _, count in today(profile).forecast] == days
    profile.change_setting("vacation", text)
    assert [each.after for each in shown.days][:7] == [n for _, n in today(profile).forecast]
    assert sum(each.after for each in shown.days[:6]) == 0
    assert rebuild(profile).changed == ()
    assert planned_change(profile, "vacation", "").moved == shown.moved
    assert planned_change(profile, "new_per_day", "3").moved == 0
