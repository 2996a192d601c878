"""What is shown of an item: gaps, fresh numbers, expectations."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import batch, browse, recorder
from studyattn.study.review.card_loader import compare
from tests.study.conftest import AddItem


def test_a_cloze_has_its_gap_and_then_the_whole_text(profile: Profile, add: AddItem) -> None:
    guid = add(
        front="Divide by ==$\\sqrt{d}$==", back="So that it stays near 1.", card_kind="cloze"
    )
    shown = browse.show_item(profile, guid)
    assert "sqrt" not in shown.front
    assert shown.back.startswith("Divide by ==$\\sqrt{d}$==")
    assert shown.back.endswith("So that it stays near 1.")
    assert shown.written[0] == "Divide by ==$\\sqrt{d}$=="


def test_typed_and_numeric_compare_and_basic_does_not(profile: Profile, add: AddItem) -> None:
    typed = browse.show_item(profile, add(card_kind="typed", answer="d_v|value width"))
    right, other = compare(typed, "Value Width"), compare(typed, "d_k")
    assert right is not None
    assert other is not None
    assert (right.correct, other.correct) == (True, None)
    basic = browse.show_item(profile, add())
    assert not basic.takes_input
    assert compare(basic, "anything") is None


def test_computed_numbers_are_fresh_after_a_review_and_the_same_after_undo(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    with open_profile(Home(tmp_path), clock) as profile:
        guid = next(item.guid for item in browse.items(profile) if item.card_kind == "computed")
        before = browse.show_item(profile, guid)
        assert before.expected is not None
        comparison = compare(before, before.expected.shown)
        assert comparison is not None
        assert comparison.correct
        batch.answer(profile, guid, Rating.GOOD)
        assert browse.show_item(profile, guid).front != before.front
        recorder.undo(profile)
        assert browse.show_item(profile, guid).front == before.front


def test_a_computed_card_without_its_pack_says_so(profile: Profile, add: AddItem) -> None:
    shown = browse.show_item(profile, add(card_kind="computed"))
    assert "cannot be computed" in shown.back
    assert not shown.takes_input


def test_search_finds_every_word_and_narrows(profile: Profile, add: AddItem) -> None:
    one, two = add(front="Scaled scores"), add("second", front="Scores 100% masked")
    batch.answer(profile, one, Rating.EASY)

    def found(query: str) -> list[str]:
        return [item.guid for item in browse.search(profile, query)]

    assert set(found("scores")) == {one, two}
    assert found("SCORES masked") == [two]
    assert found("0%") == [two]
    assert found("s%d") == []
    assert found("is:new") == [two]
    assert found("is:review scores") == [one]
    assert found("concept:second") == [two]
