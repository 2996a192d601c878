"""Numbers, times and bars as the screens write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import day_start
from studyattn.tui import formatting
from studyattn.tui.formatting import Days

TODAY = date(2026, 11, 21)


def test_counts_and_times() -> None:
    assert formatting.count(1, "card") == "1 card"
    assert formatting.count(0, "leech", "leeches") == "0 leeches"
    assert [formatting.minutes(each) for each in (20, 540, 9000)] == [
        "under a minute",
        "about 9 min",
        "about 2.5 h",
    ]


def test_days_are_named_by_how_near_they_are() -> None:
    names = [
        formatting.day_name(day, TODAY)
        for day in (
            date(2026, 11, 20),
            TODAY,
            date(2026, 11, 22),
            date(2026, 11, 19),
            date(2026, 12, 24),
            date(2027, 1, 2),
        )
    ]
    assert names == ["yesterday", "today", "tomorrow", "Thu", "24 Dec", "2 Jan 2027"]


def test_instants_are_on_the_learners_clock() -> None:
    at = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    assert formatting.time_of_day(at, 60) == "00:30"
    assert Days(at, 0).when(at) == "today 23:30"


def test_days_turn_at_the_learners_hour_and_not_at_midnight() -> None:
    night = datetime(2026, 11, 22, 0, 30, tzinfo=UTC)  # 01:30 on a clock one hour east
    days = Days(night, 60)
    assert days.today == TODAY
    assert days.when(night - timedelta(hours=3)) == "today 22:30"
    in_days = [day_start(TODAY + timedelta(days=ahead), 60) for ahead in (1, 2, 8)]
    assert [days.when(each) for each in in_days] == ["tomorrow", "Mon", "29 Nov"]
    assert days.date_of(night) == "21 Nov"
    assert Days(night, 60, rollover_hour=0).when(in_days[0]) == "today 04:00"


def test_the_progress_bar_is_full_at_the_end_only() -> None:
    assert formatting.progress_bar(0, 10).plain == "░" * 10
    assert formatting.progress_bar(9.99 / 10, 10).plain == "█" * 9 + "░"
    assert formatting.progress_bar(1, 10).plain == "█" * 10


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=40), st.integers(1, 6))
def test_bars_show_every_number_and_the_greatest_reaches_the_top(
    values: list[int], height: int
) -> None:
    lines = formatting.columns(values, height, width=1, gap=0)
    assert len(lines) == height
    assert all(len(line) == len(values) for line in lines)
    for index, value in enumerate(values):
        column = "".join(line[index] for line in lines).strip()
        assert bool(column) == (value > 0)
        if value == max(values) > 0:
            assert lines[0][index] == "█"
    assert len(formatting.sparkline(values)) == len(values)


@given(st.text(max_size=60), st.integers(1, 40))
def test_clipped_and_padded_text_fits(text: str, width: int) -> None:
    assert formatting.clip(text, width).cell_length <= width
    assert formatting.pad(text, width).cell_length == width
