"""Write a report in words, line by line, the most useful line first.

The command, editors, notebooks and a class's files print these lines; the app draws a page of them
around its maps. Lines have a tone instead of a color, which the caller chooses; a sign repeats what
the color means. No line is wider than the width that is asked for.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, zip_longest
from typing import Any

from studyattn.grading.number_form import MARK, flat, form_beside, form_of, rows_of, shape_of
from studyattn.grading.verdict import (
    CaseResult,
    Change,
    Cost,
    Counterexample,
    Diagnosis,
    Observation,
    Report,
    Verdict,
    alike,
    headline,
    short,
    simplest,
)

WIDTH = 80
"""Columns of a terminal, at most."""

_ROWS = 12  # of an input
_PRINTED = 20  # lines of what a submission printed
_MESSAGES = 4  # of failed cases, each with the names of its cases
_SECOND = 1.0  # from which a time has no milliseconds
_NAMED = 3  # cases that are named in a list


class Tone(StrEnum):
    """The role of a line, for its color."""

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
    """The report, the most useful line first; `brief`: of cases one line that names some."""
    right = sum(case.passed for case in report.cases)
    tally = f" · {right} of {len(report.cases)} cases" if report.cases else ""
    tone = tone_of(report.verdict)
    yield Line(f"{signed(report)} · {report.drill}{tally}", tone)
    yield from format_details(report)
    if report.cases:
        yield Line()
        yield from [_some(report.cases)] if brief else format_cases(report.cases)
    if report.cost is not None:
        yield from format_cost(report.cost)
    if not brief:
        yield Line()
    yield from wrapped(f"{how_graded(report)}, {duration(report.seconds)}", Tone.QUIET)


def duration(seconds: float) -> str:
    """Write a time: `197 ms`, `1.3 s`."""
    return f"{1000 * seconds:.0f} ms" if seconds < _SECOND else f"{seconds:.1f} s"


def format_details(report: Report) -> Iterator[Line]:
    """The report without its headline, the list of cases and how it was graded."""
    parts = (
        format_known(report),
        () if report.counterexample is None else format_counterexample(report.counterexample),
        *(wrapped(remark) for remark in report.remarks),
        format_printed(report),
    )
    yield from format_message(report)
    yield from format_steps(report)
    for part in map(list, parts):
        if part:
            yield Line()
            yield from part


def signed(report: Report) -> str:
    """Return the verdict in words, behind its sign, and the step that it is on."""
    at = report.steps_passed if report.verdict is Verdict.STEP else report.step
    on = f", step {at} of {len(report.steps)}" if at else ""
    return f"{sign(report.verdict)} {headline(report.verdict, report.message)}{on}"


def sign(verdict: str | None) -> str:
    """Return ✓, ✗, or nothing for code that was not graded."""
    return "" if verdict is None else "✓" if tone_of(verdict) is Tone.GOOD else "✗"


def tone_of(verdict: str) -> Tone:
    """Return the tone in which a verdict is told."""
    return Tone.GOOD if verdict in {Verdict.PASSED, Verdict.STEP} else Tone.BAD


def wrapped(
    text: str, tone: Tone = Tone.PLAIN, width: int = WIDTH, *, first: str = "  ", then: str = ""
) -> list[Line]:
    """Return `text` in lines of at most `width` columns, the first one begun by `first`."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=then or " " * len(first),
        break_on_hyphens=False,
    )
    return [Line(line, tone) for line in lines]


def format_message(report: Report, width: int = WIDTH) -> list[Line]:
    """Write what all cases say, or why nothing was asked."""
    place = f"line {report.line}: " if report.line else ""
    told = f"{place}{report.message}" if report.message else _alike(report)
    return wrapped(told, tone_of(report.verdict), width)


def format_steps(report: Report) -> Iterator[Line]:
    """Write the steps of a long drill that is not done; none where the whole was written alone."""
    steps = report.steps
    if report.passed or not steps or (steps[-1].verdict is not None and not report.steps_passed):
        return
    wide = max(len(each.title) for each in steps)
    for number, each in enumerate(steps, 1):
        row = f"  {sign(each.verdict) or ' '} {number} {each.title:<{wide}}  {each.name}"
        yield Line(row, Tone.QUIET if each.verdict is None else tone_of(each.verdict))


def _alike(report: Report) -> str:
    if report.observations:
        return ""
    return alike(report.verdict, [case.message for case in report.cases if not case.passed])


def format_known(report: Report) -> Iterator[Line]:
    """The mistake, that it is still searched, or that none is known; then facts."""
    if report.diagnosis:
        first, *others = report.diagnosis
        for mistake in first.mistakes:
            yield from wrapped(mistake.title, Tone.BAD)
            yield Line(f"    review: {mistake.concept}   ({mistake.id})", Tone.QUIET)
        if told := explained(first):
            yield Line(f"    {told}", Tone.QUIET)
        for other in others:
            yield from wrapped(other.title, Tone.QUIET, first="  Or: ")
    elif not report.complete:
        yield Line(SEARCHING, Tone.QUIET)
    elif report.verdict is Verdict.WRONG and not report.observations and not _alike(report):
        yield from wrapped("None of the known mistakes explains these answers.")
    yield from format_facts(report.observations)


SEARCHING = "  Looking for the mistake …"


def explained(diagnosis: Diagnosis) -> str:
    """Say how many wrong answers a mistake explains; "" where it was only seen."""
    if not diagnosis.explained or not diagnosis.failed:
        return ""
    share = f"{diagnosis.explained} of {diagnosis.failed}"
    return f"{share} wrong answers match this mistake exactly."


def format_facts(observations: Iterable[Observation], width: int = WIDTH) -> Iterator[Line]:
    """Facts about answers that no mistake explains."""
    for fact in observations:
        yield from wrapped(fact.text, width=width, first="  · ")


def format_repair(
    changes: Sequence[Change], ask: str, width: int = WIDTH, *, shown: bool = False
) -> Iterator[Line]:
    """Write where a change makes the code right, and the change if `shown`, else how to `ask`."""
    for change in changes:
        yield from wrapped(f"line {change.line}: {change.hint}", width=width)
        if shown:
            yield Line(f"    now    {change.before}")
            yield Line(f"    right  {change.after}")
    if changes:
        what = "With this change" if len(changes) == 1 else "With these changes"
        told = f"{what} it passes, also on fresh questions."
        yield from wrapped(told if shown else f"{told} {ask}", Tone.QUIET, width)


# ── the smallest input ───────────────────────────────────────────────────────────────────────────


def format_counterexample(shown: Counterexample) -> Iterator[Line]:
    """The inputs, and below them expected and actual values."""
    asked = f", in {shown.asked}" if shown.asked else ""
    yield Line(f"  Smallest failing input{asked}")
    yield from _inputs(shown.inputs)
    yield Line()
    if isinstance(shown.got, str):
        yield from _named("expected", shown.expected, len("expected"))
        where = f"   ({shown.where})" if shown.where not in {"", shown.got} else ""
        yield from wrapped(f"{shown.got}{where}", Tone.BAD, first="    yours     ")
        return
    yield from _compared(shown)


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
    for place, row in enumerate(rows[:_ROWS]):
        yield Line(cut(f"{empty if place else start}{row}"))
    if len(rows) > _ROWS:
        yield Line(f"{empty}… {len(rows) - _ROWS} more rows", Tone.QUIET)


def _rows(value: Any) -> list[str]:
    """Lay out an array; rows do not show how many axes it has beyond two, so these are named."""
    shape = shape_of(value)
    first, *rest = rows_of(value, form_of(flat(value)))
    return [f"{first}   shape {shape}" if len(shape) > 2 else first, *rest]


def _compared(shown: Counterexample) -> Iterator[Line]:
    """Show expected and actual values side by side where there is room, else below each other."""
    expected, got = shape_of(shown.expected), shape_of(shown.got)
    form = form_beside(shown.expected, shown.got, shown.wrong)
    left, right = rows_of(shown.expected, form), rows_of(shown.got, form, shown.wrong)
    yours = f"yours, {MARK} where it is wrong" if MARK in "".join(right) else "yours"
    wide = max(len("expected"), *map(len, left))
    if 4 + wide + 3 + max(map(len, right)) <= WIDTH:
        yield Line(cut(f"    {'expected':<{wide}}   {yours}"), Tone.QUIET)
        for one, other in zip_longest(left, right, fillvalue=""):
            yield Line(f"    {one:<{wide}}   {other}".rstrip(), _tone(other))
    else:
        yield Line("    expected", Tone.QUIET)
        yield from (Line(cut(f"    {row}")) for row in left)
        yield Line(f"    {yours}", Tone.QUIET)
        yield from (Line(cut(f"    {row}"), _tone(row)) for row in right)
    if shown.where:
        yield Line(cut(f"    first wrong: {shown.where}"), Tone.QUIET)
    if expected != got:
        told = f"shape {expected} expected, shape {got} returned"
        yield from wrapped(told, Tone.BAD, first="    ")


def _tone(row: str) -> Tone:
    return Tone.BAD if MARK in row else Tone.PLAIN


def cut(text: str, width: int = WIDTH) -> str:
    """Return a row that ends in a sign where it was too wide."""
    text = text.rstrip()
    return text if len(text) <= width else f"{text[: width - 1]}…"


def format_printed(report: Report, width: int = WIDTH) -> Iterator[Line]:
    """Write what the submission printed."""
    rows = report.printed.rstrip().splitlines()
    if rows:
        yield Line("  Output for this input" if report.counterexample else "  It printed")
    for row in rows[:_PRINTED]:
        yield Line(cut(f"    {row}", width))
    if len(rows) > _PRINTED:
        yield Line(f"    … and {len(rows) - _PRINTED} more", Tone.QUIET)


# ── the cases ────────────────────────────────────────────────────────────────────────────────────


def format_cases(cases: Sequence[CaseResult], width: int = WIDTH) -> Iterator[Line]:
    """The failed ones with what is wrong, those together that say the same; then the others."""
    groups: dict[str, list[str]] = {}
    for case in cases:
        groups.setdefault("" if case.passed else case.message or "not passed", []).append(case.name)
    passed = groups.pop("", [])
    told = {message: _few(names) for message, names in list(groups.items())[:_MESSAGES]}
    wide = max(map(len, told.values()), default=0)
    told_above = len(told) == 1 and len(cases) - len(passed) > 1
    for message, named in told.items():
        yield from _failed(named, wide, "" if told_above else message, width)
    if rest := sum(map(len, list(groups.values())[_MESSAGES:])):
        yield Line(f"  ✗ and {rest} more", Tone.BAD)
    if passed:
        yield from wrapped(_few(passed), Tone.QUIET, width, first="  ✓ ", then="    ")


def _failed(named: str, wide: int, message: str, width: int) -> list[Line]:
    """Write names and message on one line where they fit, else below each other."""
    row = f"  ✗ {named:<{wide}}   {message}"
    if message and len(row) <= width:
        return [Line(row, Tone.BAD)]
    below = wrapped(message, Tone.QUIET, width, first="    ")
    return [*wrapped(named, Tone.BAD, width, first="  ✗ ", then="    "), *below]


def _some(cases: Sequence[CaseResult]) -> Line:
    """Name some of those that failed; of all where none did."""
    failed = [case.name for case in cases if not case.passed]
    mark, tone = ("✗", Tone.BAD) if failed else ("✓", Tone.QUIET)
    return Line(cut(f"  {mark} {_few(failed or [case.name for case in cases])}"), tone)


def _few(names: Sequence[str]) -> str:
    """The names that join fewest conditions, and how many there are besides."""
    more = [f"and {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return " · ".join([*map(short, simplest(names, _NAMED)), *more])


def format_cost(cost: Cost) -> Iterator[Line]:
    """Write what the costed case used, beside its limits."""
    for name, used, limit in (
        ("operations", cost.flops, cost.limit),
        ("largest array", cost.largest_array, cost.largest_allowed),
    ):
        is_over = limit is not None and used > limit
        within = "" if limit is None else f"  of {limit:,} {'✗' if is_over else '✓'}"
        yield Line(f"  {name:<14}{used:>14,}{within}", Tone.BAD if is_over else Tone.QUIET)


def how_graded(report: Report) -> str:
    """Return the backend, the device, and what asks the same again."""
    why = f" ({report.backend_reason})" if report.backend_reason else ""
    device = "" if report.device == "cuda" else ", not checked on a GPU"
    seed = "" if report.passed else f", seed {report.seed}"
    return f"{report.backend}{why} on {report.device}{device}{seed}"
