"""Collections of the real Anki: notes added, reviewed and exported by its own library.

It comes with the optional group `interop`; tests that import this module are skipped without it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from studyattn.exchange.reviews import logs_of
from studyattn.memory import MemoryState, Phase, Remembered, Scheduler, learner_day
from studyattn.memory import fold as fold_log
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    RatingName,
    ReviewRecord,
    Snapshot,
)

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.cards import Card
from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
)
from anki.decks import DeckId
from anki.notes import Note
from anki.scheduler.v3 import CardAnswer
from anki.scheduler.v3 import Scheduler as V3Scheduler

START = datetime(2012, 1, 5, 9, tzinfo=UTC)
END = datetime(2025, 1, 1, tzinfo=UTC)  # Anki takes no review from the future as it is
REVIEWS = 2000


def learnt() -> Snapshot:
    """Two thousand reviews, up to eight of a card, each taken when it was due or later."""
    draw = random.Random(7)
    scheduler = Scheduler()
    concept = ConceptRecord(
        "masking", "Masking", "unseen", "", None, None, None, 0, False, False, ()
    )
    items = []
    reviews: list[ReviewRecord] = []
    number = 0
    while len(reviews) < REVIEWS:
        number += 1
        cloze = number % 5 == 0
        card = CardRecord(
            "cloze" if cloze else "basic",
            f"Number {number}: ==$d_k$==" if cloze else f"Why $\\sqrt{{d_{{{number}}}}}$?",
            "Because.\n\n```python\nx = [1, 2]\n```",
            None,
            {"group": 1} if cloze else {},
            "",
            None,
            None,
        )
        guid = f"s:{number}"
        items.append(
            ItemRecord(
                guid, "card", "masking", None, None, number, START, False, False, False, None, card
            )
        )
        state: Any = None
        at = START + timedelta(minutes=number)
        log: list[ReviewRecord] = []
        for nth in range(min(8, REVIEWS - len(reviews))):
            if isinstance(state, Remembered):
                late = timedelta(days=draw.choice((0, 0, 1, 3)), seconds=draw.randrange(3600))
                at = max(state.due + late + timedelta(hours=5 * (state.phase is Phase.REVIEW)), at)
            if at > END:
                break
            log.append(
                ReviewRecord(
                    f"{number:04}-{nth}",
                    guid,
                    draw.choices(get_args(RatingName), (2, 1, 6, 1))[0],
                    None,
                    at,
                    0,
                    learner_day(at, 0),
                    4.0,
                    "learner",
                )
            )
            state = fold(guid, log, scheduler)
        reviews += log
    return Snapshot(concepts=(concept,), items=tuple(items), reviews=tuple(reviews)).ordered()


def fold(guid: str, log: Iterable[ReviewRecord], scheduler: Scheduler) -> MemoryState:
    """Return the state that the rows of an item's log lead to."""
    return fold_log(guid, logs_of(Snapshot(reviews=tuple(log))).get(guid, ()), scheduler)


def added_note(collection: Collection, name: str, *fields: str, tags: str = "") -> Note:
    """Add a note of one of Anki's own types to the default deck."""
    notetype = collection.models.by_name(name)
    assert notetype is not None
    note = collection.new_note(notetype)
    note.fields[: len(fields)] = fields
    note.tags = tags.split()
    collection.add_note(note, DeckId(1))
    return note


def exported(collection: Collection, path: Path, *, legacy: bool) -> Path:
    """Let Anki export everything, with scheduling."""
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
    )
    collection.export_anki_package(out_path=str(path), options=options, limit=None)
    return path


def review_all(collection: Collection) -> int:
    """Answer each card once; the number of answers."""
    scheduler = collection.sched
    assert isinstance(scheduler, V3Scheduler)
    queued = scheduler.get_queued_cards(fetch_limit=100).cards
    for each in queued:
        card = Card(collection, backend_card=each.card)
        card.start_timer()
        answer = scheduler.build_answer(card=card, states=each.states, rating=CardAnswer.GOOD)
        scheduler.answer_card(answer)
    return len(queued)


def rows(collection: Collection, query: str) -> list[Any]:
    assert collection.db is not None
    return list(collection.db.all(query))
