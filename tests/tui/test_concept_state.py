"""What a row says of a concept."""

from __future__ import annotations

import pytest

from studyattn.study.concepts.board import ConceptLine
from studyattn.tui.widgets.concept_state import glance, summary

LINE = ConceptLine(
    slug="a",
    title="A",
    state="unseen",
    pack=None,
    source=None,
    core=False,
    joined_into=None,
    cards=12,
    held=10,
    due=3,
    new=2,
    drills=1,
    drills_passed=1,
    drills_tried=0,
)


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (60, "10/12 held  3 due  2 new  ✎ ✓"),
        (26, "10/12  3 due  2 new  ✎ ✓"),
        (12, "10/12  3 du…"),
    ],
)
def test_a_glance_gives_up_words_before_numbers(width: int, words: str) -> None:
    assert glance(LINE, width).plain == words


def test_a_summary_has_whole_words() -> None:
    assert summary(LINE) == "10 of 12 cards held, 3 due, 2 new, 1 of 1 drill passed"
