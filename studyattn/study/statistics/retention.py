"""How well was remembered: retention beside the one that is desired, by age and by month. Pure.

An answer measures retention if it is the day's first to an item that was answered on an earlier
day. A memory is mature if that was 21 days ago or more. Anki goes by the interval that was planned,
so an answer that came late may be young there and mature here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from studyattn.memory import Rating
from studyattn.study.statistics.answer_groups import LEARNING, MATURE, YOUNG, AnswerGroup
from studyattn.text.counting import count
from studyattn.text.figure import Figure, Series, Shape, Unit


@dataclass(frozen=True, slots=True)
class Recall:
    """Answers that measure retention, and those of them that were recalled."""

    asked: int = 0
    recalled: int = 0

    @property
    def share(self) -> float | None:
        """The retention; None where nothing was asked."""
        return self.recalled / self.asked if self.asked else None

    @property
    def error(self) -> float:
        """The standard error of the share, by Agresti and Coull; 1 where nothing was asked."""
        if not self.asked:
            return 1.0
        near = (self.recalled + 2) / (self.asked + 4)
        return math.sqrt(near * (1 - near) / (self.asked + 4))

    def share_below(self, desired: float) -> bool:
        """Return whether the share is below another by more than two standard errors."""
        return self.share is not None and self.share < desired - 2 * self.error

    def differs(self, other: Recall, errors: float = 2.0) -> bool:
        """Return whether the shares are further apart than so many standard errors."""
        if self.share is None or other.share is None:
            return False
        return abs(self.share - other.share) > errors * math.hypot(self.error, other.error)


def recall_of(groups: Iterable[AnswerGroup], age: int | None = None) -> Recall:
    """Count the answers of one age, or of both."""
    asked = recalled = 0
    for group in groups:
        measures = group.rating is not None and group.age != LEARNING
        if measures and age in {None, group.age}:
            asked += group.answers
            recalled += group.answers * (group.rating != Rating.AGAIN)
    return Recall(asked, recalled)


def true_retention(groups: Iterable[AnswerGroup], desired: float) -> Figure:
    """Retention of young, mature and all memories, beside the desired one."""
    known = list(groups)
    kinds = {
        "young": recall_of(known, YOUNG),
        "mature": recall_of(known, MATURE),
        "all": recall_of(known),
    }
    return Figure(
        "retention",
        "Retention",
        _meaning(kinds["all"], desired),
        (*kinds, "desired"),
        (
            Series("recalled", (*(each.share for each in kinds.values()), desired), Unit.SHARE),
            Series("asked", (*(float(each.asked) for each in kinds.values()), None)),
        ),
    )


def _meaning(whole: Recall, desired: float) -> str:
    share = whole.share
    if share is None:
        return "No retention data yet: review items from an earlier day first."
    told = f"You recall {share:.1%}; the target is {desired:.0%}"
    if abs(share - desired) <= 2 * whole.error:
        return f"{told}: within chance for {whole.asked:,} answers, so change nothing."
    if share < desired:
        return (
            f"{told}: you forget more than the model expects, so fit it to your log"
            " (`studyattn stats --fit`) or learn fewer new cards."
        )
    return (
        f"{told}: reviews come earlier than needed, so a fit (`studyattn stats --fit`)"
        " may save reviews."
    )


def retention_by_week(groups: Iterable[AnswerGroup], desired: float) -> Figure:
    """Retention of each week, from the first with answers to the last; they begin on Monday."""
    asked: Counter[date] = Counter()
    recalled: Counter[date] = Counter()
    for each in groups:
        if each.rating is not None and each.age != LEARNING:
            week = each.day - timedelta(days=each.day.weekday())
            asked[week] += each.answers
            recalled[week] += each.answers * (each.rating != Rating.AGAIN)
    first, last = min(asked, default=date.min), max(asked, default=date.min)
    weeks = [first + timedelta(weeks=at) for at in range((last - first).days // 7 + 1)]
    meaning = "No week has retention data."
    if asked:
        low = [week for week in asked if Recall(asked[week], recalled[week]).share_below(desired)]
        meaning = f"No week is clearly below the desired {desired:.0%}."
        if low:
            worst = min(low, key=lambda week: recalled[week] / asked[week])
            share = recalled[worst] / asked[worst]
            meaning = (
                f"{count(len(low), 'week is', 'weeks are')} clearly below the desired"
                f" {desired:.0%}; the lowest began on {worst} ({share:.0%})."
            )
    shares = tuple(recalled[week] / asked[week] if asked[week] else None for week in weeks)
    return Figure(
        "retention-by-week",
        "Retention by week",
        meaning,
        tuple(week.isoformat() for week in weeks) if asked else (),
        (Series("recalled", shares if asked else (), Unit.SHARE),),
        Shape.COLUMNS,
    )


def retention_by_month(groups: Iterable[AnswerGroup], desired: float) -> Figure:
    """Retention of each month that has answers, the latest first."""
    found: dict[tuple[int, int], list[AnswerGroup]] = {}
    for each in groups:
        found.setdefault((each.day.year, each.day.month), []).append(each)
    by_month = {
        f"{year:04}-{month:02}": found[year, month] for year, month in sorted(found, reverse=True)
    }
    months = list(by_month)
    wholes = [recall_of(of_month) for of_month in by_month.values()]
    measured = [(month, each) for month, each in zip(months, wholes, strict=True) if each.asked]
    meaning = "No month has retention data."
    if measured:
        (name, last), (_, first) = measured[0], measured[-1]
        change = (last.share or 0.0) - (first.share or 0.0)
        steady = abs(change) <= 2 * math.hypot(first.error, last.error)
        trend = "as before" if steady else "better than at first" if change > 0 else "worse"
        advice = "" if trend != "worse" else ": look for many new cards or long breaks in that time"
        meaning = f"In {name} you recalled {last.share:.1%}, {trend}{advice}."
    return Figure(
        "retention-by-month",
        "Retention by month",
        meaning,
        tuple(months),
        (
            Series("asked", tuple(float(each.asked) for each in wholes)),
            Series("recalled", tuple(each.share for each in wholes), Unit.SHARE),
            *(
                Series(name, tuple(recall_of(by_month[m], age).share for m in months), Unit.SHARE)
                for age, name in ((YOUNG, "young"), (MATURE, "mature"))
            ),
            Series("desired", tuple(desired for _ in months), Unit.SHARE),
        ),
        Shape.TABLE,
    )
