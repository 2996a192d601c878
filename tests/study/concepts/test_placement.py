"""Placement: the cards that ask, what keeping the result does to the day, and taking it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from studyattn.exchange.merge.merge_into import merge_database
from studyattn.exchange.merge.other_database import opened_other
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.concepts.board import list_concepts
from studyattn.study.concepts.placement import PlacementTest, keep, read_placement
from studyattn.study.lessons import LessonBook
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import batch
from studyattn.study.review.browse import show_item
from studyattn.study.review.queue import due_items
from studyattn.study.review.rebuild import check_database, refold
from tests.study.conftest import NOON

_CHAIN = ("one", "two", "three", "four", "five")


def _concept(slug: str, requires: str) -> str:
    return f"""\
---
slug: {slug}
title: {slug.title()}
requires: [{requires}]
---

About {slug}.

## Cards

### Say {slug}. {{#{slug}-say}}

It.

### Type {slug}. {{#{slug}-type .typed answer="{slug}"}}

So.
"""


@pytest.fixture(autouse=True)
def no_builtin_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no-content").mkdir()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "no-content")


def write_chain(home: Home) -> None:
    """Write a pack of five concepts, each requiring the one before."""
    folder = home.root / "packs" / "chain" / "concepts"
    folder.mkdir(parents=True)
    manifest = (
        f'id = "chain"\ntitle = "Chain"\nversion = "1"\nlanguage = "en"\npath = {[*_CHAIN]}\n'
    )
    (folder.parent / "pack.toml").write_text(manifest.replace("'", '"'), encoding="utf-8")
    for slug, before in zip(_CHAIN, ("", *_CHAIN), strict=False):
        (folder / f"{slug}.md").write_text(_concept(slug, before), encoding="utf-8")


@pytest.fixture
def profile(tmp_path: Path, clock: FixedClock) -> Iterator[Profile]:
    home = Home(tmp_path / "home")
    write_chain(home)
    with open_profile(home, clock) as opened:
        yield opened


def placed_in(profile: Profile) -> list[str]:
    return [stop.slug for stop in read_placement(profile) if stop.placed]


def test_cards_that_compare_the_answer_ask(profile: Profile) -> None:
    test = PlacementTest(profile)
    assert test.card is not None
    assert test.card.guid == "chain:three-type"
    assert (test.number, test.most) == (1, 5)
    test.answer(right=True)
    assert test.card.guid == "chain:four-type"
    test.answer(right=False)
    assert test.result()[3].answer is False
    with pytest.raises(LookupError):
        test.answer(right=True)
    stops = test.result()
    assert [stop.placed for stop in stops] == [True, True, True, False, False]
    assert [stop.answer for stop in stops] == [None, None, True, False, None]
    assert placed_in(profile) == []  # nothing is kept yet


def test_a_pack_that_comes_after_another_is_left_out_unless_it_was_put_first(
    tmp_path: Path, clock: FixedClock
) -> None:
    home = Home(tmp_path / "home")
    write_chain(home)
    manifest = home.root / "packs" / "chain" / "pack.toml"
    text = manifest.read_text("utf-8").replace('id = "chain"', 'id = "later"\nafter = ["chain"]')
    later = home.root / "packs" / "later" / "concepts"
    later.mkdir(parents=True)
    (later.parent / "pack.toml").write_text(re.sub(r"path = .*", 'path = ["six"]', text), "utf-8")
    (later / "six.md").write_text(_concept("six", ""), encoding="utf-8")
    with open_profile(home, clock) as profile:
        assert [stop.slug for stop in read_placement(profile)] == [*_CHAIN]
        profile.change_setting("packs", "later, chain")
        assert [stop.slug for stop in read_placement(profile)] == ["six", *_CHAIN]


def test_placed_cards_come_as_reviews_without_a_lesson_and_spread(
    profile: Profile, clock: FixedClock
) -> None:
    assert keep(profile, {"one", "two", "three"}) == 6
    assert placed_in(profile) == ["one", "two", "three"]
    assert {line.state for line in list_concepts(profile)} == {"unseen"}
    today = [item.guid for item in due_items(profile)]
    assert today == ["chain:four-say", "chain:four-type", "chain:five-say", "chain:five-type"]
    clock.at = NOON + timedelta(days=1)
    first = due_items(profile)[0]
    assert first.guid == "chain:three-say"  # of the last concept first
    assert LessonBook(profile).before(show_item(profile, first.guid)) is None
    assert LessonBook(profile).before(show_item(profile, "chain:four-say")) is not None
    clock.at = NOON + timedelta(days=14)
    due = [item for item in due_items(profile) if item.due is not None]
    assert len({item.due for item in due}) == len(due) == 6
    assert check_database(profile.home) == []


def test_a_concept_taken_back_has_new_cards_again_but_for_those_answered(
    profile: Profile, clock: FixedClock
) -> None:
    keep(profile, {"one", "two"})
    clock.at = NOON + timedelta(days=1)
    batch.answer(profile, "chain:two-say", Rating.GOOD, profile.moment())
    assert keep(profile, {"one"}) == 1
    assert placed_in(profile) == ["one"]
    phases = {item.guid: str(item.phase) for item in due_items(profile)}
    assert phases["chain:two-type"] == "new"
    assert "chain:two-say" not in phases
    assert keep(profile, {"one"}) == 0  # nothing changed
    assert keep(profile, {"one", "two"}) == 1  # the card that is new again


def test_what_was_begun_keeps_its_memory(profile: Profile) -> None:
    batch.answer(profile, "chain:one-say", Rating.EASY, profile.moment())
    before = show_item(profile, "chain:one-say").memory
    assert keep(profile, {"one"}) == 1
    assert show_item(profile, "chain:one-say").memory == before


def test_another_machine_hears_of_it(profile: Profile, tmp_path: Path, clock: FixedClock) -> None:
    keep(profile, {"one"})
    other = Home(tmp_path / "other")
    write_chain(other)
    with open_profile(other, clock) as there:
        with opened_other(profile.home.database, NOON) as here:
            merge_database(there.database, here, refold)
        assert placed_in(there) == ["one"]
        assert "chain:one-say" not in {item.guid for item in due_items(there)}


def test_a_home_without_a_pack_asks_nothing(tmp_path: Path, clock: FixedClock) -> None:
    with open_profile(Home(tmp_path / "empty"), clock) as profile:
        test = PlacementTest(profile)
        assert (test.card, test.result()) == (None, ())
