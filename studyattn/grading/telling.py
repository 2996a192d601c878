"""A report in words, line by line: what a tired learner needs first stands first.

Lines have a tone and no colours; the terminal and the app each have their own way to show one.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .verdict import CaseResult, Counterexample, Report, Verdict

HEADLINES = {
    Verdict.PASSED: "✓ Passed",
    Verdict.WRONG: "✗ Not yet",
    Verdict.ERROR: "✗ It raised an error",
    Verdict.TIMEOUT: "✗ It took too long",
    Verdict.MEMORY: "✗ It took too much memory",
    Verdict.CRASHED: "✗ It ended its process",
    Verdict.REFUSED: "✗ Refused",
    Verdict.INVALID: "✗ It could not be loaded",
}

MARK = "*"
"""Follows an entry that is wrong."""

ROWS_SHOWN = 12

NAMES_WIDTH = 72
"""Columns that the names of cases take where they stand in one line."""


class Tone(StrEnum):
    """What a line is, for whoever colours it."""

    GOOD = "good"
    BAD = "bad"
    PLAIN = "plain"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, without its newline."""

    text: str = ""
    tone: Tone = Tone.PLAIN


def tell(report: Report, *, brief: bool = False) -> Iterator[Line]:
    """The report, the most useful line first; `brief`: of cases the names of some that failed."""
    yield _headline(report)
    if report.message:
        place = f"line {report.line}: " if report.line else ""
        yield Line(f"  {place}{report.message}", Tone.BAD)
    if report.diagnosis:
        yield Line()
        yield from _diagnosis(report)
    if report.counterexample is not None:
        yield Line()
        yield from _counterexample(report.counterexample)
    if report.cases:
        yield Line()
        yield from [_names(report.cases)] if brief else map(_case, report.cases)
    if not brief:
        yield Line()
    yield from _footer(report)


def _headline(report: Report) -> Line:
    passed = sum(case.passed for case in report.cases)
    count = f" · {passed} of {len(report.cases)} cases" if report.cases else ""
    tone = Tone.GOOD if report.passed else Tone.BAD
    return Line(f"{HEADLINES[report.verdict]} · {report.drill}{count}", tone)


def _diagnosis(report: Report) -> Iterator[Line]:
    first, *others = report.diagnosis
    for misconception in first.misconceptions:
        yield Line(f"  {misconception.title}", Tone.BAD)
        yield Line(f"    review: {misconception.concept}   ({misconception.id})", Tone.QUIET)
    if first.explained and first.failed:
        yield Line(
            f"    {first.explained} of {first.failed} wrong answers are exactly what this gives.",
            Tone.QUIET,
        )
    for other in others:
        yield Line(f"  Or: {other.title}", Tone.QUIET)


def _counterexample(shown: Counterexample) -> Iterator[Line]:
    yield Line("  The smallest input that shows it")
    for name, value in shown.inputs.items():
        yield from _named(name, value)
    where = f"   {shown.where}" if shown.where else ""
    if isinstance(shown.got, str):
        yield from _named("expected", shown.expected)
        yield Line(f"    got       {shown.got}{where}", Tone.BAD)
        return
    expected, got = np.asarray(shown.expected), np.asarray(shown.got)
    yield Line(f"  Expected and got{where}")
    wrong = np.zeros(got.shape, bool) if shown.wrong is None else np.asarray(shown.wrong)
    left, right = _rows(expected), _rows(got, wrong)
    width = max(len(row) for row in left)
    for row in range(max(len(left), len(right))):
        one = left[row] if row < len(left) else ""
        other = right[row] if row < len(right) else ""
        tone = Tone.BAD if MARK in other or one != other.strip() else Tone.PLAIN
        yield Line(f"    {one.ljust(width)}   {other}".rstrip(), tone)
    if expected.shape != got.shape:
        yield Line(f"    shape {expected.shape} expected, shape {got.shape} returned", Tone.BAD)


def _named(name: str, value: Any) -> Iterator[Line]:
    rows = _rows(np.asarray(value)) if isinstance(value, list) else [str(value)]
    yield Line(f"    {name:<8}  {rows[0]}")
    for row in rows[1:ROWS_SHOWN]:
        yield Line(f"    {'':<8}  {row}")
    if len(rows) > ROWS_SHOWN:
        yield Line(f"    {'':<8}  … {len(rows) - ROWS_SHOWN} rows more", Tone.QUIET)


def _rows(values: NDArray[Any], wrong: NDArray[np.bool_] | None = None) -> list[str]:
    """One text a row; rows of different blocks are parted by an empty one."""
    if values.ndim == 0:
        mark = MARK if wrong is not None and wrong.any() else ""
        return [f"{_number(values.item())}{mark}"]
    if values.size == 0:
        return [f"empty, shape {values.shape}"]
    flat = values.reshape(-1, values.shape[-1])
    marks = None if wrong is None else wrong.reshape(-1, values.shape[-1])
    cells = [
        [
            _number(entry) + ("" if marks is None else MARK if marks[i, j] else " ")
            for j, entry in enumerate(row)
        ]
        for i, row in enumerate(flat.tolist())
    ]
    width = max(len(cell) for row in cells for cell in row)
    rows = ["[" + "  ".join(cell.rjust(width) for cell in row) + "]" for row in cells]
    return _parted(rows, values.shape[-2] if values.ndim > 2 else len(rows))


def _parted(rows: Sequence[str], block: int) -> list[str]:
    parted: list[str] = []
    for position, row in enumerate(rows):
        if position and position % block == 0:
            parted.append("")
        parted.append(row)
    return parted


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _case(case: CaseResult) -> Line:
    sign, tone = ("✓", Tone.QUIET) if case.passed else ("✗", Tone.BAD)
    error = (
        f"off by {_small(case.max_error)}, allowed {_small(case.tolerance)}"
        if case.max_error is not None and case.tolerance is not None and case.passed
        else case.message
    )
    return Line(f"  {sign} {case.name:<36} {error}".rstrip(), tone)


def _names(cases: Sequence[CaseResult]) -> Line:
    """The first of those that failed; of all where none did."""
    failed = [case.name for case in cases if not case.passed]
    sign, tone = ("✗", Tone.BAD) if failed else ("✓", Tone.QUIET)
    names = "; ".join(failed or [case.name for case in cases])
    return Line(f"  {sign} {textwrap.shorten(names, NAMES_WIDTH, placeholder=' …')}", tone)


def _small(error: float) -> str:
    return f"{error:.1e}" if error else "0"


def _footer(report: Report) -> Iterator[Line]:
    if report.cost is not None:
        yield Line(
            f"  {report.cost.flops:,} operations, largest array {report.cost.largest_array:,}",
            Tone.QUIET,
        )
    device = "" if report.device == "cuda" else ", not checked on a GPU"
    seed = "" if report.passed else f", seed {report.seed}"
    yield Line(
        f"  {report.backend} on {report.device}{device}, {report.seconds * 1000:.0f} ms{seed}",
        Tone.QUIET,
    )
