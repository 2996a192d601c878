"""How much was studied: reviews, minutes and new items per day, hours, answers by kind. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from studyattn.memory import Rating
from studyattn.store.queries.items_now import Added
from studyattn.study.statistics.answer_groups import LEARNING, MATURE, YOUNG, AnswerGroup
from studyattn.study.statistics.memory_now import Present
from studyattn.study.statistics.retention import Recall
from studyattn.text.counting import count
from studyattn.text.figure import Figure, Series, Shape, Unit, written

AGES: Mapping[int, str] = {LEARNING: "learning", YOUNG: "young", MATURE: "mature"}
"""Names of the ages of a memory, as Anki has them."""

_FEWEST = 30  # answers in an hour before it is compared with others
_BETWEEN_HOURS = 3.7
"""Standard errors between the best and the worst of 24: by chance one log in twenty has more."""


class DayCount(NamedTuple):
    """The reviews in effect of a learner day, and the seconds spent on all its answers."""

    day: date
    reviews: int
    seconds: float


def day_counts(groups: Iterable[AnswerGroup]) -> list[DayCount]:
    """Sum groups of answers by day, ascending."""
    reviews: Counter[date] = Counter()
    seconds: defaultdict[date, float] = defaultdict(float)
    for group in groups:
        reviews[group.day] += group.answers if group.rating is not None else 0
        seconds[group.day] += group.seconds
    return [DayCount(day, reviews[day], seconds[day]) for day in sorted(seconds)]


def days_between(first: date | None, present: Iterable[date], today: date) -> list[date]:
    """Return all days from `first`, or from the first one `present`, up to today."""
    begin = min(present, default=today) if first is None else first
    return [begin + timedelta(days=ahead) for ahead in range((today - begin).days + 1)]


def reviews_a_day(days: Sequence[DayCount], first: date | None, today: date) -> Figure:
    """Reviews in effect, a value a learner day."""
    counts = {each.day: each.reviews for each in days}
    shown = days_between(first, counts, today)
    values = [counts.get(day, 0) for day in shown]
    total, studied = sum(values), sum(map(bool, values))
    usual = total / studied if studied else 0.0
    done = counts.get(today, 0)
    meaning = (
        f"{total:,} reviews on {studied} of {count(len(shown), 'day')}, {written(round(usual, 1))}"
        f" on a day of study; today {done} so far."
        if total
        else "No reviews in this period. One card today starts a streak."
    )
    series = (Series("reviews", tuple(map(float, values))),)
    return Figure("reviews", "Reviews per day", meaning, _days(shown), series, Shape.COLUMNS)


def minutes_a_day(days: Sequence[DayCount], first: date | None, today: date) -> Figure:
    """Minutes spent on answers, a value a learner day."""
    spent = {each.day: each.seconds / 60 for each in days}
    shown = days_between(first, spent, today)
    values = [round(spent.get(day, 0.0), 3) for day in shown]
    studied = [value for value in values if value]
    usual = sum(studied) / len(studied) if studied else 0.0
    meaning = (
        f"{written(sum(values) / 60)} h in all; a study day takes you {usual:.0f} min,"
        f" so keep about that much free today ({spent.get(today, 0.0):.0f} min are done)."
        if studied
        else "No study time in this period."
    )
    series = (Series("minutes", tuple(values), Unit.MINUTES),)
    return Figure("minutes", "Minutes per day", meaning, _days(shown), series, Shape.COLUMNS)


def calendar(days: Sequence[DayCount], first: date | None, today: date) -> Figure:
    """Reviews week by week."""
    counts = {each.day: each.reviews for each in days if each.reviews}
    shown = days_between(first, counts, today)
    row = _longest_row(set(counts))
    meaning = (
        f"Your longest streak in this period is {count(row, 'day')}. A skipped day makes the next "
        "day longer."
        if counts
        else "Empty so far. Your first review fills the first square."
    )
    values = tuple(float(counts.get(day, 0)) for day in shown)
    title = "Calendar"
    return Figure(
        "calendar", title, meaning, _days(shown), (Series("reviews", values),), Shape.CALENDAR
    )


def _longest_row(days: set[date]) -> int:
    best = 0
    for day in days:
        if day - timedelta(days=1) not in days:
            length = 1
            while day + timedelta(days=length) in days:
                length += 1
            best = max(best, length)
    return best


def added(items: Iterable[Added], first: date | None, present: Present) -> Figure:
    """Items that came into the collection, a value a learner day."""
    counts: Counter[date] = Counter()
    for each in items:
        counts[present.day_of(each.at)] += each.items
    shown = days_between(first, counts, present.today)
    values = tuple(float(counts.get(day, 0)) for day in shown)
    total = round(sum(values))
    meaning = (
        f"{count(total, 'card and drill', 'cards and drills')} added; each "
        "takes about ten reviews in its first year."
        if total
        else "No new items, so your daily load will fall."
    )
    series = (Series("items", values),)
    return Figure("added", "Added", meaning, _days(shown), series, Shape.COLUMNS)


def hours(groups: Iterable[AnswerGroup]) -> Figure:
    """Answers by hour of the learner's clock, and the share recalled of those that measure it.

    Answers of a day's learning, and those right after a lapse, measure nothing.
    """
    answers: Counter[int] = Counter()
    asked: Counter[int] = Counter()
    recalled: Counter[int] = Counter()
    for group in groups:
        if group.rating is not None:
            answers[group.hour] += group.answers
        if group.rating is not None and group.age != LEARNING:
            asked[group.hour] += group.answers
            recalled[group.hour] += group.answers * (group.rating > Rating.AGAIN)
    shares_of = {hour: Recall(asked[hour], recalled[hour]) for hour in asked}
    enough = [hour for hour in shares_of if asked[hour] >= _FEWEST]
    meaning = f"Comparing hours takes at least {_FEWEST} reviews in each of two hours."
    if len(enough) > 1:
        best = max(enough, key=lambda hour: recalled[hour] / asked[hour])
        worst = min(enough, key=lambda hour: recalled[hour] / asked[hour])
        told = f"{best:02} h ({shares_of[best].share:.0%}) and {worst:02} h"
        told += f" ({shares_of[worst].share:.0%})"
        if shares_of[best].differs(shares_of[worst], _BETWEEN_HOURS):
            meaning = f"You recall best and worst at {told}: study hard cards in the better hour."
        else:
            meaning = (
                f"Best and worst are {told}: the difference is within "
                "chance, so study when it suits you."
            )
    shown = range(min(answers, default=0), max(answers, default=0) + 1)
    shares = tuple(recalled[hour] / asked[hour] if asked[hour] else None for hour in shown)
    return Figure(
        "hours",
        "Hours of the day",
        meaning,
        tuple(f"{hour:02}" for hour in shown),
        (
            Series("answers", tuple(float(answers[hour]) for hour in shown)),
            Series("recalled", shares, Unit.SHARE),
        ),
    )


def answers_by_age(groups: Iterable[AnswerGroup]) -> Figure:
    """Answers by rating, for items being learnt, young and mature ones."""
    counts: Counter[tuple[int, int]] = Counter()
    for group in groups:
        if group.rating is not None:
            counts[group.age, group.rating] += group.answers
    total = sum(counts.values())
    hard = sum(counts[age, Rating.HARD] for age in AGES) / total if total else 0.0
    if not total:
        meaning = "No answers in this period."
    elif hard > 0.2:
        meaning = (
            f"{hard:.0%} of your answers are hard: `hard` means recalled with effort; use"
            " `again` for what you did not know."
        )
    else:
        meaning = f"{hard:.0%} of {total:,} answers are hard, so your ratings tell cards apart."
    series = tuple(
        Series(name, tuple(float(counts[age, rating]) for rating in Rating))
        for age, name in AGES.items()
    )
    labels = tuple(rating.name.lower() for rating in Rating)
    return Figure("answers", "Answers by rating", meaning, labels, series)


def answers_by_kind(groups: Iterable[AnswerGroup]) -> Figure:
    """Answers, seconds and share recalled of each kind of card, and of drills."""
    answers: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    asked: Counter[str] = Counter()
    recalled: Counter[str] = Counter()
    for group in groups:
        seconds[group.kind] += group.seconds
        if group.rating is not None:
            answers[group.kind] += group.answers
            if group.age != LEARNING:
                asked[group.kind] += group.answers
                recalled[group.kind] += group.answers * (group.rating > Rating.AGAIN)
    kinds = [kind for kind, _ in answers.most_common()]
    shares = {kind: recalled[kind] / asked[kind] for kind in kinds if asked[kind]}
    meaning = "No retention data yet."
    if shares:
        weakest = min(shares, key=shares.__getitem__)
        meaning = (
            f"Your {weakest} items are the weakest, recalled {shares[weakest]:.0%} of the time: "
            "spend more time on them today."
            if len(shares) > 1
            else f"All are {weakest} items, recalled {shares[weakest]:.0%} of the time."
        )
    return Figure(
        "kinds",
        "Answers by kind",
        meaning,
        tuple(kinds),
        (
            Series("answers", tuple(float(answers[kind]) for kind in kinds)),
            Series("recalled", tuple(shares.get(kind) for kind in kinds), Unit.SHARE),
            Series("seconds each", tuple(round(seconds[k] / answers[k], 1) for k in kinds)),
            Series("minutes", tuple(round(seconds[k] / 60, 1) for k in kinds), Unit.MINUTES),
        ),
        Shape.TABLE,
    )


def _days(days: Iterable[date]) -> tuple[str, ...]:
    return tuple(day.isoformat() for day in days)
