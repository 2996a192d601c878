"""A home with many cards, made in bulk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert

from studyattn.home import Home
from studyattn.store.database import Connection
from studyattn.store.models import CardRow, ConceptRow, ItemRow
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile, open_profile

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
CONCEPTS = 200
FIRST_ID = 10_000  # beyond those of the built-in pack


@contextmanager
def home_with(cards: int, *, due_share: float = 0.02, new_share: float = 0.1) -> Iterator[Profile]:
    """An open home of `cards` cards: some new, the others held for days, some of them due."""
    with tempfile.TemporaryDirectory(prefix="studyattn-benchmark-") as folder:
        home = Home(Path(folder))
        with open_profile(home, FixedClock(NOW)) as learner:
            with learner.database.write() as connection:
                _fill(connection, cards, due_share, new_share)
            learner.change_setting("reviews_per_day", "9999")
            yield learner


def guid(number: int) -> str:
    """The guid of the card with this number."""
    return f"bench:card-{number:06d}"


def _fill(connection: Connection, cards: int, due_share: float, new_share: float) -> None:
    random = Random(0)
    concepts = [
        {
            "id": FIRST_ID + number,
            "slug": f"bench-{number}",
            "title": f"Concept {number}",
            "state": "unseen",
            "position": number,
        }
        for number in range(CONCEPTS)
    ]
    connection.execute(insert(ConceptRow), concepts)
    items = [_item(number, random, due_share, new_share) for number in range(cards)]
    connection.execute(insert(ItemRow), items)
    connection.execute(
        insert(CardRow),
        [
            {
                "item_id": item["id"],
                "kind": "basic",
                "front": f"Why is number {number} what it is?",
                "back": "Because $x = \\sqrt{d_k}$.",
                "extra": {},
                "digest": "",
                "sibling_group": f"group-{number // 2}" if number % 10 < 2 else None,
            }
            for number, item in enumerate(items)
        ],
    )


def _item(number: int, random: Random, due_share: float, new_share: float) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": FIRST_ID + number,
        "guid": guid(number),
        "kind": "card",
        "concept_id": FIRST_ID + number % CONCEPTS,
        "position": number,
        "created_at": NOW - timedelta(days=400),
        "phase": "new",
        "stability": None,
        "difficulty": None,
        "due": None,
        "last_review": None,
        "last_day": None,
        "reps": 0,
        "lapses": 0,
    }
    if random.random() < new_share:
        return values
    interval = random.randint(3, 200)
    late = random.randint(0, 10) if random.random() < due_share else -random.randint(1, interval)
    due = datetime(NOW.year, NOW.month, NOW.day, 4, tzinfo=UTC) - timedelta(days=late)
    last = due - timedelta(days=interval) + timedelta(hours=8)
    return {
        **values,
        "phase": "review",
        "stability": float(interval),
        "difficulty": random.uniform(2, 9),
        "due": due,
        "last_review": last,
        "last_day": last.date(),
        "reps": random.randint(2, 12),
    }
