"""Figures of a log with withdrawals, drills and filters beside a computation of our own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from inspect import signature
from random import Random
from uuid import UUID

import pytest

from studyattn.errors import InputError, NotFoundError
from studyattn.memory import LoggedReview, effective_reviews, learner_day
from studyattn.memory.columns import review_from_columns
from studyattn.memory.fit import calibration_bins, figures, forecasts, trials_of
from studyattn.memory.settings import DEFAULT_PARAMETERS
from studyattn.store.queries.answers import AnswerGroup, By, first_not_kept, rated_rows
from studyattn.store.queries.chosen import Chosen
from studyattn.store.queries.days import day_totals
from studyattn.store.queries.items import ItemField, put_field
from studyattn.store.queries.items_now import ItemNow
from studyattn.store.queries.practice import DrillEvent
from studyattn.store.queries.review_log import ReviewColumns, all_reviews, append_reviews
from studyattn.study.profile import Profile
from studyattn.study.review.pace import SECONDS
from studyattn.study.review.recompute import recompute
from studyattn.study.statistics import pages
from studyattn.study.statistics.answer_groups import (
    LEARNING,
    MATURE,
    YOUNG,
    answers_by,
    answers_in_log,
    keep,
)
from studyattn.study.statistics.calibration import Judged
from studyattn.study.statistics.drills import drill_stories, mistake_stories
from studyattn.study.statistics.items import Present, concept_memories, recall_now
from studyattn.study.statistics.pages import (
    FIGURES,
    PAGES,
    FigureReader,
    choose,
    figures_of,
    first_day,
    page_named,
)
from studyattn.text.chart import chart_lines
from studyattn.text.figure import Figure
from tests.study.conftest import NOON, AddItem

FIRST = NOON - timedelta(days=90)
WAITS = (3, 40, 700, 1500, 9000, 33000)  # minutes


@pytest.fixture
def log(profile: Profile, add: AddItem) -> list[LoggedReview]:
    """Twelve cards and a drill, answered at random times; every tenth answer is withdrawn."""
    guids = [add("first" if at % 3 else "second") for at in range(12)]
    guids.append(add("second", kind="drill"))
    with profile.database.write() as connection:
        put_field(connection, guids[1], ItemField.TAGS, ("one::two", "three"), NOON)
        append_reviews(connection, _rows(guids, Random(3)))
        recompute(connection, profile.scheduler)
    with profile.database.read() as connection:
        return [review_from_columns(row) for row in all_reviews(connection)]


def _rows(guids: list[str], draw: Random) -> Iterator[ReviewColumns]:
    for guid in guids:
        at = FIRST
        while (at := at + timedelta(minutes=draw.choice(WAITS))) < NOON:
            uuid, seconds = str(UUID(int=draw.getrandbits(128))), draw.choice((5.0, 400.0))
            rating = draw.randint(1, 4)
            day = learner_day(at, 60)
            yield ReviewColumns(uuid, guid, rating, None, at, 60, day, seconds, "learner")
            if draw.random() < 0.1:
                undo = str(UUID(int=draw.getrandbits(128)))
                yield ReviewColumns(undo, guid, None, uuid, at, 60, day, 0.0, "learner")


def _expected(log: list[LoggedReview]) -> Counter[tuple[date, int, int, int]]:
    """Count ratings in effect by day, hour, rating and age, one item after the other."""
    found: Counter[tuple[date, int, int, int]] = Counter()
    by_item: defaultdict[str, list[LoggedReview]] = defaultdict(list)
    for row in log:
        by_item[row.item_guid].append(row)
    for rows in by_item.values():
        before: date | None = None
        days: set[date] = set()
        for review in effective_reviews(rows):
            assert review.rating is not None
            age = LEARNING
            if before is not None and review.learner_day not in days:
                old = (review.learner_day - max(days)).days >= 21
                age = MATURE if old else YOUNG
            hour = (review.at + timedelta(minutes=60)).hour
            found[review.learner_day, hour, int(review.rating), age] += 1
            days.add(review.learner_day)
            before = review.learner_day
    return found


@pytest.mark.parametrize("ago", [None, 30])
def test_groups_of_answers_are_those_of_the_fold(
    profile: Profile, log: list[LoggedReview], ago: int | None
) -> None:
    first = None if ago is None else profile.today() - timedelta(days=ago)
    found: Counter[tuple[date, int, int, int]] = Counter()
    seconds: defaultdict[date, float] = defaultdict(float)
    with profile.database.read() as connection:
        kept = {each.day: each for each in day_totals(connection, SECONDS)}
        (by_hour,) = answers_by(connection, Chosen(first), (By.HOUR,))
        for each in by_hour:
            seconds[each.day] += each.seconds
            if each.rating is not None:
                found[each.day, each.hour, each.rating, each.age] += each.answers
    expected = _expected(log)
    assert found == {key: n for key, n in expected.items() if first is None or key[0] >= first}
    for day, spent in seconds.items():
        assert spent == pytest.approx(kept[day].seconds)
        own = {key: n for key, n in found.items() if key[0] == day}
        assert sum(own.values()) == kept[day].reviews
        assert sum(n for key, n in own.items() if key[3] != LEARNING) == kept[day].asked


@pytest.mark.parametrize("kept", [0, 100, 400])
@pytest.mark.parametrize("ago", [None, 30])
@pytest.mark.parametrize("part", ["all", "most", "most, and some were deleted"])
def test_kept_groups_and_those_counted_since_are_those_of_the_whole_log(
    profile: Profile, add: AddItem, kept: int, ago: int | None, part: str
) -> None:
    guids = [add("first") for _ in range(6)] + [add("first", kind="drill")]
    if "deleted" in part:
        guids.append("t:deleted")
    rows = sorted(_rows(guids, Random(7)), key=lambda row: row.at)
    first = None if ago is None else profile.today() - timedelta(days=ago)
    chosen = Chosen(first, kind=None if part == "all" else "basic")
    with profile.database.write() as connection:
        append_reviews(connection, rows[:kept])
        keep(connection)
        # Some come late, of days that are kept, and withdraw what is kept.
        append_reviews(connection, [*rows[kept::2], *rows[kept + 1 :: 2]])
        undo = (str(UUID(int=9)), rows[5].item_guid, None, rows[5].uuid)
        latest = rows[-1]
        append_reviews(
            connection,
            [ReviewColumns(*undo, latest.at, 60, latest.learner_day, 0.0, "learner")],
        )
        whole = answers_in_log(connection, chosen, tuple(By))
        for again in range(2):  # after it was kept, too
            counted = answers_by(connection, chosen, tuple(By))
            for by, groups, wanted in zip(By, counted, whole, strict=True):
                assert _sums(groups, by) == _sums(wanted, by)
            assert (first_not_kept(connection) is None) == bool(again)
            keep(connection)


def _sums(groups: list[AnswerGroup], by: By) -> dict[tuple[object, ...], tuple[int, float]]:
    found: defaultdict[tuple[object, ...], tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for each in groups:
        what = {By.DAY: each.day, By.HOUR: each.hour, By.KIND: each.kind}[by]
        answers, seconds = found[what, each.rating, each.age]
        found[what, each.rating, each.age] = answers + each.answers, seconds + each.seconds
    return dict(found)


def test_ages_weeks_and_kinds_are_those_of_the_fold(
    profile: Profile, log: list[LoggedReview]
) -> None:
    shares, weeks = figures_of("retention", profile, Chosen())
    asked: Counter[int] = Counter()
    recalled: Counter[int] = Counter()
    for (_, _, rating, age), answers in _expected(log).items():
        asked[age] += answers
        recalled[age] += answers * (rating > 1)
    for name, ages in (("young", [YOUNG]), ("mature", [MATURE]), ("all", [YOUNG, MATURE])):
        share = sum(recalled[age] for age in ages) / sum(asked[age] for age in ages)
        assert shares.values("recalled")[name] == pytest.approx(share)
    by_week: Counter[tuple[str, bool]] = Counter()
    for (day, _, rating, age), answers in _expected(log).items():
        if age != LEARNING:
            by_week[
                date.fromordinal((day.toordinal() - 1) // 7 * 7 + 1).isoformat(), rating > 1
            ] += answers
    for week, weekly in weeks.values("recalled").items():
        asked_then = by_week[week, True] + by_week[week, False]
        expected = pytest.approx(by_week[week, True] / asked_then) if asked_then else None
        assert weekly == expected, week
    assert {week for week, _ in by_week} <= set(weeks.labels)
    *_, kinds = figures_of("answers", profile, Chosen())
    for kind, is_drill in (("basic", False), ("drill", True)):
        rows = [row for row in log if (":drill/" in row.item_guid) == is_drill]
        found = _expected(rows)
        held = {key: answers for key, answers in found.items() if key[3] != LEARNING}
        right = sum(answers for key, answers in held.items() if key[2] > 1)
        assert kinds.values("answers")[kind] == sum(found.values())
        assert kinds.values("recalled")[kind] == pytest.approx(right / sum(held.values()))
        spent = sum(row.seconds if is_drill else min(row.seconds, 300) for row in rows)
        assert kinds.values("minutes")[kind] == pytest.approx(spent / 60, abs=0.05)


def test_filters_take_the_items_they_name(profile: Profile, log: list[LoggedReview]) -> None:
    def reviews(**filters: str) -> float:
        figure = figures_of("activity", profile, choose(profile, "all", **filters))[0]
        return sum(each or 0.0 for each in figure.values_of("reviews"))

    counts = Counter(each.item_guid for each in effective_reviews(log))
    assert reviews() == sum(counts.values())
    assert reviews(concept="first") + reviews(concept="second") == reviews()
    assert reviews(kind="drill") == counts["t:drill/13"]
    assert reviews(kind="basic") == reviews(kind="card") == reviews() - reviews(kind="drill")
    assert reviews(tag="ONE") == reviews(tag="one::two") == reviews(tag="three") == counts["t:2"]
    assert reviews(tag="on") == reviews(tag="one_") == 0
    for page in PAGES:  # of nothing, and of everything
        for filters in ({"concept": "second", "tag": "three", "kind": "basic"}, {}):
            for span in ("all", "30d"):
                assert figures_of(page.name, profile, choose(profile, span, **filters))
    for wrong in ("concept", "source", "kind"):
        with pytest.raises(NotFoundError):
            choose(profile, "all", **{wrong: "nothing"})


def test_calibration_is_of_every_forecast_in_the_range(
    profile: Profile, log: list[LoggedReview]
) -> None:
    trials = [each for each in trials_of(log) if each.at >= NOON - timedelta(days=29, hours=9)]
    forecast = forecasts(trials, DEFAULT_PARAMETERS)
    bins = calibration_bins(forecast, [each.recalled for each in trials])
    _, table = figures_of("calibration", profile, choose(profile, "30d"))
    assert table.values_of("reviews") == tuple(float(each.forecasts) for each in bins)
    assert table.values_of("recalled") == pytest.approx([each.recalled for each in bins])
    whole, _ = figures_of("calibration", profile, choose(profile, "all"))
    every = trials_of(log)
    rmse = figures(
        forecasts(every, DEFAULT_PARAMETERS),
        [each.recalled for each in every],
        [each.bin for each in every],
    ).rmse_bins
    assert f"Forecasts are {rmse:.1%} off over {len(every)} reviews" in whole.meaning


def test_calibration_judges_an_even_part_of_many_items(
    profile: Profile, log: list[LoggedReview], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_JUDGED", len(effective_reviews(log)) // 4)
    curve, _ = figures_of("calibration", profile, choose(profile, "all"))
    assert "of one item in 4" in curve.meaning
    with profile.database.read() as connection:
        read = rated_rows(connection, Chosen(), len(effective_reviews(log)) // 4)
    counts = Counter(guid for guid, *_ in read.rows)
    own = Counter(each.item_guid for each in effective_reviews(log))
    assert counts == {guid: own[guid] for guid in counts}, "whole items"
    assert 1 <= len(counts) <= 6
    assert f"over {sum(len(trials_of(_about(log, guid))) for guid in counts)} " in curve.meaning


def _about(log: list[LoggedReview], guid: str) -> list[LoggedReview]:
    return [each for each in log if each.item_guid == guid]


def test_spans_of_days() -> None:
    today = date(2026, 3, 2)
    assert first_day("all", today) is None
    assert first_day("1d", today) == first_day("1", today) == today
    assert first_day("year", today) == date(2025, 3, 3)
    assert first_day("99999d", today) is not None
    for wrong in ("", "d", "0d", "-3d", "three", "30days", "²d", "1" * 9):
        with pytest.raises(InputError):
            first_day(wrong, today)
    with pytest.raises(NotFoundError):
        page_named("nothing")


def _event(day: int, drill: str, verdict: str | None, **others: object) -> DrillEvent:
    at = datetime(2026, 3, day, 12, tzinfo=UTC)
    known = {"seconds": 60.0, "hints": 0, "revealed": False, "mistake": None}
    return DrillEvent(f"p:drill/{drill}", at, at.date(), verdict=verdict, **{**known, **others})  # type: ignore[arg-type]


def test_a_drill_counts_up_to_its_first_pass_and_a_mistake_may_come_back() -> None:
    events = [
        _event(1, "a", None),
        _event(2, "a", "failed", mistake="M", hints=1),
        _event(3, "a", "passed", hints=2, revealed=True),
        _event(4, "a", "passed", hints=1),
        _event(5, "a", "failed", mistake="N"),
        _event(6, "b", "failed", mistake="M"),
        _event(7, "b", "failed", mistake="N"),
    ]
    a = next(each for each in drill_stories(events) if each.drill == "a")
    assert (a.attempts, a.minutes, a.hints, a.passed) == (3, 4.0, 2, True)
    assert [each.drill for each in drill_stories(events)] == ["b", "a"]
    stories = {each.title: each for each in mistake_stories(events)}
    assert (stories["M"].times, stories["M"].came_back) == (2, True)
    assert (stories["N"].times, stories["N"].came_back) == (2, False)
    later = mistake_stories(events, date(2026, 3, 6))
    assert {each.title: (each.times, each.came_back) for each in later} == {
        "M": (1, True),
        "N": (1, False),
    }


def _drawn(name: str, *known: object) -> Figure:
    figure = FIGURES[name].drawn(*known)
    assert figure is not None
    return figure


def test_mistakes_by_name_and_month_and_figures_of_drills_count_their_attempts() -> None:
    events = [
        _event(1, "a", "failed", mistake="M"),
        _event(2, "a", "failed"),
        _event(3, "a", "passed", hints=1),
        _event(4, "b", "passed"),
        _event(5, "b", None),
        _event(6, "b", "failed", mistake="M"),
    ]
    late = _event(9, "b", "failed", mistake="N")._replace(day=date(2026, 4, 9))
    named = _drawn("mistakes-over-time", [*events, late, late], None)
    assert named.labels == ("M", "N")
    assert (named.values_of("2026-03"), named.values_of("2026-04")) == ((2.0, 0.0), (0.0, 2.0))
    assert named.meaning == "Your code had 1 known mistake in 2026-04; the most frequent is “N”."
    assert _drawn("mistakes-over-time", events[1:4], None).empty
    drills = _drawn("drills", events, None)
    assert drills.values("attempts") == {"b": 1.0, "a": 3.0}
    assert drills.values("hints") == {"b": 0.0, "a": 1.0}
    assert drills.meaning == "2 of 2 drills passed, 1 at once."
    mistakes = _drawn("mistakes", events, None, date(2026, 3, 10))
    assert mistakes.values("times") == {"M": 2.0}
    assert mistakes.values("last") == {"M": 4.0}
    assert mistakes.values("came back") == {"M": 1.0}


def test_a_concept_is_known_by_the_sum_of_its_chances() -> None:
    present = Present(NOON, 0, 4, DEFAULT_PARAMETERS)

    def item(concept: str, stability: float | None, ago: int = 0) -> ItemNow:
        last = NOON - timedelta(days=ago)
        due = last + timedelta(days=stability or 0)
        phase = "new" if stability is None else "review"
        seen = (5.0, due, last, last.date(), False, None)
        return ItemNow("g", "card", concept, phase, stability, *seen)

    items = [item("a", 30.0), item("a", 30.0, 30), item("a", 10.0, 100)]
    items += [item("a", None)._replace(last_review=None), item("b", None)]
    (found,) = concept_memories(items, {"a": "A"}, present, 0.9)
    assert (found.title, found.items, found.begun, found.held, found.fading) == ("A", 4, 3, 2, 1)
    chances = [recall_now(each, present) or 0.0 for each in items[:3]]
    assert chances[0] == 1.0
    assert chances[1] == pytest.approx(0.9)
    assert found.knowledge == pytest.approx(sum(chances) / 4)
    assert "“A” has the most, with 1 item below" in _drawn("concepts", [found]).meaning
    known = _drawn("knowledge", [found], items).meaning
    assert known.startswith("Of 5 items, you would recall about 3 today")


def test_both_sides_of_a_fit_are_told_in_80_columns() -> None:
    forecast = [0.55 + 0.4 * (at % 40) / 40 for at in range(2000)]
    before = calibration_bins(forecast, [at % 7 > 0 for at in range(2000)])
    after = calibration_bins(forecast[::-1], [at % 5 > 0 for at in range(2000)])
    judged = Judged(before, after, "It is told here.")
    curve, *tables = (row.drawn(judged) for row in page_named("calibration").rows)
    assert curve is not None
    found = [each for each in (curve, *tables) if each is not None]
    lines = [line.plain for each in found for line in chart_lines(each, 80)]
    assert max(map(len, lines)) <= 80
    assert "● defaults   ○ your own   × as predicted" in lines
    assert [each.name for each in found[1:]] == ["calibration"]
    assert sum(each or 0.0 for each in found[1].values_of("reviews")) == 2000


def test_every_figure_of_the_table_has_a_name_of_its_own_and_asks_for_what_is_read() -> None:
    assert len(FIGURES) == sum(len(page.rows) for page in PAGES)
    for row in FIGURES.values():
        assert row.tell.__doc__
        for name in signature(row.tell).parameters:
            assert hasattr(FigureReader, name) or name in {"present", "today", "first", "desired"}
