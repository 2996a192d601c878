"""`class`: grade the hand-ins of a class, and what a teacher needs around that."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from studyattn.classroom import course, hand_ins, marking, notable, shared
from studyattn.classroom.course import Assignment, Graded
from studyattn.classroom.executors import Workers
from studyattn.classroom.formats import exports, gradebook
from studyattn.classroom.formats.page import ClassPage, to_html, to_live_html
from studyattn.classroom.hand_ins import HandIns, Student
from studyattn.classroom.results import Result, read_lines, to_lines
from studyattn.classroom.score import Score
from studyattn.classroom.summary import by_student, summarise
from studyattn.classroom.templates import write_template
from studyattn.cli.common import Answer, Invocation, Rows, Shown, local, show, warned
from studyattn.errors import InputError
from studyattn.exchange.save_file import save_text
from studyattn.grading import Backend, Grader, Report
from studyattn.study.clock import SystemClock
from studyattn.text.characters import writable
from studyattn.text.counting import count

_SHOWN = 8  # misconceptions that are printed


def grade(invocation: Invocation, drills: tuple[str, ...], folder: Path, **options: Any) -> Answer:
    student: str = options["student"]
    rule = Score(options["rule"])
    given = course.assignment(invocation.home, drills)
    listed = hand_ins.read_roster(options["roster"]) if options["roster"] else ()
    earlier = [(file.stem, read_lines(file)) for file in options["earlier"]]
    place = marking.journal_path(folder, course.journals(invocation.home), sorted(given.briefs))
    if options["anew"]:
        place.unlink(missing_ok=True)
    folders = {drill: brief.folder for drill, brief in given.briefs.items()}
    with (
        hand_ins.hand_ins(folder, given.asked, student=student, roster=listed) as found,
        marking.Journal(place, folders, options["seed"]) as journal,
        _workers(options["jobs"], options["dask"]) as workers,
        Grader(
            device=options["device"],
            kept=invocation.home.counterexamples,
            deep=options["deep"],
        ) as grader,
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
        _write_tables(options, page)
        _write_reports(options, page, graded, listed)
        journal.end()  # where a file cannot be written, the next run has all results
    failed = bool(student) and not all(each.passed for each in graded.results)
    return _answer(page, options)._replace(failed=failed)


def watch(invocation: Invocation, drills: tuple[str, ...], folder: Path, html: Path) -> None:
    from studyattn.cli.watching import hand_ins_in, until_q  # late: it loads watchfiles

    given = course.assignment(invocation.home, drills)
    names = {drill: brief.folder for drill, brief in given.briefs.items()}
    if html.resolve().is_relative_to(folder.resolve()):
        raise InputError("the page cannot be in the folder that is watched", where=str(html))
    with (
        until_q() as pressed,
        marking.Journal(None, names, None) as journal,
        _workers(None, None) as workers,
        Grader(kept=invocation.home.counterexamples) as grader,
    ):
        for _ in hand_ins_in(folder, pressed):
            with hand_ins.hand_ins(folder, given.asked) as found:
                graded = course.grade_class(
                    found, given, grader, workers, journal, score=Score("passed")
                )
                page = _page(folder, given, found, graded, ())
            save_text(html, to_live_html(page))
            show(_answer(page, {"html_": html}).shown)
            click.secho(f"  {html} is written again after each hand-in, q to end", dim=True)


@contextlib.contextmanager
def _workers(jobs: int | None, address: str | None) -> Iterator[Workers]:
    from studyattn.classroom import executors  # late: reports do without it

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
    coded = [
        notable.Coded(
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
        reports=graded.reports,
        examples=notable.examples(coded),
        unusual=notable.unusual(coded),
        problems=found.problems,
        title=", ".join(map(given.drill_title, given.briefs)),
        made=f"{writable(folder.name)}: {count(len(found.files), 'submission')}",
    )


def _write_reports(
    options: dict[str, Any], page: ClassPage, graded: Graded, listed: Sequence[Student]
) -> None:
    roster, grades = options["roster"], options["grades"]
    if roster and grades:
        save_text(grades, gradebook.fill(roster, listed, page.results, page.drill_title))
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
    if options["csv_"]:
        save_text(options["csv_"], exports.to_csv(page.results))
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


def _answer(page: ClassPage, options: dict[str, Any]) -> Answer:
    summary = page.summary
    names = ("student", "drill", "file", "verdict", "passed", "score", "most", "diagnosis")
    value = {
        "submissions": [
            {name: getattr(each, name) for name in (*names, "message")} for each in page.results
        ],
        "misconceptions": summary.misconceptions,
        "drills": summary.drills,
        "concepts": summary.concepts,
        "problems": list(page.problems),
    }

    def shown() -> Iterator[Shown]:
        yield Rows(
            (
                each.drill,
                f"{each.passed} passed",
                f"{each.failed} not yet",
                f"{each.missing} missing",
            )
            for each in summary.drills
        )
        mistakes = summary.misconceptions
        if mistakes:
            rows = ((str(len(each.students)), each.id, each.title) for each in mistakes[:_SHOWN])
            yield ("", Rows(rows))
        if len(mistakes) > _SHOWN:
            yield f"and {len(mistakes) - _SHOWN} more"
        looks = len(page.unusual)
        if looks and not options["html_"]:
            yield f"{count(looks, 'thing')} to review: --html FILE lists them."
        yield (warned(f"studyattn: {problem}") for problem in page.problems)

    return Answer(value, shown())


def template(invocation: Invocation, kind: str, drills: tuple[str, ...], folder: Path) -> Answer:
    course.assignment(invocation.home, drills)
    files = write_template(kind, drills, folder)
    return Answer({"files": files}, map(str, files))


# ── a class in a shared database ─────────────────────────────────────────────────────────────────


def share(invocation: Invocation, teacher: str | None, end: bool) -> Answer:
    now = SystemClock().now()
    if teacher is not None and end:
        shared.unshare(invocation.home, teacher, now=now)
    elif teacher is not None:
        shared.share(invocation.home, teacher, now=now)
    readers, attempts = shared.shown_attempts(invocation.home, now=now)
    value = {"teachers": readers, "attempts": attempts}
    if not readers:
        return Answer(value, "Nobody sees your results.")
    rows = (
        (
            local(each.at),
            each.drill,
            each.verdict,
            f"{each.cases}/{each.of}",
            count(each.hints, "hint") if each.hints else "",
            " ".join(str(mistake["id"]) for mistake in each.mistakes),
        )
        for each in attempts
    )
    told = f"{', '.join(readers)} can see this, and every attempt from now on:"
    return Answer(value, (told, Rows(rows)))


def results(invocation: Invocation, **options: Any) -> Answer:
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
    return _answer(page, options)
