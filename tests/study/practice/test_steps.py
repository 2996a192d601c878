"""A long drill written in steps on several days: the plan of each day, the rating, and merging."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.exchange.merge.merge_into import merge_database
from studyattn.grading.judge import grade
from studyattn.grading.run.runner import Runner
from studyattn.grading.verdict import Report, Verdict
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drills import list_drills
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.queue import DueItem, read_day
from studyattn.study.review.rebuild import refold
from studyattn.study.review.session import ReviewSession
from studyattn.study.statistics.today import numbers
from tests.steps import written

DRILL = "multi-head-attention"
GUID = f"attention:drill/{DRILL}"


@pytest.fixture
def profile(stocked_either: Home, clock: FixedClock) -> Iterator[Profile]:
    """A home in which the drill was written once and is due again."""
    with open_profile(stocked_either, clock) as opened:
        make_due(opened, clock)
        yield opened


def make_due(profile: Profile, clock: FixedClock) -> None:
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        session.rate(Rating.GOOD)
    clock.advance(timedelta(days=30))


def hand_in(session: PracticeSession, runner: Runner, clock: FixedClock, code: str) -> Report:
    session.save(code)
    submission = session.submission()
    report = grade(session.drill, submission, runner, seed=1)
    clock.advance(timedelta(minutes=2))
    session.record(submission, report)
    return report


def planned(profile: Profile) -> DueItem | None:
    return next((item for item in read_day(profile).items if item.guid == GUID), None)


def step_of(profile: Profile) -> str:
    item = planned(profile)
    assert item is not None
    return item.step


def test_steps_pass_on_several_days_and_the_drill_is_rated_once(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    assert step_of(profile) == "1/5 project the tokens"
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        assert hand_in(session, runner, clock, written(2)).verdict == "step"
        assert session.steps_passed == 2
        assert not session.passed
    assert (
        line := next(each for each in list_drills(profile) if each.id == DRILL)
    ).state == "tried"
    assert line.step == "3/5 weigh the keys"
    clock.advance(timedelta(days=1))
    assert step_of(profile) == "3/5 weigh the keys"
    with PracticeSession(profile, DRILL) as session:
        assert session.code() == written(2)  # the file grows
        hand_in(session, runner, clock, written(4))
        assert hand_in(session, runner, clock, written(5)).passed
        suggested = session.suggested()
        assert suggested.reason.startswith("Passed on the first submission without a hint")
        session.rate()
    assert planned(profile) is None
    clock.advance(timedelta(days=365))
    assert step_of(profile) == "1/5 project the tokens"  # a new series begins with the first


def test_the_days_minutes_count_the_steps_that_are_left(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    profile.change_setting("minutes_per_day", "0")  # all that is left is asked
    whole = read_day(profile).seconds
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        hand_in(session, runner, clock, written(3))
    begun = read_day(profile)
    pace = 360.0  # of a third level, written before
    assert whole - begun.seconds == pytest.approx(pace * 6 / 9)
    (done,) = begun.done.steps
    assert sum(done.shares) == pytest.approx(6 / 9)
    assert begun.done.drills == 0  # nothing was rated
    clock.advance(timedelta(days=1))
    assert read_day(profile).done.steps == ()


def test_a_day_of_few_minutes_asks_a_step_and_not_the_drill(profile: Profile) -> None:
    profile.change_setting("minutes_per_day", "4")
    day = read_day(profile)
    assert step_of(profile) == "1/5 project the tokens"
    assert day.seconds <= 4 * 60
    assert any(item.kind == "card" for item in day.items)
    assert not day.long_drill


def test_a_wrong_step_takes_back_no_progress(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        hand_in(session, runner, clock, written(2))
        unscaled = written(3).replace(" / math.sqrt(q.shape[-1])", "")
        assert hand_in(session, runner, clock, unscaled).verdict == "wrong"
        hand_in(session, runner, clock, written(1) + "\ndef (")
        assert session.steps_passed == 2
        hand_in(session, runner, clock, written(5))
        assert session.suggested().reason == "It passed after 1 failed submission."
    assert step_of(profile) == ""  # only the rating is left


def test_a_session_goes_on_when_a_step_has_passed(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with ReviewSession(profile, only=(GUID,)) as review:
        shown = review.current
        assert shown is not None
        assert shown.front == f"Write the code: **{DRILL}**, step 1/5 project the tokens"
        assert not review.pass_on()
        with PracticeSession(profile, DRILL, backend="numpy", resume=True) as session:
            hand_in(session, runner, clock, written(1))
        assert review.pass_on()
        assert review.current is None
        summary = review.summary()
        assert summary.answered == 0
        assert summary.steps == (("Multi-head attention", "2/5 split into heads"),)


def test_steps_that_passed_on_another_machine_count_after_a_merge(
    stocked_home: Home, tmp_path: Path, runner: Runner, clock: FixedClock
) -> None:
    with open_profile(stocked_home, clock) as mine:
        make_due(mine, clock)
        with open_profile(Home(tmp_path / "other"), clock) as other:
            merge_database(other.database, mine.database, refold)
            assert step_of(other) == "1/5 project the tokens"
            with PracticeSession(other, DRILL, backend="numpy") as session:
                hand_in(session, runner, clock, written(2))
            for _ in range(2):
                merge_database(mine.database, other.database, refold)
                assert step_of(mine) == "3/5 weigh the keys"


def test_a_report_of_another_program_may_hold_anything(profile: Profile) -> None:
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        kinds: tuple[object, ...] = (None, "", 7, {}, [7], [{"verdict": 1}], ["passed"])
        for number, steps in enumerate(kinds):
            session.save(f"# {number}")
            session.record(session.submission("numpy"), _report(steps))
            assert session.steps_passed == 0
    assert step_of(profile) == "1/5 project the tokens"


def _report(steps: object) -> Report:
    """A report whose steps are not what this program writes."""
    report = Report(DRILL, Verdict.WRONG, "numpy", "cpu", (), (), None, None, (), 0.1, 1)
    object.__setattr__(report, "steps", steps)
    return report


def test_a_day_of_a_step_alone_is_told_as_begun(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    assert numbers(profile).begun == 0
    with PracticeSession(profile, DRILL, backend="numpy") as session:
        hand_in(session, runner, clock, written(2))
    assert numbers(profile).begun == 1
    clock.advance(timedelta(days=1))
    assert numbers(profile).begun == 0
