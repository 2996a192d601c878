"""One drill: its brief, the learner's code, and on each save the verdict.

What is shown and what the keys do. The file and the session are `tui.drill.controller`, grading
beside the app is `study.practice.grading_thread`, the pages `tui.drill.pages`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from rich.text import Text
from textual import on
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import OptionList, Static, TextArea
from textual.widgets.option_list import Option

from studyattn.errors import GradingError
from studyattn.grading.report_text import sign
from studyattn.grading.submission import Submission
from studyattn.grading.verdict import Report, Verdict
from studyattn.memory.state import Rating
from studyattn.study.practice.debrief import rate_and_debrief
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import CodeVersion, RecordedAttempt
from studyattn.study.practice.grading_thread import GradingThread
from studyattn.study.review.recorder import RecordedReview
from studyattn.tui.attention_view.example import opening_of
from studyattn.tui.attention_view.own_example import example_of
from studyattn.tui.dialogs.dialog import ConfirmScreen, PageScreen, RatingScreen
from studyattn.tui.drill import pages
from studyattn.tui.drill.controller import DrillController, DrillState, FileChange, wanted_backend
from studyattn.tui.drill.pages import DrillPage
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.screens.base import WIDE, StudyScreen, need
from studyattn.tui.widgets.header_footer import KeyedList, Offers
from studyattn.tui.widgets.text_areas import CodeEditor

_STEP_NAMED = 72  # columns of a screen whose first line has the name of the step, too
_WATCH = 0.25  # seconds between two looks at the file
_DRAFT = 1.0  # seconds of typing that a killed app loses at most
_PATIENCE = 0.3  # seconds of grading after which the screen says so

_LOOKS_ON = {
    Verdict.PASSED: "\n\nLooking for an input that it fails, for a minute …",
    Verdict.WRONG: "\n\nLooking for the change that makes it right …",
    Verdict.ERROR: "\n\nLooking for the change that makes it right …",
}
"""What is looked for while the verdict is read."""


_TARGETS = {DrillPage.CODE: "#code", DrillPage.VERDICT: "#right", DrillPage.HISTORY: "#history"}
_FRAME = 6  # columns around the text of a pane that is not laid out yet


class DrillScreen(StudyScreen, global_keys=False, wide=WIDE):
    """Code on the left and the verdict on the right, or one page at a time where it is narrow."""

    SCOPE = "Drill"
    _history = query_one("#history", KeyedList)
    controller: DrillController  # the drill as it is open
    _drill: DrillState
    _grader: GradingThread

    def __init__(
        self, identifier: str, rated: Callable[[RecordedReview], None] | None = None
    ) -> None:
        """`rated` is called with the rating that ends the drill."""
        super().__init__()
        self.identifier = self.OPENING = identifier
        self._rated = rated or (lambda _: None)
        self._page = DrillPage.BRIEF
        self._report: Report | None = None
        self._recorded: RecordedAttempt | None = None
        self._waits = False
        self._looks_on = ""  # for what, while the verdict is read
        self._code = CodeEditor(id="code")  # its text outlives the widgets of the screen

    def body(self) -> Iterable[Widget]:
        yield Static(id="tabs")
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield self._code
                with VerticalScroll(id="reading"):
                    yield Static(id="page", markup=False)
                yield KeyedList(id="history")
            with VerticalScroll(id="right"):
                yield Static(id="verdict", markup=False)

    # Opening and leaving.

    async def load(self) -> None:
        if self.is_loaded:
            await self._refresh()
            return
        self.controller = await DrillController.begin(self.database, self.identifier, self._code)
        self.ends.push_async_callback(self.controller.close)
        self._grader = GradingThread(self.session.counterexamples)
        self.ends.push_async_callback(self._grader.close)
        self._drill = drill = await self.controller.read()
        self._grader.warm(wanted_backend(self._code.text, drill.brief))
        self._report = pages.kept(drill.last_graded)
        self.is_loaded = True
        begun = drill.attempts or self.controller.is_recalled
        self.open_page(DrillPage.CODE if begun or self._is_wide else DrillPage.BRIEF)
        self.set_interval(_WATCH, self._watch)
        self.set_interval(_DRAFT, self._keep_draft)
        recalled = pages.RECALLED if self.controller.is_recalled else ""
        self.show_hints(pages.TROUBLES.get(self.controller.file_state, recalled))

    def action_back(self) -> None:
        """End what runs, then leave the editor, then the screen; the code is saved."""
        if not self.is_loaded:
            self.services.back()
        elif self.is_grading:
            self._grader.stop()
        elif self._code.has_focus:
            self.set_focus(self._pane(DrillPage.VERDICT) if self._is_wide else None)
            self.refresh_hints()
        else:
            self.do(self._leave)

    async def _leave(self) -> None:
        problem = await self.controller.leave()
        if problem is not None:
            told = f"{problem.where}: {problem.message}. Your code is in the drill's history."
            self.notify(told, severity="warning", timeout=15, markup=False)
        self.services.back()

    @property
    def session(self) -> PracticeSession:
        """The practice session; it is used in the database's thread."""
        return self.controller.session

    # How it is drawn.

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def _shows(self) -> DrillPage:
        """The page that is shown: where it is wide, the verdict is beside all others."""
        return DrillPage.CODE if self._is_wide and self._page is DrillPage.VERDICT else self._page

    def draw(self) -> None:
        self._draw_headline()
        drill = self._drill
        self._show_panes()
        self._code.wear()
        tabs = self.query_one("#tabs", Static)
        room = tabs.content_size.width or self.size.width
        tabs.update(pages.draw_tabs(self._tabs(drill), self._shows, room))
        draw_page = {DrillPage.BRIEF: self._brief, DrillPage.HINTS: pages.hints}.get(self._shows)
        if draw_page is not None:
            drawn = draw_page(drill, self._width(self._shows))
            self.query_one("#page", Static).update(drawn)
        self._draw_verdict(drill)

    @on(TextArea.Changed)
    def _draw_headline(self) -> None:
        if self.is_loaded:
            dirty = self.controller.is_dirty
            right = pages.about(self._drill, dirty, self._waits)
            number, _, named = self._drill.step.partition(" ")
            step = f"{number} {named}" if self.size.width >= _STEP_NAMED else number
            self.headline(f"{self.identifier}   {step}" if step else self.identifier, right)

    def _draw_verdict(self, drill: DrillState) -> None:
        chosen, judge = self._chosen, self.query_one("#verdict", Static).update
        width = self._width(DrillPage.VERDICT)
        if self._waits:
            judge(Content.styled("grading …   esc stops it", "$quiet"))
        elif chosen is not None:
            judge(pages.draw_verdict(chosen, width))
        elif self._report is not None:
            drawn = pages.draw_report(self._report, self._recorded, width)
            judge(Content.assemble(drawn, self._looks_on))
        elif self._is_wide and self._shows is not DrillPage.BRIEF:
            judge(self._brief(drill, width))
        else:
            judge(Content.styled("^s grades what you have written", "$quiet"))

    def _brief(self, drill: DrillState, width: int) -> Text:
        return pages.brief(drill, width, wanted_backend(self._code.text, drill.brief))

    def _tabs(self, drill: DrillState) -> list[tuple[DrillPage, str]]:
        return pages.names(drill, None if self._is_wide else sign(self.verdict))

    def on_resize(self) -> None:
        if self.is_loaded:
            self.call_after_refresh(self.redraw, None)  # panes have their new widths by then

    def _show_panes(self) -> None:
        """Show one page at a time where it is narrow; where it is wide, the verdict beside each."""
        page = self._shows
        self.query_one("#left").display = page is not DrillPage.VERDICT
        self.query_one("#right").display = self._is_wide or page is DrillPage.VERDICT
        self._code.display = page is DrillPage.CODE
        self.query_one("#reading").display = page in (DrillPage.BRIEF, DrillPage.HINTS)
        self._history.display = page is DrillPage.HISTORY

    def _pane(self, page: DrillPage) -> Widget:
        """Return the widget that has the focus on that page."""
        return self.query_one(_TARGETS.get(page, "#reading"))

    def _width(self, page: DrillPage) -> int:
        """Columns for running text on that page."""
        share = self.size.width // 2 if self._is_wide else self.size.width
        room = self._pane(page).scrollable_content_region.width or share - _FRAME
        return max(20, min(READING_WIDTH, room - 1))  # a gap before the scroll bar

    def open_page(self, page: DrillPage) -> None:
        """Show a page and give it the keys."""
        self._page = page
        self._show_panes()
        self._fill_history()
        self._pane(page).focus()
        self.call_after_refresh(self.redraw, None)

    def hints(self) -> Offers:
        passed = self._drill.passed
        first = (self.is_grading and ("back", "end it"), "grade")
        if self._code.has_focus:
            finish = passed and ("rate", "rate and finish", "esc space")
            return (*first, ("back", "other keys"), "next", finish)
        return (
            *first,
            passed and ("rate", "rate and finish", "space"),
            ("code", "pages", f"1-{len(self._tabs(self._drill))}"),
            self._chosen is not None and "open restore",
            bool(pages.reproduction(self._report)) and "reproduce",
            bool(pages.change(self._report)) and "mend",
            "hint editor",
            opening_of(self.identifier) is not None and "pattern",
            not passed and "rate",
            "back explain cost undo",
        )

    # Pages by key.

    def action_page(self, name: str) -> None:
        self.open_page(DrillPage(name))

    def action_next(self) -> None:
        pages = [page for page, _ in self._tabs(self._drill)]
        self.open_page(pages[(pages.index(self._shows) + 1) % len(pages)])

    # The file.

    def _watch(self) -> None:
        if self.controller.moved:
            self.do(self._look_at_file)

    def _keep_draft(self) -> None:
        if self.controller.has_new_draft:
            self.do(self.controller.keep_draft)

    async def _look_at_file(self) -> None:
        """Take in what another program wrote, and grade it."""
        found = await self.controller.look()
        if found is FileChange.UNREADABLE:
            self.show_hints(pages.TROUBLES.get(self.controller.file_state, ""))
        elif found in pages.CHANGES:
            self.show_hints(pages.CHANGES[found])
            await self._hand_in()

    async def _saved(self) -> bool:
        """Save; False when the file held something that the learner has not seen over theirs.

        Raises InputError when it cannot be written: the editor keeps the text.
        """
        found = await self.controller.save()
        if (notice := pages.CHANGES.get(found)) is not None:
            self.show_hints(notice)
        return found is not FileChange.REPLACED

    async def _refresh(self, notice: str = "") -> None:
        self._drill = await self.controller.read()
        self._fill_history()
        self.redraw(notice)

    async def action_editor(self) -> None:
        if await self._saved():
            await self.services.edit_file(self.session.path)
            await self._look_at_file()

    # Grading.

    async def action_grade(self) -> None:
        await self._saved()  # what another program wrote meanwhile is graded in its place
        await self._hand_in()

    async def _hand_in(self) -> None:
        submission = await self.database.run(self.session.submission)
        self.run_worker(self._judge(submission), group="grading", exit_on_error=False)

    async def _judge(self, submission: Submission) -> None:
        before = self._report, self._recorded
        patience = self.set_timer(_PATIENCE, self._say_grading)

        def told(report: Report) -> None:
            patience.stop()
            self._waits, self._recorded = False, None
            self._show_verdict(report)

        try:
            report = await self._grader.grade(self._drill.brief.folder, submission, told)
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            self.services.show_error(error)
            return
        finally:
            patience.stop()
            self._waits = False
        if report is not None:
            self.do(partial(self._record, submission, report))
            way: Literal["mend", "deepen"] = "deepen" if report.passed else "mend"
            self._looks_on = _LOOKS_ON.get(report.verdict, "")
            try:
                found = await self._grader.look_on(
                    way, self._drill.brief.folder, submission, report
                )
            except GradingError:  # the verdict stands without it
                found = None
            finally:
                self._looks_on = ""
            self.do(partial(self._take_in, submission, report, found))
        elif not self.is_grading and self.is_attached:
            self._report, self._recorded = before
            self.redraw("stopped; nothing was recorded")

    async def _take_in(self, submission: Submission, report: Report, found: Report | None) -> None:
        """Take in what was found while the verdict was read.

        The change that makes the code right, or a wrong answer, which takes a pass back.
        """
        if found is not None and report.passed and not found.passed:
            await self._record(submission, found)
            return
        was_reset = self._report is None or self._report.seed != report.seed
        if found is not None and found.repair and not was_reset:
            self._report = found
            if found.diagnosis != report.diagnosis:
                self._recorded = await self.database.run(self.session.record, submission, found)
        self.redraw(None)

    def _say_grading(self) -> None:
        self._waits = True
        self.redraw(None)

    async def _record(self, submission: Submission, report: Report) -> None:
        self._recorded = await self.database.run(self.session.record, submission, report)
        self._show_verdict(report)
        await self._refresh()

    def _show_verdict(self, report: Report) -> None:
        """Show a verdict; what is added to one that is shown does not move the page."""
        is_new = self._report is None or self._report.complete
        self._report = report
        if is_new:
            wide = {*DrillPage} - {DrillPage.HISTORY}
            beside = wide if self._is_wide else {DrillPage.VERDICT}
            if self._page not in beside:
                self.open_page(DrillPage.CODE if self._is_wide else DrillPage.VERDICT)
            self.query_one("#right").scroll_home(animate=False)
        self.draw()

    @property
    def verdict(self) -> str | None:
        return self._report.verdict if self._report else None

    @property
    def is_grading(self) -> bool:
        """True while a verdict is on its way."""
        return self.is_loaded and self._grader.is_grading and not self._looks_on

    def action_reproduce(self) -> None:
        python = need(pages.reproduction(self._report), "no wrong answer to show")
        self.app.copy_to_clipboard(python)
        self.app.push_screen(pages.code_page("Copied", python))

    def action_mend(self) -> None:
        told = "no change is known that makes it right"
        right = need(pages.change(self._report), told)

        def reveal() -> str:
            self.session.reveal()
            return right

        self._reveal("what would be right", reveal)

    def _reveal(self, what: str, read: Callable[[], str]) -> None:
        """Show the code that `read` returns, after a question."""

        async def show(yes: bool) -> None:
            if yes:
                source = await self.database.run(read)
                self.app.push_screen(pages.code_page(what.capitalize(), source))
                await self._refresh()

        self.ask(ConfirmScreen(f"Show {what}?", pages.REVEALS), show)

    # Hints, the solution, the history.

    async def action_hint(self) -> None:
        text = await self.database.run(self.session.next_hint)
        self.open_page(DrillPage.HINTS)
        await self._refresh("" if text is not None else "no more hints")

    def action_solution(self) -> None:
        self._reveal("the solution", self.session.solution)

    @property
    def _chosen(self) -> CodeVersion | None:
        key = self._history.key if self._shows is DrillPage.HISTORY else None
        return next((each for each in self._drill.history if str(each.number) == key), None)

    def _fill_history(self) -> None:
        """List every version, the newest first; the newest is chosen, or the one that was."""
        if self._page is not DrillPage.HISTORY:
            return
        days, history = self.days(), reversed(self._drill.history)
        self._history.show({str(each.number): pages.version_row(each, days) for each in history})
        if not self._drill.history:
            none = Content.styled(pages.NO_VERSIONS, "$quiet")
            self._history.add_option(Option(none, disabled=True))

    @on(OptionList.OptionHighlighted)
    def _show_its_verdict(self) -> None:
        if self.is_loaded:
            self._draw_verdict(self._drill)

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        """The chosen version, code and verdict; elsewhere, to the code."""
        if (chosen := self._chosen) is not None:
            self.app.push_screen(
                PageScreen(
                    f"Version {chosen.number}",
                    partial(pages.draw_version, chosen),
                    pages.CODE_WIDTH,
                )
            )
        else:
            self.open_page(DrillPage.CODE)

    async def action_restore(self) -> None:
        chosen = need(self._chosen)
        if await self._saved():
            await self.database.run(self.session.restore, chosen.number)
            await self._rewritten(f"version {chosen.number} restored; u undoes it")

    async def action_afresh(self) -> None:
        if await self._saved():
            await self.database.run(self.session.start_afresh)
            self._report = self._recorded = None
            await self._rewritten("reset to the starter; u undoes it")

    async def _rewritten(self, notice: str) -> None:
        """Show the code that the session has written."""
        await self.controller.take_in()
        self.open_page(DrillPage.CODE)
        await self._refresh(notice)

    # Being done.

    async def action_rate(self) -> None:
        session = self.session
        if await self._saved():
            suggested = await self.database.run(session.suggested)
            choices = await self.database.run(session.choices)
            self.ask(RatingScreen(suggested, choices), self._rate)

    async def _rate(self, rating: Rating) -> None:
        answered, learnt = await self.study(rate_and_debrief, self.session, rating)
        self._rated(answered)
        self.services.back()
        if learnt is not None:
            self.go("debrief", learnt)

    async def action_step(self, way: str) -> None:
        if await self._saved():
            what = await self.database.run(getattr(self.session, way))
            await self.controller.take_in()
            self._recorded = None
            done = "undone" if way == "undo" else "done again"
            await self._refresh(f"nothing to {way}" if what is None else f"{done}: {what}")

    async def action_cost(self) -> None:
        if await self._saved():
            self.go("cost", self.identifier)

    def action_explain(self) -> None:
        named = self._report.diagnosis[0].concept if self._report and self._report.diagnosis else ""
        concept = named or self._drill.brief.concept
        self.go("concept", concept, explains=True)

    def action_pattern(self) -> None:
        opening = need(opening_of(self.identifier), "this drill has no attention pattern")
        shown = self._report.counterexample if self._report else None
        found = example_of(shown.inputs if shown else {}, "Smallest failing input")
        self.go("pattern", opening, [found] if found else [])
