"""The review log, and which of its reviews are in effect.

The log is a set of rows that only grows. Two databases are merged by the union of their rows, so
nothing here depends on the order in which rows arrive or on how often one is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from operator import lt
from typing import Any, NamedTuple

from studyattn.memory.state import Rating


class LoggedReview(NamedTuple):  # of which a million are made: a dataclass takes four times as long
    """One row of the log: a rating, or the withdrawal of another row (exactly one of the two)."""

    uuid: str
    item_guid: str
    rating: Rating | None
    withdraws: str | None  # uuid of the row that this one takes back; may itself be a withdrawal
    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC on the learner's clock at that moment
    learner_day: date
    seconds: float = 0.0
    origin: str = "learner"  # learner | import | merge


def effective_reviews(log: Iterable[LoggedReview]) -> tuple[LoggedReview, ...]:
    """Return the ratings that are in effect, ordered by (at, uuid).

    A row is in effect unless a withdrawal that is itself in effect takes it back; withdrawing a
    withdrawal is redo. A withdrawal applies only to rows of its own item.
    """
    read = tuple(log)
    if is_plain(read):
        return read
    rows = {row.uuid: row for row in read}
    fallen = _fallen(rows)
    reviews = [row for row in rows.values() if not row.withdraws and row.uuid not in fallen]
    return tuple(sorted(reviews, key=lambda row: (row.at, row.uuid)))


def is_plain(log: Sequence[Any]) -> bool:
    """Return whether rows are ratings alone, each later than the one before: the usual case.

    They are reviews, or rows with such fields as a log stores them.
    """
    if any(row.withdraws for row in log):
        return False
    times = [row.at for row in log]
    return all(map(lt, times, times[1:]))


def _fallen(rows: dict[str, LoggedReview]) -> set[str]:
    """Find the uuids of rows that are not in effect.

    Each row withdraws at most one other. So rows are judged from those that nothing withdraws
    inwards, each once all that withdraw it are judged. What is never reached lies on a circle of
    withdrawals, which takes back no rating.
    """
    targets = {
        row.uuid: row.withdraws
        for row in rows.values()
        if row.withdraws
        and row.withdraws in rows
        and rows[row.withdraws].item_guid == row.item_guid
    }
    from graphlib import CycleError, TopologicalSorter  # late: few learners undo so often

    sorter = TopologicalSorter[str]()
    for uuid, target in targets.items():
        sorter.add(target, uuid)
    with suppress(CycleError):
        sorter.prepare()
    fallen: set[str] = set()
    while sorter.is_active():
        for uuid in sorter.get_ready():
            if uuid in targets and uuid not in fallen:
                fallen.add(targets[uuid])
            sorter.done(uuid)
    return fallen
