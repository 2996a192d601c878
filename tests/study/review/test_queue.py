"""The day's queue against the pure order of everything that there is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import insert, select

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.memory import Phase, Rating
from studyattn.memory.order import (
    Candidate,
    DayLimits,
    Interleaving,
    in_learning_order,
    order_queue,
)
from studyattn.store.database import Connection, open_database
from studyattn.store.models import CardRow, ConceptRequiresRow, ConceptRow, ItemRow
from studyattn.store.queries.settings import put_value
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review.batch import answer
from studyattn.study.review.queue import due_items, read_day
from tests.study.conftest import NOON, AddItem

CONCEPTS = 6
STATES = ("known-unknown", "unseen", "known")  # as new cards are asked
TODAY = NOON.date()


def random_items(draw: Random) -> list[dict[str, object]]:
    """Items in any state; many share an instant, an interval or a group."""
    return [_random_item(draw, number) for number in range(1, draw.choice((8, 60, 150)))]


def _random_item(draw: Random, number: int) -> dict[str, object]:
    kind = "drill" if draw.random() < 0.1 else "card"
    values: dict[str, object] = {
        "id": number,
        "guid": f"t:{draw.randrange(10**6)}-{number}",
        "kind": kind,
        "concept_id": draw.randrange(1, CONCEPTS + 1),
        "position": draw.randrange(20),
        "created_at": NOON,
        "suspended": draw.random() < 0.1,
        "retired": draw.random() < 0.1,
        "buried_until": draw.choice((None, None, None, TODAY, TODAY + timedelta(days=1))),
        "phase": "new",
        "due": None,
        "last_review": None,
        "stability": None,
        "last_day": None,
    }
    phase = draw.choice(("new", "new", "review", "review", "review", "learning", "relearning"))
    if phase == "new":
        return values
    if phase == "review":
        due = datetime(2026, 3, 2, 3, tzinfo=UTC) - timedelta(days=draw.randrange(-2, 6))
        last = due - timedelta(days=draw.randrange(1, 9), minutes=draw.choice((0, 0, 7)))
    else:
        due = NOON + timedelta(minutes=draw.randrange(-30, 30))
        last = due - timedelta(minutes=10)
    memory = {"due": due, "last_review": last, "stability": 3.0, "last_day": last.date()}
    return {**values, **memory, "phase": phase}


def fill(connection: Connection, draw: Random) -> list[dict[str, object]]:
    items = random_items(draw)
    for item in items:
        shared = item["kind"] == "card" and draw.random() < 0.5
        item["group"] = f"g{draw.randrange(12)}" if shared else None
    states = ("unseen", "known-unknown", "known")
    connection.execute(
        insert(ConceptRow),
        [
            {
                "id": number,
                "slug": f"c{number}",
                "title": "C",
                "position": draw.randrange(4),
                "state": draw.choice(states),
            }
            for number in range(1, CONCEPTS + 1)
        ],
    )
    pairs = {(draw.randrange(1, 7), draw.randrange(1, 7)) for _ in range(4)}
    connection.execute(
        insert(ConceptRequiresRow),
        [{"concept_id": a, "requires_id": b} for a, b in sorted(pairs) if a != b]
        or [{"concept_id": 1, "requires_id": 2}],
    )
    connection.execute(insert(ItemRow), items)
    cards = [item for item in items if item["kind"] == "card"]
    if cards:
        connection.execute(
            insert(CardRow),
            [
                {
                    "item_id": item["id"],
                    "kind": "basic",
                    "front": "?",
                    "back": "!",
                    "digest": "",
                    "sibling_group": item["group"],
                }
                for item in cards
            ],
        )
    return items


def in_pure_order(
    connection: Connection, items: list[dict[str, object]], limits: DayLimits
) -> list[str]:
    """The queue by `order_queue`, of every item, as the rules say it."""
    asked = [
        item
        for item in items
        if not item["suspended"]
        and not item["retired"]
        and (item["buried_until"] is None or item["buried_until"] <= TODAY)  # type: ignore[operator]  # a date
    ]
    with_new = {
        item["concept_id"]
        for item in items
        if item["kind"] == "card"
        and item["phase"] == "new"
        and not item["suspended"]
        and not item["retired"]
    }
    concepts = connection.execute(
        select(ConceptRow.id, ConceptRow.state, ConceptRow.position)
    ).all()
    path = sorted(
        (each for each in concepts if each.id in with_new),
        key=lambda each: (STATES.index(each.state), each.position, each.id),
    )
    requires = connection.execute(
        select(ConceptRequiresRow.concept_id, ConceptRequiresRow.requires_id)
    )
    needs: dict[int, set[int]] = {each.id: set() for each in path}
    for concept, other in requires:
        if concept in needs and other in needs:
            needs[concept].add(other)
    order = in_learning_order([each.id for each in path], needs.__getitem__)
    ranks = {concept: rank for rank, concept in enumerate(order)}
    candidates = [_candidate(item, ranks) for item in asked]
    open_drills = [
        each
        for each, item in zip(candidates, asked, strict=True)
        if not (each.drill and item["phase"] == "new" and item["concept_id"] in with_new)
    ]
    queue = order_queue(open_drills, NOON, limits).items
    cards = [each.guid for each in queue if not each.drill]
    return cards + [each.guid for each in queue if each.drill]


def _candidate(item: dict[str, object], ranks: dict[int, int]) -> Candidate:
    number, concept = int(str(item["id"])), int(str(item["concept_id"]))
    drill = item["kind"] == "drill"
    within = int(str(item["position"])) * 1000 + number
    return Candidate(
        guid=str(item["guid"]),
        phase=Phase(str(item["phase"])),
        due=item["due"],  # type: ignore[arg-type]  # an instant
        last_review=item["last_review"],  # type: ignore[arg-type]  # an instant
        place=(1 << 30, number) if drill else (ranks.get(concept, 0), within),
        siblings=None if item["group"] is None else str(item["group"]),
        drill=drill,
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_queue_is_the_pure_order_of_all_items(
    tmp_path: Path, either: ServerAddress | None, seed: int
) -> None:
    draw = Random(seed)
    limits = DayLimits(
        new=draw.choice((0, 2, 5, 99)),
        reviews=draw.choice((0, 3, 8, 99)),
        drills=draw.choice((1, 9)),
    )
    home = Home(tmp_path, either)
    with open_database(home, now=NOON) as database:
        with database.write() as connection:
            items = fill(connection, draw)
        profile = Profile(home, database, FixedClock(NOON))
        for key, value in (
            ("new", limits.new),
            ("reviews", limits.reviews),
            ("drills", limits.drills),
        ):
            profile.change_setting(f"{key}_per_day", str(value))
        profile.change_setting("minutes_per_day", "0")
        with database.read() as connection:
            expected = in_pure_order(connection, items, limits)
        day = read_day(profile, interleaving=Interleaving.LAST)
    # The drills that are new stand in the order of the table.
    assert [item.guid for item in day.items] == expected


def test_nothing_beyond_the_limit_is_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    due = datetime(2026, 3, 2, 3, tzinfo=UTC)
    with open_database(home, now=NOON) as database:
        with database.write() as connection:
            connection.execute(insert(ConceptRow).values(id=1, slug="c", title="C"))
            connection.execute(
                insert(ItemRow),
                [
                    {
                        "guid": f"t:{number}",
                        "kind": "card",
                        "concept_id": 1,
                        "created_at": NOON,
                        "phase": "review",
                        "stability": 5.0,
                        "difficulty": 5.0,
                        "due": due - timedelta(days=number % 7),
                        "last_review": due - timedelta(days=10 + number),
                        "last_day": TODAY - timedelta(days=10 + number),
                    }
                    for number in range(3000)
                ],
            )
        profile = Profile(home, database, FixedClock(NOON))
        profile.change_setting("reviews_per_day", "5")
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        with database.read() as connection:
            connection.exec_driver_sql("SELECT 1")
            driver = connection.connection.driver_connection
            assert driver is not None
            driver.set_progress_handler(count, 100)  # called at every 100 steps of SQLite's machine
        day = read_day(profile)
    assert len(day.items) == 5
    assert steps < 50  # reading all of them takes more than a thousand


def test_what_is_known_not_to_be_known_comes_before_the_rest_of_the_path(
    tmp_path: Path, either: ServerAddress | None
) -> None:
    with open_database(Home(tmp_path, either), now=NOON) as database:
        with database.write() as connection:
            states = ("unseen", "known", "known-unknown")
            for number, state in enumerate(states, start=1):
                concept = {"slug": state, "title": state, "state": state, "position": number}
                connection.execute(insert(ConceptRow).values(id=number, **concept))
                item = {"guid": state, "kind": "card", "concept_id": number, "created_at": NOON}
                connection.execute(insert(ItemRow).values(id=number, **item))
                words = {"kind": "basic", "front": "?", "back": "!", "digest": ""}
                connection.execute(insert(CardRow).values(item_id=number, **words))
        profile = Profile(Home(tmp_path), database, FixedClock(NOON, 0))
        asked = [item.guid for item in due_items(profile, profile.moment())]
    assert asked == ["known-unknown", "unseen", "known"]


def test_a_new_drill_longer_than_the_day_is_asked_on_the_next_study_day_after_it_is_ready(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    cards, drill = [add()], add(kind="drill")
    cards += [add("second") for _ in range(4)]
    profile.change_setting("minutes_per_day", "5")
    asked: list[tuple[bool, str]] = []
    for day, card in enumerate(cards):
        clock.at = NOON + timedelta(days=(0, 1, 5, 6, 7)[day])  # days without study do not count
        queue = read_day(profile)
        asked.append((drill in {item.guid for item in queue.items}, queue.long_drill))
        if day:  # yesterday's card, so that no day begins without anything due
            answer(profile, cards[day - 1], Rating.GOOD)
        answer(profile, card, Rating.GOOD)
    told = "today has a long drill: about 9 min"
    assert asked == [(False, "")] + [(True, told)] * 4


def test_a_drill_waits_from_the_day_on_which_the_one_that_it_requires_was_written(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    cards = [add(), *(add("second") for _ in range(5))]
    first, then = add(kind="drill"), add(kind="drill")
    drills = {first: {"level": 1, "requires": []}, then: {"level": 3, "requires": [first]}}
    with profile.database.write() as connection:
        put_value(connection, "pack:t", {"drills": drills})
    profile.change_setting("minutes_per_day", "5")
    asked = []
    for day, card in enumerate(cards):
        clock.at = NOON + timedelta(days=day)
        asked.append(then in {item.guid for item in due_items(profile)})
        if day:
            answer(profile, cards[day - 1], Rating.GOOD)
        answer(profile, card, Rating.GOOD)
        if day == 1:
            answer(profile, first, Rating.EASY)
    assert asked == [False] * 2 + [True] * 4
