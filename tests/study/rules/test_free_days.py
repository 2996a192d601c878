"""What waits for the day after a vacation, and which days do not end a row of days."""

from __future__ import annotations

from datetime import date, timedelta

from studyattn.study.rules.days_ahead import after_vacation, continues_row

MONDAY = date(2026, 3, 2)


def test_what_comes_due_in_a_vacation_waits_for_its_end() -> None:
    assert after_vacation([5, 1, 2, 3, 4], [False, True, True, False, False]) == [5, 0, 0, 6, 4]
    assert after_vacation([5, 1, 2], [True, False, True]) == [0, 6, 0]
    assert after_vacation([1, 2], [False, False]) == [1, 2]


def test_days_without_a_share_do_not_end_a_row() -> None:
    def share(day: date) -> float:
        return 0.0 if day.weekday() > 4 else 0.5

    friday = MONDAY + timedelta(days=4)
    assert continues_row(friday, friday + timedelta(days=3), share)
    assert continues_row(MONDAY, MONDAY + timedelta(days=1), share)
    assert not continues_row(MONDAY, MONDAY + timedelta(days=2), share)
    assert not continues_row(friday, friday + timedelta(days=4), share)
