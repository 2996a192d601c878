"""Have hand-ins graded, many at once, and go on where an interrupted run ended.

Each report is kept in a journal as soon as there is one: a file of JSON Lines whose first line has
the seed of the questions and what they depend on. A run of the same drills goes on with it; the one
that ends removes it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

from studyattn import __version__
from studyattn.classroom.executors import Workers
from studyattn.classroom.hand_ins import HandIn
from studyattn.errors import InputError, StudyattnError
from studyattn.grading import Grader, Report, Submission
from studyattn.grading.backend_choice import NAMED
from studyattn.grading.grader import DrillName, digest
from studyattn.grading.submission import Backend

SEED_BITS = 31
AHEAD = 4
"""Submissions that wait at each worker, so that none is idle while results travel."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A hand-in with its submission and report, or why there is none."""

    hand_in: HandIn
    submission: Submission | None
    report: Report | StudyattnError

    @property
    def code(self) -> str:
        """A name that equal submissions share; empty where nothing could be read."""
        return "" if self.submission is None else digest(self.submission)


def mark(
    files: Sequence[HandIn],
    drills: Mapping[str, DrillName],
    grader: Grader,
    workers: Workers,
    journal: Journal,
    *,
    backend: Backend | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> list[Marked]:
    """Return every hand-in with its report, in order. `told` is given how many more are done.

    `backend` is that of files whose first lines name none. DrillError when a drill fails.
    """
    marked: dict[int, Marked] = {}
    asked: list[tuple[int, Submission]] = []
    for number, hand_in in enumerate(files):
        try:
            submission = _submission(hand_in, drills[hand_in.drill], grader, backend)
        except InputError as error:
            marked[number] = Marked(hand_in, None, error)
            continue
        known = journal.report(hand_in.drill, submission)
        if known is None:
            asked.append((number, submission))
        else:
            marked[number] = Marked(hand_in, submission, known)
    told(len(marked))
    # Those for one drill come one after another: they are asked the same questions.
    asked.sort(key=lambda each: (files[each[0]].drill, each[1].backend))
    reports = grader.grade_each(
        [(drills[files[number].drill], submission) for number, submission in asked],
        executor=workers.executor,
        seed=journal.seed,
        mend=True,
        in_flight=AHEAD * workers.count,
    )
    for place, report in reports:
        number, submission = asked[place]
        marked[number] = Marked(files[number], submission, report)
        if isinstance(report, Report):
            journal.keep(files[number].drill, submission, report)
        told(1)
    return [marked[number] for number in range(len(files))]


def _submission(
    hand_in: HandIn, drill: DrillName, grader: Grader, backend: Backend | None
) -> Submission:
    """Read a hand-in. Its paths become those of any other: equal ones are equal, and nameless."""
    read = grader.submission(drill, hand_in.path)
    if backend in grader.drill(drill).backends and read.why != NAMED:
        read = dataclasses.replace(read, backend=backend, why="")
    beside = tuple(
        dataclasses.replace(file, path=Path(file.path).name) for file in read.beside or ()
    )
    return dataclasses.replace(read, path=f"{hand_in.drill}.py", beside=beside)


class Journal:
    """The reports of a run that has not ended yet. A context manager."""

    def __init__(self, path: Path | None, drills: Mapping[str, Path], seed: int | None) -> None:
        """Goes on with the journal at `path` if it fits; without a path, nothing is kept.

        `drills` are the folders of the drills: a journal of others, or of ones that were changed
        since, is begun anew. With `seed`, so is one of another seed.
        """
        self._path = path
        self._file: IO[bytes] | None = None
        self._reports: dict[str, Report] = {}
        self._head = {"studyattn": __version__, "drills": _contents(drills)}
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed
        if path is not None:
            self._go_on(path, seed)

    @property
    def known(self) -> int:
        """The number of reports that an earlier run left."""
        return len(self._reports)

    def report(self, drill: str, submission: Submission) -> Report | None:
        """Return the report of an earlier run."""
        return self._reports.get(_key(drill, submission))

    def keep(self, drill: str, submission: Submission, report: Report) -> None:
        """Write a report down; equal submissions share it."""
        key = _key(drill, submission)
        if self._file is not None and key not in self._reports:
            self._file.write(_line({"key": key, "report": report.to_json()}))
            self._file.flush()
        self._reports[key] = report

    def end(self) -> None:
        """Remove the journal: the run is complete."""
        self.__exit__()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _go_on(self, path: Path, seed: int | None) -> None:
        written = b""
        with contextlib.suppress(OSError):
            written = path.read_bytes()
        lines = written[: written.rfind(b"\n") + 1].splitlines(keepends=True)
        try:
            head: dict[str, Any] = json.loads(lines[0]) if lines else {}
            found = head.pop("seed", None)
            if head != self._head or seed not in {None, found}:
                lines = []
            for line in lines[1:]:
                kept = json.loads(line)
                self._reports[kept["key"]] = Report.from_json(kept["report"])
            self.seed = int(found) if lines else self.seed
        except (ValueError, LookupError, TypeError, InputError):
            lines, self._reports = [], {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab")
            self._file.truncate(sum(map(len, lines)))  # without a line that was cut off
            if not lines:
                self._file.write(_line({**self._head, "seed": self.seed}))
                self._file.flush()
        except OSError as error:
            raise InputError(
                f"cannot write the journal of this run ({error.strerror})", where=str(path)
            ) from error


def journal_path(folder: Path, place: Path, drills: Sequence[str]) -> Path:
    """Return the journal, in the folder `place`, of grading `drills` in `folder`."""
    named = "\0".join((str(folder.resolve()), *drills))
    return place / f"{folder.resolve().name}-{sha256(os.fsencode(named)).hexdigest()[:12]}.jsonl"


def _key(drill: str, submission: Submission) -> str:
    return f"{drill}:{digest(submission)}"


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _contents(drills: Mapping[str, Path]) -> dict[str, str]:
    """Return a digest of each drill's checks and of the Python files of its pack."""
    found = {}
    for drill, folder in drills.items():
        pack = folder.parents[1]
        files = sorted(
            (*folder.glob("*.py"), *pack.glob("*.py"), *pack.glob("misconceptions/*.py"))
        )
        found[drill] = sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
    return found
