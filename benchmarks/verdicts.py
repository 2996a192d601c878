"""Time every drill, warm, from save to verdict and to the mistake's name, beside a fork.

    python -m benchmarks.verdicts attention softmax

The fork is what no verdict can do without: a process that has imported torch forks a child, which
computes one product and ends. The profile says where the time of one verdict goes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from statistics import median
from typing import Any

from benchmarks._measure import Figure, seconds
from studyattn.bundled import content_dir
from studyattn.grading import Backend, Grader, Report, drill_folders, judge
from studyattn.grading.run import codec, runner
from studyattn.grading.run.conversation import Conversation
from tests.corpus import submissions

ROUNDS = 6
PROFILED = "attention"
_SOLUTION = {Backend.TORCH: "solution.py", Backend.NUMPY: "solution_numpy.py"}
_PARTS: Mapping[str, tuple[Any, str]] = {
    "waiting for a worker that is ready": (runner, "_await_ready"),
    "questions written for the worker": (codec, "encode_program"),
    "and sent to it": (Conversation, "send"),
    "waiting for its answers": (Conversation, "_wait"),
    "answers read": (Conversation, "_complete"),
    "and made outcomes": (codec, "decode_outcome"),
    "answers compared": (judge, "_judge"),
}
"""Parts of a verdict, each the calls of one function; none of them calls another one."""

FORKS = """
import os, sys, time
import torch
torch.set_num_threads(1)
for line in sys.stdin:
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        torch.ones(4, 4) @ torch.ones(4, 4)
        os._exit(0)
    os.waitpid(child, 0)
    print(time.perf_counter() - began, flush=True)
"""

WRONG_SHOWN = 3
"""Wrong submissions of each drill that are timed, the first ones labelled with one mistake."""

ONE_MISTAKE = re.compile(rb"^# mistake: (?!none$)([a-z-]+)$", re.MULTILINE)
PASSED, LONGEST_PASSED, FAILED_OF_PASSED, NAMED = 3.0, 8.0, 1.5, 5.0
"""Bounds: of the median drill and of the slowest one, in forks, and in the time of a passed one."""


@dataclasses.dataclass(frozen=True, slots=True)
class Times:
    """Median seconds of one drill. `named`: to the first report that names a mistake."""

    drill: str
    fork: float
    passed: float
    failed: float
    named: float
    complete: float


def timed(grader: Grader, name: str, source: bytes) -> tuple[float, float | None, float]:
    """Seconds to the verdict, to the first name if there is one, and to the end."""
    grader.prepare(name, Backend.TORCH)
    time.sleep(0.05)  # the next worker is made while the learner reads
    told: list[tuple[float, Report]] = []
    began = time.perf_counter()
    last = grader.grade(
        name,
        source,
        backend=Backend.TORCH,
        told=lambda report: told.append((time.perf_counter() - began, report)),
    )
    told.append((time.perf_counter() - began, last))
    named = next((at for at, report in told if report.diagnosis), None)
    return told[0][0], named, told[-1][0]


def every_drill(only: Collection[str] = ()) -> Iterator[Times]:
    """Time the solution and some wrong submissions of each drill, in turns with a fork."""
    command = [sys.executable, "-c", FORKS]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as warm,
        Grader(ahead=True) as grader,
    ):
        assert warm.stdin
        assert warm.stdout

        def fork() -> float:
            assert warm.stdin
            assert warm.stdout
            print(file=warm.stdin, flush=True)
            return float(warm.stdout.readline())

        fork()
        for folder in drill_folders(content_dir() / "attention"):
            if only and folder.name not in only:
                continue
            right = (folder / "solution.py").read_bytes()
            files = sorted((submissions(folder.name) / "wrong").glob("*.py"))
            sources = (file.read_bytes() for file in files)
            labelled = [each for each in sources if ONE_MISTAKE.search(each)]
            wrong = [each for each in labelled if b"# backend: torch" in each][:WRONG_SHOWN]
            timed(grader, folder.name, right)
            forks, passed, failed, named, complete = [], [], [], [], []
            for turn in range(ROUNDS):
                forks.append(fork())
                passed.append(timed(grader, folder.name, right)[0])
                forks.append(fork())
                verdict, name, end = timed(grader, folder.name, wrong[turn % len(wrong)])
                failed.append(verdict)
                named.append(end if name is None else name)
                complete.append(end)
            yield Times(folder.name, *map(median, (forks, passed, failed, named, complete)))
        warm.stdin.close()


def measure(only: Collection[str] = ()) -> Iterator[Figure]:
    """How long the median drill and the slowest one take, and where the time of one goes."""
    found = list(every_drill(only))
    yield Figure("a fork of a warm process", 1000 * median(each.fork for each in found), "ms")
    ratios: Mapping[str, tuple[float, float | None, list[float]]] = {
        "passed ÷ fork": (PASSED, LONGEST_PASSED, [each.passed / each.fork for each in found]),
        "failed ÷ passed": (FAILED_OF_PASSED, None, [each.failed / each.passed for each in found]),
        "mistake named ÷ fork": (NAMED, None, [each.named / each.fork for each in found]),
        "complete ÷ fork": (0, None, [each.complete / each.fork for each in found]),
    }
    for title, (usual, most, values) in ratios.items():
        slowest = found[values.index(max(values))].drill
        yield Figure(f"{title}: median of {len(found)} drills", median(values), "×", usual or None)
        yield Figure(f"{title}: {slowest}", max(values), "×", most)
    for backend in Backend:
        yield from profile(PROFILED, backend)


def profile(name: str, backend: Backend) -> Iterator[Figure]:
    """Where the time of a passed verdict goes, on the clock of the judge's process."""
    source = (content_dir() / "attention" / "drills" / name / _SOLUTION[backend]).read_bytes()
    spent: dict[str, list[float]] = {}
    with Grader(ahead=True) as grader:
        grader.grade(name, source, backend=backend)
        for _ in range(ROUNDS):
            drawn = seconds(lambda: grader.prepare(name, backend))
            time.sleep(0.05)
            with contextlib.ExitStack() as clocks:
                taken = {title: clocks.enter_context(_clock(*of)) for title, of in _PARTS.items()}
                whole = seconds(lambda: grader.grade(name, source, backend=backend))
            parts = {title: sum(times) for title, times in taken.items()}
            rest = whole - sum(parts.values())
            parts = {"drawn beforehand": drawn, "whole": whole, **parts, "everything else": rest}
            for title, value in parts.items():
                spent.setdefault(title, []).append(value)
    for title, values in spent.items():
        yield Figure(f"{name}, {backend}: {title}", 1000 * median(values), "ms")


@contextlib.contextmanager
def _clock(owner: Any, name: str) -> Iterator[list[float]]:
    """Note the seconds of each call of a function for as long as the block lasts."""
    function = getattr(owner, name)
    taken: list[float] = []

    def clocked(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            taken.append(time.perf_counter() - began)

    setattr(owner, name, clocked)
    try:
        yield taken
    finally:
        setattr(owner, name, function)


if __name__ == "__main__":
    for figure in measure(sys.argv[1:]):
        print(f"  {figure}", flush=True)
