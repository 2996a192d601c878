"""`drill`: list, start, grade, watch, hint, solution, history, rate, undo."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, local, opened, pass_invocation, table
from studyattn.cli.cost import cost
from studyattn.cli.mine import mine
from studyattn.cli.names import RATINGS, drill_argument, words
from studyattn.cli.paging import paged
from studyattn.cli.verdicts import (
    COLOURS,
    ask_rating,
    print_on_top,
    print_recorded,
    print_repair,
    print_report,
    rating_name,
    with_consequences,
)
from studyattn.errors import InputError, NotFoundError
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.grading import Report, Submission
    from studyattn.packs.model import DrillBrief
    from studyattn.study.practice.drill_session import PracticeSession
    from studyattn.study.practice.drill_views import Recorded

BACKENDS = click.Choice(["torch", "numpy"])
DEVICES = click.Choice(["cpu", "cuda"])
record_option = click.option(
    "--record/--no-record",
    default=True,
    help="Record the attempt; a mistake makes its cards due.  [default: record]",
)


@click.group(epilog=examples("studyattn drill list", "studyattn drill start attention"))
def drill() -> None:
    """List, start, grade and watch coding drills."""


@drill.command("list", epilog=examples("studyattn drill list"))
@json_option
@pass_invocation
@paged()
def list_(invocation: Invocation, as_json: bool) -> None:
    """List every drill, in learning order."""
    from studyattn.study.practice.drill_log import list_drills

    with opened(invocation) as profile:
        lines = list_drills(profile)
    if as_json:
        emit(lines)
        return
    signs = {"new": " ", "tried": "·", "passed": "✓", "revealed": "s"}
    table([(signs[each.state], each.id, f"level {each.level}", each.title) for each in lines])


@drill.command(
    epilog=examples(
        "studyattn drill start attention",
        "studyattn drill start attention --backend numpy --dir code/",
    )
)
@drill_argument
@click.option(
    "--backend",
    type=BACKENDS,
    help="Array library: torch, or numpy if torch is not installed.",
)
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@json_option
@pass_invocation
def start(
    invocation: Invocation,
    identifier: str,
    backend: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Write the starter code to ID.py.

    An existing file is never overwritten.
    """
    from studyattn.study.practice.drill_log import installed_backend

    _, brief = _find(invocation, identifier)
    chosen = installed_backend(brief, backend)
    path = (folder or invocation.home.drills) / f"{identifier}.py"
    taken = path.exists() or path.is_symlink()
    if taken and folder is not None:
        raise _taken(path)
    with _practising(invocation, identifier, path=path, backend=chosen) as session:
        if taken and session.put_aside is None:
            raise _taken(path)
        if not path.exists():  # it was rated, is not due, and is begun again all the same
            session.start_afresh(chosen)
    if as_json:
        emit({"drill": identifier, "backend": chosen, "path": path})
        return
    if backend is None and chosen != brief.backends[0]:
        missing = brief.backends[0]
        click.echo(f"{missing} is not installed, so this is the starter for {chosen}.", err=True)
    click.echo(path)


@drill.command(
    epilog=examples(
        "studyattn drill grade attention attention.py",
        "studyattn drill grade attention attention.py --no-record --seed 7",
        "studyattn drill grade attention attention.py --repro",
    )
)
@drill_argument
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--backend", type=BACKENDS, help="Array library.  [default: the one that FILE names or imports]"
)
@click.option("--device", type=DEVICES, default="cpu", show_default=True)
@click.option("--seed", type=int, help="Reuse the inputs of an earlier verdict.")
@click.option(
    "--stream",
    is_flag=True,
    help="Print two lines of JSON: the verdict, then the mistake.",
)
@click.option("--repro", is_flag=True, help="Print Python code that reproduces the difference.")
@click.option(
    "--mend",
    is_flag=True,
    help="Also print the change that makes it right; the drill counts as revealed.",
)
@record_option
@json_option
@pass_invocation
def grade(  # noqa: PLR0917 - click hands over one argument an option
    invocation: Invocation,
    identifier: str,
    file: Path,
    backend: str | None,
    device: str,
    seed: int | None,
    stream: bool,
    repro: bool,
    mend: bool,
    record: bool,
    as_json: bool,
) -> None:
    """Grade FILE: Python, or the code cells of a notebook.

    Exit status 0 if it passes, 1 if it fails, 2 if it cannot be graded.
    """
    from studyattn.grading import Grader

    guid, brief = _find(invocation, identifier)
    submission = _submission(invocation, brief, file, backend)
    with Grader(device=device) as grader:
        grader.start(submission.backend)  # it warms up while the drill is read
        told = (lambda early: emit(early.to_json())) if stream else None
        report = grader.grade(brief.folder, submission, seed=seed, told=told)
        recorded = _record(invocation, guid, submission, report) if record else None
        if as_json or stream:
            report = grader.mend(brief.folder, submission, report) if mend else report
            emit(with_consequences(report, recorded))
        elif repro:
            shown = report.counterexample
            none = f"There is no failing input to show. Verdict: {report.verdict}."
            click.echo(shown.python if shown else none, nl=shown is None, err=shown is None)
        else:
            print_report(report)
            print_recorded(recorded)
            report = grader.mend(brief.folder, submission, report)
            print_repair(report, shown=mend)
    if report.repair and mend and record:
        with _practising(invocation, identifier) as session:
            session.reveal()
    if not report.passed:
        click.get_current_context().exit(1)


@drill.command(epilog=examples("studyattn drill watch attention"))
@drill_argument
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@record_option
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per verdict.")
@pass_invocation
def watch(
    invocation: Invocation, identifier: str, file: Path | None, record: bool, as_json: bool
) -> None:
    """Grade FILE on every save until you press q.

    FILE defaults to the one written by `drill start`.
    """
    from studyattn.cli.watching import saves, until_q
    from studyattn.grading import Grader

    guid, brief = _find(invocation, identifier)
    path = file or invocation.home.drills / f"{identifier}.py"
    _submission(invocation, brief, path, None)
    with until_q() as pressed, Grader(ahead=True) as grader:
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
            recorded = _record(invocation, guid, submission, report) if record else None
            if as_json:
                emit(with_consequences(report, recorded))
            else:
                print_on_top(report)
                print_recorded(recorded)
                click.secho("  save to grade again, q to end", dim=True)
            grader.prepare(brief.folder, submission.backend)


@drill.command(epilog=examples("studyattn drill solution attention"))
@drill_argument
@click.option("--backend", type=BACKENDS)
@click.option("--yes", is_flag=True, help="Skip the prompt.")
@json_option
@pass_invocation
def solution(
    invocation: Invocation, identifier: str, backend: str | None, yes: bool, as_json: bool
) -> None:
    """Show the solution; the drill counts as revealed today."""
    from studyattn.study.practice.drill_log import checked_backend

    _, brief = _find(invocation, identifier)
    chosen = checked_backend(brief, backend)
    question = f"Show the solution of {identifier}? It counts as revealed"
    if not yes and not click.confirm(question, err=True):
        click.get_current_context().exit(1)
    with _practising(invocation, identifier) as session:
        source = session.solution(chosen)
    if as_json:
        emit({"drill": identifier, "backend": chosen, "code": source})
    else:
        click.echo(source, nl=not source.endswith("\n"))


@drill.command(epilog=examples("studyattn drill hint attention"))
@drill_argument
@json_option
@pass_invocation
def hint(invocation: Invocation, identifier: str, as_json: bool) -> None:
    """Show the next hint and record it; exit 1 if none is left."""
    with _practising(invocation, identifier) as session:
        text = session.next_hint()
        seen, in_all = len(session.hints), len(session.brief.hints)
    if as_json:
        emit({"hint": text, "number": seen, "of": in_all})
    else:
        click.echo("No hints left." if text is None else f"{seen}/{in_all}  {text}")
    if text is None:
        click.get_current_context().exit(1)


@drill.command(
    "history",
    epilog=examples(
        "studyattn drill history attention", "studyattn drill history attention --restore 2"
    ),
)
@drill_argument
@click.option("--show", type=int, metavar="N", help="Print the code of version N.")
@click.option(
    "--restore",
    type=int,
    metavar="N",
    help="Restore version N; the current code is kept as a version.",
)
@json_option
@pass_invocation
@paged()
def history_(
    invocation: Invocation,
    identifier: str,
    show: int | None,
    restore: int | None,
    as_json: bool,
) -> None:
    """List, print or restore the graded and saved versions of a drill."""
    from studyattn.study.practice.attempts import history, version
    from studyattn.study.practice.drill_log import find_drill

    found = find_drill(invocation.home, identifier)
    if restore is not None:
        with _practising(invocation, identifier) as session:
            session.restore(restore)
            path = session.path
        if as_json:
            emit({"restored": restore, "path": path})
        else:
            click.echo(path)
        return
    with opened(invocation) as profile:
        if show is not None:
            shown = version(profile, found.guid, show)
            if as_json:
                emit(shown)
            else:
                click.echo(shown.code, nl=False)
            return
        versions = history(profile, found.guid)
    if as_json:
        emit(list(versions))
        return
    table(
        [
            (
                str(each.number),
                local(each.at),
                each.verdict or "kept",
                count(each.hints, "hint") if each.hints else "",
                " ".join(each.misconceptions),
            )
            for each in versions
        ]
    )


@drill.command(
    epilog=examples("studyattn drill rate attention", "studyattn drill rate attention hard")
)
@drill_argument
@click.argument("rating", required=False, metavar="[RATING]", shell_complete=words(*RATINGS))
@json_option
@pass_invocation
def rate(invocation: Invocation, identifier: str, rating: str | None, as_json: bool) -> None:
    """Rate a drill; omit RATING to accept the suggested one."""
    from studyattn.memory import Rating, Remembered

    with _practising(invocation, identifier) as session:
        suggested = session.suggested()
        if rating is None:
            chosen = suggested.rating if as_json else ask_rating(suggested)
        else:
            chosen = Rating.parse(rating)
        answered = session.rate(chosen)
    if as_json:
        emit({"suggested": suggested, "answered": answered})
        return
    if rating is not None:
        click.echo(f"Suggested: {rating_name(suggested.rating)}. {suggested.reason}")
    due = answered.after.due if isinstance(answered.after, Remembered) else None
    click.echo(f"Rated {rating_name(answered.review.rating)}; next on {local(due)}.")


@drill.command(epilog=examples("studyattn drill undo attention"))
@drill_argument
@json_option
@pass_invocation
def undo(invocation: Invocation, identifier: str, as_json: bool) -> None:
    """Undo the last rating, or the cards made due by a mistake."""
    from studyattn.study.practice.attempts import undo_practice
    from studyattn.study.practice.drill_log import find_drill

    guid = find_drill(invocation.home, identifier).guid
    with opened(invocation) as profile:
        what = undo_practice(profile, guid)
    if as_json:
        emit({"undone": what})
    else:
        click.echo("Nothing to undo." if what is None else f"Undone: {what}.")
    if what is None:
        click.get_current_context().exit(1)


drill.add_command(cost)
drill.add_command(mine)


# ── what the commands share ──────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def _practising(
    invocation: Invocation,
    identifier: str,
    *,
    path: Path | None = None,
    backend: str | None = None,
) -> Iterator[PracticeSession]:
    """A moment of work on a drill that goes on in the learner's editor."""
    from studyattn.study.practice.drill_session import PracticeSession

    with (
        opened(invocation) as profile,
        PracticeSession(profile, identifier, path=path, backend=backend, resume=True) as session,
    ):
        yield session


def _taken(path: Path) -> InputError:
    return InputError(
        "the file already exists and is not overwritten",
        where=str(path),
        advice="Choose another folder with --dir.",
    )


def _find(invocation: Invocation, identifier: str) -> tuple[str, DrillBrief]:
    """The drill's guid and its brief. NotFoundError when no pack has it."""
    from studyattn.study.practice.drill_log import find_drill

    found = find_drill(invocation.home, identifier)
    return found.guid, found.brief


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
    from studyattn.grading import Submission
    from studyattn.grading.backend_choice import choose
    from studyattn.grading.submission import files_beside
    from studyattn.study.practice.mine import builds_on_it, imported_files

    if path.suffix.lower() == ".ipynb":
        from studyattn.classroom.notebooks import code_of

        source = code_of(source.decode("utf-8", "replace"), str(path)).encode()
    beside = files_beside(path, source)
    chosen = choose(brief.id, source, brief.entry, brief.backends, given=backend, beside=beside)
    if builds_on_it(source):
        with opened(invocation) as profile:
            beside = imported_files(profile, brief, chosen.backend, path, source)
    return Submission(str(path), source, chosen.backend, brief.entry, beside=beside, why=chosen.why)


def _record(invocation: Invocation, guid: str, submission: Submission, report: Report) -> Recorded:
    from studyattn.study.practice.attempts import record_attempt
    from studyattn.study.practice.drill_file import decoded

    with opened(invocation) as profile:
        recorded, _ = record_attempt(profile, guid, decoded(submission.source), report)
    return recorded
