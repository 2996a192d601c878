"""A drill practised with a real worker: attempts, hints, the rating, cards brought back, undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import InputError, NotFoundError
from studyattn.grading.judge import grade
from studyattn.grading.run.runner import Runner
from studyattn.grading.verdict import Change
from studyattn.home import Home
from studyattn.memory import New, Rating, Remembered
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.lessons import LessonBook, skip
from studyattn.study.practice.attempts import record_attempt, undo_practice
from studyattn.study.practice.drill_file import DrillFile
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import FileState, RecordedAttempt, VersionKind
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import rebuild
from studyattn.study.review.batch import answer
from studyattn.study.review.queue import due_items
from studyattn.study.review.session import ReviewSession, Undone
from studyattn.study.review.views import RenderedCard
from studyattn.study.statistics.today import plan_of, today

DRILL = content_dir() / "attention" / "drills" / "attention"
STARTER = (DRILL / "starter.py").read_text()
WRONG = """# backend: numpy
import numpy as np

def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2){scale}
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""
BY_D = WRONG.format(scale=" / q.shape[-1]")
UNSCALED = WRONG.format(scale="")
RIGHT = WRONG.format(scale=" / np.sqrt(q.shape[-1]).astype(q.dtype)")


@pytest.fixture
def profile(stocked_either: Home, clock: FixedClock) -> Iterator[Profile]:
    """A home in which every lesson was skipped, so that cards of all concepts can come back."""
    with open_profile(stocked_either, clock) as opened:
        for lesson in LessonBook(opened).all():
            skip(opened, lesson)
        yield opened


def hand_in(
    session: PracticeSession, runner: Runner, clock: FixedClock, code: str
) -> RecordedAttempt:
    session.save(code)
    submission = session.submission()
    report = grade(session.drill, submission, runner, seed=1)
    clock.advance(timedelta(seconds=90))
    return session.record(submission, report)


def backs(profile: Profile) -> set[str]:
    return {each.guid for each in due_items(profile) if each.brought_back}


def shown_now(session: ReviewSession) -> RenderedCard:
    shown = session.current
    assert shown is not None
    return shown


def is_sound(profile: Profile) -> bool:
    return not rebuild.rebuild(profile).changed


def test_the_whole_loop_and_all_of_it_undone(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        assert session.code() == STARTER
        wrong = hand_in(session, runner, clock, BY_D)
        assert wrong.misconceptions == ("scale-by-d",)
        assert [each.slug for each in wrong.concepts] == ["scaling"]
        (suggestion,) = wrong.suggestions
        assert suggestion.to_state == "known-unknown"
        cards = {each.guid for each in wrong.brought_back}
        assert cards == backs(profile) != set()
        assert all("divided by d" in each.reason for each in wrong.brought_back)
        assert hand_in(session, runner, clock, BY_D).brought_back == ()  # the same save again
        assert hand_in(session, runner, clock, RIGHT).verdict == "passed"
        suggested = session.suggested()
        assert suggested.rating is Rating.GOOD
        assert suggested.reason == "It passed after 1 failed submission."
        answered = session.rate()
        assert isinstance(answered.after, Remembered)
        assert answered.review.seconds == pytest.approx(270)
        assert is_sound(profile)
        (mistake,) = show_concept(profile, "scaling").mistakes
        assert (mistake.misconception, mistake.times) == ("scale-by-d", 1)
        assert session.undo() == "good"
        assert session.undo() == "cards brought back"
        assert backs(profile) == set()
        assert session.redo() == "cards brought back"
        assert backs(profile) == cards
        assert session.attempts == 2  # attempts stay
    assert is_sound(profile)


def test_a_mistake_that_is_named_by_mending_the_code_brings_its_cards_back(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        session.save(BY_D)
        submission = session.submission()
        report = grade(session.drill, submission, runner, seed=1)
        unnamed = replace(report, diagnosis=())
        assert session.record(submission, unnamed).brought_back == ()
        change = Change(1, "The value `1` is wrong.", "1", "2")
        named = session.record(submission, replace(report, repair=(change,)))
        assert {each.guid for each in named.brought_back} == backs(profile) != set()
        assert session.attempts == 1


def test_the_library_is_read_from_the_file(profile: Profile) -> None:
    """It is so in the app and in `drill watch`, with torch installed."""
    with PracticeSession(profile, "attention") as session:
        for code, backend in (
            ("import numpy as np\n", "numpy"),
            ("import torch\n", "torch"),
            ("# backend: numpy\nimport torch\n", "numpy"),
            ("import numpy, torch\ndef attention(q, k, v): return numpy.exp(q)\n", "numpy"),
        ):
            session.save(code)
            assert session.submission().backend == backend, code
        assert session.submission("torch").backend == "torch"


def test_a_card_is_back_until_it_is_answered_and_once_a_day(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        first = hand_in(session, runner, clock, BY_D).brought_back[0].guid
        with ReviewSession(profile, only=(first,)) as review:
            assert review.current is not None
            assert review.current.brought_back
        clock.advance(timedelta(minutes=1))
        answered = answer(profile, first, Rating.EASY)
        assert isinstance(answered.after, Remembered)
        assert first not in backs(profile)
        hand_in(session, runner, clock, BY_D + "\n# once more\n")
        assert first not in backs(profile)
        clock.advance(timedelta(days=1))
        hand_in(session, runner, clock, BY_D + "\n# another day\n")
        assert first in backs(profile)
        with ReviewSession(profile, only=(first,)) as review:  # long before its time
            assert review.current is not None
            assert review.current.guid == first
        assert is_sound(profile)


def test_what_was_undone_in_a_session_is_found_by_the_next(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        hand_in(session, runner, clock, UNSCALED)
        clock.advance(timedelta(seconds=1))
        session.rate(Rating.HARD)
        guid = session.guid
    assert undo_practice(profile, guid) == "hard"
    assert undo_practice(profile, guid) == "cards brought back"
    assert undo_practice(profile, guid) is None


@pytest.mark.parametrize(
    ("hints", "reveal", "rating"),
    [
        (0, False, Rating.EASY),
        (1, False, Rating.GOOD),
        (3, False, Rating.HARD),
        (0, True, Rating.AGAIN),
    ],
)
def test_hints_and_the_solution_count(  # noqa: PLR0917 - fixtures and parameters
    profile: Profile,
    runner: Runner,
    clock: FixedClock,
    hints: int,
    reveal: bool,
    rating: Rating,
) -> None:
    with PracticeSession(profile, "attention") as session:
        for _ in range(hints):
            assert session.next_hint()
        if reveal:
            assert "def attention" in session.solution()
        assert session.suggested().rating is Rating.AGAIN  # not passed yet
        hand_in(session, runner, clock, RIGHT)
        assert len(session.hints) == hints
        assert session.suggested().rating is rating
        (version,) = session.history()
        assert (version.hints, version.revealed) == (hints, reveal)


def test_a_drill_that_is_due_again_begins_from_the_starter(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        hand_in(session, runner, clock, RIGHT)
        clock.advance(timedelta(seconds=1))
        session.rate(Rating.EASY)
    with PracticeSession(profile, "attention") as session:
        assert session.code() == RIGHT  # not due yet
    clock.advance(timedelta(days=60))
    with PracticeSession(profile, "attention") as session:
        assert session.put_aside == 1
        assert session.code() == STARTER
        assert session.file.numbered(1).read_text() == RIGHT
        assert (session.attempts, session.hints) == (0, ())
        assert len(session.history()) == 1
        session.restore(1)
        assert session.code() == RIGHT


def test_restoring_keeps_what_the_file_said(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        hand_in(session, runner, clock, UNSCALED)
        session.save("half an idea")
        session.restore(1)
        assert session.code() == UNSCALED
        kept = session.history()[-1]
        assert (kept.kind, kept.code) == (VersionKind.KEPT, "half an idea")
        assert session.undo() == "restore"
        assert session.code() == "half an idea"
        with pytest.raises(NotFoundError, match="no version 9"):
            session.restore(9)
        number = session.start_afresh()
        assert session.code() == STARTER
        assert number is not None
        assert session.file.numbered(number).read_text() == "half an idea"


def test_files_that_other_programs_change(
    profile: Profile, runner: Runner, clock: FixedClock, tmp_path: Path
) -> None:
    with PracticeSession(profile, "attention") as session:
        hand_in(session, runner, clock, UNSCALED)
        other = tmp_path / "editor.tmp"
        other.write_text(RIGHT)
        other.replace(session.path)  # as editors save
        assert session.code() == RIGHT
        session.path.unlink()
        assert session.file_state == FileState.MISSING
        with pytest.raises(NotFoundError, match="restore an earlier version"):
            session.submission()
        session.path.mkdir()
        assert DrillFile(session.path).state == FileState.FOLDER
        with pytest.raises(InputError, match="this is a folder"):
            session.submission()
        with pytest.raises(InputError, match="folder"):
            session.restore(1)
        session.path.rmdir()
        session.restore(1)
        assert session.code() == UNSCALED


def test_two_sessions_on_one_drill_keep_each_save_once(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as one, PracticeSession(profile, "attention") as two:
        first = hand_in(one, runner, clock, UNSCALED)
        second = hand_in(two, runner, clock, UNSCALED)
        assert first.version == second.version == 1
        one.next_hint()
        assert len(two.hints) == 1


UNSCALED_AND_SEES_NEXT = """# backend: numpy
import numpy as np

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    s = q @ np.swapaxes(k, -1, -2)
    s = np.where(np.tri(m, n, n - m + 1, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""


def test_of_two_mistakes_each_has_its_concept_and_its_cards(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "causal-attention") as session:
        recorded = hand_in(session, runner, clock, UNSCALED_AND_SEES_NEXT)
        assert set(recorded.misconceptions) == {"scale-missing", "mask-sees-next"}
        assert {each.slug for each in recorded.concepts} == {"scaling", "causal-mask"}
        assert {each.slug for each in recorded.suggestions} == {"scaling", "causal-mask"}
        because = {each.misconception: each.reason for each in recorded.brought_back}
        assert "not divided by √d" in because["scale-missing"]
        assert "into the future" in because["mask-sees-next"]
    for slug, name in (("scaling", "scale-missing"), ("causal-mask", "mask-sees-next")):
        (seen,) = show_concept(profile, slug).mistakes
        assert (seen.misconception, seen.drill) == (name, "causal-attention")
        assert seen.last == clock.now()


def test_cards_that_are_back_count_today_and_not_on_their_own_day(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        first = hand_in(session, runner, clock, BY_D).brought_back[0].guid
        session.undo()
        for _ in range(2):  # both steps: it is due in some days
            answer(profile, first, Rating.GOOD)
            clock.advance(timedelta(minutes=10))
        clock.advance(timedelta(days=1))
        before = today(profile)
        back = hand_in(session, runner, clock, BY_D + "\n# again\n").brought_back
        after = today(profile)
        assert first in {each.guid for each in back}
        assert after.cards_now - before.cards_now == len(back)
        pairs = zip(after.forecast, before.forecast, strict=True)
        ahead = [later - earlier for (_, later), (_, earlier) in pairs]
        assert ahead[0] == len(back)
        assert sorted(ahead[1:]) == [-1, 0, 0, 0, 0, 0]
        tomorrow = plan_of(profile, after.day + timedelta(days=1))
        assert tomorrow.cards + tomorrow.drills == after.forecast[0][1]
        session.undo()
        assert today(profile).forecast == before.forecast


def test_a_card_that_is_back_can_be_let_go_and_held_again(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        back = {each.guid for each in hand_in(session, runner, clock, BY_D).brought_back}
    with ReviewSession(profile) as review:
        shown = shown_now(review)
        assert shown.because == (
            "attention",
            "The scores are divided by d, not by its square root.",
        )
        assert review.let_go()
        assert backs(profile) == back - {shown.guid}
        assert shown_now(review).guid != shown.guid
        assert review.undo() == Undone("let go", shown.guid)
        assert backs(profile) == back
        assert review.current == shown
        assert review.redo() == Undone("let go", shown.guid)
        assert backs(profile) == back - {shown.guid}
        assert shown_now(review).guid != shown.guid
        while shown_now(review).brought_back:
            review.answer(Rating.EASY)
        assert not review.let_go()
    assert is_sound(profile)


def test_a_drill_rated_elsewhere_counts_in_the_session_and_its_mistakes_come_first(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as practice:  # new cards are asked, the drill is not
        guid = practice.guid
        with ReviewSession(profile) as review:
            shown = shown_now(review)
            assert review.progress.done == 0
            back = [each.guid for each in hand_in(practice, runner, clock, BY_D).brought_back]
            hand_in(practice, runner, clock, RIGHT)
            review.answered_elsewhere(practice.rate())
            fresh = set(back) - {shown.guid}
            assert review.refresh() == len(fresh)
            assert review.refresh() == 0  # they are there already
            assert review.progress.done == 1
            asked = []
            for _ in back:
                asked.append(shown_now(review).guid)
                review.answer(Rating.EASY)
            assert set(asked) == set(back)
            assert asked[-len(fresh) :] == [each for each in back if each in fresh]
            for _ in back:
                review.undo()
            undone = review.undo()
            assert undone == Undone("good", guid)
            assert practice.memory == New()
            assert shown_now(review).guid == guid  # asked again, as a drill of this session
            assert review.redo() == undone
            assert practice.memory != New()
    assert is_sound(profile)


def test_a_drill_that_was_rated_elsewhere_is_asked_no_more(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as practice:
        hand_in(practice, runner, clock, RIGHT)
        guid = practice.guid
        practice.rate(Rating.AGAIN)
        clock.advance(timedelta(days=3))
        with ReviewSession(profile, only=(guid,)) as review:
            assert shown_now(review).drill_id == "attention"
            with PracticeSession(profile, "attention") as other:  # in another window
                hand_in(other, runner, clock, RIGHT)
                review.answered_elsewhere(other.rate(Rating.EASY))
            assert review.current is None
            assert review.summary().answered == 1


def test_what_is_looked_at_after_it_has_passed_does_not_count_against_it(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        hand_in(session, runner, clock, RIGHT)
        while session.next_hint():
            pass
        session.solution()
        assert session.suggested().rating is Rating.EASY
        hand_in(session, runner, clock, RIGHT + "\n# copied\n")
        assert session.history()[-1].revealed
        assert session.suggested().rating is Rating.EASY
        session.rate()
        clock.advance(timedelta(hours=1))
        hand_in(session, runner, clock, RIGHT)  # the same day, with the solution in mind
        assert session.suggested().rating is Rating.AGAIN


@pytest.mark.parametrize("starter", ["starter.py", "starter_numpy.py"])
def test_an_untouched_starter_is_no_failure(
    profile: Profile, runner: Runner, clock: FixedClock, starter: str
) -> None:
    with PracticeSession(profile, "attention") as session:
        session.save((DRILL / starter).read_text())
        report = grade(session.drill, session.submission("numpy"), runner, seed=1)
        session.record(session.submission("numpy"), report)
        hand_in(session, runner, clock, RIGHT)
        assert session.suggested().rating is Rating.EASY


def test_work_between_commands_counts_and_pauses_do_not(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    def command() -> PracticeSession:
        return PracticeSession(profile, "attention", resume=True)

    with command() as session:  # `drill start`
        drill = session.drill
    clock.advance(timedelta(minutes=4))
    with command() as session:  # `drill hint`
        session.next_hint()
    clock.advance(timedelta(hours=2))
    session.save(RIGHT)
    submission = session.submission()
    report = grade(drill, submission, runner, seed=1)
    record_attempt(profile, session.guid, RIGHT, report)  # `drill grade`
    clock.advance(timedelta(minutes=1))
    with command() as session:  # `drill rate`
        assert session.rate().review.seconds == (4 + 30 + 1) * 60
    with PracticeSession(profile, "attention") as session:  # in the app, and out of it again
        session.next_hint()
        clock.advance(timedelta(minutes=2))
    clock.advance(timedelta(minutes=9))
    with command() as session:
        assert session.rate().review.seconds == 2 * 60


def test_a_series_that_was_rated_in_another_window_is_not_rated_twice(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as here, PracticeSession(profile, "attention") as it:
        hand_in(here, runner, clock, RIGHT)
        it.rate(Rating.GOOD)
        clock.advance(timedelta(seconds=5))
        with pytest.raises(InputError, match="attention was rated elsewhere in the meantime: good"):
            here.rate()
        assert it.undo() == "good"
        assert here.rate().review.rating is Rating.EASY  # the series is the present one again
        with pytest.raises(InputError, match="rated elsewhere"):
            it.rate()
        hand_in(it, runner, clock, UNSCALED)  # a new series
        assert it.rate().review.rating is Rating.AGAIN
        assert it.undo() == "again"
        assert it.undo() == "cards brought back"
        assert here.undo() == "easy"
        assert isinstance(here.memory, New)
    assert is_sound(profile)


UNSCALED_AND_CHANGES_ITS_INPUT = UNSCALED.replace("    e = ", "    q *= 2\n    e = ")


def test_a_mistake_of_craft_brings_no_cards_back_beside_one_of_the_subject(
    profile: Profile, runner: Runner, clock: FixedClock
) -> None:
    with PracticeSession(profile, "attention") as session:
        recorded = hand_in(session, runner, clock, UNSCALED_AND_CHANGES_ITS_INPUT)
        assert recorded.misconceptions == ("scale-missing", "input-mutated")
        assert {each.misconception for each in recorded.brought_back} == {"scale-missing"}
        (seen,) = show_concept(profile, "scaled-dot-product").mistakes
        assert seen.title == "It modifies its input arrays."
