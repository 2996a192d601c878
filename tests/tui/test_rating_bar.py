"""The row of ratings below an answer, at the widths that a side panel leaves it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from textual.app import App, ComposeResult
from textual.content import Content, Span

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.tui.screens.review import RatingBar

LONGEST = ("10 min", "10 min", "11.8 mo", "11.3 mo")


class _Bar(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(("rule", "quiet", "again", "hard", "good", "easy", "raised"), "white")

    def compose(self) -> ComposeResult:
        yield RatingBar()


def _underlined(span: Span) -> bool:
    return isinstance(span.style, str) and "underline" in span.style


@pytest.mark.parametrize("width", [60, 72, 92, 142])
async def test_an_interval_is_never_cut(width: int) -> None:
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
        marked = [row.plain[each.start : each.end] for each in row.spans if _underlined(each)]
        assert marked == ["good"]
