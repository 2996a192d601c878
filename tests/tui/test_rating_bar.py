"""The row of ratings below an answer, at the widths that a side panel leaves it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from textual.app import App, ComposeResult
from textual.content import Content

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.tui.widgets.rating_bar import RatingBar

LONGEST = ("10 min", "10 min", "11.8 mo", "11.3 mo")


class _Bar(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(("rule", "quiet", "again", "hard", "good", "easy", "raised"), "white")

    def compose(self) -> ComposeResult:
        yield RatingBar()


@pytest.mark.parametrize(("width", "space"), [(60, False), (72, False), (92, True), (142, True)])
async def test_an_interval_is_never_cut(width: int, space: bool) -> None:
    """Where there is no room for both, the accepted rating has its own key alone."""
    choices = tuple(
        RatingChoice(rating, datetime(2026, 11, 23, tzinfo=UTC), interval)
        for rating, interval in zip(Rating, LONGEST, strict=True)
    )
    app = _Bar()
    async with app.run_test(size=(width, 31)) as pilot:
        bar = app.query_one(RatingBar)
        bar.show(choices, Rating.GOOD)
        await pilot.pause()
        row = bar.render()
        assert isinstance(row, Content)
        for choice in choices:
            assert f"{choice.rating.name.lower()} {choice.interval}" in row.plain
        assert ("3 space" in row.plain) is space
