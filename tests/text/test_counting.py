"""Numbers of things in words."""

from __future__ import annotations

from studyattn.text.counting import count, listed


def test_one_and_many() -> None:
    assert [count(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert count(2, "reply", "replies") == "2 replies"
    assert listed([(1, "card", ""), (0, "note", ""), (3, "reply", "replies")]) == (
        "1 card, 3 replies"
    )
    assert listed([(0, "card", "")]) == ""
