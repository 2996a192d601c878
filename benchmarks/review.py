"""Reviewing on 100,000 cards: opening the day's queue; an answer and the next card.

The answer is measured beside the raw sqlite3 module carrying out the same statements, read from the
session itself, on a copy of the same database with the same durability.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import cast

from benchmarks._home import home_with
from benchmarks._measure import Figure, medians, percentile
from studyattn.memory import Rating
from studyattn.store import backup
from studyattn.store.driver import SqliteDriver
from studyattn.study.profile import Profile
from studyattn.study.review.queue import read_day
from studyattn.study.review.session import ReviewSession
from studyattn.study.statistics.today import today

CARDS = 100_000
ANSWERS = 1000
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "fullfsync = ON")


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    for share, words, most in ((0.02, "2 % due", 100), (1.0, "every card due", 100)):
        with home_with(CARDS, due_share=share) as profile:
            profile.change_setting("reviews_per_day", "200")
            (opening,) = medians([lambda: read_day(profile)], 9)
            yield Figure(f"open the queue of 100,000 cards, {words}", opening * 1e3, "ms", most)
            (glance,) = medians([lambda: today(profile)], 5)
            yield Figure(f"Today on 100,000 cards, {words}", glance * 1e3, "ms")
    with home_with(CARDS) as profile:
        yield from _answers(profile)


def _answers(profile: Profile) -> Iterator[Figure]:
    taken: list[float] = []
    statements: list[list[str]] = []
    with ReviewSession(profile) as session:
        traced: list[str] = []
        ours = cast(SqliteDriver, session._recorder.driver)._connection  # noqa: SLF001 - to do the same raw
        ours.set_trace_callback(traced.append)
        for _ in range(50):
            _one(session)
            statements.append(list(traced))
            traced.clear()
        ours.set_trace_callback(None)
        copy = backup.make(profile.home, now=profile.clock.now()).path
        with closing(_raw(str(copy))) as raw:
            raw_taken = []
            for index in range(ANSWERS):
                began = time.perf_counter()
                _one(session)
                middle = time.perf_counter()
                _again(raw, index)
                taken.append(middle - began)
                raw_taken.append(time.perf_counter() - middle)
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        wait, raw_wait = percentile(taken, share), percentile(raw_taken, share)
        yield Figure(f"answer and next card, {name}", wait * 1e3, "ms")
        yield Figure(f"answer and next card ÷ raw sqlite3, {name}", wait / raw_wait, "×", 3)
    yield Figure("statements an answer and its next card take", len(statements[-1]), "")


def _one(session: ReviewSession) -> None:
    session.answer(Rating.GOOD, 4.0)
    if session.current is None:
        raise RuntimeError("the queue is too short for this benchmark")


def _raw(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _again(raw: sqlite3.Connection, index: int) -> None:
    """The session's own statements with the like of its values."""
    from benchmarks._home import guid
    from studyattn.store.queries.items import _SQL as ITEMS
    from studyattn.store.queries.review_log import _SQL as LOG

    name, following = guid(index), guid(index + 1)
    at = "2026-03-02 12:00:00.000000"
    raw.execute("BEGIN IMMEDIATE")
    raw.execute(ITEMS.read_memory, (name,)).fetchone()
    instant, day = 1_772_452_800_000_000, 20_514  # the same, as the log keeps it
    values = (index.to_bytes(16), name, 3, None, instant, 0, day, 4.0, "learner")
    raw.execute(LOG.append, values)
    raw.execute(ITEMS.save_memory, ("review", 0, 9.5, 5.5, at, at, "2026-03-02", 3, 0, name))
    raw.execute("COMMIT")
    raw.execute(ITEMS.read_item, ("2026-03-02", following)).fetchone()
