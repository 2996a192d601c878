"""Explaining a concept: the note, the rating by key points, and the card that it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store.database import open_database
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import explaining
from studyattn.study.concepts.board import list_concepts
from studyattn.study.notes.notes import list_notes
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.queue import due_items
from studyattn.study.review.recorder import undo
from tests.study.conftest import NOON

_POINTS = "- Weights sum to 1.\n- They are never\n  negative.\n- Rows are shared out alone.\n"
_CONCEPT = f"""\
---
slug: softmax
title: Softmax
---

Scores become weights.

## Key points

{_POINTS}
## Cards

### What do the weights sum to? {{#softmax-sum}}

To 1.
"""


@pytest.fixture(autouse=True)
def no_builtin_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no-content").mkdir()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "no-content")


@pytest.fixture
def profile(tmp_path: Path, clock: FixedClock) -> Iterator[Profile]:
    """A home with a pack of one concept with three key points."""
    folder = tmp_path / "home" / "packs" / "small" / "concepts"
    folder.mkdir(parents=True)
    manifest = 'id = "small"\ntitle = "Small"\nversion = "1"\nlanguage = "en"\npath = ["softmax"]\n'
    (folder.parent / "pack.toml").write_text(manifest, encoding="utf-8")
    (folder / "softmax.md").write_text(_CONCEPT, encoding="utf-8")
    with open_profile(Home(tmp_path / "home"), clock) as opened:
        yield opened


@pytest.mark.parametrize(
    ("said", "points", "rating"),
    [
        (0, 3, Rating.AGAIN),
        (1, 3, Rating.AGAIN),
        (2, 3, Rating.HARD),
        (2, 4, Rating.HARD),
        (3, 4, Rating.GOOD),
        (4, 5, Rating.GOOD),
        (6, 6, Rating.GOOD),
    ],
)
def test_the_share_of_the_points_gives_the_rating(said: int, points: int, rating: Rating) -> None:
    assert explaining.rating_of(said, points) is rating


def test_nothing_waits_for_an_explanation_that_nobody_asked_for(profile: Profile) -> None:
    found = explaining.read_explanation(profile, "softmax")
    assert found.points[1] == "They are never negative."
    assert (found.memory, found.text) == (None, "")
    assert [item.guid for item in due_items(profile)] == ["small:softmax-sum"]
    (line,) = list_concepts(profile)
    assert (line.cards, line.new) == (1, 1)


def test_an_explanation_is_kept_as_a_note_and_asked_again_in_days(profile: Profile) -> None:
    assert explaining.is_offered(profile, "softmax")
    done = explaining.explain(profile, "softmax", "Shares of one.", {0, 1, 2}, 40.0)
    assert (done.said, done.points, done.rating) == (3, 3, Rating.GOOD)
    assert (done.due - NOON).days >= 1  # no step of minutes
    assert not explaining.is_offered(profile, "softmax")
    (note,) = list_notes(profile, "softmax")
    assert (note.title, note.body) == ("In my own words: Softmax", "Shares of one.")
    later = due_items(profile, done.due)
    assert "small:explain/softmax" in [item.guid for item in later]


def test_the_next_explanation_is_a_new_version_of_the_note(profile: Profile) -> None:
    explaining.explain(profile, "softmax", "First.", {0})
    explaining.explain(profile, "softmax", "Second.", {0, 1})
    explaining.explain(profile, "softmax", "", {0, 1})  # aloud
    (note,) = list_notes(profile, "softmax")
    assert note.body == "Second."


def test_one_that_is_not_rated_is_a_note_and_no_card(profile: Profile) -> None:
    explaining.keep(profile, "softmax", "Half a thought.")
    assert [note.body for note in list_notes(profile, "softmax")] == ["Half a thought."]
    assert explaining.is_offered(profile, "softmax")
    assert len(due_items(profile)) == 1


def test_the_card_stays_when_its_pack_changes_and_its_rating_can_be_undone(
    profile: Profile, clock: FixedClock
) -> None:
    explaining.explain(profile, "softmax", "", {0, 1, 2})
    home = profile.home
    file = home.root / "packs" / "small" / "concepts" / "softmax.md"
    file.write_text(_CONCEPT.replace("never\n  negative", "positive"), encoding="utf-8")
    with open_profile(home, clock) as again:
        found = explaining.read_explanation(again, "softmax")
        assert found.points[1] == "They are positive."
        assert not explaining.is_offered(again, "softmax")
        assert undo(again) is not None
        assert explaining.is_offered(again, "softmax")
    with open_database(home, now=NOON) as database, database.read() as connection:
        statement = "SELECT back FROM card WHERE kind = 'explain'"
        (back,) = connection.exec_driver_sql(statement).one()
    assert "- They are positive." in back


def test_a_concept_without_key_points_says_so(profile: Profile) -> None:
    file = profile.home.root / "packs" / "small" / "concepts" / "softmax.md"
    file.write_text(_CONCEPT.replace(f"## Key points\n\n{_POINTS}\n", ""), encoding="utf-8")
    assert not explaining.is_offered(profile, "softmax")
    with pytest.raises(NotFoundError, match="no key points"):
        explaining.read_explanation(profile, "softmax")
