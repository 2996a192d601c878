"""Lessons in a session: a page, the cards that it prepares for, what was missed at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from studyattn.errors import NotFoundError
from studyattn.exchange.sync import sync
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.memory.state import drill_guid, drill_id, is_drill
from studyattn.packs.check import lessons as lessons_check
from studyattn.packs.check import structure, terms
from studyattn.packs.locate import pack_folders
from studyattn.packs.model import card_id
from studyattn.packs.read import load_pack
from studyattn.store.models import ItemRow
from studyattn.study import lessons
from studyattn.study.clock import FixedClock
from studyattn.study.lessons import LessonBook, mended_by, why_wrong
from studyattn.study.practice.mistakes import bring_back_for_prediction
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.queue import due_items, read_day
from studyattn.study.review.rebuild import refold
from studyattn.study.review.session import ReviewSession
from tests.study.conftest import NOON

LATER = NOON + timedelta(days=9)

FIRST = """\
---
slug: first
title: The first
---

Before the first heading.

## One {#one cards="b a"}

```python predict typed
# One and one
print(1 + 1)
```

```output
2
```

- Not `3`: one and one are counted twice.

Text of one.

## Two {#two cards="c"}

Text of two.

## Cards

### A? {#a}

A.

### B? {#b}

B.

### Free? {#free}

Free.

### C? {#c}

C.
"""

SECOND = """\
---
slug: second
title: The second
requires: [first]
---

All on one page.

```python predict
# Two and two
print(2 + 2)
```

```output
4
```

- Not `5` (a): one is counted twice.
- Not `6` (d): two are counted twice.

## Cards

### D? {#d}

D.
"""


@pytest.fixture
def taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Profile]:
    """A new learner with a pack of two concepts."""
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "none")
    pack = tmp_path / "home" / "packs" / "p"
    (pack / "concepts").mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'id = "p"\ntitle = "P"\nversion = "1"\nlanguage = "en"\npath = ["first", "second"]\n'
    )
    (pack / "concepts/first.md").write_text(FIRST)
    (pack / "concepts/second.md").write_text(SECOND)
    with open_profile(Home(tmp_path / "home"), FixedClock(NOON)) as profile:
        yield profile


def went(session: ReviewSession, again: tuple[str, ...] = (), most: int = 99) -> list[str]:
    """What a session brings, pages as `page NAME`: what `again` names is missed the first time."""
    brought: list[str] = []
    missed = set(again)
    while len(brought) < most:
        if session.current is not None:
            name = session.current.guid.partition(":")[2]
            brought.append(name)
            session.answer(Rating.AGAIN if name in missed else Rating.EASY)
            missed.discard(name)
        elif session.lesson is not None and session.lesson.page is not None:
            brought.append(f"page {session.lesson.pages[session.lesson.page].id}")
            session.page_read()
        else:
            break
    return brought


def test_each_page_comes_before_its_cards_and_what_was_missed_at_the_end(taught: Profile) -> None:
    with ReviewSession(taught, teaches=True) as session:
        assert went(session, again=("b",)) == [
            *("page one", "b", "a", "page two", "c", "free", "b"),
            *("page second", "d"),
        ]


def test_a_wrong_prediction_brings_back_the_card_that_mends_it(taught: Profile) -> None:
    with ReviewSession(taught, teaches=True) as session:
        while session.lesson is None or session.lesson.name != "p:second":
            went(session, most=1)
        assert isinstance(taught.clock, FixedClock)
        taught.clock.advance(timedelta(minutes=1))
        example = session.lesson.pages[0].parts[0].asks
        assert example is not None
        assert [mended_by(example, each) for each in ("5", "6", "7", "4")] == ["a", "d", "", ""]
        told = "p:second", "a", why_wrong(example, "5")
        assert bring_back_for_prediction(taught, "p:second", "d", "") == []  # it was never asked
        assert bring_back_for_prediction(taught, *told) == ["A?"]
        assert bring_back_for_prediction(taught, *told) == []  # once a day
        session.page_read()
        assert session.refresh() == 1
        assert session.current is not None
        assert session.current.guid == "p:a"
        assert session.current.because == ("second", "One is counted twice.")
        assert went(session) == ["a", "d"]


def test_a_lesson_that_was_left_goes_on_at_its_page(taught: Profile) -> None:
    with ReviewSession(taught, teaches=True) as session:
        assert went(session, most=3) == ["page one", "b", "a"]
    with ReviewSession(taught, teaches=True) as session:
        assert session.lesson is not None
        assert session.lesson.page == 1
        assert went(session, most=3) == ["page two", "c", "free"]


def test_a_skipped_lesson_never_comes_again(taught: Profile) -> None:
    with ReviewSession(taught, teaches=True) as session:
        assert session.lesson is not None
        session.skip_lesson()
        assert went(session, most=2) == ["b", "a"]
    with ReviewSession(taught, teaches=True) as session:
        assert went(session, most=3) == ["c", "free", "page second"]


def test_a_concept_that_was_begun_without_its_lesson_goes_on_so(taught: Profile) -> None:
    with ReviewSession(taught) as session:
        assert went(session, most=1) == ["b"]
    with ReviewSession(taught, teaches=True) as session:
        assert went(session, most=3) == ["a", "c", "free"]


def test_the_setting_leaves_lessons_out(taught: Profile) -> None:
    taught.change_setting("lessons", "off")
    with ReviewSession(taught, teaches=True) as session:
        assert session.lesson is None
        assert went(session) == ["b", "a", "c", "free", "d"]


def test_reading_counts_into_the_minutes_of_the_day(taught: Profile) -> None:
    with_lessons = read_day(taught).seconds
    book = LessonBook(taught)
    reading = book.of("first").seconds + book.of("second").seconds
    taught.change_setting("lessons", "off")
    assert with_lessons - read_day(taught).seconds == pytest.approx(reading - 5 * 10, abs=0.5)


def test_a_lesson_knows_its_place_and_what_needs_it(taught: Profile) -> None:
    lesson = LessonBook(taught).of("first")
    assert (lesson.number, lesson.of, lesson.needed_for) == (1, 2, ("The second",))
    lessons.page_read(taught, lesson, 0)
    assert LessonBook(taught).of("first").page == 1
    lessons.skip(taught, lesson)
    assert LessonBook(taught).of("first").page is None
    with pytest.raises(NotFoundError, match="there is no concept 'third'"):
        LessonBook(taught).of("third")


def test_a_drill_waits_for_those_that_it_requires(tmp_path: Path) -> None:
    with open_profile(Home(tmp_path / "home"), FixedClock(NOON)) as profile:
        for name, value in (("minutes_per_day", "0"), ("drills_per_day", "99")):
            profile.change_setting(name, value)

        def new_drills() -> set[str]:
            return {drill_id(each.guid) for each in due_items(profile) if is_drill(each.guid)}

        def tried(*drills: str) -> None:
            guids = [drill_guid("attention", each) for each in drills]
            with profile.database.write() as connection:
                rows = ItemRow.guid.in_(guids) if drills else ItemRow.kind == "card"
                connection.execute(update(ItemRow).where(rows).values(phase="review", due=LATER))

        tried()
        tried("attention", "project-qkv", "masked-attention")
        assert "split-heads" in new_drills()
        assert "multi-head-attention" not in new_drills()
        tried("split-heads", "output-projection")
        assert "multi-head-attention" in new_drills()


def test_a_newcomer_meets_no_card_before_its_page(tmp_path: Path) -> None:
    with open_profile(Home(tmp_path / "home"), FixedClock(NOON)) as profile:
        profile.change_setting("minutes_per_day", "0")
        pack = load_pack(pack_folders(profile.home)["attention"])
        read: set[str] = set()
        cards = 0
        with ReviewSession(profile, teaches=True) as session:
            while cards < 15:
                if (lesson := session.lesson) is not None:
                    assert lesson.page is not None
                    read.add(lesson.pages[lesson.page].id)
                    session.page_read()
                elif (card := session.current) is not None and card.drill_id is None:
                    concept = pack.concepts[card.concept_slug]
                    at = concept.page_before(card_id(card.guid))
                    assert {page.id for page in concept.pages[: at + 1]} <= read
                    session.answer(Rating.EASY)
                    cards += 1
                else:
                    break
        assert cards == 15
    assert list(terms.check(pack)) == []
    assert list(lessons_check.check(pack)) == []
    assert list(structure.check(pack)) == []


@pytest.fixture
def elsewhere(taught: Profile, tmp_path: Path) -> Iterator[Profile]:
    """The same learner on another machine, with the same pack and nothing studied."""
    shutil.copytree(tmp_path / "home" / "packs", tmp_path / "other" / "packs")
    with open_profile(Home(tmp_path / "other"), FixedClock(NOON)) as profile:
        yield profile


def meet(folder: Path, *profiles: Profile) -> None:
    """Let machines meet in a folder until each has what all have."""
    folder.mkdir(exist_ok=True)
    for profile in (*profiles, *profiles):
        sync(profile.database, folder, refold)
        profile.reload()


def test_a_lesson_that_was_read_on_one_machine_is_not_asked_on_the_other(
    taught: Profile, elsewhere: Profile, tmp_path: Path
) -> None:
    with ReviewSession(taught, teaches=True) as session:
        assert went(session, most=3) == ["page one", "b", "a"]
    meet(tmp_path / "folder", taught, elsewhere)
    with ReviewSession(elsewhere, teaches=True) as session:
        assert went(session, most=3) == ["page two", "c", "free"]
    meet(tmp_path / "folder", elsewhere, taught)
    with ReviewSession(taught, teaches=True) as session:
        assert went(session) == ["page second", "d"]


@pytest.mark.parametrize("first_is_later", [True, False])
def test_of_two_places_in_a_lesson_the_latest_holds(
    taught: Profile, elsewhere: Profile, tmp_path: Path, first_is_later: bool
) -> None:
    later = taught if first_is_later else elsewhere
    assert isinstance(later.clock, FixedClock)
    later.clock.advance(timedelta(minutes=5))
    lessons.page_read(taught, LessonBook(taught).of("first"), 0)
    lessons.skip(elsewhere, LessonBook(elsewhere).of("first"))
    meet(tmp_path / "folder", taught, elsewhere)
    pages = [LessonBook(each).of("first").page for each in (taught, elsewhere)]
    assert pages == ([1, 1] if first_is_later else [None, None])
