"""A measured figure, and how the measuring is done."""

from __future__ import annotations

import gc
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
        for line in Path(f"/proc/{each}/smaps_rollup").read_text("utf-8").splitlines()[1:]:
            name, kilobytes, *_ = line.split()
            whole += int(kilobytes) / 1024 if name == "Rss:" else 0
            shared += int(kilobytes) / 1024 if name == "Pss:" else 0
    return whole, shared


def _children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for each in (task / "children").read_text("utf-8").split():
            found += [int(each), *_children(int(each))]
    return found
