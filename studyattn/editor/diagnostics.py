"""Diagnostics of a report, for an editor: a sentence on its line, and its details below."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from textwrap import dedent, wrap

from lsprotocol.types import Diagnostic, DiagnosticSeverity, Position, Range

from studyattn.grading.report_text import WIDTH, format_details, signed
from studyattn.grading.submission import tree_of
from studyattn.grading.verdict import Change, Report, Verdict
from studyattn.study.practice.drill_views import RecordedAttempt
from studyattn.text.counting import count
from studyattn.text.render import plain

SOURCE = "studyattn"


def diagnostics_of(
    report: Report,
    code: str,
    entries: Sequence[str],
    recorded: RecordedAttempt | None = None,
    *,
    revealed: bool = False,
) -> list[Diagnostic]:
    """Return the diagnostics of a report on `code`, the most useful one first.

    Each change that would make the code right has one on its line; `revealed` ones say what would
    be right. Where none is known, the first one is on the line that the report names, or else on
    the one that defines the first of the `entries` found.
    """
    lines = code.splitlines() or [""]
    first, *others = report.repair or (None,)
    where = (first.line if first else report.line) or definition(code, entries)
    mistakes = report.diagnosis[0].misconceptions if report.diagnosis else ()
    shown = Diagnostic(
        _whole(lines, where),
        "\n".join(_told(report, first, recorded, revealed=revealed)),
        severity=DiagnosticSeverity.Information
        if report.passed or report.verdict is Verdict.STEP
        else DiagnosticSeverity.Error,
        code=" ".join(mistakes) or str(report.verdict),
        source=SOURCE,
    )
    rest = [
        Diagnostic(
            _whole(lines, change.line),
            _change(change, revealed=revealed),
            severity=DiagnosticSeverity.Error,
            source=SOURCE,
        )
        for change in others
    ]
    return [shown, *rest]


def definition(code: str, entries: Sequence[str]) -> int:
    """Return the line, from 1, that defines the first of the `entries` found; 1 for none."""
    try:
        tree = tree_of(code)
    except (SyntaxError, ValueError, RecursionError):
        return 1
    found = {each.name: each.lineno for each in tree.body if isinstance(each, ast.FunctionDef)}
    return next((found[name] for name in entries if name in found), 1)


def _told(
    report: Report, change: Change | None, recorded: RecordedAttempt | None, *, revealed: bool
) -> Iterator[str]:
    """Yield the sentence that says what is wrong, then how it shows, then what it leads to."""
    if report.passed:
        yield f"✓ Passed, {count(len(report.cases), 'case')}."
        for remark in report.remarks:
            yield from wrap(remark, WIDTH)
        return
    hint = [] if change is None else wrap(_change(change, revealed=revealed), WIDTH)
    lines = dropwhile(lambda line: not line, (line.text for line in format_details(report)))
    details = dedent("\n".join(lines)).splitlines() or [signed(report)]
    named = len(report.diagnosis[0].mistakes) if report.diagnosis else 0
    yield from [*details[:named], *hint, *details[named:]]
    if recorded is not None:
        for card in recorded.brought_back:
            yield f"Due today: {plain(card.title)}"
        for lesson in recorded.lessons:
            yield lesson.sentence


def _change(change: Change, *, revealed: bool) -> str:
    return f"{change.hint} Right: `{change.after}`" if revealed else change.hint


def _whole(lines: Sequence[str], number: int) -> Range:
    """Return the range of a line's text, in the UTF-16 units that the protocol counts."""
    place = min(max(number, 1), len(lines)) - 1
    line = lines[place]
    begin = len(line) - len(line.lstrip())
    units = len(line.rstrip().encode("utf-16-le")) // 2
    return Range(Position(place, begin), Position(place, max(units, begin)))
