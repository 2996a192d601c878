"""Time daily commands as whole processes, beside a bare start of Python (`homes`).

    python -m benchmarks.commands [HOME …] [--processor]

Each run of a command follows one of `python -c pass`, so that both meet the same load. Times are
by the clock; with `--processor` of the processor, which other work disturbs less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks._measure import Figure
from benchmarks.homes import BIG, YEAR, Size, copy_of
from studyattn.home import Home

_TIMES = 9
_MOST = {"year": 10, "big": 15}
_COUNTED = ("due", "--count")
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("due",),
    _COUNTED,
    ("add", "Why is {} what it is?", "Scores grow with it", "--concept", "softmax"),
    ("answer", "attention:softmax-axis", "good"),
    ("undo",),
    ("concept", "list"),
    ("concept", "set", "softmax", "known", "--why", "derived it for the time {}"),
    ("note", "list"),
    ("note", "add", "Ask about factor {}", "--concept", "softmax"),
    ("search", "softmax"),
    ("items",),
    ("stats",),
    ("path",),
    ("settings", "list"),
)
"""`{}` stands for the number of the run."""

_Spent = tuple[float, float]
"""Seconds of a run, by the clock and of the processor."""


def measure(wanted: Sequence[str] = (), *, processor: bool = False) -> Iterator[Figure]:
    """The figures of this subject, in both homes or in those that are wanted."""
    for size in (YEAR, BIG):
        if not wanted or size.name in wanted:
            yield from _figures(size, processor)


def _figures(size: Size, processor: bool) -> Iterator[Figure]:
    with copy_of(size) as home:
        for command in _COMMANDS:
            name = " ".join(command[:1] if command[0] in {"add", "answer"} else command[:2])
            pairs = [_pair(home, command, number) for number in range(_TIMES + 1)]
            yield _figure(f"{size.name}: {name}", pairs[1:], _MOST[size.name], processor)
        pairs = [_pair(home, _COUNTED, number, kept=True) for number in range(_TIMES)]
        yield _figure(f"{size.name}: due --count, its number kept", pairs, 3, processor)


def _figure(
    name: str, pairs: Sequence[tuple[_Spent, _Spent]], most: float, processor: bool
) -> Figure:
    bare, ours = (median(each[processor] for each in times) for times in zip(*pairs, strict=True))
    of = "processor" if processor else "clock"
    told = f"{name} ({ours * 1e3:.0f} ms) ÷ python -c pass, {of}"
    return Figure(told, ours / bare, "×", None if processor else most)


def _pair(
    home: Home, command: tuple[str, ...], number: int, *, kept: bool = False
) -> tuple[_Spent, _Spent]:
    if command == _COUNTED and not kept:
        (home.root / "due-count").unlink(missing_ok=True)  # as after a change
    bare = _spent([sys.executable, "-c", "pass"])
    ours = [sys.executable, "-m", "studyattn", "--home", str(home.root)]
    return bare, _spent([*ours, *(each.format(number) for each in command)])


def _spent(command: Sequence[str]) -> _Spent:
    """Run a command and return the seconds it took."""
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return took, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    arguments = sys.argv[1:]
    homes = [each for each in arguments if each != "--processor"]
    for figure in measure(homes, processor="--processor" in arguments):
        print(f"  {figure}", flush=True)
