"""The sentences of the summary."""

from __future__ import annotations

from datetime import date

from studyattn.memory import Phase, Rating
from studyattn.study.statistics.totals import Statistics, summary_sentences

SOME = Statistics(
    items=50,
    by_phase={Phase.NEW: 20, Phase.REVIEW: 25, Phase.LEARNING: 5},
    suspended=0,
    leeches=0,
    concepts={},
    concepts_begun=0,
    reviews=400,
    ratings={Rating.GOOD: 400},
    retention=0.9,
    retention_of=100,
    seconds=4000.0,
    seconds_a_card=30.0,
    streak=3,
    by_day={},
    minutes={},
    months={},
    held={},
    forecast=((date(2026, 3, 2), 4), (date(2026, 3, 3), 20)),
    own_parameters=False,
)


def test_recall_is_judged_beside_what_is_desired_and_chance() -> None:
    assert summary_sentences(SOME, 0.9) == (
        "You recall 90% and aim at 90%: within chance, so change nothing.",
        "The busiest coming day is Tuesday, with 20 due, about 10 min.",
        "25 of 50 items are in review; 20 are still new.",
    )
    assert "fewer new cards" in summary_sentences(SOME._replace(retention=0.8), 0.9)[0]
    assert "save reviews" in summary_sentences(SOME._replace(retention=0.97), 0.9)[0]
    assert "within chance" in summary_sentences(SOME._replace(retention=0.95), 0.9)[0]
    assert "Too few" in summary_sentences(SOME._replace(retention_of=10), 0.9)[0]


def test_leeches_are_told_and_an_empty_log_says_nothing() -> None:
    assert summary_sentences(SOME._replace(leeches=2), 0.9)[-1].startswith("2 cards are leeches")
    today = SOME._replace(forecast=((date(2026, 3, 2), 30), *SOME.forecast[1:]))
    assert summary_sentences(today, 0.9)[1].startswith(
        "Today is the busiest of seven days, with 30"
    )
    assert "room for new cards" in summary_sentences(SOME._replace(forecast=()), 0.9)[1]
    assert summary_sentences(SOME._replace(reviews=0), 0.9) == ()
