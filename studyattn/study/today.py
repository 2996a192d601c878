"""What the learner sees on opening the app: what is due, what comes, what was learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median

from sqlalchemy import Connection, Date, bindparam, case, func, select, text

from studyattn.memory import day_start
from studyattn.store.concepts import STATES
from studyattn.store.models import Concept, ConceptChange, Item, Review
from studyattn.study.clock import Moment
from studyattn.study.conceptrows import UNDO
from studyattn.study.concepts import ConceptLine, list_concepts
from studyattn.study.learner import Learner
from studyattn.study.queue import read_day
from studyattn.study.settings import Interleaving
from studyattn.study.suggestions import suggestions
from studyattn.study.views import DRILL, Suggestion

_, KNOWN_UNKNOWN, KNOWN = STATES
USUAL_CARD = 12.0  # seconds, until enough answers were timed to know better
_TIMED = 20  # answers needed for the learner's own figure
_SHOWN = 5  # concepts in a list
_FORECAST = 7
_SPARK = 14
_LONGEST_STREAK = 4000  # days; nobody counts further


@dataclass(frozen=True, slots=True)
class KnownSince:
    """A concept that became known."""

    slug: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Today:
    """One learner day at a glance. Counts follow the limits and the sibling rule."""

    day: date
    cards_now: int  # learning and review cards that are due
    drills_now: int
    new: int
    new_concepts: tuple[str, ...]  # titles of the concepts of the new cards
    later: int
    next_due: datetime | None  # the first of `later`, or of the days to come when nothing is due
    minutes: int  # estimate for all that is asked now
    put_off: int  # new cards that wait because today's minutes are full
    answered: int  # reviews taken today
    streak: int  # learner days in a row with a review, today included once there is one
    forecast: tuple[tuple[date, int], ...]  # the next seven learner days, today first
    spark: tuple[int, ...]  # reviews of the last fourteen learner days, today last
    known_unknown: tuple[ConceptLine, ...]
    recently_known: tuple[KnownSince, ...]
    suggestion: Suggestion | None
    items: int  # in all; none at a first start without a pack
    drills_aside: int = 0  # due ones that the learner keeps out of the session
    order: Interleaving = Interleaving.LAST  # where drills stand in the session

    @property
    def now(self) -> int:
        """Everything that a session would ask now."""
        return self.cards_now + self.drills_now + self.new


def today(learner: Learner) -> Today:
    """The present learner day."""
    moment = learner.moment()
    day = learner.day_of(moment)
    order = learner.settings.interleaving
    queue = read_day(learner, moment)
    new = [item for item in queue.items if item.due is None and item.kind != DRILL]
    drills = [item for item in queue.items if item.kind == DRILL]
    cards = len(queue.items) - len(new) - len(drills)
    with learner.database.read() as connection:
        counts = reviews_by_day(connection, day - timedelta(days=_SPARK - 1))
        next_due = queue.later[0][0] if queue.later else _next_due(connection, moment)
        recently = _recently_known(connection)
        streak = _streak(connection, day)
        items = connection.execute(select(func.count()).where(~Item.retired)).scalar_one()
        forecast = _forecast(connection, learner, moment)
    proposed = suggestions(learner)
    ahead = [each for each in list_concepts(learner, KNOWN_UNKNOWN) if each.joined_into is None]
    return Today(
        day=day,
        cards_now=cards,
        drills_now=len(drills),
        new=len(new),
        new_concepts=tuple(dict.fromkeys(item.concept_title for item in new)),
        later=len(queue.later),
        next_due=next_due,
        minutes=-(-round(queue.seconds) // 60),
        put_off=queue.put_off,
        answered=counts[day],
        streak=streak,
        forecast=forecast,
        spark=tuple(counts[day - timedelta(days=ago)] for ago in reversed(range(_SPARK))),
        known_unknown=tuple(ahead[:_SHOWN]),
        recently_known=recently,
        suggestion=proposed[0] if proposed else None,
        items=items,
        drills_aside=_drills_due(learner, moment) if order is Interleaving.CARDS_ONLY else 0,
        order=order,
    )


def _drills_due(learner: Learner, moment: Moment) -> int:
    """Drills that a session with drills would ask."""
    queue = read_day(learner, moment, interleaving=Interleaving.LAST)
    return sum(item.kind == DRILL for item in queue.items)


def due_on(learner: Learner, day: date) -> int:
    """Items that are due by the end of a learner day, without what is new then."""
    moment = learner.moment()
    rollover = learner.settings.scheduling.rollover_hour
    end = day_start(day + timedelta(days=1), moment.utc_offset, rollover)
    with learner.database.read() as connection:
        return connection.execute(
            select(func.count()).where(Item.due < end, ~Item.suspended, ~Item.retired)
        ).scalar_one()


def reviews_by_day(connection: Connection, since: date) -> Counter[date]:
    """Reviews that stand, by learner day."""
    rows = connection.execute(_BY_DAY, {"since": since})
    return Counter(dict(rows.all()))


_BY_DAY = (
    text(
        "SELECT learner_day, count(*) FROM review"
        " WHERE learner_day >= :since AND rating IS NOT NULL AND NOT EXISTS ("
        "  SELECT 1 FROM review AS undo WHERE undo.withdraws = review.uuid AND NOT EXISTS ("
        "   SELECT 1 FROM review AS redo WHERE redo.withdraws = undo.uuid))"
        " GROUP BY learner_day"
    )
    .bindparams(bindparam("since", type_=Date()))
    .columns(learner_day=Date())
)


def seconds_a_card(connection: Connection) -> float:
    """The learner's usual time for a card: the median of the last timed answers."""
    recent = connection.scalars(
        select(Review.seconds)
        .where(Review.seconds > 0, Review.rating.is_not(None))
        .order_by(Review.id.desc())
        .limit(300)
    ).all()
    return median(recent) if len(recent) >= _TIMED else USUAL_CARD


def spark_line(counts: Sequence[int]) -> str:
    """Counts as a line of bars, one character each."""
    bars = " ▁▂▃▄▅▆▇█"
    most = max(counts, default=0) or 1
    return "".join(bars[-(-count * 8 // most)] for count in counts)


def _next_due(connection: Connection, moment: Moment) -> datetime | None:
    return connection.execute(
        select(func.min(Item.due)).where(Item.due > moment.at, ~Item.suspended, ~Item.retired)
    ).scalar_one()


def _forecast(
    connection: Connection, learner: Learner, moment: Moment
) -> tuple[tuple[date, int], ...]:
    """How many items come due on each of the next learner days; what is overdue counts today."""
    rollover = learner.settings.scheduling.rollover_hour
    first = learner.day_of(moment)
    days = [first + timedelta(days=ahead) for ahead in range(_FORECAST)]
    ends = [day_start(day + timedelta(days=1), moment.utc_offset, rollover) for day in days]
    until = connection.execute(
        select(
            *(func.coalesce(func.sum(case((Item.due < end, 1), else_=0)), 0) for end in ends)
        ).where(Item.due < ends[-1], ~Item.suspended, ~Item.retired)
    ).one()
    return tuple(
        (day, count - before)
        for day, count, before in zip(days, until, [0, *until[:-1]], strict=True)
    )


def _streak(connection: Connection, day: date) -> int:
    """Learner days in a row with a review, up to today or, while today has none, to yesterday."""
    days = reviews_by_day(connection, day - timedelta(days=_LONGEST_STREAK))
    last = day if days[day] else day - timedelta(days=1)
    streak = 0
    while days[last - timedelta(days=streak)]:
        streak += 1
    return streak


def _recently_known(connection: Connection) -> tuple[KnownSince, ...]:
    """The last concepts that became known by something the learner did, and still are."""
    last = func.max(ConceptChange.at)
    rows = connection.execute(
        select(Concept.slug, Concept.title, last)
        .join(ConceptChange, ConceptChange.concept_id == Concept.id)
        .where(
            Concept.state == KNOWN,
            ConceptChange.to_state == KNOWN,
            ConceptChange.author != UNDO,
            ~Concept.retired,
        )
        .group_by(Concept.id)
        .order_by(last.desc(), Concept.id)
        .limit(_SHOWN)
    )
    return tuple(KnownSince(slug, title, at) for slug, title, at in rows)
