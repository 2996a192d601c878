"""`drill`: list, start, grade, watch, solution."""

from __future__ import annotations

import contextlib
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, opened, pass_invocation, table
from studyattn.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from studyattn.grading.runner import Runner
    from studyattn.grading.submission import Submission
    from studyattn.grading.verdict import Report
    from studyattn.packs.model import DrillBrief

BACKENDS = click.Choice(["torch", "numpy"])
DEVICES = click.Choice(["cpu", "cuda"])
COLOURS: dict[str, dict[str, Any]] = {
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
    "quiet": {"dim": True},
    "plain": {},
}


@click.group()
def drill() -> None:
    """List, start, grade and watch coding drills."""


@drill.command("list")
@json_option
@pass_invocation
def list_(invocation: Invocation, as_json: bool) -> None:
    """Every drill, in the order of learning."""
    from studyattn.study.practice import list_drills

    with opened(invocation) as learner:
        lines = list_drills(learner)
    if as_json:
        emit(lines)
        return
    signs = {"new": " ", "tried": "·", "passed": "✓", "revealed": "s"}
    table([(signs[each.state], each.id, f"level {each.level}", each.title) for each in lines])


@drill.command()
@click.argument("identifier", metavar="ID")
@click.option("--backend", type=BACKENDS, help="The array library; torch unless told otherwise.")
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@pass_invocation
def start(
    invocation: Invocation, identifier: str, backend: str | None, folder: Path | None
) -> None:
    """Write ID.py from the starter. A file that is there already is never overwritten."""
    _, brief = _find(invocation, identifier)
    source = brief.starter(_backend(brief, backend)).read_bytes()
    path = (folder or invocation.home.drills) / f"{identifier}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("xb") as file:
            file.write(source)
    except FileExistsError:
        raise InputError(
            "this file is there already and is not overwritten",
            where=str(path),
            advice="Choose another folder with --dir.",
        ) from None
    click.echo(path)


@drill.command()
@click.argument("identifier", metavar="ID")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--backend", type=BACKENDS, help="Instead of what the file's first lines say.")
@click.option("--device", type=DEVICES, default="cpu", show_default=True)
@click.option("--seed", type=int, help="Repeat the inputs of an earlier verdict.")
@json_option
@pass_invocation
def grade(  # noqa: PLR0917 - click hands over one argument an option
    invocation: Invocation,
    identifier: str,
    file: Path,
    backend: str | None,
    device: str,
    seed: int | None,
    as_json: bool,
) -> None:
    """Grade FILE; exit 0 when it passed, 1 when not, 2 when nothing could be graded."""
    guid, brief = _find(invocation, identifier)
    submission = _submission(brief, file, backend)
    with _runner(submission.backend, device) as runner:
        report = _graded(brief, submission, runner, seed)
    _record(invocation, guid, submission, report)
    if as_json:
        emit(report.to_json())
    else:
        _print(report)
    if not report.passed:
        click.get_current_context().exit(1)


@drill.command()
@click.argument("identifier", metavar="ID")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@pass_invocation
def watch(invocation: Invocation, identifier: str, file: Path | None) -> None:
    """Grade at every save, until q. Without FILE, the one that `drill start` wrote."""
    guid, brief = _find(invocation, identifier)
    path = file or invocation.home.drills / f"{identifier}.py"
    first = _submission(brief, path, None)
    with contextlib.ExitStack() as running:
        runners: dict[str, Runner] = {}
        for submission in _saves(brief, path, first):
            if submission.backend not in runners:
                runner = _runner(submission.backend, "cpu")
                runners[submission.backend] = running.enter_context(runner)
            report = _graded(brief, submission, runners[submission.backend], None)
            click.clear()
            _print(report)
            click.secho("  save to grade again, q to end", dim=True)
            _record(invocation, guid, submission, report)


@drill.command()
@click.argument("identifier", metavar="ID")
@click.option("--backend", type=BACKENDS)
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_invocation
def solution(invocation: Invocation, identifier: str, backend: str | None, yes: bool) -> None:
    """Show the solution, which counts as revealed today."""
    from studyattn.study.practice import record_reveal

    guid, brief = _find(invocation, identifier)
    source = brief.solution(_backend(brief, backend)).read_text("utf-8")
    if not yes and not click.confirm(f"Show the solution of {identifier}? It counts as revealed"):
        click.get_current_context().exit(1)
    with opened(invocation) as learner:
        record_reveal(learner, guid)
    click.echo(source, nl=not source.endswith("\n"))


# ── what the commands share ──────────────────────────────────────────────────────────────────────


def _find(invocation: Invocation, identifier: str) -> tuple[str, DrillBrief]:
    """The drill's guid and its brief. NotFoundError when no pack has it."""
    from studyattn.packs.briefs import read_brief
    from studyattn.packs.locate import installed_packs
    from studyattn.study.practice import drill_guid

    for folder in installed_packs(invocation.home):
        file = folder / "drills" / identifier / "brief.md"
        if identifier == Path(identifier).name and file.is_file():
            pack = str(tomllib.loads((folder / "pack.toml").read_text("utf-8"))["id"])
            return drill_guid(pack, identifier), read_brief(file.read_text("utf-8"), file)[0]
    raise NotFoundError(
        f"there is no drill {identifier!r}", advice="`studyattn drill list` shows all of them."
    )


def _backend(brief: DrillBrief, given: str | None) -> str:
    backend = given or brief.backends[0]
    if backend not in brief.backends:
        raise InputError(
            f"the drill {brief.id!r} cannot be done in {backend}",
            advice=f"Use --backend {brief.backends[0]}.",
        )
    return backend


def _submission(brief: DrillBrief, path: Path, backend: str | None) -> Submission:
    from studyattn.grading.submission import Backend, Submission

    if not path.is_file():
        raise NotFoundError(
            "there is no such file",
            where=str(path),
            advice=f"`studyattn drill start {brief.id}` writes one.",
        )
    given = None if backend is None else Backend(backend)
    submission = Submission.read(path, brief.entry, backend=given)
    _backend(brief, submission.backend)
    return submission


def _runner(backend: str, device: str) -> Runner:
    """Started at once, so that it becomes warm while the drill is read."""
    from studyattn.grading.runner import Runner
    from studyattn.grading.submission import Backend

    runner = Runner(Backend(backend), device)
    runner.start()
    return runner


def _graded(brief: DrillBrief, submission: Submission, runner: Runner, seed: int | None) -> Report:
    from studyattn.grading.judge import grade as judge
    from studyattn.grading.load import load_drill

    return judge(load_drill(brief.folder), submission, runner, seed)


def _record(invocation: Invocation, guid: str, submission: Submission, report: Report) -> None:
    from studyattn.study.practice import record_attempt

    with opened(invocation) as learner:
        record_attempt(learner, guid, submission.source.decode("utf-8", "replace"), report)


def _print(report: Report) -> None:
    from studyattn.grading.telling import tell

    for line in tell(report):
        click.secho(line.text, **COLOURS[line.tone])


def _saves(brief: DrillBrief, path: Path, first: Submission) -> Iterator[Submission]:
    """The submission now and after each save, until q is pressed or input ends."""
    from watchfiles import watch as changes

    stop = threading.Event()
    threading.Thread(target=_wait_for_q, args=(stop,), daemon=True).start()
    yield first
    source = first.source
    path = path.absolute()
    for _ in changes(
        path.parent,
        watch_filter=lambda _change, changed: Path(changed) == path,
        stop_event=stop,
        debounce=50,
        step=10,
        recursive=False,
    ):
        with contextlib.suppress(NotFoundError):  # an editor may replace the file in two steps
            submission = _submission(brief, path, None)
            if submission.source != source:
                source = submission.source
                yield submission


def _wait_for_q(stop: threading.Event) -> None:
    """Sets `stop` at q. What is not a terminal is read line by line."""
    if sys.stdin.isatty():
        while click.getchar() not in {"q", "Q", "\x03", "\x04"}:
            pass
    else:
        for line in sys.stdin:
            if line.strip().lower() == "q":
                break
    stop.set()
