"""The language server: grades the drills that are open in an editor, and tells what it finds.

A file is a drill's if it has the drill's name (`attention.py`) and defines its function, or lies in
the home's folder of drills. It is graded when it is opened, when typing stops, and when it is
saved; only what is saved is recorded. Diagnostics come as soon as there is a verdict, and again
when the mistake is found.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from studyattn import __version__
from studyattn.editor.diagnostics import SOURCE, definition, diagnostics_of
from studyattn.editor.hover import hover_text
from studyattn.errors import NotFoundError, StudyattnError
from studyattn.grading import Report, Submission
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study.lessons import Lesson, LessonBook
from studyattn.study.practice import drill_log
from studyattn.study.practice.attempts import record_attempt
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import RecordedAttempt
from studyattn.study.practice.drills import FoundDrill, find_drill
from studyattn.study.practice.grading_thread import GradingThread
from studyattn.study.practice.mine import submission_of
from studyattn.study.profile import open_profile
from studyattn.study.rules.practice_series import hints_seen
from studyattn.text.render import render

_AGAIN = 0.05
"""Seconds between two looks at what is still to be recorded when the editor ends."""

QUIET = 0.8
"""Seconds without a change after which what was typed is graded."""


@dataclass(slots=True)
class _File:
    """One open file of a drill, and what was last found out about it."""

    path: Path
    found: FoundDrill
    lesson: Lesson | None = None
    hints: tuple[str, ...] = ()
    code: str = ""
    """The text that `report` is on."""
    report: Report | None = None
    recorded: RecordedAttempt | None = None
    suggested: Rating | None = None
    """The rating that a recorded pass suggests."""
    revealed: bool = False
    """The learner has asked what would be right instead."""
    work: asyncio.Task[None] | None = None

    def is_starter(self, code: str) -> bool:
        """Return whether nothing was written yet."""
        brief = self.found.brief
        return any(code.strip() == brief.starter_code(each).strip() for each in brief.backends)


class DrillServer(LanguageServer):
    """Serves one editor, over its standard input and output. Start it with `start_io`."""

    def __init__(self, home: Home) -> None:
        super().__init__("studyattn", __version__)
        self._home = home
        self._files: dict[str, _File] = {}
        self._grader: GradingThread | None = None
        self._turn = asyncio.Lock()
        """Held by the file that is graded: of two orders, the thread answers only the last."""
        self._saving: set[asyncio.Task[None]] = set()
        """Work with an attempt to record: neither an edit nor the editor's end cancels it."""
        self._lessons: tempfile.TemporaryDirectory[str] | None = None
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # an editor shows it as errors
        features: dict[str, Callable[..., Any]] = {
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.TEXT_DOCUMENT_HOVER: self._hover,
            types.TEXT_DOCUMENT_CODE_ACTION: self._actions,
            types.SHUTDOWN: self._end,
        }
        for name, handler in features.items():
            self.feature(name)(partial(handler))  # pygls writes on what it registers
        commands: dict[str, Callable[..., Any]] = {
            "hint": self._hint,
            "reveal": self._reveal,
            "rate": self._rate,
            "lesson": self._show_lesson,
        }
        for name, command in commands.items():
            self.command(f"studyattn.{name}")(partial(command))

    # ── what the editor tells ────────────────────────────────────────────────────────────────────

    async def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        uri, code = params.text_document.uri, params.text_document.text
        path = Path(to_fs_path(uri) or "")
        found = self._drill_in(path, code)
        if found is not None:
            self._files[uri] = _File(path, found)
            self._begin(uri, 0.0)

    async def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        self._begin(params.text_document.uri, QUIET)

    async def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        self._begin(params.text_document.uri, 0.0, save=True)

    async def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        file = self._files.pop(params.text_document.uri, None)
        if file is not None:
            self._cancel(file)
            self._publish(params.text_document.uri, [])

    async def _end(self, _: None) -> None:
        while self._saving:  # its mistake may still be looked for when it is recorded
            await asyncio.wait(self._saving, timeout=_AGAIN)
        if self._grader is not None:
            await self._grader.close()
        if self._lessons is not None:
            self._lessons.cleanup()

    def _drill_in(self, path: Path, code: str) -> FoundDrill | None:
        """Return the drill whose file this is; None for another file."""
        try:
            found = find_drill(self._home, path.stem)
        except NotFoundError:
            return None
        is_ours = self._home.drills.resolve() == path.resolve().parent
        is_drill = path.suffix == ".py" and (is_ours or f"def {found.brief.entry[0]}(" in code)
        return found if is_drill else None

    # ── grading ──────────────────────────────────────────────────────────────────────────────────

    def _begin(self, uri: str, wait: float, *, save: bool = False) -> None:
        file = self._files.get(uri)
        if file is None:
            return
        self._cancel(file)
        code = self.workspace.get_text_document(uri).source if save else None
        file.work = asyncio.create_task(self._attend(uri, file, wait, code))
        file.work.add_done_callback(self._ended)
        if save:
            self._saving.add(file.work)

    def _cancel(self, file: _File) -> None:
        if file.work is not None and file.work not in self._saving:
            file.work.cancel()

    def _ended(self, work: asyncio.Task[None]) -> None:
        self._saving.discard(work)
        if not work.cancelled() and (error := work.exception()) is not None:
            told = f"studyattn could not grade this file: {error}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, told))

    async def _attend(self, uri: str, file: _File, wait: float, saved: str | None) -> None:
        """Grade what the file says, after `wait` seconds; record it if it was `saved`."""
        await asyncio.sleep(wait)
        async with self._turn:
            try:
                if file.lesson is None:
                    await asyncio.to_thread(self._look, file)
                code = self.workspace.get_text_document(uri).source if saved is None else saved
                await self._grade(uri, file, code, record=saved is not None)
            except StudyattnError as error:
                self._show_error(uri, file, error)

    async def _grade(self, uri: str, file: _File, code: str, *, record: bool) -> None:
        if file.is_starter(code):
            file.report = None
            self._publish(uri, [])
            return
        folder = file.found.brief.folder
        submission = await asyncio.to_thread(self._submission, file, code)
        report = file.report if code == file.code else None
        if report is None or not report.complete:
            told = partial(self._show, uri, file, code)
            report = await self._grading().grade(folder, submission, told)
        if report is None:
            return
        self._show(uri, file, code, report)
        if record:
            await asyncio.to_thread(self._record, file, code, report)
            if (task := asyncio.current_task()) is not None:
                self._saving.discard(task)
            self._show(uri, file, code, report)
        if not (report.passed or report.repair):
            await self._mend(uri, file, submission, report, record=record)

    async def _mend(
        self, uri: str, file: _File, submission: Submission, report: Report, *, record: bool
    ) -> None:
        """Look for a change that makes the code right, and show it."""
        code, folder = file.code, file.found.brief.folder
        mended = await self._grading().look_on("mend", folder, submission, report)
        if mended is not None and mended != report:
            if record and mended.diagnosis != report.diagnosis:
                await asyncio.to_thread(self._record, file, code, mended)
            self._show(uri, file, code, mended)

    def _grading(self) -> GradingThread:
        """Return the thread that grades, which begins with the first submission."""
        if self._grader is None:
            self._grader = GradingThread(self._home.counterexamples)
        return self._grader

    def _submission(self, file: _File, code: str) -> Submission:
        opened = partial(open_profile, self._home)
        return submission_of(opened, file.found.brief, file.path, code.encode())

    def _show(self, uri: str, file: _File, code: str, report: Report) -> None:
        if code != file.code:
            file.recorded, file.suggested, file.revealed = None, None, False
        file.code, file.report = code, report
        entries = file.found.brief.entry
        shown = diagnostics_of(report, code, entries, file.recorded, revealed=file.revealed)
        self._publish(uri, shown)

    def _show_error(self, uri: str, file: _File, error: StudyattnError) -> None:
        code = self.workspace.get_text_document(uri).source
        place = types.Position(definition(code, file.found.brief.entry) - 1, 0)
        shown = types.Diagnostic(
            types.Range(place, place), str(error), types.DiagnosticSeverity.Error, source=SOURCE
        )
        self._publish(uri, [shown])

    def _publish(self, uri: str, shown: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))

    # ── the learner's home, read and written beside the event loop ───────────────────────────────

    def _look(self, file: _File) -> None:
        """Read the drill's lesson, and the hints that were seen."""
        with open_profile(self._home) as profile:
            file.lesson = LessonBook(profile).of(file.found.brief.concept)
            with profile.database.read() as connection:
                series = drill_log.read_series(connection, file.found.guid)
        file.hints = file.found.brief.hints[: hints_seen(series)]

    def _record(self, file: _File, code: str, report: Report) -> None:
        with open_profile(self._home) as profile:
            file.recorded, _ = record_attempt(profile, file.found.guid, code, report)
        file.suggested = None
        if report.passed:
            file.suggested = self._practise(file, lambda session: session.suggested().rating)

    def _practise(self, file: _File, act: Callable[[PracticeSession], Any]) -> Any:
        """Return what `act` returns for a moment of work on the drill."""
        with (
            open_profile(self._home) as profile,
            PracticeSession(profile, file.found.brief.id, path=file.path, resume=True) as session,
        ):
            return act(session)

    # ── what the learner asks for ────────────────────────────────────────────────────────────────

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        file = self._files.get(params.text_document.uri)
        if file is None:
            return None
        document = self.workspace.get_text_document(params.text_document.uri)
        place = document.position_codec.position_from_client_units(document.lines, params.position)
        line = document.lines[place.line] if place.line < len(document.lines) else ""
        told = hover_text(line, place.character, file.found.brief, file.lesson, file.hints)
        if told is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, told))

    async def _actions(self, params: types.CodeActionParams) -> list[types.Command]:
        uri = params.text_document.uri
        file = self._files.get(uri)
        if file is None:
            return []
        return [
            types.Command(title, f"studyattn.{name}", arguments=[uri, *more])
            for title, name, *more in _offers(file)
        ]

    async def _hint(self, uri: str) -> None:
        file = self._files[uri]
        hint = await asyncio.to_thread(self._practise, file, PracticeSession.next_hint)
        await asyncio.to_thread(self._look, file)
        in_all = len(file.found.brief.hints)
        told = f"Hint {len(file.hints)} of {in_all}: {' '.join(hint.split())}" if hint else ""
        self._tell(told or "No hints left.")

    async def _reveal(self, uri: str) -> None:
        file = self._files[uri]
        if file.report is None:
            return
        await asyncio.to_thread(self._practise, file, PracticeSession.reveal)
        file.revealed = True
        self._show(uri, file, file.code, file.report)
        for change in file.report.repair:
            self._tell(f"Line {change.line}: `{change.before}` → `{change.after}`")

    async def _rate(self, uri: str, rating: str) -> None:
        file = self._files[uri]
        chosen = Rating[rating.upper()]
        rated = await asyncio.to_thread(self._practise, file, lambda session: session.rate(chosen))
        file.suggested = None
        due = getattr(rated.after, "due", None)
        self._tell(f"Rated {rating}; next on {due.astimezone():%Y-%m-%d}." if due else "Rated.")

    async def _show_lesson(self, _: str, slug: str) -> None:
        """Open a lesson as text beside the file, or name the command that prints it."""

        def read() -> Lesson:
            with open_profile(self._home) as profile:
                return LessonBook(profile).of(slug)

        window = self.client_capabilities.window
        if window is None or window.show_document is None or not window.show_document.support:
            self._tell(f"`studyattn lesson {slug}` prints the lesson.")
            return
        lesson = await asyncio.to_thread(read)
        pages = [render(page.body, width=80).plain.rstrip() for page in lesson.pages]
        if self._lessons is None:
            self._lessons = tempfile.TemporaryDirectory(prefix="studyattn-")
        path = Path(self._lessons.name) / f"{slug}.txt"
        path.write_text("\n\n".join([lesson.title, *pages, ""]), "utf-8")
        await self.window_show_document_async(types.ShowDocumentParams(path.as_uri()))

    def _tell(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def _ratings(suggested: Rating) -> Iterator[tuple[str, ...]]:
    for each in sorted(Rating, key=lambda each: each is not suggested):
        name = each.name.lower()
        yield f"Rate the drill {name}{' (suggested)' * (each is suggested)}", "rate", name


def _offers(file: _File) -> Iterator[tuple[str, ...]]:
    """Yield the title, command and further argument of what can be done, the likeliest first."""
    report, brief = file.report, file.found.brief
    if file.suggested is not None:
        yield from _ratings(file.suggested)
    if report is None or not report.passed:
        seen, in_all = len(file.hints), len(brief.hints)
        if seen < in_all:
            yield f"Show hint {seen + 1} of {in_all}", "hint"
        if report is not None and report.repair and not file.revealed:
            yield "Show the change that makes it right (counts as revealed)", "reveal"
    concept = report.diagnosis[0].concept if report and report.diagnosis else brief.concept
    yield f"Open the lesson {concept}", "lesson", concept
