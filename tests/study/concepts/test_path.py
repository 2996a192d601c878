"""The path: how far each concept is, what comes next, and how far the goals are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import insert

from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store.models import AttemptRow
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import set_state
from studyattn.study.concepts.goals import Milestone, goals_to_choose, read_goals
from studyattn.study.concepts.path import ConceptProgress, LearningPath, PathStop, read_path, to_run
from studyattn.study.concepts.placement import keep
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import batch
from studyattn.study.statistics.totals import statistics
from tests.study.conftest import NOON

_CONCEPT = """\
---
slug: {slug}
title: {slug}
{more}---

Text.

## Cards

### One? {{#{slug}-one}}

1

### Two? {{#{slug}-two}}

2
"""


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Profile]:
    """A learner with one pack of three concepts and no drill."""
    (tmp_path / "none").mkdir()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "none")
    pack = tmp_path / "home" / "packs" / "own"
    (pack / "concepts").mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'id = "own"\ntitle = "Own"\nversion = "1"\nlanguage = "en"\npath = ["a", "b", "c"]\n'
    )
    for slug, more in (("a", ""), ("b", "requires: [a]\n"), ("c", "")):
        text = _CONCEPT.format(slug=slug, more=more)
        (pack / "concepts" / f"{slug}.md").write_text(text)
    with open_profile(Home(tmp_path / "home"), FixedClock(NOON, 60)) as profile:
        yield profile


def stop(path: LearningPath, slug: str) -> PathStop:
    return next(each for each in path.stops if each.slug == slug)


def pass_drill(profile: Profile, drill: str) -> None:
    moment = profile.moment()
    with profile.database.write() as connection:
        connection.execute(
            insert(AttemptRow).values(
                uuid=str(uuid4()),
                item_guid=f"attention:drill/{drill}",
                at=moment.at,
                utc_offset=0,
                learner_day=profile.day_of(moment),
                code="",
                backend="torch",
                device="cpu",
                verdict="passed",
            )
        )


def test_a_newcomer_sees_the_whole_path(learner: Profile) -> None:
    path = read_path(learner)
    assert [(each.slug, each.position, each.progress) for each in path.stops] == [
        ("a", 1, ConceptProgress.NOT_BEGUN),
        ("b", 2, ConceptProgress.NOT_BEGUN),
        ("c", 3, ConceptProgress.NOT_BEGUN),
    ]
    assert (path.next, path.begun, path.held) == ("a", 0, 0)
    today = learner.today()
    end = Milestone("the end of the path", lessons=3, first=today, last=today)
    assert read_goals(learner, path).milestones == (end,)


def test_a_concept_is_begun_by_its_first_card_and_known_by_the_learners_word(
    learner: Profile,
) -> None:
    learner.change_setting("new_per_day", "1")
    batch.answer(learner, "own:a-one", Rating.GOOD)
    set_state(learner, "c", "known")
    path = read_path(learner)
    assert stop(path, "a").progress is ConceptProgress.LEARNING
    assert stop(path, "a").share == 0.25
    assert stop(path, "a").cards.new == 1
    assert stop(path, "c").progress is ConceptProgress.KNOWN
    assert (path.next, path.begun, path.held) == ("b", 2, 1)
    # Today's one new card was asked: two of a, two of b and two of c are left, one a day.
    day = learner.today() + timedelta(days=5)
    end = Milestone("the end of the path", lessons=1, first=day, last=day)
    assert read_goals(learner, path).milestones == (end,)
    assert statistics(learner).concepts_begun == 2


def test_a_concept_called_not_known_comes_next_after_what_it_requires(learner: Profile) -> None:
    set_state(learner, "c", "known-unknown")
    assert read_path(learner).next == "c"
    set_state(learner, "b", "known-unknown")
    assert [each.slug for each in read_path(learner).stops] == ["a", "b", "c"]
    assert read_path(learner).next == "c"


def test_a_placed_concept_is_called_so_until_something_of_it_is_asked(learner: Profile) -> None:
    clock = learner.clock
    assert isinstance(clock, FixedClock)
    keep(learner, {"a", "c"})
    path = read_path(learner)
    assert stop(path, "a").progress is stop(path, "c").progress is ConceptProgress.PLACED
    assert (path.next, path.begun, path.placed, path.held) == ("b", 2, 2, 0)
    clock.advance(timedelta(days=1))
    batch.answer(learner, "own:a-one", Rating.GOOD)
    set_state(learner, "c", "known")
    path = read_path(learner)
    assert stop(path, "a").progress is ConceptProgress.LEARNING
    assert stop(path, "c").progress is ConceptProgress.KNOWN
    assert (path.begun, path.placed) == (2, 0)
    keep(learner, set())
    assert stop(read_path(learner), "a").progress is ConceptProgress.LEARNING


def test_a_concept_whose_cards_all_hold_is_held(learner: Profile) -> None:
    clock = learner.clock
    assert isinstance(clock, FixedClock)
    for _ in range(2):
        for card in ("own:a-one", "own:a-two"):
            batch.answer(learner, card, Rating.EASY)
        clock.advance(timedelta(days=20))
    assert stop(read_path(learner), "a").progress is ConceptProgress.HELD
    assert stop(read_path(learner), "a").share == 1


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (0, 0, "today"),
        (1, 1, "tomorrow"),
        (3, 3, "on 24 Nov"),
        (0, 2, "by 23 Nov"),
        (3, 7, "between 24 and 28 Nov"),
        (3, 14, "between 24 Nov and 5 Dec"),
        (30, 330, "between 21 Dec and 17 Oct 2027"),
        (40, None, "not before 31 Dec"),
        (365, None, "in more than a year"),
    ],
)
def test_when_a_milestone_is_reached_in_words(first: int, last: int | None, words: str) -> None:
    today = date(2026, 11, 21)
    end = None if last is None else today + timedelta(days=last)
    assert Milestone("", 1, today + timedelta(days=first), end).when(today) == words


def test_goals_and_capstones_lie_ahead_until_their_drills_have_passed(stocked_home: Home) -> None:
    with open_profile(stocked_home, FixedClock(NOON, 60)) as profile:

        def goals() -> list[str]:
            return [each.title for each in read_goals(profile, read_path(profile)).milestones]

        head, heads = "see a head of yours at work", "see heads of yours side by side"
        ends = ["run a real model on your code", "the end of attention", "the end of the path"]
        path = read_goals(profile, read_path(profile)).milestones
        assert [each.title for each in path] == [
            "your first drill, one vector against many",
            head,
            "write multi-head attention",
            heads,
            "train your own GPT",
            *ends,
        ]
        lessons = [each.lessons for each in path]
        assert lessons == sorted(lessons)
        capstones = {each.run: each for each in read_path(profile).capstones}
        gpt = capstones["studyattn gpt train"]
        *before, last = gpt.drills
        for drill in before:
            pass_drill(profile, drill)
        assert gpt.title in goals()
        pass_drill(profile, last)
        assert goals() == [head, heads, *ends]
        ahead, reached = read_path(profile).nearest()
        assert reached is not None
        assert (reached.title, reached.run) == (gpt.title, "studyattn gpt train")
        assert ahead is not None
        assert (ahead.title, ahead.passed, ahead.is_near) == (heads, 1, True)
        assert to_run(ahead, reached) == ahead  # what was begun comes first
        assert to_run(ahead._replace(passed=0, lessons=5), reached) == reached
        assert to_run(ahead._replace(passed=2, drills=6), reached) == reached
        assert to_run(ahead._replace(passed=2, drills=6), None) is not None
        assert read_path(profile).reached_with("generate") == gpt.title
        assert read_path(profile).reached_with("rope") is None


def test_the_path_to_another_goal_is_looked_at_without_choosing_it(stocked_home: Home) -> None:
    with open_profile(stocked_home, FixedClock(NOON, 60)) as profile:
        own = [stop.slug for stop in read_path(profile).stops]
        looked = read_path(profile, "attention-explained")
        read_goals(profile, looked)
        again = read_path(profile)
        assert [stop.slug for stop in again.stops] == own
        assert read_goals(profile, again) == read_goals(profile, read_path(profile, ""))
        choices = {each.name: each for each in goals_to_choose(profile)}
        assert [name for name, each in choices.items() if each.is_chosen] == [""]
        with pytest.raises(NotFoundError):
            read_path(profile, "no-such-goal")
        profile.change_setting("goal", "attention-explained")
        chosen = [stop.slug for stop in read_path(profile).stops]
        assert [stop.slug for stop in looked.stops] == chosen
        assert chosen.index("limits") < own.index("limits")
        assert choices["attention-explained"].lessons == chosen.index("limits") + 1


def test_the_path_goes_to_the_chosen_goal_first(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with open_profile(home, FixedClock(NOON)) as profile:
        usual = [stop.slug for stop in read_path(profile).stops]
        profile.change_setting("goal", "attention-explained")
        explained = [stop.slug for stop in read_path(profile).stops]
        assert explained.index("limits") < explained.index("kv-cache")
        with pytest.raises(NotFoundError, match="no pack has a route to the goal 'nothing'"):
            profile.change_setting("goal", "nothing")
    with open_profile(home, FixedClock(NOON)) as profile:
        assert [stop.slug for stop in read_path(profile).stops] == explained
        profile.change_setting("goal", "")
        assert [stop.slug for stop in read_path(profile).stops] == usual
