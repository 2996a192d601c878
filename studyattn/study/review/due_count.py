"""The number of due items, kept beside the database so that a prompt can ask at every line.

What was counted, or estimated (`concepts.goals`), holds until an instant (the next item comes due,
the day ends) and as long as nothing was written to the database, which the sizes and times of its
files show. Looking it up imports nothing that Python has not loaded at its start; `count_due`
counts.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # as type checkers know it, without importing typing
if TYPE_CHECKING:
    from studyattn.study.profile import Profile

_FILE = "due-count"
_DATABASE = "studyattn.db"
_SETTLED = 0.1  # seconds after which another write gives a file another time


def look_up(root: str) -> int | None:
    """Return how many items are due in the home at `root`; None if that is to be counted anew."""
    try:
        return int(remembered(root, _FILE, time.time()) or "")
    except ValueError:
        return None


def remembered(root: str, name: str, now: float) -> str | None:
    """Return what a file remembers in the home at `root`; None if that no longer holds."""
    try:
        with open(os.path.join(root, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123 - pathlib takes as long to import as Python to start
            since, until, *state = file.readline().split()
            fits = state == state_of(root) and float(since) <= now < float(until)
            return file.read() if fits else None
    except (OSError, ValueError):
        return None


def count_due(profile: Profile) -> int:
    """Return how many items are asked now, and remember it."""
    from datetime import timedelta

    from studyattn.store.queries.queue import next_due_after
    from studyattn.study.review.queue import read_day

    root = os.fspath(profile.home.root)
    state = state_of(root) if profile.home.server is None else []
    moment = profile.moment()
    day = read_day(profile, moment)
    with profile.database.read() as connection:
        due = next_due_after(connection, moment.at)
    tomorrow = profile.day_of(moment) + timedelta(days=1)
    until = [profile.day_start(tomorrow, moment)]
    until += [due] if due is not None else []
    spans = (moment.at.timestamp(), min(until).timestamp())
    remember(root, _FILE, str(len(day.items)), spans, state)
    return len(day.items)


def remember(root: str, name: str, text: str, spans: tuple[float, float], state: list[str]) -> None:
    """Remember what holds between two instants, as long as the database has a state (if any)."""
    if not state:
        return
    target = os.path.join(root, name)  # noqa: PTH118 - as above
    unfinished = f"{target}.{os.getpid()}"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:  # noqa: PTH123 - as above
            file.write(" ".join((*map(repr, spans), *state)) + "\n" + text)
        os.replace(unfinished, target)  # noqa: PTH105 - as above
    except OSError:
        return  # a home that cannot be written: the next one counts again


def state_of(root: str) -> list[str]:
    """Return sizes and times of the database's files; nothing for those that just changed."""
    state = []
    for name in (_DATABASE, f"{_DATABASE}-wal"):
        try:
            found = os.stat(os.path.join(root, name))  # noqa: PTH116, PTH118 - as above
        except FileNotFoundError:
            continue
        if found.st_size:  # a log without rows says nothing
            if time.time() - found.st_mtime < _SETTLED:
                return []
            state += [name, str(found.st_size), str(found.st_mtime_ns)]
    return state
