"""Write a report in words, line by line, the most useful line first.

Lines have a tone instead of a colour, which the caller chooses; a sign repeats what the colour
means. No line is wider than WIDTH.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, zip_longest
from typing import Any

import numpy as np

from studyattn.grading.diagnosis.grid import MARK, Array, form_of, rows_of
from studyattn.grading.verdict import (
    CaseResult,
    Counterexample,
    Report,
    Verdict,
    alike,
    headline,
    short,
    simplest,
)

WIDTH = 80
ROWS_SHOWN = 12
_FAILED_SHOWN = 6  # failed cases that have a line of their own
_NAMED = 8  # cases that are named where they are listed in a row
_RAISED_SHOWN = 2  # where they all raised: the headline has told why

NAMES_WIDTH = 72
"""Columns that the names of cases take where they stand in one line."""


class Tone(StrEnum):
    """The role of a line, for its colour."""

    GOOD = "good"
    BAD = "bad"
    PLAIN = "plain"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, without its newline."""

    text: str = ""
    tone: Tone = Tone.PLAIN


def format_report(report: Report, *, brief: bool = False) -> Iterator[Line]:
    """The report, the most useful line first; `brief`: of cases the names of some that failed."""
    yield _headline(report)
    yield from format_details(report)
    if report.cases:
        yield Line()
        yield from [_some(report.cases)] if brief else _cases(report)
    if not brief:
        yield Line()
    yield from _footer(report)


def format_details(report: Report) -> Iterator[Line]:
    """The report without its headline, the list of cases and how it was graded."""
    if told := _alike(report):
        yield from _wrapped(told, Tone.BAD)
    if report.message:
        place = f"line {report.line}: " if report.line else ""
        yield from _wrapped(f"{place}{report.message}", Tone.BAD)
    yield from _known(report)
    if report.counterexample is not None:
        yield Line()
        yield from _counterexample(report.counterexample)
    for remark in report.remarks:
        yield Line()
        yield from _wrapped(remark)
    if report.printed.strip():
        yield Line()
        yield from _printed(report)


def _wrapped(
    text: str, tone: Tone = Tone.PLAIN, *, first: str = "  ", then: str = ""
) -> list[Line]:
    """`text` in lines of at most WIDTH, the first one begun by `first`."""
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=then or " " * len(first),
        break_on_hyphens=False,
    )
    return [Line(line, tone) for line in lines]


def _headline(report: Report) -> Line:
    passed = sum(case.passed for case in report.cases)
    count = f" · {passed} of {len(report.cases)} cases" if report.cases else ""
    tone = Tone.GOOD if report.passed else Tone.BAD
    told = headline(report.verdict, report.message)
    return Line(f"{'✓' if report.passed else '✗'} {told} · {report.drill}{count}", tone)


def _alike(report: Report) -> str:
    if report.observations:
        return ""
    return alike(report.verdict, [case.message for case in report.cases if not case.passed])


def _known(report: Report) -> Iterator[Line]:
    """The mistake, that it is still searched, or that none is known; then facts."""
    if report.diagnosis:
        yield Line()
        yield from _diagnosis(report)
    elif not report.complete:
        yield Line()
        yield Line("  Looking for the mistake …", Tone.QUIET)
    elif report.verdict is Verdict.WRONG and not (report.observations or _alike(report)):
        yield Line()
        yield from _wrapped("None of the known mistakes explains these answers.")
    for observation in report.observations:
        yield from _wrapped(observation.text, first="  · ")


def _diagnosis(report: Report) -> Iterator[Line]:
    first, *others = report.diagnosis
    for mistake in first.mistakes:
        yield from _wrapped(mistake.title, Tone.BAD)
        yield Line(f"    review: {mistake.concept}   ({mistake.id})", Tone.QUIET)
    if first.explained and first.failed:
        yield Line(
            f"    {first.explained} of {first.failed} wrong answers match this mistake exactly.",
            Tone.QUIET,
        )
    for other in others:
        yield from _wrapped(other.title, Tone.QUIET, first="  Or: ")


# ── the smallest input ───────────────────────────────────────────────────────────────────────────


def _counterexample(shown: Counterexample) -> Iterator[Line]:
    asked = f", in {shown.asked}" if shown.asked else ""
    yield Line(f"  Smallest failing input{asked}")
    yield from _inputs(shown.inputs)
    yield Line()
    if isinstance(shown.got, str):
        yield from _named("expected", shown.expected, len("expected"))
        where = f"   ({shown.where})" if shown.where not in {"", shown.got} else ""
        yield from _wrapped(f"{shown.got}{where}", Tone.BAD, first="    yours     ")
        return
    yield from _compared(shown, np.asarray(shown.expected), np.asarray(shown.got))


def _inputs(inputs: Mapping[str, Any]) -> Iterator[Line]:
    """Lay out names and values, with the arguments of a call below its name."""
    split = [(*name.rpartition(": ")[::2], value) for name, value in inputs.items()]
    width = max((len(name) for _, name, _ in split), default=0)
    for call, given in groupby(split, key=lambda each: each[0]):
        if call:
            yield Line(f"    {call}")
        for _, name, value in given:
            yield from _named(name, value, max(width, 8), indent=6 if call else 4)


def _named(name: str, value: Any, width: int, indent: int = 4) -> Iterator[Line]:
    rows = _rows(value) if isinstance(value, list | int | float) else [str(value)]
    start, empty = f"{' ' * indent}{name:<{width}}  ", " " * (indent + width + 2)
    for place, row in enumerate(rows[:ROWS_SHOWN]):
        yield Line(_cut(f"{empty if place else start}{row}"))
    if len(rows) > ROWS_SHOWN:
        yield Line(f"{empty}… {len(rows) - ROWS_SHOWN} more rows", Tone.QUIET)


def _rows(value: Any) -> list[str]:
    """Lay out an array; rows do not show how many axes it has beyond two, so these are named."""
    values = np.asarray(value)
    first, *rest = rows_of(values, form_of(values))
    return [f"{first}   shape {values.shape}" if values.ndim > 2 else first, *rest]


def _compared(shown: Counterexample, expected: Array, got: Array) -> Iterator[Line]:
    """Show expected and actual values side by side where there is room, else below each other."""
    same = expected.shape == got.shape
    wrong = np.zeros(got.shape, bool)
    if same:
        wrong = expected != got if shown.wrong is None else np.asarray(shown.wrong)
    form = form_of(expected, got, apart=(expected[wrong], got[wrong]) if same else None)
    left, right = rows_of(expected, form), rows_of(got, form, wrong)
    yours = f"yours, {MARK} where it is wrong" if wrong.any() else "yours"
    wide = max(len("expected"), *map(len, left))
    if 4 + wide + 3 + max(map(len, right)) <= WIDTH:
        yield Line(_cut(f"    {'expected':<{wide}}   {yours}"), Tone.QUIET)
        for one, other in zip_longest(left, right, fillvalue=""):
            yield Line(f"    {one:<{wide}}   {other}".rstrip(), _tone(other))
    else:
        yield Line("    expected", Tone.QUIET)
        yield from (Line(_cut(f"    {row}")) for row in left)
        yield Line(f"    {yours}", Tone.QUIET)
        yield from (Line(_cut(f"    {row}"), _tone(row)) for row in right)
    if shown.where:
        yield Line(_cut(f"    first wrong: {shown.where}"), Tone.QUIET)
    if not same:
        yield from _wrapped(
            f"shape {expected.shape} expected, shape {got.shape} returned", Tone.BAD, first="    "
        )


def _tone(row: str) -> Tone:
    return Tone.BAD if MARK in row else Tone.PLAIN


def _cut(text: str) -> str:
    """A row that is too wide ends in a sign that says so."""
    text = text.rstrip()
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def _printed(report: Report) -> Iterator[Line]:
    """Show what the submission printed."""
    yield Line("  Output for this input" if report.counterexample else "  It printed")
    rows = report.printed.rstrip().splitlines()
    for row in rows[:ROWS_SHOWN]:
        yield Line(_cut(f"    {row}"))
    if len(rows) > ROWS_SHOWN:
        yield Line(f"    … {len(rows) - ROWS_SHOWN} more lines", Tone.QUIET)


# ── the cases ────────────────────────────────────────────────────────────────────────────────────


def _cases(report: Report) -> Iterator[Line]:
    """List failures, a line each or once where all are alike; then the names of what passed."""
    failed = [case for case in report.cases if not case.passed]
    passed = [case for case in report.cases if case.passed]
    if len(failed) > 1 and len({case.message for case in failed}) == 1:  # told already
        yield from _names("✗", failed, Tone.BAD)
    else:
        most = _RAISED_SHOWN if report.verdict is Verdict.ERROR else _FAILED_SHOWN
        told = set(simplest([case.name for case in failed], most))
        width = max((len(short(name)) for name in told), default=0)
        for case in failed:
            if case.name in told:
                yield from _failed(case, width)
        if failed[most:]:
            yield Line(f"  ✗ and {len(failed) - most} more", Tone.BAD)
    yield from _names("✓", passed, Tone.QUIET)


def _failed(case: CaseResult, width: int) -> list[Line]:
    name = short(case.name)
    start = f"  ✗ {name:<{width}}   "
    message = case.message or "not passed"
    if len(start) + len(message) <= WIDTH:
        return [Line(start + message, Tone.BAD)]
    return [
        *_wrapped(name, Tone.BAD, first="  ✗ ", then="    "),
        *_wrapped(message, Tone.BAD, first=" " * 6),
    ]


def _names(sign: str, cases: list[CaseResult], tone: Tone) -> list[Line]:
    """Name the first few of these cases, and count the others."""
    if not cases:
        return []
    # A name that fits on one line stays there: its spaces do not break while lines are made.
    names = [
        name.replace(" ", "\0") if len(name) < NAMES_WIDTH else name
        for name in map(short, simplest([case.name for case in cases], _NAMED))
    ]
    if len(cases) > _NAMED:
        names.append(f"and\0{len(cases) - _NAMED}\0more")
    lines = _wrapped("\0· ".join(names), tone, first=f"  {sign} ", then="    ")
    return [Line(line.text.replace("\0", " "), line.tone) for line in lines]


def _some(cases: Sequence[CaseResult]) -> Line:
    """The first of those that failed; of all where none did."""
    failed = [case.name for case in cases if not case.passed]
    sign, tone = ("✗", Tone.BAD) if failed else ("✓", Tone.QUIET)
    names = " · ".join(map(short, simplest(failed or [case.name for case in cases], _NAMED)))
    return Line(f"  {sign} {textwrap.shorten(names, NAMES_WIDTH, placeholder=' …')}", tone)


def _footer(report: Report) -> Iterator[Line]:
    if report.cost is not None:
        yield Line(
            f"  {report.cost.flops:,} operations, largest array {report.cost.largest_array:,}",
            Tone.QUIET,
        )
    device = "" if report.device == "cuda" else ", not checked on a GPU"
    seed = "" if report.passed else f", seed {report.seed}"
    why = f" ({report.backend_reason})" if report.backend_reason else ""
    milliseconds = f"{report.seconds * 1000:.0f} ms"
    yield from _wrapped(
        f"{report.backend}{why} on {report.device}{device}, {milliseconds}{seed}", Tone.QUIET
    )
