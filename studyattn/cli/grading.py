"""`drill grade`, `drill watch`: grade a file, and print what became of the attempt.

That is the verdict, the cards and lessons that a mistake leads to, and what it suggests.
"""

from __future__ import annotations

import contextlib
import shutil
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click

from studyattn.cli.common import Invocation, emit, opened
from studyattn.errors import InputError, NotFoundError
from studyattn.grading import Grader, Report, Submission, format_report
from studyattn.grading.grader import StoppedError
from studyattn.grading.report_text import format_repair
from studyattn.packs.model import DrillBrief
from studyattn.study.practice.attempts import record_attempt
from studyattn.study.practice.drill_file import decoded
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import RecordedAttempt
from studyattn.study.practice.drills import FoundDrill, find_drill
from studyattn.text.titles import words


def grade(
    invocation: Invocation,
    *,
    identifier: str,
    file: Path,
    backend: str | None,
    device: str,
    seed: int | None,
    stream: bool,
    repro: bool,
    quiet: bool,
    deep: bool,
    mend: bool,
    record: bool,
    as_json: bool,
) -> None:
    found = find_drill(invocation.home, identifier)
    submission = _submission(invocation, found.brief, file, backend)
    with Grader(device=device, kept=invocation.home.counterexamples) as grader:
        grader.start(submission.backend)  # it warms up while the drill is read
        folder = found.brief.folder
        report = grader.grade(folder, submission, seed=seed, told=_emit if stream else None)
        if deep:
            report = grader.deepen(folder, submission, report)
        keep = partial(_recorded, invocation, found.guid, submission, record=record)
        recorded = keep(report)
        if as_json or stream:
            if mend:
                report = grader.mend(folder, submission, report)
            _emit(report, recorded)
        elif repro:
            print_failing_input(report)
        elif quiet:
            verdict = next(format_report(report))
            click.secho(verdict.text, **COLOURS[verdict.tone])
        else:
            print_report(report)
            print_recorded(recorded)
            report = mended(grader, found, submission, report, keep)
            print_repair(report, shown=mend)
    if mend and record:
        _count_as_revealed(invocation, identifier, report)
    click.get_current_context().exit(int(not report.passed))


def _count_as_revealed(invocation: Invocation, identifier: str, report: Report) -> None:
    """Note that a change was shown which makes the code right, if there is one."""
    if report.repair:
        with (
            opened(invocation) as profile,
            PracticeSession(profile, identifier, resume=True) as session,
        ):
            session.reveal()


def watch(
    invocation: Invocation, identifier: str, file: Path | None, record: bool, as_json: bool
) -> None:
    from studyattn.cli.watching import saves, until_q, until_saved  # late: it loads watchfiles

    found = find_drill(invocation.home, identifier)
    brief = found.brief
    path = file or invocation.home.drills / f"{identifier}.py"
    _submission(invocation, brief, path, None)
    with until_q() as pressed, Grader(ahead=True, kept=invocation.home.counterexamples) as grader:
        for source in saves(path, pressed):
            if source is None:
                remark = f"  {path}: missing or unreadable; waiting for it"
                click.secho(remark, dim=True, err=as_json)
                continue
            try:
                submission = _read_as(invocation, brief, path, source, None)
            except InputError as error:
                click.secho(f"  {error}", **COLOURS["bad"], err=as_json)
                continue
            click.secho("  grading …", dim=True, err=as_json)
            told = None if as_json else print_on_top
            report = grader.grade(brief.folder, submission, told=told)
            keep = partial(_recorded, invocation, found.guid, submission, record=record)
            recorded = keep(report)
            if as_json:
                _emit(report, recorded)
            else:
                print_on_top(report)
                print_recorded(recorded)
                with until_saved(path, pressed) as stop, contextlib.suppress(StoppedError):
                    report = mended(grader, found, submission, report, keep, stop=stop)
                    print_repair(report, shown=False)
                click.secho("  save to grade again, q to end", dim=True)
            grader.prepare(brief.folder, submission.backend)


def _submission(
    invocation: Invocation, brief: DrillBrief, path: Path, backend: str | None
) -> Submission:
    if path.is_dir():
        raise InputError(
            "this is a folder, but a drill is a single file",
            where=str(path),
            advice=f"Name the file in it, such as {path / f'{brief.id}.py'}.",
        )
    if not path.exists():
        raise NotFoundError(
            "there is no such file",
            where=str(path),
            advice=f"`studyattn drill start {brief.id}` writes one.",
        )
    if not path.is_file():
        raise InputError(
            "this is a pipe or a device, not a file", where=str(path), advice="Save the code first."
        )
    return _read_as(invocation, brief, path, path.read_bytes(), backend)


def _read_as(
    invocation: Invocation, brief: DrillBrief, path: Path, source: bytes, backend: str | None
) -> Submission:
    """The submission, in the backend that is given or that is read from it."""
    from studyattn.study.practice.mine import submission_of  # late: it grades alone

    if path.suffix.lower() == ".ipynb":
        from studyattn.classroom.notebooks import code_of

        source = code_of(source.decode("utf-8", "replace"), str(path)).encode()
    return submission_of(partial(opened, invocation), brief, path, source, backend)


def mended(
    grader: Grader,
    found: FoundDrill,
    submission: Submission,
    report: Report,
    keep: Callable[[Report], RecordedAttempt | None],
    *,
    stop: Event | None = None,
) -> Report:
    """Return the report with a change that makes the code right; print what it names."""
    named = grader.mend(found.brief.folder, submission, report, stop=stop)
    if named.diagnosis != report.diagnosis:
        for mistake in named.diagnosis[0].mistakes:
            click.secho(f"\n  {mistake.title}", **COLOURS["bad"])
        print_recorded(keep(named))
    return named


def _recorded(
    invocation: Invocation, guid: str, submission: Submission, report: Report, *, record: bool
) -> RecordedAttempt | None:
    """Record an attempt if that is wanted, and return what it leads to."""
    if not record:
        return None
    with opened(invocation) as profile:
        recorded, _ = record_attempt(profile, guid, decoded(submission.source), report)
    return recorded


# ── printing ─────────────────────────────────────────────────────────────────────────────────────

COLOURS: dict[str, dict[str, Any]] = {
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
    "quiet": {"dim": True},
    "plain": {},
}

_WIDTH = 76
"""Columns of running text."""

_BELOW = 8
"""Lines that `watch` prints below a verdict: cards that came back, a change, the keys."""


def print_failing_input(report: Report) -> None:
    """Print the code of the smallest failing input; that there is none goes to standard error."""
    if report.counterexample:
        click.echo(report.counterexample.python, nl=False)
    else:
        none = f"There is no failing input to show. Verdict: {report.verdict}."
        click.echo(none, err=True)


def print_recorded(recorded: RecordedAttempt | None) -> None:
    """Print the cards and lessons that the mistake leads to, and what it suggests."""
    if recorded is None:
        return
    for card in recorded.brought_back:
        click.echo(f"  → due today: {words(card.title, gaps=True)}")
    for lesson in recorded.lessons:
        for line in textwrap.wrap(f"→ {lesson.sentence}", _WIDTH, subsequent_indent="  "):
            click.echo(f"  {line}")
        click.echo(f"    `studyattn lesson {lesson.slug}` prints it.")
    for suggestion in recorded.suggestions:
        command = f"studyattn concept set {suggestion.slug} {suggestion.to_state}"
        text = f"{suggestion.reason} `{command}`"
        for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False):
            click.secho(f"  {line}", dim=True)


def print_repair(report: Report, *, shown: bool) -> None:
    """Print where a change makes the code right, and the change itself if it is to be `shown`."""
    ask = "--mend shows what would be right; it counts as revealed."
    if report.repair:
        click.echo()
    for line in format_repair(report.repair, ask, shown=shown):
        click.secho(line.text, **COLOURS[line.tone])


def _emit(report: Report, recorded: RecordedAttempt | None = None) -> None:
    """Print a report as JSON, with what a recorded attempt led to."""
    value = report.to_json()
    if recorded is not None:
        value["brought_back"] = [each.guid for each in recorded.brought_back]
        value["lessons"] = recorded.lessons
    emit(value)


def print_on_top(report: Report) -> None:
    """Clear the terminal and print as much of a report as leaves room for what comes below."""
    click.clear()
    print_report(report, shutil.get_terminal_size().lines - _BELOW)


def print_report(report: Report, room: int | None = None) -> None:
    """Print all of a report, or what fits: the mistake must not scroll out of sight."""
    lines = list(format_report(report))
    if room is not None and len(lines) > room:
        lines = list(format_report(report, brief=True))
    for line in lines:
        click.secho(line.text, **COLOURS[line.tone])
