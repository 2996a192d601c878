"""What a day's limits and minutes hold back, and what chosen cards may do beside them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.packs.installed import sync_installed
from studyattn.store.models import ItemRow, ReviewRow
from studyattn.store.queries.items import ItemField
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import batch, item_actions, recorder
from studyattn.study.review.pace import Estimator
from studyattn.study.review.queue import due_items, read_day
from studyattn.study.review.recorder import ReviewRecorder
from studyattn.study.review.session import ReviewSession
from studyattn.study.statistics.totals import statistics
from tests.study.conftest import NOON, AddItem
from tests.study.review.test_session import asked, left, log_length, shown


def test_limits_count_what_was_done_today(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guids = [add() for _ in range(6)]
    profile.change_setting("new_per_day", "3")
    with ReviewSession(profile) as session:
        session.answer(Rating.EASY)
    assert [item.guid for item in due_items(profile)] == guids[1:3]
    recorder.undo(profile)
    assert len(due_items(profile)) == 3
    clock.advance(timedelta(days=1))
    profile.change_setting("new_per_day", "0")
    assert due_items(profile) == []


def test_a_session_of_chosen_cards_is_not_held_back_by_the_days_limits(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    others = [add() for _ in range(3)]
    chosen = [add("second"), *(add() for _ in range(3))]  # a concept whose requirement is open
    profile.change_setting("new_per_day", "2")
    profile.change_setting("minutes_per_day", "1")
    with ReviewSession(profile, only=tuple(chosen)) as session:
        assert session.progress.left == left(new=4)
        assert asked(session) == chosen
    # They were ordinary reviews: they count, and the limit of the day holds for other cards.
    assert due_items(profile) == []
    assert log_length(profile) == 4
    clock.advance(timedelta(days=1))
    profile.change_setting("minutes_per_day", "0")
    assert [item.guid for item in due_items(profile)] == others[:2]


def test_a_session_of_chosen_cards_leaves_the_limits_of_other_cards_alone(
    profile: Profile, add: AddItem
) -> None:
    others = [add() for _ in range(3)]
    chosen = add()
    profile.change_setting("new_per_day", "3")
    with ReviewSession(profile, only=(chosen,)) as session:
        assert shown(session).guid == chosen
        assert [item.guid for item in due_items(profile)] == others
        session.answer(Rating.EASY)
        assert [item.guid for item in due_items(profile)] == others[:2]
        session.undo()
    assert [item.guid for item in due_items(profile)] == others


def test_a_session_of_chosen_cards_asks_only_what_is_due_and_one_sibling_a_day(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    known, buried, suspended = add(), add(), add()
    siblings = [add(siblings="s"), add(siblings="s")]
    batch.answer(profile, known, Rating.EASY)
    item_actions.change(profile, buried, ItemField.BURIED, profile.today() + timedelta(days=1))
    item_actions.change(profile, suspended, ItemField.SUSPENDED, True)
    chosen = (*siblings, suspended, buried, known, "t:not-there")
    with ReviewSession(profile, only=chosen) as session:
        assert shown(session).guid == siblings[0]
        session.answer(Rating.AGAIN)
        assert session.current is None or session.current.guid == siblings[0]
        clock.advance(timedelta(minutes=1))
        assert shown(session).guid == siblings[0]  # its step comes back in this session
    with ReviewSession(profile, only=(buried,)) as session:
        assert session.current is None
    clock.advance(timedelta(days=90))
    with ReviewSession(profile, only=chosen) as session:
        assert asked(session) == [siblings[0], known, buried]


def test_reviews_over_the_limit_wait_and_the_latest_come_first(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guids = [add() for _ in range(3)]
    profile.change_setting("reviews_per_day", "2")
    profile.change_setting("new_per_day", "0")
    with profile.database.write() as connection:
        for days, guid in zip((30, 10, 20), guids, strict=True):
            last = NOON - timedelta(days=days)
            connection.execute(
                update(ItemRow)
                .where(ItemRow.guid == guid)
                .values(
                    phase="review",
                    stability=float(days),
                    difficulty=5.0,
                    reps=1,
                    due=NOON - timedelta(days=4),
                    last_review=last,
                    last_day=last.date(),
                )
            )
    # Four days late means most for the card that was held for six days only.
    assert [item.guid for item in due_items(profile)] == [guids[1], guids[2]]


def test_a_drill_is_new_once_the_cards_of_its_concept_were_seen(
    profile: Profile, add: AddItem
) -> None:
    card, drill = add(), add(kind="drill")
    assert [item.guid for item in due_items(profile)] == [card]
    batch.answer(profile, card, Rating.EASY)
    assert [item.guid for item in due_items(profile)] == [drill]
    profile.change_setting("drills_per_day", "0")
    assert due_items(profile) == []


def test_a_days_minutes_hold_back_what_is_new(profile: Profile, add: AddItem) -> None:
    cards_ = [add() for _ in range(10)]
    assert [item.guid for item in due_items(profile)] == cards_
    profile.change_setting("minutes_per_day", "3")
    day = read_day(profile)
    assert [item.guid for item in day.items] == cards_[:3]
    assert day.put_off == 7
    assert day.seconds == pytest.approx(3 * 46)
    for guid in cards_[:2]:
        batch.answer(profile, guid, Rating.GOOD)
    # Answers that took no time at all make no room: the day's plan is the morning's.
    assert [item.guid for item in due_items(profile)] == [cards_[2]]
    steps = dict.fromkeys(cards_[:2])
    later = profile.moment().at + timedelta(minutes=15)
    assert [item.guid for item in due_items(profile, later)] == [*steps, cards_[2]]


def test_the_minutes_a_day_hold_back_new_cards_unless_they_are_0(
    profile: Profile, add: AddItem
) -> None:
    cards_ = [add() for _ in range(60)]
    profile.change_setting("new_per_day", "60")
    assert len(due_items(profile)) == int(20 * 60 / 46)  # 20 minutes is the default
    profile.change_setting("minutes_per_day", "21")
    assert len(due_items(profile)) == int(21 * 60 / 46)
    profile.change_setting("minutes_per_day", "0")
    assert [item.guid for item in due_items(profile)] == cards_


def test_the_days_minutes_follow_the_learners_own_pace(profile: Profile, add: AddItem) -> None:
    slow = [add() for _ in range(10)]
    profile.change_setting("new_per_day", "99")
    for guid in slow:
        with ReviewRecorder(profile) as log:
            log.take(guid, Rating.EASY, profile.moment(NOON - timedelta(days=1)), 60.0)
    fresh = [add() for _ in range(10)]
    profile.change_setting("minutes_per_day", "10")
    # 145 s each: ten answers are not all.
    assert [item.guid for item in due_items(profile)] == fresh[:4]


def test_a_drill_of_a_pack_is_timed_by_its_level(profile: Profile, add: AddItem) -> None:
    sync_installed(profile.database, NOON)
    with profile.database.read() as connection:
        estimator = Estimator(connection, lessons=True)

    def kind(guid: str, card_kind: str | None = None) -> str:
        return estimator.asked(guid, card_kind, new=True).kind

    assert kind("attention:drill/softmax") == "drill-1"
    assert kind("attention:drill/flash-attention") == "drill-5"
    assert kind("attention:drill/unheard-of") == "drill-3"
    assert kind("attention:softmax-what", "typed") == "typed"
    assert "attention:drill/attention" in estimator.requires("attention:drill/flash-attention")
    assert estimator.requires("attention:drill/unheard-of") == ()


def test_a_card_left_open_counts_five_minutes_and_the_log_keeps_the_hour(
    profile: Profile, add: AddItem
) -> None:
    add(), add()
    with ReviewSession(profile) as session:
        session.answer(Rating.EASY, 3600.0)
        session.answer(Rating.EASY, 8.0)
        assert session.summary().seconds == 308
    with profile.database.read() as connection:
        assert set(connection.scalars(select(ReviewRow.seconds))) == {3600.0, 8.0}
    assert statistics(profile).seconds == 308
    drill = add(kind="drill")
    with ReviewRecorder(profile) as log:
        log.take(drill, Rating.GOOD, profile.moment(), 1200.0)
    assert statistics(profile).seconds == 1508


def test_a_drill_that_waited_three_study_days_is_asked_beyond_the_limit(stocked_home: Home) -> None:
    clock = FixedClock(NOON)
    drills = [f"attention:drill/{each}" for each in ("dot-product", "weighted-sum", "softmax")]
    cards = [f"attention:dot-product-{each}" for each in ("sign", "orthogonal", "length")]
    with open_profile(stocked_home, clock) as profile:
        profile.change_setting("drills_per_day", "1")
        for guid in drills:
            batch.answer(profile, guid, Rating.AGAIN)
        counts = []
        for card in [*cards, None]:
            clock.advance(timedelta(days=1))
            counts.append(sum(item.guid in drills for item in due_items(profile)))
            if card is not None:
                batch.answer(profile, card, Rating.GOOD)
        assert counts == [1, 1, 1, 3]
        profile.change_setting("drills_per_day", "0")
        assert not any(item.guid in drills for item in due_items(profile))
