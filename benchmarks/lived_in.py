"""Time what a learner waits for, in three homes: an empty one, a year's, and a big one (`homes`).

    python -m benchmarks.lived_in [HOME …]

Start and Today are measured beside an empty Textual app in turns, so that all meet the same load.
The other figures are times; those of daily commands are in `commands`.
"""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks._measure import Figure, medians, percentile
from benchmarks._terminal import Terminal
from benchmarks.first_frame import EMPTY_APP, FIRST_FRAME
from benchmarks.homes import LIVED_IN, Size, copy_of
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study import concepts, notes, statistics
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review.session import ReviewSession

_TIMES = 7
_ANSWERS = 60
_TODAY = {"empty": 1.5, "year": 2.0, "big": 4.0}
"""How many times the first frame of an empty app Today's numbers may take."""
_SCREEN = 100  # ms that the data of a screen may take
_MEMORY = 300  # MB that a command may take
_QUERIES = ("at", "the", "ren", "tention", "xq")
"""Beginnings of words, and parts of words that no word begins with."""


def measure(wanted: Sequence[str] = ()) -> Iterator[Figure]:
    """The figures of this subject, in all homes or in those that are wanted."""
    for size in LIVED_IN:
        if not wanted or size.name in wanted:
            for each in _figures(size):
                yield Figure(f"{size.name}: {each.name}", each.value, each.unit, each.most)


def _figures(size: Size) -> Iterator[Figure]:
    with copy_of(size) as home:
        yield from _starts(home, size)
        with open_profile(home) as profile:
            yield from _screens(profile)
        if size.cards:
            yield _space(home)
            yield from _keys(home)
            with open_profile(home) as profile, ReviewSession(profile) as session:
                yield from _answers(session)
        yield from _commands(home)


def _starts(home: Home, size: Size) -> Iterator[Figure]:
    sign = "Forecast" if size.cards else "Learn attention until"
    app = [sys.executable, "-m", "studyattn", "--home", str(home.root)]
    taken: dict[str, list[float]] = {"empty": [], "today": [], "first": []}
    _painted(app, sign)  # imports are compiled, and the file is in the system's cache
    for _ in range(_TIMES):
        taken["empty"].append(_painted([sys.executable, "-c", EMPTY_APP], FIRST_FRAME))
        taken["today"].append(_painted(app, sign))
        _forget_the_day(home)
        taken["first"].append(_painted(app, sign))
    empty = percentile(taken["empty"], 0.5)
    today, first = percentile(taken["today"], 0.5), percentile(taken["first"], 0.5)
    most = _TODAY[size.name]
    yield Figure("Today's numbers", today * 1e3, "ms")
    yield Figure("Today's numbers ÷ an empty app's first frame", today / empty, "×", most)
    yield Figure("the same at the day's first start", first / empty, "×", most)


def _painted(command: Sequence[str], sign: str) -> float:
    with Terminal(command, _environment()) as terminal:
        return terminal.wait_for(sign) - terminal.started


def _environment() -> dict[str, str]:
    return {"PYTHONPATH": str(Path.cwd())}


def _forget_the_day(home: Home) -> None:
    """Let the next start be the first of its day: no backup, and nothing known of the file."""
    shutil.rmtree(home.backups, ignore_errors=True)
    home.database.with_name(f"{home.database.name}-checked").unlink(missing_ok=True)


def _screens(profile: Profile) -> Iterator[Figure]:
    lines = concepts.board.list_concepts(profile)
    largest = max(lines, key=lambda line: line.cards)
    works: dict[str, Callable[[], object]] = {
        "Today": lambda: statistics.today.today(profile),
        "statistics": lambda: statistics.totals.statistics(profile),
        "board": lambda: concepts.board.list_concepts(profile),
        "concept page": lambda: concepts.concept_page.show_concept(profile, largest.slug),
        "suggestions": lambda: concepts.suggestions.suggestions(profile),
    }
    for name, took in zip(works, medians(list(works.values()), _TIMES), strict=True):
        yield Figure(name, took * 1e3, "ms", _SCREEN)
    queries: list[Callable[[], object]] = [
        lambda query=query: notes.search.search(profile, query)  # type: ignore[misc]  # bound now
        for query in _QUERIES
    ]
    for query, took in zip(_QUERIES, medians(queries, _TIMES), strict=True):
        yield Figure(f"search for {query!r}", took * 1e3, "ms", 50)


def _space(home: Home) -> Figure:
    with closing(sqlite3.connect(home.database)) as connection:
        ((taken, reviews),) = connection.execute(
            "SELECT (SELECT sum(pgsize) FROM dbstat WHERE name IN"
            " (SELECT name FROM sqlite_master WHERE tbl_name = 'review')), count(*) FROM review"
        )
    return Figure("a review with its indexes", taken / reviews, "B", 150)


def _keys(home: Home) -> Iterator[Figure]:
    """From a rating to the painted next card; in between the answer reaches the disk."""
    taken: list[float] = []
    app = [sys.executable, "-m", "studyattn", "--home", str(home.root)]
    with Terminal(app, _environment()) as terminal:
        terminal.wait_for("Forecast")
        terminal.drain(0.5)
        terminal.press(" ")
        terminal.wait_for("show answer")
        for _ in range(_ANSWERS):
            terminal.drain()
            terminal.press(" ")
            terminal.wait_for("good")
            terminal.drain()
            pressed = terminal.press("3")
            taken.append(terminal.wait_for("show answer") - pressed)
    yield Figure("rating to painted card, median", percentile(taken, 0.5) * 1e3, "ms")
    yield Figure("rating to painted card, p95", percentile(taken, 0.95) * 1e3, "ms", 25)


def _answers(session: ReviewSession) -> Iterator[Figure]:
    taken: list[float] = []
    for _ in range(_ANSWERS):
        began = time.perf_counter()
        session.answer(Rating.GOOD, 4.0)
        taken.append(time.perf_counter() - began)
    yield Figure("answer and next card, median", percentile(taken, 0.5) * 1e3, "ms")


def _commands(home: Home) -> Iterator[Figure]:
    ours = [sys.executable, "-m", "studyattn", "--home", str(home.root)]
    for command in (
        ["export", "all", "-o", str(home.root / "all.jsonl")],
        ["db", "backup"],
        ["db", "rebuild"],
    ):
        began = time.perf_counter()
        megabytes = _spent([*ours, *command])
        took = time.perf_counter() - began
        name = " ".join(command[:2])
        yield Figure(name, took, "s")
        yield Figure(f"{name}, memory", megabytes, "MB", _MEMORY)


def _spent(command: Sequence[str]) -> float:
    """Run a command and return the most memory it took, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | _environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return _megabytes(usage)


def _megabytes(usage: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024  # bytes
    return usage.ru_maxrss * unit / 1e6


if __name__ == "__main__":
    for figure in measure(sys.argv[1:]):
        print(f"  {figure}", flush=True)
