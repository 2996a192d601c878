"""Totals over everything: items, concepts, answers and time, for looking back."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, Date, bindparam, case, distinct, func, or_, select, text

from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.concepts import WHOLE
from studyattn.store.queries.rules import in_effect
from studyattn.store.vocabulary import UNSEEN


class Retention(NamedTuple):
    """Answers to items that were seen on an earlier learner day, the first of each day."""

    recalled: int
    asked: int


def items_by_phase(connection: Connection) -> dict[str, int]:
    """Count the items in each phase."""
    rows = connection.execute(
        select(ItemRow.phase, func.count()).where(~ItemRow.retired).group_by(ItemRow.phase)
    )
    return dict(rows.all())


def count_suspended(connection: Connection) -> int:
    """Count the suspended items."""
    return connection.execute(
        select(func.count()).where(~ItemRow.retired, ItemRow.suspended)
    ).scalar_one()


def count_lapsed(connection: Connection, lapses: int) -> int:
    """Count the items that were forgotten at least this often."""
    return connection.execute(
        select(func.count()).where(~ItemRow.retired, ItemRow.lapses >= lapses)
    ).scalar_one()


def stabilities(connection: Connection) -> list[float]:
    """Return the stability of each item that was reviewed, in days."""
    found = connection.scalars(
        select(ItemRow.stability).where(ItemRow.stability.is_not(None), ~ItemRow.retired)
    )
    return [each for each in found if each is not None]


def concepts_by_state(connection: Connection) -> dict[str, int]:
    """Count the concepts in each state, joined ones once."""
    rows = connection.execute(
        select(ConceptRow.state, func.count())
        .where(~ConceptRow.retired, ConceptRow.joined_into_id.is_(None))
        .group_by(ConceptRow.state)
    )
    return dict(rows.all())


def count_begun_concepts(connection: Connection) -> int:
    """Count the concepts of which an item was asked, or that the learner has spoken about.

    Joined ones count once.
    """
    asked = select(ItemRow.concept_id).where(ItemRow.phase != "new", ~ItemRow.retired)
    return connection.execute(
        select(func.count(distinct(WHOLE))).where(
            ~ConceptRow.retired, or_(ConceptRow.state != UNSEEN, ConceptRow.id.in_(asked))
        )
    ).scalar_one()


def ratings_in_effect(connection: Connection) -> dict[int, int]:
    """Count the reviews in effect of each rating."""
    return dict(connection.execute(_RATINGS).all())


_RATINGS = text(f"SELECT rating, count(*) FROM review WHERE {in_effect()} GROUP BY rating")  # noqa: S608 - a constant


def retention_since(connection: Connection, day: date) -> Retention:
    """Count the answers from a learner day on that measure retention."""
    return Retention(*connection.execute(_RETENTION, {"since": day}).one())


_RETENTION = text(
    f"""
SELECT coalesce(sum(CASE WHEN rating > 1 THEN 1 ELSE 0 END), 0), count(*) FROM (
    SELECT review.rating, row_number() OVER (
        PARTITION BY review.item_guid, review.learner_day ORDER BY review.id) AS place
    FROM review
    WHERE review.learner_day >= :since AND {in_effect()}
      AND EXISTS (SELECT 1 FROM review AS before WHERE before.item_guid = review.item_guid
                  AND before.learner_day < review.learner_day AND {in_effect("before")})
) AS answers WHERE place = 1"""  # noqa: S608 - constants only
).bindparams(bindparam("since", type_=Date()))


def seconds_spent(connection: Connection, *, longest: float, drill_mark: str) -> float:
    """Sum the seconds of all answers; one to a card counts `longest` at most.

    Items with `drill_mark` in their guid are drills.
    """
    counted = case(
        (ReviewRow.seconds <= longest, ReviewRow.seconds),
        (ReviewRow.item_guid.contains(drill_mark), ReviewRow.seconds),
        else_=longest,
    )
    return connection.scalar(select(func.sum(counted))) or 0.0
