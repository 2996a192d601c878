"""Figures of past answers: how much was studied, when, and how well it was remembered. Pure.

An answer measures retention if it is the day's first to an item that was answered on an earlier
day. A memory is mature if that was 21 days ago or more. Anki goes by the interval that was planned,
so an answer that came late may be young there and mature here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from operator import itemgetter
from typing import TypeVar

from studyattn.memory import Rating
from studyattn.store.queries.answers import AnswerGroup
from studyattn.store.queries.items_now import Added
from studyattn.study.statistics.answer_groups import LEARNING, MATURE, YOUNG
from studyattn.study.statistics.items import Present
from studyattn.study.statistics.tally import Tally
from studyattn.text.counting import count
from studyattn.text.figure import Telling, written

AGES: Mapping[int, str] = {LEARNING: "learning", YOUNG: "young", MATURE: "mature"}
"""Names of the ages of a memory, as Anki has them."""

_AGAIN = Rating.AGAIN.value
_FEWEST = 30  # answers in an hour before it is compared with others
_BETWEEN_HOURS = 3.7
"""Standard errors between the best and the worst of 24: by chance one log in twenty has more."""

_Key = TypeVar("_Key")


def tally(groups: Iterable[AnswerGroup], key: Callable[[AnswerGroup], _Key]) -> dict[_Key, Tally]:
    """Sum groups of answers by what `key` returns of each, in the order of first appearance."""
    found: defaultdict[_Key, Tally] = defaultdict(Tally)
    for group in groups:
        each = found[key(group)]
        each.seconds += group.seconds
        if group.rating is not None:
            each.answers += group.answers
            if group.age != LEARNING:
                each.asked += group.answers
                each.recalled += group.answers if group.rating > _AGAIN else 0
    return found


_Number = TypeVar("_Number", int, float)


def every_day(
    numbers: Mapping[date, _Number], first: date | None, today: date
) -> list[tuple[date, _Number]]:
    """Return a number for each day from `first`, or from the first one that has one, to today."""
    begin = min(numbers, default=today) if first is None else first
    days = (begin + timedelta(days=ahead) for ahead in range((today - begin).days + 1))
    return [(day, numbers.get(day, 0)) for day in days]


def reviews_a_day(days: Mapping[date, Tally], first: date | None, today: date) -> Telling:
    """Reviews in effect, a value a learner day."""
    rows = every_day({day: each.answers for day, each in days.items()}, first, today)
    yield rows
    total, studied = sum(number for _, number in rows), sum(number > 0 for _, number in rows)
    return (
        f"{total:,} reviews on {studied} of {count(len(rows), 'day')},"
        f" {written(round(total / studied, 1))} on a day of study; today {rows[-1][1]} so far."
    )


def minutes_a_day(days: Mapping[date, Tally], first: date | None, today: date) -> Telling:
    """Minutes spent on answers, a value a learner day."""
    spent = {day: each.seconds / 60 for day, each in days.items()}
    rows = [(day, round(minutes, 3)) for day, minutes in every_day(spent, first, today)]
    yield rows
    studied = [minutes for _, minutes in rows if minutes]
    whole = sum(studied)
    return (
        f"{written(whole / 60)} h in all; a study day takes you {whole / len(studied):.0f} min,"
        f" so keep about that much free today ({spent.get(today, 0.0):.0f} min are done)."
    )


def calendar(days: Mapping[date, Tally], first: date | None, today: date) -> Telling:
    """Reviews week by week."""
    counts = {day: each.answers for day, each in days.items() if each.answers}
    rows = every_day(counts, first, today)
    yield rows
    longest = row = 0
    for _, number in rows:
        row = row + 1 if number else 0
        longest = max(longest, row)
    return (
        f"Your longest streak in this period is {count(longest, 'day')}. A skipped day makes the "
        "next day longer."
    )


def added(came: Iterable[Added], first: date | None, present: Present) -> Telling:
    """Items that came into the collection, a value a learner day."""
    counts: Counter[date] = Counter()
    for each in came:
        day = present.day_of(each.at)
        if first is None or day >= first:
            counts[day] += each.items
    rows = every_day(counts, first, present.today)
    yield rows
    return (
        f"{count(sum(n for _, n in rows), 'card and drill', 'cards and drills')} added; each takes "
        "about ten reviews in its first year."
    )


def by_age(by_each: Sequence[Iterable[AnswerGroup]]) -> Telling:
    """Answers by rating, for items being learnt, young and mature ones."""
    counts: Counter[tuple[int, int]] = Counter()
    for group in by_each[0]:
        if group.rating is not None:
            counts[group.age, group.rating] += group.answers
    yield [(rating.name.lower(), *(counts[age, rating] for age in AGES)) for rating in Rating]
    total = counts.total()
    hard = sum(counts[age, Rating.HARD] for age in AGES) / total
    if hard > 0.2:
        return (
            f"{hard:.0%} of your answers are hard: `hard` means recalled with effort; use"
            " `again` for what you did not know."
        )
    return f"{hard:.0%} of {total:,} answers are hard, so your ratings tell cards apart."


def by_hour(by_each: Sequence[Iterable[AnswerGroup]]) -> Telling:
    """Answers by hour of the learner's clock, and the share recalled of those that measure it.

    Answers of a day's learning, and those right after a lapse, measure nothing.
    """
    tallies = tally(by_each[1], lambda group: group.hour)
    found = {hour: each for hour, each in tallies.items() if each.answers}
    shown = range(min(found, default=0), max(found, default=0) + 1)
    each_hour = [(f"{hour:02}", found.get(hour, Tally())) for hour in shown]
    yield [(name, each.answers, each.share) for name, each in each_hour]
    enough = [(e.share or 0.0, hour, e) for hour, e in found.items() if e.asked >= _FEWEST]
    if len(enough) < 2:
        return f"Comparing hours takes at least {_FEWEST} reviews in each of two hours."
    most, best, in_best = max(enough, key=itemgetter(0))
    least, worst, in_worst = min(enough, key=itemgetter(0))
    told = f"{best:02} h ({most:.0%}) and {worst:02} h ({least:.0%})"
    if in_best.differs(in_worst, _BETWEEN_HOURS):
        return f"You recall best and worst at {told}: study hard cards in the better hour."
    return (
        f"Best and worst are {told}: the difference is within chance, so study when it suits you."
    )


def by_kind(by_each: Sequence[Iterable[AnswerGroup]]) -> Telling:
    """Answers, share recalled and time of each kind of card, and of drills."""
    kinds = [one for one in tally(by_each[2], lambda group: group.kind).items() if one[1].answers]
    kinds.sort(key=lambda one: -one[1].answers)
    yield [
        (kind, e.answers, e.share, round(e.seconds / e.answers, 1), round(e.seconds / 60, 1))
        for kind, e in kinds
    ]
    shares = {kind: each.share for kind, each in kinds if each.share is not None}
    if not shares:
        return "No retention data yet."
    weakest = min(shares, key=shares.__getitem__)
    recalled = f"recalled {shares[weakest]:.0%} of the time"
    if len(shares) == 1:
        return f"All are {weakest} items, {recalled}."
    return f"Your {weakest} items are the weakest, {recalled}: spend more time on them today."


def true_retention(by_day: Sequence[AnswerGroup], desired: float) -> Telling:
    """Retention of young, mature and all memories, beside the desired one."""
    ages = tally(by_day, lambda group: group.age)
    whole = tally(by_day, lambda _: None).get(None, Tally())
    kinds = {name: ages.get(age, Tally()) for age, name in AGES.items() if age != LEARNING}
    rows = [(name, each.share, each.asked) for name, each in (kinds | {"all": whole}).items()]
    yield [*rows, ("desired", desired, None)]
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


def by_week(by_day: Iterable[AnswerGroup], desired: float) -> Telling:
    """Retention of each week, from the first with answers to the last; they begin on Monday."""
    found = tally(by_day, lambda group: group.day - timedelta(days=group.day.weekday()))
    weeks = {week: each for week, each in found.items() if each.asked}
    first, last = min(weeks, default=date.max), max(weeks, default=date.min)
    shown = (first + timedelta(weeks=at) for at in range((last - first).days // 7 + 1))
    yield [(week, weeks.get(week, Tally()).share) for week in shown]
    low = [week for week, each in weeks.items() if each.share_below(desired)]
    if not low:
        return f"No week is clearly below the desired {desired:.0%}."
    worst = min(low, key=lambda week: weeks[week].share or 0.0)
    return (
        f"{count(len(low), 'week is', 'weeks are')} clearly below the desired {desired:.0%}; the "
        f"lowest began on {worst} ({weeks[worst].share:.0%})."
    )
