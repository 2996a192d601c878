"""Kills a process that reviews, at random moments, and looks whether an answer is gone.

    python -m benchmarks.crash --runs 1000

The reviewer is a process of its own that opens a home, answers through the same journal as the
app, and acknowledges each answer on a pipe once it was taken. SIGKILL hits it while it opens the
database, while it answers, or between. After each kill the database is opened as the next start
would: every acknowledged answer is there, the checks of `db check` are clean, and the fold equals
what the items say.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.context import ForkServerContext
from pathlib import Path

from sqlalchemy import insert, select

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store import health
from studyattn.store.database import Database, open_database
from studyattn.store.database_file import examine_copy
from studyattn.store.models import ConceptRow, ItemRow, ReviewRow
from studyattn.study.clock import SystemClock
from studyattn.study.profile import Profile
from studyattn.study.review.recompute import recompute
from studyattn.study.review.recorder import ReviewRecorder

ITEMS = 20
RUNS_OF_A_HOME = 25  # then a new home, so that its making is interrupted too
LONGEST_LIFE = 0.12  # seconds until the kill, at most


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the runs came to."""

    runs: int
    acknowledged: int
    lost: tuple[str, ...]  # UUIDs that were acknowledged and are not in the log
    findings: tuple[str, ...]  # what `db check` said, and items that are not the fold of their log

    @property
    def clean(self) -> bool:
        return not self.lost and not self.findings


def run(runs: int, folder: Path, seed: int) -> Outcome:
    """Kill `runs` reviewers, one after the other, in homes under `folder`."""
    draw = random.Random(seed)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # a reviewer is forked with everything imported
    acknowledged: set[str] = set()
    total, lost, findings = 0, set[str](), list[str]()
    home = Home(folder)
    for number in range(runs):
        if number % RUNS_OF_A_HOME == 0:
            home = Home(folder / f"home-{number}")
            acknowledged = set()
        taken = _kill_one(context, home, draw)
        acknowledged |= taken
        total += len(taken)
        with open_database(home, now=datetime.now(UTC)) as database:
            lost |= acknowledged - _logged(database)
            findings += _examined(database)
    return Outcome(runs, total, tuple(sorted(lost)), tuple(findings))


def review_until_killed(home: Home, pipe: int) -> None:
    """The reviewer: answer without end, and acknowledge each answer that was taken."""
    clock = SystemClock()
    with open_database(home, now=clock.now()) as database:
        _add_items(database)
        profile = Profile(home, database, clock)
        with ReviewRecorder(profile) as recorder:
            draw = random.Random(os.getpid())
            while True:
                guid = f"card-{draw.randrange(ITEMS)}"
                answered = recorder.take(guid, draw.choice(list(Rating)), profile.moment())
                os.write(pipe, answered.review.uuid.encode() + b"\n")


def _kill_one(context: ForkServerContext, home: Home, draw: random.Random) -> set[str]:
    """Start a reviewer, kill it at a random moment; the UUIDs that it acknowledged."""
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_reviewer, args=(home, writing), daemon=True)
    process.start()
    writing.close()
    # The first line: the process is there and about to open the database. Every other reviewer, by
    # lot, is left alone until it acknowledged an answer, so that slow machines test answers too.
    lines = 2 if draw.random() < 0.5 else 1
    received = bytearray()
    while received.count(b"\n") < lines and (chunk := os.read(reading.fileno(), 1 << 16)):
        received += chunk
    time.sleep(draw.uniform(0, LONGEST_LIFE))
    if process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
    process.join()
    while chunk := os.read(reading.fileno(), 1 << 16):
        received += chunk
    reading.close()
    # A line that the kill cut short was not acknowledged.
    return {line.decode() for line in bytes(received).split(b"\n")[1:-1]}


def _reviewer(home: Home, writing: multiprocessing.connection.Connection) -> None:
    os.write(writing.fileno(), b"\n")
    review_until_killed(home, writing.fileno())


def _add_items(database: Database) -> None:
    with database.write() as connection:
        if connection.scalar(select(ItemRow.id).limit(1)) is not None:
            return
        connection.execute(insert(ConceptRow).values(id=1, slug="masking", title="Masking"))
        connection.execute(
            insert(ItemRow),
            [
                {
                    "guid": f"card-{number}",
                    "kind": "card",
                    "concept_id": 1,
                    "created_at": datetime.now(UTC),
                }
                for number in range(ITEMS)
            ],
        )


def _logged(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.scalars(select(ReviewRow.uuid)))


def _examined(database: Database) -> Sequence[str]:
    with database.write() as connection:
        profile = Profile(database.home, database, SystemClock())
        changed = recompute(connection, profile.scheduler).changes
        unlike = (f"{guid} is not its fold" for guid in changed)
        return [*health.dangling(connection), *unlike, *examine_copy(database.path)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="studyattn-crash-"))
    begun = time.perf_counter()
    outcome = run(arguments.runs, folder, arguments.seed)
    took = time.perf_counter() - begun
    print(
        f"{outcome.runs} kills (seed {arguments.seed}), {outcome.acknowledged} acknowledged,"
        f" {len(outcome.lost)} lost, {len(outcome.findings)} findings, {took:.0f} s"
    )
    if not outcome.clean:
        raise SystemExit(f"{outcome}; kept in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
