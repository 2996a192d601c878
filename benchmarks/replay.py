"""Time the replay of 1,000,000 reviews: the fold alone, and a rebuild of a database.

    python -m benchmarks.replay [--reviews N]

Printed beside it, as the measure: what the model library alone needs for as many steps.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import fsrs_rs_python as fsrs
from sqlalchemy import insert

from studyattn.home import Home
from studyattn.memory import DEFAULT_PARAMETERS, LoggedReview, Rating, Scheduler, fold_all
from studyattn.store.database import Database, open_database
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.study.review.recompute import recompute

REVIEWS_PER_ITEM = 10
START = datetime(2024, 1, 1, 12, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description="Replay a large review log.")
    parser.add_argument("--reviews", type=int, default=1_000_000)
    count = parser.parse_args().reviews
    library = timed(lambda: step_the_library(count))
    logs = [list(log_of(number)) for number in range(count // REVIEWS_PER_ITEM)]
    scheduler = Scheduler()
    folded = timed(lambda: fold_all({log[0].item_guid: log for log in logs}, scheduler, {}))
    print(f"the library alone, {count:,} steps        {library:6.2f} s")
    print(f"fold of {count:,} reviews                 {folded:6.2f} s   {folded / library:4.1f}×")
    with (
        tempfile.TemporaryDirectory() as folder,
        open_database(Home(Path(folder)), now=START) as database,
    ):
        fill(database, logs)
        rebuilt = timed(lambda: rebuild(database, scheduler))
        again = timed(lambda: rebuild(database, scheduler))
    print(f"rebuild that writes every item           {rebuilt:6.2f} s   {rebuilt / library:4.1f}×")
    print(f"rebuild that finds nothing to change     {again:6.2f} s   {again / library:4.1f}×")


def timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def step_the_library(count: int) -> None:
    model = fsrs.FSRS(list(DEFAULT_PARAMETERS))
    for _ in range(count // REVIEWS_PER_ITEM):
        memory = None
        for _ in range(REVIEWS_PER_ITEM):
            memory = model.next_states(memory, 0.9, 5).good.memory


def log_of(number: int) -> Iterator[LoggedReview]:
    draw = random.Random(number)
    at = START
    for review in range(REVIEWS_PER_ITEM):
        yield LoggedReview(
            uuid=f"{number}-{review}",
            item_guid=f"card-{number}",
            rating=draw.choice((Rating.AGAIN, Rating.HARD, Rating.GOOD, Rating.GOOD, Rating.EASY)),
            withdraws=None,
            at=at,
            utc_offset=60,
            learner_day=date(2024, 1, 1) + (at - START),
        )
        at += timedelta(days=draw.randrange(40), seconds=1)


def fill(database: Database, logs: list[list[LoggedReview]]) -> None:
    items = [
        {"guid": log[0].item_guid, "kind": "card", "concept_id": 1, "created_at": START}
        for log in logs
    ]
    with database.write() as connection:
        connection.execute(insert(ConceptRow).values(id=1, slug="masking", title="Masking"))
        connection.execute(insert(ItemRow), items)
        for log in logs:
            connection.execute(insert(ReviewRow), [row_of(review) for review in log])


def row_of(review: LoggedReview) -> dict[str, Any]:
    return review._asdict()


def rebuild(database: Database, scheduler: Scheduler) -> None:
    with database.write() as connection:
        recompute(connection, scheduler)


if __name__ == "__main__":
    main()
