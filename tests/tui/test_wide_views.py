"""What stands on wide screens, drawn from values: paths and offers."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from studyattn.home import Home
from studyattn.store.search_schema import SearchKind
from studyattn.study.concepts.path import CardsOnPath, ConceptProgress, DrillOnPath, PathStop
from studyattn.study.notes.notes import add_note
from studyattn.study.notes.search import offered
from studyattn.study.profile import open_profile
from studyattn.tui.formatting import Days
from studyattn.tui.screens import path
from studyattn.tui.screens.attention import PatternScreen
from tests.tui.conftest import OpenApp, press, text_of

TODAY = date(2026, 11, 23)
LONG = "Attention as a kernel: efficient variants in one v"


def stop(title: str, *drills: DrillOnPath) -> PathStop:
    return PathStop(
        slug="a",
        title=title,
        pack="pack",
        state="unseen",
        progress=ConceptProgress.LEARNING,
        position=1,
        lesson=None,
        cards=CardsOnPath(4, 1, 0, 2),
        drills=drills,
    )


@pytest.mark.parametrize("width", [72, 90, 140])
def test_titles_of_the_path_are_whole_and_drills_have_names_where_there_is_room(width: int) -> None:
    stops = [stop(LONG, DrillOnPath("linear-attention", "Linear", "tried", None)), stop("Short")]
    rows = [
        each.plain
        for each in path.draw_stops(
            stops, None, Days(datetime(2026, 11, 23, 12, tzinfo=UTC), 0), width
        )
    ]
    assert all(title in row for title, row in zip((LONG, "Short"), rows, strict=True))
    assert all(len(row) <= width for row in rows)
    assert ("linear-attention" in rows[0]) == (width >= 90)
    assert "tried" in rows[0]


def test_an_empty_search_offers_notes_and_the_concepts_of_the_path(home: Home) -> None:
    with open_profile(home) as profile:
        add_note(profile, "# Rows\n\nEach row sums to 1.")
        found = offered(profile, 3)
    assert [each.kind for each in found] == [SearchKind.NOTE, *[SearchKind.CONCEPT] * 2]
    assert found[0].excerpt.text == "Each row sums to 1."
    assert found[1].title.text == "Softmax"


async def test_a_wide_pattern_has_all_steps_and_a_wide_page_of_no_reviews_what_will_come(
    home: Home, open_app: OpenApp
) -> None:
    async with open_app(home, size=(160, 50)) as pilot:
        await press(pilot, "s")
        assert "9  Concepts" in text_of(pilot)
        assert "What is held, what is fading" in text_of(pilot)
        pilot.app.push_screen(PatternScreen())
        await press(pilot, "right")
        shown = text_of(pilot)
        assert "All steps of this head" in shown
        assert all(name in shown for name in ("▸ Q", "scores", "weights", "output"))
        await pilot.resize_terminal(80, 24)
        await press(pilot, "left")
        assert "All steps" not in text_of(pilot)
