"""Figures of a log beside those of the real Anki, which has the same log from our own package."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from sqlalchemy import insert

from studyattn.home import Home
from studyattn.memory import New, Phase, Rating, Scheduler, SchedulingSettings, learner_day
from studyattn.memory.columns import review_from_columns
from studyattn.memory.days import ROLLOVER_HOUR
from studyattn.memory.fit import FitTrial, figures, forecasts, trials_of
from studyattn.memory.settings import DEFAULT_PARAMETERS
from studyattn.memory.state import MemoryState
from studyattn.store.database import open_database
from studyattn.store.models import CardRow, ConceptRow, ItemRow
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.items_now import items_now
from studyattn.store.queries.review_log import ReviewColumns, all_reviews, append_reviews
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.profile import Profile
from studyattn.study.review.recompute import recompute
from studyattn.study.rules.pace import Pace
from studyattn.study.rules.simulation import Learner
from studyattn.study.statistics.load import DAYS as DAYS_AHEAD
from studyattn.study.statistics.load import begun_items, simulate_load
from studyattn.study.statistics.pages import card_figures, choose, figures_of, present_of
from studyattn.study.statistics.totals import statistics
from studyattn.text.figure import Figure

pytest.importorskip("anki.collection", reason="the group interop is not installed")

from anki.collection import Collection
from anki.scheduler_pb2 import SimulateFsrsReviewRequest

from benchmarks._anki import import_package
from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package

CARDS = 90
DAYS = 200
STARTED = 60  # cards; the others are new


@dataclass(frozen=True, slots=True)
class Both:
    """The same log here and in Anki."""

    profile: Profile
    collection: Collection
    graphs: Any
    numbers: dict[str, int]  # Anki's card by our guid

    def figures(self, page: str, span: str = "all") -> dict[str, Figure]:
        chosen = choose(self.profile, span)
        return {each.name: each for each in figures_of(page, self.profile, chosen)}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("beside")
    now = datetime.now(UTC)  # Anki knows no other
    with open_database(Home(folder / "home"), now=now) as database:
        profile = Profile(database.home, database, FixedClock(now))
        # Our packages have planned intervals as they are before they vary, and Anki goes by these.
        scheduler = Scheduler(SchedulingSettings(fuzz=False))
        with database.write() as connection:
            connection.execute(insert(ConceptRow).values(id=1, slug="c", title="C"))
            guids = [f"own:{number:08}" for number in range(CARDS)]
            added = [_added(number, now) for number in range(CARDS)]
            connection.execute(
                insert(ItemRow),
                [
                    {
                        "id": 1 + at,
                        "guid": guid,
                        "kind": "card",
                        "concept_id": 1,
                        "created_at": when,
                    }
                    for at, (guid, when) in enumerate(zip(guids, added, strict=True))
                ],
            )
            connection.execute(
                insert(CardRow),
                [
                    {"item_id": 1 + at, "kind": "basic", "front": g, "back": "b", "digest": ""}
                    for at, g in enumerate(guids)
                ],
            )
            append_reviews(connection, list(_log(guids[:STARTED], scheduler, now)))
            recompute(connection, scheduler)
        with database.read() as connection:
            held = load_snapshot(connection)
        package = folder / "ours.apkg"
        write_package(package, held, scheduler)
        with closing(Collection(str(folder / "theirs.anki2"))) as collection:
            collection.set_config("fsrs", True)
            collection.set_config("rollover", ROLLOVER_HOUR)
            import_package(collection, package)
            graphs: Any = collection._backend.graphs(search="", days=0)
            read = read_package(package, now).guids
            by_front = {collection.get_card(n).note().fields[0][3:-4]: n for n in read}  # type: ignore[arg-type]  # numbers
            yield Both(profile, collection, graphs, by_front)


def _log(guids: list[str], scheduler: Scheduler, now: datetime) -> Iterator[ReviewColumns]:
    """Every card is answered on the day that it is due, at an hour of its own, until now.

    Nothing is begun in the three hours before a day ends: a learning step that crosses its end is
    an answer of learning in Anki, and of a young memory here (see `answer_groups`).
    """
    draw = Random(5)
    for guid in guids:
        state: MemoryState = New()
        at = now - timedelta(days=draw.randrange(1, DAYS), minutes=draw.randrange(600))
        while at < now - timedelta(minutes=5):
            steps = state.phase in (Phase.LEARNING, Phase.RELEARNING)
            if not steps and ROLLOVER_HOUR - 3 <= at.hour < ROLLOVER_HOUR:
                at += timedelta(hours=4)
                continue
            rating = Rating(draw.choices(list(Rating), (15, 15, 55, 15))[0])
            state = scheduler.answer(guid, state, rating, at, 0)
            seconds = round(draw.uniform(2, 40), 1)
            uuid = str(UUID(int=draw.getrandbits(128)))
            yield ReviewColumns(
                *(uuid, guid, rating.value, None, at, 0, learner_day(at, 0), seconds, "learner")
            )
            at = state.due + timedelta(
                minutes=0 if state.phase is not Phase.REVIEW else draw.randrange(1, 900)
            )


def test_the_log_is_large_enough_to_show_a_difference(both: Both) -> None:
    assert sum(both.figures("activity")["reviews"].values("reviews").values()) > 300  # type: ignore[arg-type]  # no None


def test_reviews_and_minutes_a_day(both: Both) -> None:
    figures, today = both.figures("activity"), both.profile.today()
    theirs = {
        (today + timedelta(days=day)).isoformat(): each
        for day, each in both.graphs.reviews.count.items()
    }
    spent = {
        (today + timedelta(days=day)).isoformat(): each
        for day, each in both.graphs.reviews.time.items()
    }
    for day, reviews in figures["reviews"].values("reviews").items():
        assert reviews == (_sum(theirs[day]) if day in theirs else 0), day
    assert figures["calendar"].values("reviews") == figures["reviews"].values("reviews")
    for day, minutes in figures["minutes"].values("minutes").items():
        assert minutes == pytest.approx((_sum(spent[day]) if day in spent else 0) / 60e3, abs=1e-3)


def _sum(counts: Any) -> int:
    return int(counts.learn + counts.relearn + counts.young + counts.mature + counts.filtered)


def test_answers_by_rating_and_by_hour(both: Both) -> None:
    figures = both.figures("answers")
    theirs = both.graphs.buttons.all_time
    for ours, name in (("learning", "learning"), ("young", "young"), ("mature", "mature")):
        assert list(figures["answers"].values(ours).values()) == list(getattr(theirs, name)), name
    hours = both.graphs.hours.all_time
    for hour, answers in figures["hours"].values("answers").items():
        assert answers == hours[int(hour)].total, hour
    # What is recalled is measured on reviews alone; Anki takes the answers of learning, too.
    assert both.collection.db is not None
    rows = both.collection.db.all("SELECT id, ease FROM revlog WHERE type = 1")
    asked = Counter(datetime.fromtimestamp(at / 1000, UTC).hour for at, _ in rows)
    recalled = Counter(datetime.fromtimestamp(at / 1000, UTC).hour for at, ease in rows if ease > 1)
    for hour, share in figures["hours"].values("recalled").items():
        expected = recalled[int(hour)] / asked[int(hour)] if asked[int(hour)] else None
        assert share == (None if expected is None else pytest.approx(expected)), hour


@pytest.mark.parametrize(
    ("span", "theirs"), [("7d", "week"), ("30d", "month"), ("all", "all_time")]
)
def test_retention_by_age(both: Both, span: str, theirs: str) -> None:
    figure = both.figures("retention", span)["retention"]
    counts = getattr(both.graphs.true_retention, theirs)
    expected = {
        "young": (counts.young_passed, counts.young_failed),
        "mature": (counts.mature_passed, counts.mature_failed),
    }
    for age, (passed, failed) in expected.items():
        assert figure.values("asked")[age] == passed + failed
        share = passed / (passed + failed) if passed + failed else None
        assert figure.values("recalled")[age] == (None if share is None else pytest.approx(share))


def test_today_and_the_summary(both: Both) -> None:
    today = both.graphs.today
    figures, day = both.figures("activity"), both.profile.today().isoformat()
    assert figures["reviews"].values("reviews").get(day, 0) == today.answer_count
    minutes = figures["minutes"].values("minutes").get(day, 0)
    assert minutes == pytest.approx(today.answer_millis / 60e3, abs=1e-3)
    told = statistics(both.profile)
    buttons, month = both.graphs.buttons.all_time, both.graphs.true_retention.month
    expected = [
        sum(each) for each in zip(buttons.learning, buttons.young, buttons.mature, strict=True)
    ]
    assert [told.ratings.get(rating, 0) for rating in Rating] == expected
    assert told.by_day == {
        both.profile.today() + timedelta(days=ago): _sum(each)
        for ago, each in both.graphs.reviews.count.items()
    }
    passed = month.young_passed + month.mature_passed
    asked = passed + month.young_failed + month.mature_failed
    assert told.retention_of == asked
    assert told.retention == pytest.approx(passed / asked)


def test_items_by_phase_stability_difficulty_and_recall(both: Both) -> None:
    figures = both.figures("memory")
    theirs = both.graphs.card_counts.excluding_inactive
    phases = figures["items"].values("items")
    names = {"new": "newCards", "learning": "learn", "relearning": "relearn"}
    for ours in ("new", "learning", "relearning", "young", "mature", "suspended", "buried"):
        assert phases[ours] == getattr(theirs, names.get(ours, ours)), ours
    # Anki rounds a stability to whole days before it counts it.
    with both.profile.database.read() as connection:
        known = [each.stability for each in items_now(connection, Chosen()) if each.stability]
    assert Counter(math.floor(each + 0.5) for each in known) == both.graphs.stability.intervals
    exact = Counter(_class_of(each, figures["stability"].labels) for each in known)
    assert _found(figures["stability"]) == exact
    shares = both.graphs.difficulty.eases
    assert sum(shares.values()) == STARTED
    coarse: Counter[str] = Counter()
    for per_cent, items in shares.items():
        coarse[f"{min(90, per_cent // 10 * 10)} to {min(90, per_cent // 10 * 10) + 10}%"] += items
    assert _found(figures["difficulty"]) == coarse
    recalls: Counter[str] = Counter()
    for per_cent, items in both.graphs.retrievability.retrievability.items():
        recalls[f"{min(90, per_cent // 10 * 10)} to {min(90, per_cent // 10 * 10) + 10}%"] += items
    assert _found(figures["retrievability"]) == recalls
    knowledge = both.figures("concepts")["knowledge"].values("knowledge")["C"]
    assert knowledge == pytest.approx(both.graphs.retrievability.sum_by_card / CARDS, rel=1e-3)


def _found(figure: Figure) -> dict[str, float]:
    return {label: items for label, items in figure.values("items").items() if items}


def _class_of(days: float, labels: tuple[str, ...]) -> str:
    for label in reversed(labels):
        first = 0 if label.startswith("under") else int(label.split()[0])
        if days >= first:
            return label
    raise AssertionError(days)


def test_dues_of_the_coming_year(both: Both) -> None:
    dues = both.figures("forecast")["due"].values("due")
    today = both.profile.today()
    theirs: Counter[str] = Counter()
    for day, items in both.graphs.future_due.future_due.items():
        if day >= len(dues):
            continue
        theirs[(today + timedelta(days=max(0, day))).isoformat()] += items
    assert {day: items for day, items in dues.items() if items} == theirs


def test_added(both: Both) -> None:
    """A package has no day on which a card was made here, so Anki says today of all of them."""
    assert dict(both.graphs.added.added) == {0: CARDS}
    ours = both.figures("activity")["added"].values("items")
    rollover = timedelta(hours=ROLLOVER_HOUR)
    now = both.profile.clock.now()
    expected = Counter((_added(at, now) - rollover).date().isoformat() for at in range(CARDS))
    assert {day: items for day, items in ours.items() if items} == expected


def _added(number: int, now: datetime) -> datetime:
    return now - timedelta(days=number % 50)


def test_the_history_of_one_card(both: Both) -> None:
    guid = "own:00000007"
    history, curve = card_figures(both.profile, guid)
    told: Any = both.collection.card_stats_data(both.numbers[guid])  # type: ignore[arg-type]  # a number
    assert list(history.series[0].values) == [each.button_chosen for each in told.revlog]
    seconds = [each.taken_secs for each in told.revlog]
    assert list(history.values_of("seconds")) == pytest.approx(seconds, abs=0.051)
    assert history.values_of("stability")[0] == pytest.approx(told.memory_state.stability, abs=0.01)
    assert history.values_of("difficulty")[0] == pytest.approx(
        told.memory_state.difficulty, abs=0.01
    )
    # Anki's now is a few seconds later than ours, which may round to another tenth of a per cent.
    tells_now = re.match(r"Now ([\d.]+)%", curve.meaning)
    assert tells_now
    assert float(tells_now[1]) == pytest.approx(100 * told.fsrs_retrievability, abs=0.06)


def trials_of_both(both: Both) -> list[FitTrial]:
    with both.profile.database.read() as connection:
        return trials_of(map(review_from_columns, all_reviews(connection)))


def test_calibration_is_that_of_anki_but_for_its_weights(both: Both) -> None:
    """Anki's evaluation of given parameters weighs late reviews more; ours takes all alike.

    The reviews, their forecasts and their groups are the same: with Anki's weights on ours both
    figures are Anki's.
    """
    trials = trials_of_both(both)
    theirs = both.collection._backend.evaluate_params_legacy(
        params=DEFAULT_PARAMETERS, search="", ignore_revlogs_before_ms=0
    )
    chance = np.array(forecasts(trials, DEFAULT_PARAMETERS))
    recalled = np.array([each.recalled for each in trials], dtype=float)
    weight = 0.25 + 0.75 * np.linspace(0, 1, len(trials)) ** 3
    losses = -np.where(recalled == 1, np.log(chance), np.log1p(-chance))
    assert np.average(losses, weights=weight) == pytest.approx(theirs.log_loss, abs=1e-4)
    squares = 0.0
    for group in {each.bin for each in trials}:
        inside = np.array([each.bin == group for each in trials])
        off = chance[inside].mean() - recalled[inside].mean()
        squares += weight[inside].sum() * off**2
    assert math.sqrt(squares / weight.sum()) == pytest.approx(theirs.rmse_bins, abs=1e-4)
    ours = figures(list(chance), [e.recalled for e in trials], [e.bin for e in trials])
    assert ours.log_loss == pytest.approx(losses.mean(), abs=1e-6)
    assert abs(ours.log_loss - theirs.log_loss) > 1e-3  # so the weights are what differs


@pytest.mark.parametrize("retention", [0.85, 0.95])
def test_the_load_of_a_year_is_that_of_ankis_simulation(both: Both, retention: float) -> None:
    """Reviews a day over each quarter to 10 %, over the year to 6 %, what is held to 1 %.

    Anki draws with one seed, so retentions beside the wanted one stand for other draws. Its load
    balancer is off, and so is our fuzz. Answers follow the shares that Anki finds in the log.
    """
    both.collection.set_config("loadBalancerEnabled", False)
    found = both.collection._backend.get_optimal_retention_parameters(search="")
    theirs = [
        both.collection._backend.simulate_fsrs_review(
            SimulateFsrsReviewRequest(
                params=DEFAULT_PARAMETERS,
                desired_retention=retention + 1e-4 * draw,
                deck_size=_MORE,
                days_to_simulate=DAYS_AHEAD,
                new_limit=_NEW_A_DAY,
                review_limit=9999,
                max_interval=36500,
                search="",
                new_cards_ignore_review_limit=True,
                easy_days_percentages=[1.0] * 7,
                historical_retention=0.9,
                learning_step_count=2,
                relearning_step_count=1,
            )
        )
        for draw in range(-16, 17)
    ]
    rows = (found.learning_step_transitions, found.relearning_step_transitions)
    learning, relearning = (tuple(tuple(row[at : at + 4]) for at in (0, 4, 8)) for row in rows)
    shares = (tuple(found.first_rating_prob), tuple(found.review_rating_prob))
    with both.profile.database.read() as connection:
        begun = begun_items(items_now(connection, Chosen()), present_of(both.profile))
    ours = [
        simulate_load(
            begun,
            new=CARDS - len(begun) + _MORE,
            new_a_day=_NEW_A_DAY,
            learner=Learner(Pace({"": 10.0}), 1.0, 1.0, *shares, learning, relearning),
            settings=SchedulingSettings(desired_retention=retention, fuzz=False),
            retention=retention,
            today=both.profile.today(),
            seed=seed,
        )
        for seed in range(24)
    ]
    expected = np.mean([each.daily_review_count for each in theirs], axis=0)
    reviews = np.mean([each.reviews for each in ours], axis=0)
    assert reviews.sum() == pytest.approx(expected.sum(), rel=0.06)
    for begins in range(0, DAYS_AHEAD - 91, 91):
        quarter = slice(begins, begins + 91)
        assert reviews[quarter].sum() == pytest.approx(expected[quarter].sum(), rel=0.1), begins
    held = np.mean([each.accumulated_knowledge_acquisition[-1] for each in theirs])
    assert np.mean([each.held for each in ours]) == pytest.approx(held, rel=0.01)


_MORE, _NEW_A_DAY = 1000, 10
