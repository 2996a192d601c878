"""Time the fold of a log and a fit of parameters, beside the library's own.

The log is that of a learner who forgets by parameters unlike the defaults: 100,000 reviews of
10,000 cards. Each side begins with the same rows. The library's own batch takes them as lists of
ratings and days, and so does its fit, so that making these lists is part of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import fsrs_rs_python as fsrs

from benchmarks._measure import Figure, medians
from studyattn.memory import DEFAULT_PARAMETERS, LoggedReview, Scheduler, fold_all
from studyattn.memory.fit import fit
from tests.memory.histories import forgetful_log

CARDS = 10_000
TIMES = 5
UNUSUAL = (3.0, 6.0, 20.0, 40.0, *DEFAULT_PARAMETERS[4:8], 1.0, *DEFAULT_PARAMETERS[9:20], 0.4)


def measure() -> Iterator[Figure]:
    """Yield the ratios of fold and fit to the library's own."""
    logs = _logs()
    scheduler = Scheduler()
    items = _library_items(logs)
    model = fsrs.FSRS(list(DEFAULT_PARAMETERS))
    fold, own, alone = medians(
        (
            lambda: fold_all(logs, scheduler, {}),
            lambda: model.memory_state_batch(_library_items(logs)),
            lambda: model.memory_state_batch(items),
        ),
        TIMES,
    )
    yield Figure("fold of 100,000 reviews ÷ the library's batch of these rows", fold / own, most=3)
    yield Figure("  the same ÷ the batch alone, its lists made before", fold / alone)
    log = [review for rows in logs.values() for review in rows]
    settings = scheduler.settings
    histories, numbers = _library_trials(logs)
    took, own, alone = medians(
        (
            lambda: fit(log, settings),
            lambda: model.compute_parameters(*_library_trials(logs)),
            lambda: model.compute_parameters(histories, numbers),
        ),
        TIMES,
    )
    yield Figure("fit of 100,000 reviews ÷ the library's fit of these rows", took / own, most=4)
    yield Figure("  the same ÷ the fit alone, its lists made before", took / alone)


def _logs() -> dict[str, list[LoggedReview]]:
    logs: dict[str, list[LoggedReview]] = {}
    for review in forgetful_log(1, CARDS, UNUSUAL):
        logs.setdefault(review.item_guid, []).append(review)
    return logs


def _library_reviews(rows: list[LoggedReview]) -> list[fsrs.FSRSReview]:
    days = [0, *((after.learner_day - before.learner_day).days for before, after in pairwise(rows))]
    return [
        fsrs.FSRSReview(int(row.rating or 1), max(0, day))
        for row, day in zip(rows, days, strict=True)
    ]


def _library_items(logs: dict[str, list[LoggedReview]]) -> list[fsrs.FSRSItem]:
    return [fsrs.FSRSItem(_library_reviews(rows)) for rows in logs.values()]


def _library_trials(logs: dict[str, list[LoggedReview]]) -> tuple[list[fsrs.FSRSItem], list[int]]:
    """Return each history that ends with a review on a later day, in time's order, and its card."""
    trials = []
    for number, rows in enumerate(logs.values()):
        reviews = _library_reviews(rows)
        for index, (before, after) in enumerate(pairwise(rows), start=2):
            if after.learner_day > before.learner_day:
                trials.append((after.at, number, fsrs.FSRSItem(reviews[:index])))
    trials.sort(key=lambda trial: trial[:2])
    return [trial[2] for trial in trials], [trial[1] for trial in trials]
