"""A measured figure, and how the measuring is done."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, and the most it may be."""

    name: str
    value: float
    unit: str = "×"
    most: float | None = None

    @property
    def kept(self) -> bool:
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        bound = "" if self.most is None else f"  (at most {self.most:g}{self.unit})"
        sign = "✓" if self.kept else "✗"
        return f"{sign} {self.name:<58} {self.value:>9.2f} {self.unit}{bound}"


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, once."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def medians(works: Sequence[Callable[[], object]], times: int) -> list[float]:
    """The median seconds of several works, taken in turns so that all meet the same load."""
    taken: list[list[float]] = [[] for _ in works]
    gc.collect()
    for _ in range(times):
        for index, work in enumerate(works):
            taken[index].append(seconds(work))
    return [statistics.median(each) for each in taken]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def tree_memory(pid: int, *, of_children: bool = True) -> tuple[float, float]:
    """The MB of a process and its children; first with what they share counted for each."""
    whole, shared = 0.0, 0.0
    for each in (pid, *(_children(pid) if of_children else ())):
        for line in _told(each, "smaps_rollup").splitlines()[1:]:
            name, kilobytes, *_ = line.split()
            whole += int(kilobytes) / 1024 if name == "Rss:" else 0
            shared += int(kilobytes) / 1024 if name == "Pss:" else 0
    return whole, shared


def tree_cpu(pid: int) -> float:
    """The seconds of CPU of a process and its children, those that have ended too."""
    tree = (pid, *_children(pid))
    times = (_told(each, "stat").rpartition(")")[2].split()[11:15] for each in tree)
    return sum(int(ticks) for of_one in times for ticks in of_one) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        for each in map(int, _told(pid, f"task/{task.name}/children").split()):
            found += [each, *_children(each)]
    return found


def _told(pid: int, what: str) -> str:
    """What the kernel tells of a process; nothing of one that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/{what}").read_text("utf-8")
    except OSError:
        return ""
