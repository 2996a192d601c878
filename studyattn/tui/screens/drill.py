"""One drill: its brief, the learner's code, and on each save the verdict.

The file on disk is the truth. The editor here is one of its editors: what another program writes is
taken in as an edit, which undo takes back, and graded like any save. Grading runs beside the app
(`tui.grader`); what an attempt means for the memory is the business of `study.drilling`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import on
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.errors import StudyattnError
from studyattn.memory.state import Rating
from studyattn.study.drillviews import FileState, Recorded, Version
from studyattn.tui.actions import Place
from studyattn.tui.grader import Grader
from studyattn.tui.layout import elapsed
from studyattn.tui.screens.base import READING_WIDTH, WIDE, StudyScreen
from studyattn.tui.screens.page import PageScreen
from studyattn.tui.screens.rating import ConfirmScreen, RatingScreen
from studyattn.tui.widgets import drillpages, verdict
from studyattn.tui.widgets.codeeditor import CodeEditor
from studyattn.tui.widgets.drillpages import TROUBLES, Page
from studyattn.tui.widgets.face import face
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.grading.submission import Submission
    from studyattn.grading.verdict import Report
    from studyattn.packs.model import DrillBrief
    from studyattn.study.drilling import PracticeSession
    from studyattn.study.journal import Answered
    from studyattn.study.learner import Learner

_WATCH = 0.25
"""Seconds between two looks at the file."""

_PATIENCE = 0.3
"""Seconds of grading after which the screen says so."""

_Stamp = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Bench:
    """What the session says at one moment, read in one go."""

    brief: DrillBrief
    path: Path
    attempts: int
    hints: tuple[str, ...]
    passed: bool
    seconds: float
    history: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class FileSeen:
    """The file at one moment; `text` is None when it cannot be read."""

    stamp: _Stamp
    state: FileState
    text: str | None


def look_at(session: PracticeSession) -> Bench:
    """Runs where the session lives."""
    return Bench(
        brief=session.brief,
        path=session.path,
        attempts=session.attempts,
        hints=session.hints,
        passed=session.passed,
        seconds=session.seconds,
        history=session.history(),
    )


def stamp_of(path: Path) -> _Stamp:
    """What tells that the file is another one; None when there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def see_file(session: PracticeSession) -> FileSeen:
    """The stamp is taken first, so a change while reading is seen at the next look."""
    return FileSeen(stamp_of(session.path), session.file_state, session.file.text())


class DrillScreen(StudyScreen, goes=False):
    """Code on the left and the verdict on the right, or one page at a time where it is narrow."""

    PLACE = Place.DRILL
    CSS_PATH = "drill.tcss"

    def __init__(self, identifier: str, rated: Callable[[Answered], None] | None = None) -> None:
        """`rated` is called with the rating that ends the drill."""
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self.identifier = identifier
        self._rated = rated
        self._session: PracticeSession | None = None
        self._bench: Bench | None = None
        self._grader: Grader | None = None
        self._page = Page.BRIEF
        self._report: dict[str, Any] | None = None
        self._recorded: Recorded | None = None
        self._on_disk: str | None = None  # as it was last read or written
        self._taken_in = ""  # the editor's text when it said the same as the file
        self._stamp: _Stamp = None
        self._waits = False
        self._code = CodeEditor(id="code")  # its text outlives the widgets of the screen

    def body(self) -> Iterable[Widget]:
        yield Static(id="tabs")
        with Horizontal():
            with Vertical(id="left"):
                yield self._code
                with VerticalScroll(id="reading"):
                    yield Static(id="page", markup=False)
                yield OptionList(id="history")
            with VerticalScroll(id="right"):
                yield Static(id="verdict", markup=False)

    # Opening and leaving.

    async def load(self) -> None:
        if self._session is not None:
            await self._refresh()
            return

        def begin(learner: Learner) -> PracticeSession:
            from studyattn.study.drilling import PracticeSession

            return PracticeSession(learner, self.identifier)

        session = self._session = await self.study.desk.ask(begin)
        self._grader = Grader()
        seen = await self.study.desk.do(partial(see_file, session))
        self._bench = await self.study.desk.do(partial(look_at, session))
        self._remember(seen)
        self._code.begin(_shown(seen.text or ""))
        self._taken_in = self._code.text
        self._grader.warm(_backend(seen.text or "", self._bench.brief))
        self._open_first_page()
        self.set_interval(_WATCH, self._watch)
        self.draw()
        self.show_hints(TROUBLES.get(seen.state, ""))

    def _open_first_page(self) -> None:
        bench = self._bench
        last = (
            next((each for each in reversed(bench.history) if each.report), None) if bench else None
        )
        if last is not None and last.current:
            self._report = dict(last.report)
        worked = bench is not None and bench.attempts > 0
        self.open_page(Page.CODE if worked or self._is_wide else Page.BRIEF)

    async def on_unmount(self) -> None:
        if self._grader is not None:
            await self._grader.close()
        session = self._session
        if session is None or not self.study.desk.is_open:
            return
        if self._dirty:
            with contextlib.suppress(StudyattnError):
                await self.study.desk.do(partial(session.save, self._code.text))
        await self.study.desk.do(session.close)

    def action_back(self) -> None:
        """End what runs, then leave the editor, then the screen; the code is saved."""
        if self._grader is not None and self._grader.is_grading:
            self._grader.stop()
        elif self._code.has_focus:
            self.set_focus(self.query_one("#right") if self._is_wide else None)
            self.refresh_hints()
        else:
            self.do(self._leave)

    async def _leave(self) -> None:
        if await self._save():
            self.study.back()

    # How it is drawn.

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def _dirty(self) -> bool:
        return self._session is not None and self._code.text != self._taken_in

    @property
    def _shows(self) -> Page:
        """The page that is shown: where it is wide, the verdict stands beside all others."""
        return Page.CODE if self._is_wide and self._page is Page.VERDICT else self._page

    def draw(self) -> None:
        bench = self._bench
        self.headline(self.identifier, self._about(bench) if bench else "")
        if bench is None:
            return
        self._arrange()
        self._code.wear(self.study.look)
        self.query_one("#tabs", Static).update(drillpages.tabs(self._tabs(bench), self._shows))
        look = self.study.look
        if self._shows in (Page.BRIEF, Page.HINTS):
            width = self._width_of("#reading")
            text = (
                drillpages.brief(bench.brief, width, look)
                if self._shows is Page.BRIEF
                else drillpages.hints(bench.brief, bench.hints, width, look)
            )
            self.query_one("#page", Static).update(text)
        self._draw_verdict(bench)

    def _draw_verdict(self, bench: Bench) -> None:
        pane, look, width = (
            self.query_one("#verdict", Static),
            self.study.look,
            self._width_of("#right"),
        )
        if self._waits:
            pane.update(Content.styled("grading …   esc ends it", "$quiet"))
        elif self._report is not None:
            pane.update(verdict.draw(self._report, self._recorded, width, look))
        elif self._is_wide and self._shows is not Page.BRIEF:
            pane.update(drillpages.brief(bench.brief, width, look))
        else:
            pane.update(Content.styled("^s grades what you have written", "$quiet"))

    def _width_of(self, pane: str) -> int:
        share = self.size.width // 2 if self._is_wide else self.size.width
        room = self.query_one(pane).scrollable_content_region.width or share - 6
        return max(20, min(READING_WIDTH, room))

    def _about(self, bench: Bench) -> str:
        grading = "grading …   " if self._waits else ""
        mark = "●   " if self._dirty else ""
        attempt = f"attempt {bench.attempts}   " if bench.attempts else ""
        ran = self._report or {}
        how = f"   {ran['backend']}   {ran['device']}" if ran else ""
        return f"{grading}{mark}{attempt}{elapsed(bench.seconds)}{how}"

    def _tabs(self, bench: Bench) -> list[tuple[Page, str]]:
        pages = [
            (Page.CODE, ""),
            (Page.BRIEF, ""),
            (Page.HINTS, f"{len(bench.hints)}/{len(bench.brief.hints)}"),
            (Page.HISTORY, str(len(bench.history) or "")),
        ]
        if not self._is_wide:
            mark = verdict.sign(self._report["verdict"]) if self._report else ""
            pages.insert(1, (Page.VERDICT, mark))
        return pages

    def _arrange(self) -> None:
        """Show the widgets of the page."""
        page = self._shows
        self.query_one("#left").display = page is not Page.VERDICT
        self.query_one("#right").display = self._is_wide or page is Page.VERDICT
        self._code.display = page is Page.CODE
        self.query_one("#reading").display = page in (Page.BRIEF, Page.HINTS)
        self.query_one("#history").display = page is Page.HISTORY

    def on_resize(self) -> None:
        if self.is_mounted:
            self.draw()
            self.call_after_refresh(self.draw)  # the panes have their new widths by then

    def open_page(self, page: Page) -> None:
        """Show a page and give it the keys."""
        self._page = page
        self._arrange()
        if page is Page.HISTORY:
            self._fill_history()
        targets = {Page.CODE: "#code", Page.VERDICT: "#right", Page.HISTORY: "#history"}
        self.query_one(targets.get(page, "#reading")).focus()
        self.call_after_refresh(self.draw)

    def _fill_history(self) -> None:
        bench, options = self._bench, self.query_one("#history", OptionList)
        options.clear_options()
        now, offset = self.study.clock.now(), self.study.offset()
        for version in reversed(bench.history if bench else ()):
            row = drillpages.version_row(version, offset, now)
            options.add_option(Option(row, id=str(version.number)))
        if options.option_count:
            options.highlighted = 0

    def hints(self) -> Iterable[Hint]:
        if self._grader is not None and self._grader.is_grading:
            yield hint("back", "end it")
        yield hint("drill.grade")
        if self._code.has_focus:
            yield hint("back", "other keys")
            yield hint("drill.next")
            return
        if self._shows is Page.HISTORY:
            yield hint("drill.open")
            yield hint("drill.restore")
        else:
            yield hint("drill.code")
        for name in ("rate", "hint", "editor", "pattern", "undo", "next"):
            yield hint(f"drill.{name}")
        yield hint("back")

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    def on_descendant_blur(self) -> None:
        self.refresh_hints()

    # Pages by key.

    def action_page(self, name: str) -> None:
        """Open a page."""
        self.open_page(Page(name))

    def action_next(self) -> None:
        """The next page."""
        if self._bench is not None:
            pages = [page for page, _ in self._tabs(self._bench)]
            self.open_page(pages[(pages.index(self._shows) + 1) % len(pages)])

    # The file.

    def _remember(self, seen: FileSeen) -> None:
        self._stamp = seen.stamp
        if seen.text is not None:
            self._on_disk = seen.text

    def _watch(self) -> None:
        bench = self._bench
        if bench is not None and stamp_of(bench.path) != self._stamp:
            self._stamp = stamp_of(bench.path)
            self.do(self._look_at_file)

    async def _look_at_file(self) -> None:
        """Take in what another program wrote, and grade it."""
        session = self.session
        seen = await self.study.desk.do(partial(see_file, session))
        if self._differs(seen):
            self._adopt(seen)
            await self._hand_in()
        elif seen.text is None:
            self._remember(seen)
            self.show_hints(TROUBLES.get(seen.state, ""))

    def _differs(self, seen: FileSeen) -> bool:
        return seen.text is not None and seen.text != self._on_disk

    def _adopt(self, seen: FileSeen) -> None:
        mine = self._dirty
        self._remember(seen)
        self._code.take(_shown(seen.text or ""))
        self._taken_in = self._code.text
        after = "; ^z in the code brings yours back" if mine else ""
        self.show_hints(f"the file was changed outside{after}")

    async def _save(self) -> bool:
        """Write what was written here; False when the file had changed meanwhile and came first.

        Raises InputError when it cannot be written: the editor keeps the text.
        """
        session = self.session
        seen = await self.study.desk.do(partial(see_file, session))
        if self._differs(seen):
            had_more = self._dirty
            self._adopt(seen)
            return not had_more
        if self._dirty or seen.text is None:
            text = self._code.text if self._dirty else (self._on_disk or self._code.text)
            await self.study.desk.do(partial(session.save, text))
            self._remember(await self.study.desk.do(partial(see_file, session)))
            self._taken_in = self._code.text
        return True

    @property
    def session(self) -> PracticeSession:
        """What is practised; it lives at the desk."""
        if self._session is None:
            raise RuntimeError("the session is asked before it was opened")
        return self._session

    async def _refresh(self, notice: str = "") -> None:
        session = self.session
        self._bench = await self.study.desk.do(partial(look_at, session))
        if self._page is Page.HISTORY:
            self._fill_history()
        self.draw()
        self.show_hints(notice)

    def action_editor(self) -> None:
        """Work on the file in the learner's own editor; the app waits for it."""
        self.do(self._edit_outside)

    async def _edit_outside(self) -> None:
        if await self._save():
            await self.study.edit_file_outside(self.session.path)
            await self._look_at_file()

    # Grading.

    def action_grade(self) -> None:
        """Save and grade."""
        self.do(self._save_and_grade)

    async def _save_and_grade(self) -> None:
        if self._session is not None and await self._save():
            await self._hand_in()

    async def _hand_in(self) -> None:
        submission = await self.study.desk.do(self.session.submission)
        self.run_worker(self._judge(submission), group="grading", exit_on_error=False)

    async def _judge(self, submission: Submission) -> None:
        if self._grader is None or self._bench is None:
            return
        patience = self.set_timer(_PATIENCE, self._say_grading)
        try:
            report = await self._grader.grade(self._bench.brief.folder, submission)
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            self._waits = False
            self.study.show_trouble(error)
            return
        finally:
            patience.stop()
        if report is not None:
            self.do(partial(self._record, submission, report))
        elif not self._grader.is_grading and self.is_attached:
            self._waits = False
            self.draw()
            self.show_hints("ended; nothing was recorded")

    def _say_grading(self) -> None:
        self._waits = True
        self.draw()
        self.refresh_hints()

    async def _record(self, submission: Submission, report: Report) -> None:
        session = self.session
        self._recorded = await self.study.desk.do(partial(session.record, submission, report))
        self._report = report.to_json()
        self._waits = False
        if not self._is_wide and self._page is not Page.VERDICT:
            self.open_page(Page.VERDICT)
        self.query_one("#right", VerticalScroll).scroll_home(animate=False)
        await self._refresh()

    @property
    def verdict(self) -> str | None:
        """The verdict that is shown."""
        return str(self._report["verdict"]) if self._report else None

    @property
    def is_grading(self) -> bool:
        """Whether a verdict is on its way."""
        return self._grader is not None and self._grader.is_grading

    # Hints, the solution, the history.

    def action_hint(self) -> None:
        """Reveal one more hint."""
        self.do(self._hint)

    async def _hint(self) -> None:
        text = await self.study.desk.do(self.session.next_hint)
        self.open_page(Page.HINTS)
        await self._refresh("" if text is not None else "there are no more hints")

    def action_solution(self) -> None:
        """Show the solution, after a question."""

        def answered(yes: bool | None) -> None:
            if yes:
                self.do(self._solution)

        self.app.push_screen(
            ConfirmScreen(
                "Show the solution?",
                "It counts as revealed, and “again” will be suggested. Your code stays as it is.",
            ),
            answered,
        )

    async def _solution(self) -> None:
        source = await self.study.desk.do(self.session.solution)
        look = self.study.look
        page = PageScreen("Solution", lambda width: face(f"```python\n{source}\n```", width, look))
        self.app.push_screen(page)
        await self._refresh()

    @property
    def _chosen(self) -> Version | None:
        option = self.query_one("#history", OptionList).highlighted_option
        if self._bench is None or option is None or self._shows is not Page.HISTORY:
            return None
        return next((each for each in self._bench.history if str(each.number) == option.id), None)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """The code of the chosen version; elsewhere, to the code."""
        chosen, look = self._chosen, self.study.look
        if chosen is None:
            self.open_page(Page.CODE)
            return
        source = f"```python\n{chosen.code}\n```"
        self.app.push_screen(
            PageScreen(f"Version {chosen.number}", lambda width: face(source, width, look))
        )

    def action_restore(self) -> None:
        """Write the chosen version into the file."""
        self.do(self._restore)

    async def _restore(self) -> None:
        chosen = self._chosen
        if chosen is None or not await self._save():
            return
        await self.study.desk.do(partial(self.session.restore, chosen.number))
        await self._take_in_file()
        self.open_page(Page.CODE)
        await self._refresh(f"version {chosen.number} is back; u undoes it")

    async def _take_in_file(self) -> None:
        """Show what the session wrote."""
        seen = await self.study.desk.do(partial(see_file, self.session))
        self._remember(seen)
        self._code.take(_shown(seen.text or ""))
        self._taken_in = self._code.text

    def action_afresh(self) -> None:
        """Begin again from the starter; the present code is kept."""
        self.do(self._afresh)

    async def _afresh(self) -> None:
        if await self._save():
            await self.study.desk.do(self.session.start_afresh)
            await self._take_in_file()
            self._report = self._recorded = None
            self.open_page(Page.CODE)
            await self._refresh("a fresh start; u undoes it")

    # Being done.

    def action_rate(self) -> None:
        """Rate the drill, as suggested or otherwise, and leave."""
        self.do(self._ask_rating)

    async def _ask_rating(self) -> None:
        session = self.session
        if not await self._save():
            return
        suggested, choices = await self.study.desk.do(
            lambda: (session.suggested(), session.choices())
        )

        def rated(rating: Rating | None) -> None:
            if rating is not None:
                self.do(partial(self._rate, rating))

        self.app.push_screen(RatingScreen(suggested, choices), rated)

    async def _rate(self, rating: Rating) -> None:
        answered = await self.study.desk.do(partial(self.session.rate, rating))
        if self._rated is not None:
            self._rated(answered)
        self.study.back()

    def action_undo(self) -> None:
        """Take back the last rating, cards brought back, restored version or fresh start."""
        self.do(self._undo)

    async def _undo(self) -> None:
        if not await self._save():
            return
        what = await self.study.desk.do(self.session.undo)
        await self._take_in_file()
        self._recorded = None
        await self._refresh("nothing to undo" if what is None else f"undone: {what}")

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.do(self._redo)

    async def _redo(self) -> None:
        if not await self._save():
            return
        what = await self.study.desk.do(self.session.redo)
        await self._take_in_file()
        await self._refresh("nothing to redo" if what is None else f"done again: {what}")

    def action_pattern(self) -> None:
        """See attention at work."""
        from studyattn.tui.screens.pattern import PatternScreen

        self.app.push_screen(PatternScreen(causal="causal" in self.identifier))


def _shown(text: str) -> str:
    """The text with bytes that are no UTF-8 as `�`, which the editor can draw."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _backend(code: str, brief: DrillBrief) -> str:
    """The backend whose workers will be wanted."""
    from studyattn.grading.submission import backend_of

    chosen = backend_of(os.fsencode(code)).value
    return chosen if chosen in brief.backends else brief.backends[0]
