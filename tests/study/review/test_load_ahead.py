"""The balanced load in a session: what the button shows is given, kept, undone and redone."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.records import memories
from studyattn.study.review.rebuild import rebuild
from studyattn.study.review.recorder import ReviewRecorder, restore, undo
from studyattn.study.review.session import ReviewSession
from tests.study.conftest import AddItem


def due_days(profile: Profile) -> Counter[object]:
    with profile.database.read() as connection:
        states = memories(connection).values()
    return Counter(getattr(state, "due", None) for state in states)


def test_the_button_says_the_day_that_the_log_leads_to(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    for _ in range(30):
        add()
    profile.change_setting("new_per_day", "99")
    profile.change_setting("minutes_per_day", "0")
    profile.change_setting("load_balance", "on")
    with ReviewSession(profile) as session:
        for _ in range(30):
            shown = {choice.rating: choice.due for choice in session.choices()}
            clock.advance(timedelta(seconds=4))
            answered = session.answer(Rating.EASY)
            assert getattr(answered.after, "due", None) == shown[Rating.EASY]
    days = due_days(profile)
    assert max(days.values()) - min(days.values()) <= 2, days
    assert rebuild(profile).changed == ()
    withdrawn = undo(profile)
    assert withdrawn is not None
    restore(profile, withdrawn.review.uuid)
    assert due_days(profile) == days
    profile.change_setting("load_balance", "off")
    profile.change_setting("load_balance", "on")
    assert due_days(profile) == days


def test_without_the_setting_no_load_is_read(profile: Profile, add: AddItem) -> None:
    guid = add()
    with ReviewRecorder(profile) as recorder:
        assert (
            recorder.load_ahead.seeds(
                guid, recorder.take(guid, Rating.GOOD, profile.moment()).after, profile.moment()
            )
            == {}
        )
