"""Homes with a past, in which the benchmarks of daily use run: empty, a year's, a big one.

    python -m benchmarks.homes        # make those that are missing, and say where they are

A home is made once and kept in the platform's cache directory, or in `STUDYATTN_BENCH_HOMES`; its
history ends on the day before it was made. Benchmarks work on copies (`copy_of`). After a week it
is made anew, so that what is due stays what a daily learner finds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple
from uuid import UUID

import platformdirs

from studyattn.home import Home
from studyattn.memory import New, Rating, Remembered, Scheduler
from studyattn.memory.columns import memory_to_columns
from studyattn.memory.state import MemoryState
from studyattn.packs.installed import sync_installed
from studyattn.store.database import Connection, open_database
from studyattn.store.models import (
    AttemptRow,
    Base,
    CardRow,
    ConceptChangeRow,
    ConceptRequiresRow,
    ConceptRow,
    ItemRow,
    NoteRow,
    SourceRow,
)
from studyattn.store.queries.bulk import Columns, insert_rows, last_id
from studyattn.store.queries.items import MemoryColumns
from studyattn.store.revisions import HEAD
from studyattn.study.profile import open_profile

FORMAT = 3
"""Goes up when the same size gives another home."""

KEPT = timedelta(days=7)
BATCH = 20_000  # rows in one statement
WORDS = 6_000  # of the language that texts are written in
FIRST_ID = 10_000  # of concepts and items, beyond those of the built-in pack


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is in a home besides the built-in pack."""

    name: str
    cards: int = 0
    concepts: int = 0
    reviews: int = 0
    days: int = 0  # over which they were given
    notes: int = 0
    note_words: int = 120
    attempts: int = 0
    sources: int = 0
    forgotten: int = 10  # reviews of a hundred that are rated `again`


EMPTY = Size("empty")
YEAR = Size("year", 5_000, 300, 60_000, 365, 500, attempts=200, sources=20, forgotten=16)
BIG = Size("big", 100_000, 5_000, 1_000_000, 1461, 10_000, attempts=2_000, sources=200, forgotten=6)
NOTES = Size("notes", 2_000, 200, 10_000, 365, notes=100_000)
"""For search alone."""

LIVED_IN = (EMPTY, YEAR, BIG)
SIZES = (*LIVED_IN, NOTES)


class Text:
    """Text in a made-up language whose words are as frequent as words are (Zipf)."""

    def __init__(self, random: Random) -> None:
        letters = "etaoinshrdlucmfwypvbgkjqxz"
        weights = [1 / (place + 3) for place in range(len(letters))]
        words: dict[str, None] = {}
        while len(words) < WORDS:
            words["".join(random.choices(letters, weights, k=random.randint(2, 10)))] = None
        self.words = list(words)
        self._random = random
        self._weights = list(accumulate(1 / place for place in range(1, WORDS + 1)))

    def of(self, length: int) -> str:
        """Return so many words."""
        return " ".join(self._random.choices(self.words, cum_weights=self._weights, k=length))


class Answer(NamedTuple):
    """One row of the log before it has a number."""

    at: datetime
    guid: str
    rating: int
    seconds: float


def folder() -> Path:
    """Return where the homes are kept."""
    named = os.environ.get("STUDYATTN_BENCH_HOMES")
    return Path(named) if named else Path(platformdirs.user_cache_dir("studyattn")) / "bench-homes"


def home_of(size: Size) -> Home:
    """Return the home of this size, made if there is none that is less than a week old."""
    today = datetime.now(UTC).date()
    beginning = f"{size.name}-{FORMAT}-{HEAD}-"
    found = None
    for path in folder().glob(f"{size.name}-*"):
        with suppress(ValueError):
            made = date.fromisoformat(path.name.removeprefix(beginning))
            if today - KEPT < made <= today:
                found = path
                continue
        shutil.rmtree(path)
    if found is None:
        found = folder() / f"{beginning}{today.isoformat()}"
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder(), prefix=".making-") as making:
            root = Path(making) / "home"
            _make(Home(root), size, datetime(today.year, today.month, today.day, tzinfo=UTC))
            root.rename(found)
    return Home(found)


@contextmanager
def copy_of(size: Size) -> Iterator[Home]:
    """A copy of the home of this size, which may be changed and is gone afterwards."""
    original = home_of(size)
    with tempfile.TemporaryDirectory(dir=folder(), prefix=".copy-") as copy:
        root = Path(copy) / "home"
        shutil.copytree(original.root, root)  # with the times by which a sound file is known
        yield Home(root)


def _make(home: Home, size: Size, end: datetime) -> None:
    """Make a home whose history ends at the instant `end`."""
    random = Random(0)
    now = datetime.now(UTC)
    with open_database(home, now=now) as database:
        sync_installed(database, end - timedelta(days=size.days + 1))
        if size.cards:
            with database.write() as connection:
                _Filling(connection, size, end, random).fill()
    with open_profile(home):
        pass  # as the app leaves it: backed up, the log's totals kept, the file in good order


class _Filling:
    """Fills one database."""

    def __init__(self, connection: Connection, size: Size, end: datetime, random: Random) -> None:
        self._connection = connection
        self._size = size
        self._end = end
        self._start = end - timedelta(days=size.days)
        self._random = random
        self._text = Text(random)
        self._scheduler = Scheduler()

    def fill(self) -> None:
        """Write everything."""
        self._concepts()
        self._items()
        self._notes()
        self._attempts()

    def _insert(self, table: type[Base], rows: list[Columns]) -> None:
        for start in range(0, len(rows), BATCH):
            insert_rows(self._connection, table.__tablename__, rows[start : start + BATCH])

    def _concepts(self) -> None:
        random, text = self._random, self._text
        self._insert(
            SourceRow,
            [
                {
                    "id": FIRST_ID + number,
                    "guid": f"source-{number}",
                    "kind": "qa",
                    "title": text.of(6),
                    "path": f"notes/source-{number}.md",
                    "text": text.of(2000),
                    "digest": f"{number:064x}",
                    "imported_at": self._instant(),
                    "front_matter": {},
                }
                for number in range(self._size.sources)
            ],
        )
        numbers = range(self._size.concepts)
        states = random.choices(("unseen", "known-unknown", "known"), (2, 3, 5), k=len(numbers))
        self._insert(
            ConceptRow,
            [
                {
                    "id": FIRST_ID + number,
                    "slug": f"bench-{number}",
                    "title": text.of(3),
                    "state": states[number],
                    "position": number,
                    "body": text.of(40),
                    "source_id": FIRST_ID + number % self._size.sources
                    if self._size.sources
                    else None,
                }
                for number in numbers
            ],
        )
        self._insert(
            ConceptRequiresRow,
            [
                {"concept_id": FIRST_ID + number, "requires_id": FIRST_ID + number - step}
                for number in numbers
                for step in random.sample(range(1, 30), random.randint(0, 2))
                if number >= step
            ],
        )
        # What is known was last called so a short while ago: a learner follows most suggestions.
        recently = [
            self._end - timedelta(hours=random.uniform(0, 2 if random.random() < 0.99 else 500))
            for _ in numbers
        ]
        self._insert(
            ConceptChangeRow,
            [
                {
                    "concept_id": FIRST_ID + number,
                    "at": recently[number] if states[number] == "known" else self._instant(),
                    "from_state": "unseen",
                    "to_state": states[number],
                    "reason": text.of(6),
                    "author": "learner",
                }
                for number in numbers
                if states[number] != "unseen"
            ],
        )

    def _items(self) -> None:
        size, random = self._size, self._random
        answers: list[Answer] = []
        states: list[MemoryState] = []
        # Long ones, as cards of documents have: the name of the source and a digest.
        guids = [
            f"source-{number % (size.sources or 1)}:{random.getrandbits(64):016x}"
            for number in range(size.cards)
        ]
        for guid in guids:
            state, given = self._history(guid, size.reviews - len(answers))
            answers += given
            states.append(state)
        forgotten = {each.guid: each.at for each in answers if each.rating == Rating.AGAIN}
        items = [self._item(n, guids[n], states[n]) for n in range(size.cards)]
        self._insert(ItemRow, [{**e, "forgotten_at": forgotten.get(e["guid"])} for e in items])
        self._insert(
            CardRow,
            [
                {
                    "item_id": FIRST_ID + number,
                    "kind": "basic",
                    "front": f"{self._text.of(8)}?",
                    "back": f"{self._text.of(15)} $\\sqrt{{d_k}}$",
                    "extra": {},
                    "digest": f"{number:064x}",
                    "sibling_group": f"group-{number // 2}" if number % 10 < 2 else None,
                }
                for number in range(size.cards)
            ],
        )
        answers.sort()
        for start in range(0, len(answers), BATCH):
            some = enumerate(answers[start : start + BATCH], start=start)
            insert_rows(self._connection, "review", [_review(n, answer) for n, answer in some])

    def _history(self, guid: str, most: int) -> tuple[MemoryState, list[Answer]]:
        """Answer one card as it comes due, now and then some days late, at most `most` times."""
        random, forgotten = self._random, self._size.forgotten
        state: MemoryState = New()
        at = self._instant()
        given: list[Answer] = []
        while at < self._end and len(given) < most:
            new = isinstance(state, New)
            weights = (15, 15, 60, 10) if new else (forgotten, 14, 79 - forgotten, 7)
            rating = random.choices(list(Rating), weights)[0]
            state = self._scheduler.answer(guid, state, rating, at, 0)
            given.append(Answer(at, guid, rating.value, round(random.lognormvariate(1.8, 0.5), 3)))
            at = _when_asked(state, at, random)
        return state, given

    def _item(self, number: int, guid: str, state: MemoryState) -> Columns:
        random = self._random
        return {
            "id": FIRST_ID + number,
            "guid": guid,
            "kind": "card",
            # Some concepts have many cards, most a few.
            "concept_id": FIRST_ID + int(self._size.concepts * random.random() ** 1.5),
            "source_id": FIRST_ID + number % self._size.sources if self._size.sources else None,
            "position": number,
            "created_at": self._start,
            "suspended": random.random() < 0.01,
            "marked": random.random() < 0.01,
            **dict(zip(MemoryColumns._fields, memory_to_columns(state), strict=True)),
        }

    def _notes(self) -> None:
        # The title's words are looked for as they stand; a note is about a concept, or about none.
        self._insert(
            NoteRow,
            [
                {
                    "guid": f"bench-note-{number}",
                    "title": self._text.of(5),
                    "body": f"{self._text.of(self._size.note_words)} $\\sqrt{{d_k}}$",
                    "concept_id": FIRST_ID + number % self._size.concepts if number % 3 else None,
                    "created_at": self._start,
                    "updated_at": self._instant(),
                }
                for number in range(self._size.notes)
            ],
        )

    def _attempts(self) -> None:
        random = self._random
        rows = self._connection.exec_driver_sql(
            "SELECT guid FROM item WHERE kind = 'drill' ORDER BY id"
        )
        drills = [guid for (guid,) in rows]
        moments = sorted(self._instant() for _ in range(self._size.attempts))
        first = last_id(self._connection, "attempt") + 1
        self._insert(
            AttemptRow,
            [
                {
                    "uuid": _uuid(at, number),
                    "item_guid": random.choice(drills),
                    "at": at,
                    "utc_offset": 0,
                    "learner_day": (at - timedelta(hours=4)).date(),
                    "code": "def attention(q, k, v):\n" + "    x = q @ k.T\n" * 30,
                    "backend": "numpy",
                    "device": "cpu",
                    "verdict": "wrong" if number % 3 else "passed",
                    "report": _REPORT if number % 3 else {"diagnosis": []},
                    "seconds": random.uniform(20, 900),
                }
                for number, at in enumerate(moments, start=first)
            ],
        )

    def _instant(self) -> datetime:
        """Return an instant at which the learner may have begun something."""
        day = self._start + timedelta(days=self._random.randrange(max(1, self._size.days - 1)))
        return day + timedelta(hours=self._random.uniform(8, 21))


def _when_asked(state: Remembered, last: datetime, random: Random) -> datetime:
    """Return when a card is asked again: a step soon after it ends, a day in one of its hours."""
    if state.due - last < timedelta(hours=3):
        return state.due + timedelta(seconds=random.uniform(1, 300))
    late = random.choices((0, 1, 2, 4), (75, 15, 7, 3))[0]
    return state.due + timedelta(days=late, hours=random.uniform(4, 17))


def _review(number: int, answer: Answer) -> Columns:
    return {
        "uuid": _uuid(answer.at, number),
        "item_guid": answer.guid,
        "rating": answer.rating,
        "withdraws": None,
        "at": answer.at,
        "utc_offset": 0,
        "learner_day": (answer.at - timedelta(hours=4)).date(),
        "seconds": answer.seconds,
        "origin": "learner",
    }


def _uuid(at: datetime, number: int) -> str:
    """Return a UUID of version 7, as answers have; the same at each making."""
    stamp = int(at.timestamp() * 1000) << 80 | 7 << 76 | 0b10 << 62
    return str(UUID(int=stamp | number * 0x9E3779B97F4A7C15 % (1 << 62)))


_REPORT = {
    "diagnosis": [
        {
            "misconceptions": ["scale-missing"],
            "cases": "12/12",
            "title": "The scores are not divided by the square root of the width of the keys.",
            "concept": "scaling",
        }
    ],
    "cases": [{"name": f"case {number}", "passed": False} for number in range(12)],
}


def main() -> int:
    """Make the homes that are missing and print where they are."""
    for size in SIZES:
        began = time.perf_counter()
        home = home_of(size)
        took = time.perf_counter() - began
        megabytes = home.database.stat().st_size / 1e6
        print(f"  {size.name:<6} {megabytes:8.1f} MB  {took:6.1f} s  {home.root}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
