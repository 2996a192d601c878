"""`class`: grade the hand-ins of a class, and what a teacher needs around that."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    Command,
    Whole,
    emit,
    examples,
    json_option,
    local,
    pass_invocation,
    say,
    table,
)
from studyattn.cli.names import DRILL
from studyattn.errors import InputError
from studyattn.text.characters import writable
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.classroom.course import Assignment, Graded
    from studyattn.classroom.executors import Workers
    from studyattn.classroom.formats.page import ClassPage
    from studyattn.classroom.hand_ins import HandIns
    from studyattn.classroom.results import Result
    from studyattn.classroom.summary import Summary

FILE = click.Path(dir_okay=False, path_type=Path)
_SHOWN = 8  # misconceptions that are printed


@click.group(
    "class",
    epilog=examples(
        "studyattn class grade attention hand-ins/ --html class.html",
        "studyattn class grade attention week1.zip --csv points.csv",
    ),
)
def class_() -> None:
    """Grade a class's hand-ins in bulk and see the mistakes."""


def _file_option(name: str, help_text: str) -> Callable[[Command], Command]:
    return click.option(f"--{name}", f"{name}_", type=FILE, metavar="F", help=help_text)


@class_.command(
    epilog=examples(
        "studyattn class grade attention hand-ins/ --csv points.csv",
        "studyattn class grade softmax attention week3.zip --html week3.html",
        "studyattn class grade attention hand-ins/ --dask tcp://host:8786",
    )
)
@click.argument("drills", nargs=-1, required=True, metavar="DRILL...", type=DRILL)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--roster", type=FILE, metavar="F", help="CSV file of students, names in the first column."
)
@click.option(
    "--student", default="", metavar="NAME", help="Treat all of FOLDER as this student's."
)
@click.option("--jobs", type=Whole(1, 1024), metavar="N", help="Processes.  [default: all cores]")
@click.option("--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster, or its JSON file.")
@click.option(
    "--backend",
    type=click.Choice(["torch", "numpy"]),
    help="Array library for files that name none.",
)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option(
    "--score",
    "rule",
    default="passed",
    metavar="RULE",
    show_default=True,
    help="Points, such as '60 * passed + 40 * cases'.",
)
@click.option("--seed", type=Whole(0, 2**31 - 1), help="Reuse the questions of an earlier run.")
@click.option(
    "--earlier",
    type=FILE,
    multiple=True,
    metavar="F",
    help="Results of an earlier hand-in, from --jsonl; repeatable.",
)
@click.option(
    "--anew",
    is_flag=True,
    help="Grade everything again, including finished parts of an interrupted run.",
)
@_file_option("csv", "Write a table with one row per student and drill.")
@_file_option("jsonl", "Write the results as JSON Lines.")
@_file_option("html", "Write a report on the class as one HTML page.")
@click.option(
    "--gradescope",
    type=click.Path(path_type=Path),
    metavar="F",
    help="Write results.json, or a folder with one per student.",
)
@_file_option("summary", "With --student: add the results to a file, as Markdown.")
@_file_option("output", "With --student: add the points to a file, for GITHUB_OUTPUT.")
@json_option
@pass_invocation
def grade(invocation: Invocation, /, drills: tuple[str, ...], folder: Path, **options: Any) -> None:
    """Grade each student's hand-in for each DRILL.

    FOLDER, or a ZIP or tar archive, contains one file, folder or archive per student. Python files
    and notebooks are graded. After an interruption, run it again to continue where it stopped. With
    --student, exit status 1 if something did not pass.
    """
    from studyattn.classroom import course, hand_ins, marking, score
    from studyattn.grading import Backend, Grader

    student: str = options["student"]
    if not student and (options["summary_"] or options["output_"]):
        raise click.UsageError("--summary and --output need --student NAME")
    if options["dask"] and options["jobs"]:
        raise click.UsageError("Choose one of --jobs and --dask")
    rule = score.Score(options["rule"])
    given = course.assignment(invocation.home, drills)
    listed = hand_ins.read_roster(options["roster"]) if options["roster"] else ()
    earlier = _earlier(options["earlier"])
    place = marking.journal_path(folder, course.journals(invocation.home), sorted(given.briefs))
    if options["anew"]:
        place.unlink(missing_ok=True)
    folders = {drill: brief.folder for drill, brief in given.briefs.items()}
    with (
        hand_ins.hand_ins(folder, given.asked, student=student, roster=listed) as found,
        marking.Journal(place, folders, options["seed"]) as journal,
        _workers(options["jobs"], options["dask"]) as workers,
        Grader(device=options["device"]) as grader,
        _progress(len(found.files)) as told,
    ):
        if not found.files and not student:
            raise InputError(
                "it contains nothing to grade",
                where=str(folder),
                advice="Expected one file, folder or archive per student, named after the drills.",
            )
        backend = Backend(options["backend"]) if options["backend"] else None
        graded = course.grade_class(
            found, given, grader, workers, journal, score=rule, backend=backend, told=told
        )
        page = _page(folder, given, found, graded, earlier)
        _write(options, page, graded)
        journal.end()  # where a file cannot be written, the next run has all results
    _print(page, options)
    if student and not all(each.passed for each in graded.results):
        click.get_current_context().exit(1)


def _earlier(files: Sequence[Path]) -> list[tuple[str, Sequence[Result]]]:
    from studyattn.classroom.results import read_lines

    return [(file.stem, read_lines(file)) for file in files]


@contextlib.contextmanager
def _workers(jobs: int | None, address: str | None) -> Iterator[Workers]:
    from studyattn.classroom import executors

    if address is not None:
        with executors.dask(address) as workers:
            yield workers
    else:
        yield executors.processes(jobs)


@contextlib.contextmanager
def _progress(length: int) -> Iterator[Any]:
    """A bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty() or not length:
        yield lambda _: None
        return
    with click.progressbar(length=length, file=sys.stderr, label="Grading", show_pos=True) as bar:
        bar.update(0)
        yield bar.update


def _page(
    folder: Path,
    given: Assignment,
    found: HandIns,
    graded: Graded,
    earlier: Sequence[tuple[str, Sequence[Result]]],
) -> ClassPage:
    from studyattn.classroom import similar
    from studyattn.classroom.formats.page import ClassPage
    from studyattn.classroom.summary import summarise
    from studyattn.grading import Report

    coded = [
        similar.Coded(
            each.hand_in.student,
            each.hand_in.drill,
            each.submission,
            each.report if isinstance(each.report, Report) else None,
        )
        for each in graded.marked
        if each.submission is not None
    ]
    return ClassPage(
        results=graded.results,
        summary=summarise(graded.results, earlier),
        drill_title=given.drill_title,
        concept_title=given.concept_title,
        examples=similar.examples(coded),
        alike=similar.alike(coded),
        unusual=similar.unusual(coded),
        problems=found.problems,
        title=", ".join(map(given.drill_title, given.briefs)),
        made=f"{writable(folder.name)}: {count(len(found.files), 'submission')}",
    )


def _write(options: dict[str, Any], page: ClassPage, graded: Graded) -> None:
    from studyattn.classroom.formats import exports
    from studyattn.classroom.summary import by_student
    from studyattn.exchange.save_file import save_text

    _write_tables(options, page)
    if options["summary_"]:
        _append(options["summary_"], exports.to_markdown(page.results, page.drill_title))
    if options["output_"]:
        _append(options["output_"], exports.to_output(page.results, page.drill_title))
    if options["gradescope"]:
        reports, taken = graded.reports, set[str]()
        for student, own in by_student(page.results).items():
            with_reports = [(each, reports.get((each.student, each.drill))) for each in own]
            text = exports.to_gradescope(with_reports, page.drill_title)
            if options["student"]:
                save_text(options["gradescope"], text)
            else:
                save_text(options["gradescope"] / f"{_file_name(student, taken)}.json", text)


def _write_tables(options: dict[str, Any], page: ClassPage) -> None:
    from studyattn.classroom.formats.exports import to_csv
    from studyattn.classroom.formats.page import to_html
    from studyattn.classroom.results import to_lines
    from studyattn.exchange.save_file import save_text

    if options["csv_"]:
        save_text(options["csv_"], to_csv(page.results))
    if options["jsonl_"]:
        save_text(options["jsonl_"], to_lines(page.results))
    if options["html_"]:
        save_text(options["html_"], to_html(page))


def _append(file: Path, text: str) -> None:
    """Add to a file that the steps of a workflow share."""
    try:
        with file.open("a", encoding="utf-8") as opened:
            opened.write(text)
    except OSError as error:
        raise InputError(f"it cannot be written ({error.strerror})", where=str(file)) from error


def _file_name(student: str, taken: set[str]) -> str:
    """Return a student's name as that of a file: it may have been a folder, or typed by them.

    One that is `taken`, whatever its case, gets a number: it is added to these.
    """
    kept = "".join(each if each.isalnum() or each in " ._-@" else "_" for each in student)
    name = plain = kept.lstrip(".") or "_"
    for number in itertools.count(2):
        if name.casefold() not in taken:
            break
        name = f"{plain}-{number}"
    taken.add(name.casefold())
    return name


def _print(page: ClassPage, options: dict[str, Any]) -> None:
    if options["as_json"]:
        emit(
            {
                "submissions": [
                    {
                        "student": each.student,
                        "drill": each.drill,
                        "file": each.file,
                        "verdict": each.verdict,
                        "passed": each.passed,
                        "score": each.score,
                        "most": each.most,
                        "diagnosis": each.diagnosis,
                        "message": each.message,
                    }
                    for each in page.results
                ],
                "misconceptions": page.summary.misconceptions,
                "drills": page.summary.drills,
                "concepts": page.summary.concepts,
                "problems": list(page.problems),
            }
        )
        return
    _print_summary(page.summary)
    looks = len(page.alike) + len(page.unusual)
    if looks and not options["html_"]:
        say(f"{count(looks, 'thing')} to review: --html FILE lists them.")
    for problem in page.problems:
        say(f"studyattn: {problem}", err=True)


def _print_summary(summary: Summary) -> None:
    rows = [
        (each.drill, f"{each.passed} passed", f"{each.failed} not yet", f"{each.missing} missing")
        for each in summary.drills
    ]
    table(rows)
    if summary.misconceptions:
        click.echo()
        shown = summary.misconceptions[:_SHOWN]
        table([(str(len(each.students)), each.id, each.title) for each in shown])
        if len(summary.misconceptions) > _SHOWN:
            say(f"and {len(summary.misconceptions) - _SHOWN} more")


@class_.command(
    epilog=examples(
        "studyattn class template github softmax attention",
        "studyattn class template gradescope attention --dir autograder/",
    )
)
@click.argument("kind", type=click.Choice(["github", "gradescope", "container"]), metavar="KIND")
@click.argument("drills", nargs=-1, required=True, metavar="DRILL...", type=DRILL)
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="DIR",
    help="Where to write.  [default: here]",
)
@json_option
@pass_invocation
def template(
    invocation: Invocation, /, kind: str, drills: tuple[str, ...], folder: Path, as_json: bool
) -> None:
    """Write the files another service needs to grade each DRILL.

    KIND is github (a workflow, also for GitHub Classroom), gradescope (the two files of an
    autograder) or container (a Containerfile for a user without privileges).
    """
    from studyattn.classroom.course import assignment
    from studyattn.classroom.templates import write_template

    assignment(invocation.home, drills)
    files = write_template(kind, drills, folder)
    if as_json:
        emit({"files": files})
    else:
        say("\n".join(map(str, files)))


# ── a class in a shared database ─────────────────────────────────────────────────────────────────


@class_.command(
    epilog=examples(
        "studyattn class share teacher",
        "studyattn class share",
        "studyattn class share teacher --end",
    )
)
@click.argument("teacher", required=False, metavar="[TEACHER]")
@click.option("--end", is_flag=True, help="Stop sharing.")
@json_option
@pass_invocation
def share(invocation: Invocation, /, teacher: str | None, end: bool, as_json: bool) -> None:
    """Share your results with a teacher, or show what is shared.

    TEACHER is a user of the server. The teacher sees the drill, time and verdict of each attempt,
    the number of correct cases, hints, and mistakes by name. Code, cards and notes stay private.
    """
    from studyattn.classroom import shared
    from studyattn.study.clock import SystemClock

    now = SystemClock().now()
    if teacher is not None and end:
        shared.unshare(invocation.home, teacher, now=now)
    elif teacher is not None:
        shared.share(invocation.home, teacher, now=now)
    elif end:
        raise click.UsageError("Name the teacher: class share TEACHER --end")
    readers, attempts = shared.shown_attempts(invocation.home, now=now)
    if as_json:
        emit({"teachers": readers, "attempts": attempts})
        return
    if not readers:
        say("Nobody sees your results.")
        return
    say(f"{', '.join(readers)} can see this, and every attempt from now on:")
    table(
        [
            (
                local(each.at),
                each.drill,
                each.verdict,
                f"{each.cases}/{each.of}",
                count(each.hints, "hint") if each.hints else "",
                " ".join(str(mistake["id"]) for mistake in each.mistakes),
            )
            for each in attempts
        ]
    )


@class_.command(epilog=examples("studyattn class results --html class.html"))
@click.option("--score", "rule", default="passed", metavar="RULE", help="As for `class grade`.")
@_file_option("csv", "Write a table with one row per student and drill.")
@_file_option("jsonl", "Write the results as JSON Lines.")
@_file_option("html", "Write a report on the class as one HTML page.")
@json_option
@pass_invocation
def results(invocation: Invocation, /, **options: Any) -> None:
    """Report on everyone who shares results with you on a server.

    For each student and drill, the passing attempt counts, or else the last one. Mistakes are
    counted over all attempts, by week.
    """
    from studyattn.classroom import course, shared
    from studyattn.classroom.formats.page import ClassPage
    from studyattn.classroom.score import Score
    from studyattn.classroom.summary import summarise

    rule = Score(options["rule"])
    so_far = shared.class_so_far(shared.read_class(invocation.home), rule)
    given = course.assignment(invocation.home, ())
    every = summarise(so_far.attempts)
    page = ClassPage(
        results=so_far.results,
        summary=replace(
            summarise(so_far.results, so_far.weeks),
            misconceptions=every.misconceptions,
            concepts=every.concepts,
        ),
        drill_title=given.drill_title,
        concept_title=given.concept_title,
        title="A class so far",
        made=count(len(so_far.attempts), "attempt"),
    )
    _write_tables(options, page)
    _print(page, options)
