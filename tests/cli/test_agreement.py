"""Histories fed through `answer --from` agree with py-fsrs, an independent FSRS-6.

py-fsrs floors spans of 24 hours; given the noon of each learner day, its days are learner days.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from random import Random

import fsrs

from studyattn.home import Home
from studyattn.memory import learner_day
from studyattn.study.profile import open_profile
from tests.cli.conftest import Command

HISTORIES = 300
GAPS = (0, 0, 1, 1, 2, 3, 5, 8, 15, 30, 60, 120)  # days
OFFSETS = (-660, -300, 0, 60, 330, 345, 780)  # minutes east of UTC


@dataclass(frozen=True)
class Review:
    at: datetime
    rating: int


def history(random: Random, regime: str) -> list[Review]:
    """Reviews on exact days, up to three hours late, or at random hours; with a UTC offset."""
    zone = timezone(timedelta(minutes=random.choice(OFFSETS)))
    at = datetime(2023, 1, 2, random.randint(5, 22), random.randint(0, 59), tzinfo=zone)
    reviews = []
    for _ in range(random.randint(1, 14)):
        reviews.append(Review(at, random.choices((1, 2, 3, 4), (2, 2, 5, 1))[0]))
        at += timedelta(days=random.choice(GAPS))
        if regime == "late":
            at += timedelta(seconds=random.randint(0, 3 * 3600))
        elif regime == "random":
            at += timedelta(seconds=random.randint(60, 24 * 3600))
    return reviews


def expected(reviews: list[Review]) -> tuple[float, float]:
    """Stability and difficulty by py-fsrs."""
    scheduler, card = fsrs.Scheduler(enable_fuzzing=False), fsrs.Card()
    for review in reviews:
        offset = review.at.utcoffset()
        assert offset is not None
        day: date = learner_day(review.at, round(offset.total_seconds() / 60))
        noon = datetime.combine(day, time(12), tzinfo=UTC)
        card, _ = scheduler.review_card(card, fsrs.Rating(review.rating), noon)
    assert card.stability is not None
    assert card.difficulty is not None
    return card.stability, card.difficulty


def test_histories_agree_with_py_fsrs(command: Command, home: Path, tmp_path: Path) -> None:
    _many_items(home)
    random = Random(20260302)
    regimes = ("exact", "late", "random")
    histories = {
        f"agree:{number}": history(random, regimes[number % 3]) for number in range(HISTORIES)
    }
    lines = [
        json.dumps({"guid": guid, "rating": review.rating, "at": review.at.isoformat()})
        for guid, reviews in histories.items()
        for review in reviews
    ]
    path = tmp_path / "histories.jsonl"
    path.write_text("\n".join(lines))
    assert command("answer", "--from", str(path)).status == 0
    items = {item["guid"]: item for item in command("items", "--json").json}
    for guid, reviews in histories.items():
        stability, difficulty = expected(reviews)
        # The model computes with 32-bit floats: of 300 days, 1e-4 is beyond their last digit.
        assert abs(items[guid]["stability"] - stability) < 1e-5 * max(10.0, stability), guid
        assert abs(items[guid]["difficulty"] - difficulty) < 1e-4, guid
        assert items[guid]["reps"] == len(reviews)
    assert command("db", "check", "--json").json == {"sound": True, "findings": []}


def _many_items(home: Path) -> None:
    from sqlalchemy import insert, select

    from studyattn.store.models import CardRow, ConceptRow, ItemRow

    with open_profile(Home(home)) as profile, profile.database.write() as connection:
        concept = connection.execute(select(ConceptRow.id).limit(1)).scalar_one()
        first = 100_000
        items = [
            {
                "id": first + number,
                "guid": f"agree:{number}",
                "kind": "card",
                "concept_id": concept,
                "created_at": datetime(2023, 1, 1, tzinfo=UTC),
            }
            for number in range(HISTORIES)
        ]
        connection.execute(insert(ItemRow), items)
        connection.execute(
            insert(CardRow),
            [
                {"item_id": item["id"], "kind": "basic", "front": "?", "back": "!", "digest": ""}
                for item in items
            ],
        )
