"""The base of every screen: a first line, a last line, and one queue in which its work runs.

Work that needs the database is put into the queue with `do`, and the work of one screen runs in
order in a task of its own. So a key pressed while an answer is being written is not lost and acts
on what comes next, the screen keeps drawing meanwhile, and an error ends in a dialog. An action
that is a coroutine goes there as a whole.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.getters import query_one
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.worker import WorkerError

from studyattn.errors import InputError
from studyattn.store.vocabulary import KNOWN
from studyattn.study import concepts, review
from studyattn.tui.actions import EVERYWHERE, action_named, actions_of, bindings_of
from studyattn.tui.database_worker import DatabaseWorker
from studyattn.tui.formatting import Days
from studyattn.tui.services import BESIDE, Services, services_of
from studyattn.tui.theme import SCREENS_SHEET
from studyattn.tui.widgets.concept_state import NAMES
from studyattn.tui.widgets.header_footer import KeyLine, Offers, SidePanel, TopLine, hints

if TYPE_CHECKING:
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.profile import Profile
    from studyattn.study.rules.evidence import Suggestion
    from studyattn.tui.dialogs.editor import Field, Written

Work = Callable[[], Awaitable[None]]
Answer = TypeVar("Answer")
Opened = TypeVar("Opened", bound="StudyScreen")
Parameters = ParamSpec("Parameters")

WIDE = 104  # columns from which a list has the chosen thing beside it

_ROW_FRAME = 8  # columns around a row: the list's padding, the row's, the scroll bar
_PATIENCE = 0.3  # seconds of waiting after which the screen says that it waits
_AHEAD = "Today's limits don't apply. Early reviews are scheduled as early reviews."

_WAITING = "one moment …"
_WAITS = "waits"  # marks an action that waits by itself until its screen is loaded

_WAY_BACK = [
    binding for binding in bindings_of(EVERYWHERE) if binding.action == action_named("back").call
]

_SEEN: set[type[Screen[None]]] = set()  # kinds of screens that have been open in this process


class NothingToDoError(Exception):
    """A key has nothing to act on, and the last line says so."""


def need(value: Answer | None, told: str = "") -> Answer:
    """Return what a key acts on. Raises NothingToDoError where there is nothing."""
    if not value:
        raise NothingToDoError(told)
    return value


def queued(
    action: Callable[Concatenate[Opened, Parameters], Awaitable[None]],
) -> Callable[Concatenate[Opened, Parameters], None]:
    """Put a coroutine into the queue of its screen when it is called.

    It is left out where the screen could not be loaded. Actions of `StudyScreen` itself need this,
    and those that something besides a key calls: the others are wrapped when their class is made.
    """

    @wraps(action)
    def put_into_queue(
        screen: Opened, /, *arguments: Parameters.args, **options: Parameters.kwargs
    ) -> None:
        async def act() -> None:
            if screen.is_loaded:
                await action(screen, *arguments, **options)

        screen.do(act)

    vars(put_into_queue)[_WAITS] = True
    return put_into_queue


def once_loaded(action: Callable[..., None]) -> Callable[..., None]:
    """Have a key that is pressed before its screen is loaded act right after that.

    Where it has nothing to act on, the last line says so.
    """

    @wraps(action)
    def act_or_wait(screen: StudyScreen, /, *arguments: Any, **options: Any) -> None:
        async def act() -> None:
            if screen.is_loaded:
                action(screen, *arguments, **options)

        if not screen.is_loaded:
            screen.do(act)
            return
        try:
            action(screen, *arguments, **options)
        except NothingToDoError as nothing:
            screen.show_hints(str(nothing))

    return act_or_wait


class StudyScreen(Screen[None]):
    """The frame of a screen; subclasses fill `body`, read in `load`, and `draw` what they read.

    Nothing is drawn, offered or done by a key before `load` has read what there is to show.
    `body` takes the place of Textual's `compose`, which belongs to the frame. Textual calls an
    event's handler in every class that has one, so those here never call super().
    """

    SCOPE: ClassVar[str] = ""  # the scope of its actions; empty for a base class
    GLOBAL_KEYS: ClassVar[bool] = True
    """False where one key opens another screen only by mistake: `GO` is not bound there."""
    OPENING = ""  # what the first line says until the screen is loaded
    EARLY: ClassVar[frozenset[str]] = frozenset({"action_back"})
    """Actions that need nothing of what is loaded."""
    side = query_one(SidePanel)
    HINTS: ClassVar[Offers] = ()  # the actions that are offered at any time
    beside_from: ClassVar[int] = WIDE  # columns from which the chosen thing is beside a list
    AUTO_FOCUS = ""
    CSS_PATH = SCREENS_SHEET

    def __init_subclass__(
        cls, *, global_keys: bool | None = None, before_widgets: bool = False, wide: int = 0
    ) -> None:
        """Bind the actions of the screen's scope, and the way back.

        With `before_widgets` a key of the screen acts even where the focused widget has it, too.
        From `wide` columns on the screen has the class `-wide`, and `-narrow` below.
        """
        if global_keys is not None:
            cls.GLOBAL_KEYS = global_keys
        if wide:
            cls.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (wide, "-wide")]
            cls.beside_from = wide
        cls.BINDINGS = [*bindings_of(cls.SCOPE, before_widgets=before_widgets), *_WAY_BACK]
        for name, member in [*vars(cls).items()]:
            if name.startswith("action_") and name not in cls.EARLY and not hasattr(member, _WAITS):
                wrap = queued if iscoroutinefunction(member) else once_loaded
                setattr(cls, name, wrap(member))
        super().__init_subclass__()

    def __init__(self) -> None:
        super().__init__()
        self._work: asyncio.Queue[Work] = asyncio.Queue()
        self.is_loaded = False  # True once what the screen shows was read for the first time
        self._hidden = False
        self.ends = AsyncExitStack()  # what has to end with the screen

    @property
    def is_open(self) -> bool:
        """False from the moment it is closed; its widgets go then, and its work may go on."""
        return self in self.app.screen_stack and self.display  # what is being removed has none

    @property
    def services(self) -> Services:
        """The app, as far as a screen may ask something of it."""
        return services_of(self)

    @property
    def database(self) -> DatabaseWorker:
        """The thread in which the database is open."""
        return self.services.database

    async def study(
        self,
        work: Callable[Concatenate[Profile, Parameters], Answer],
        *given: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Answer:
        """Return what a function of `study` returns for the open profile and what is given."""
        return await self.database.run_with_profile(work, *given, **named)

    def go(self, name: str, *arguments: Any, **options: Any) -> None:
        """Open a screen by its name in `tui.services`."""
        self.services.go(name, *arguments, **options)

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield from self.body()
        yield KeyLine()

    def body(self) -> Iterable[Widget]:
        """The widgets between first and last line."""
        return ()

    def hints(self) -> Offers:
        """Return the names of the actions that are offered now, the most important first."""
        return self.HINTS

    async def load(self) -> None:
        """Ask for what the screen shows: when the screen opens and comes back."""

    async def renew(self) -> None:
        """Load what the screen shows, then draw it."""
        await self.load()
        self.is_loaded = True
        self.redraw(None)

    def draw(self) -> None:
        """Draw what was loaded, at the present size. Asks nothing."""

    def paint(self) -> None:
        """Draw what there is by now."""
        if self.is_loaded:
            self.draw()
        elif self.OPENING:
            self.headline(self.OPENING)

    async def painted(self) -> None:
        """Wait until what was drawn last is on the screen."""
        painted = asyncio.Event()
        self.call_after_refresh(painted.set)
        await painted.wait()

    def width_in(self, rows: OptionList) -> int:
        """Columns that a row of the list has for text, also while the list is not laid out yet."""
        if self.size.width < self.beside_from:
            return self.size.width - _ROW_FRAME
        scroll_bar = 0 if rows.show_vertical_scrollbar else 1  # it may come with the rows
        return rows.scrollable_content_region.width - 2 - scroll_bar

    # The learner's clock.

    def days(self) -> Days:
        """Return the learner days around now."""
        database, now = self.services.database, self.services.clock.now()
        return Days(now, self.services.clock.utc_offset(now), database.rollover_hour)

    def date_text(self) -> str:
        """Return the day as the first line has it: `Sat 21 Nov`."""
        day = self.days().today
        return f"{day:%a} {day.day} {day:%b}"

    # What is drawn.

    def headline(self, left: Content | str, right: Content | str = "") -> None:
        line = self.query_one(TopLine)
        line.left = Content.styled(left, "bold") if isinstance(left, str) else left
        line.right = Content.styled(right, "$quiet") if isinstance(right, str) else right

    def show_hints(self, notice: str = "") -> None:
        """Update the last line; `notice` stays on it until the next action."""
        line = self.query_one(KeyLine)
        line.notice = notice
        self.refresh_hints()

    def refresh_hints(self) -> None:
        """Bring the keys up to date and leave the notice: the focus went elsewhere."""
        prefix = next((action.id for action in actions_of(self.SCOPE)), "").partition(".")[0]
        self.query_one(KeyLine).hints = tuple(hints(prefix, self.offers()))

    def offers(self) -> Offers:
        """Return what is offered by now."""
        return self.hints() if self.is_loaded else ("back",)

    def redraw(self, notice: str | None = "") -> None:
        """Draw what is known by now, and the last line; with None, what is said there stays."""
        if self.is_attached:
            self.draw()
            self.refresh_hints() if notice is None else self.show_hints(notice)

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    def on_descendant_blur(self) -> None:
        self.refresh_hints()

    def do(self, work: Work) -> None:
        """Run `work` after everything that was asked for before it."""
        self._work.put_nowait(work)

    def ask(self, dialog: Screen[Answer | None], then: Callable[[Answer], Awaitable[None]]) -> None:
        """Open a dialog, and run `then` with its answer in the queue; not if it was left."""

        def answered(answer: Answer | None) -> None:
            if answer is not None:
                self.do(partial(then, answer))

        self.app.push_screen(dialog, answered)

    async def explain_first(self, slug: str, to_state: str, then: Work) -> None:
        """Offer to explain a concept that was never explained before `then` moves it to known.

        `then` is done in any case: after the explanation, after escape, or at once.
        """
        if to_state == KNOWN and await self.study(concepts.explaining.is_offered, slug):
            self.go("explain", slug, left=partial(self.do, then))
        else:
            await then()

    def write(
        self,
        title: str,
        *fields: Field,
        then: Callable[[Written], Awaitable[None]],
        explanation: str = "",
        problem: str = "",
    ) -> None:
        """Have the learner write; what `then` refuses with an InputError is asked again."""
        from studyattn.tui.dialogs.editor import EditorScreen  # late: not for Today's first frame

        async def take(written: Written) -> None:
            try:
                await then(written)
            except InputError as error:
                again = (replace(field, text=written[field.name]) for field in fields)
                told = {"explanation": explanation, "problem": f"✗ {error}"}
                self.write(title, *again, then=then, **told)

        told = "\n\n".join(filter(None, (explanation, problem)))
        self.ask(EditorScreen(title, *fields, explanation=told), take)

    # A change of a concept's state that the program suggests.

    @property
    def suggestion(self) -> Suggestion | None:
        return None

    async def reload(self, notice: str) -> None:
        """Show what a change has made of the screen, and say what was changed."""
        await self.renew()
        self.show_hints(notice)

    @queued
    async def action_answer(self, yes: bool) -> None:
        suggestion = need(self.suggestion, "no suggestion for it")
        answer = concepts.suggestions.accept if yes else concepts.suggestions.put_off
        now = f"{suggestion.title} is {NAMES[suggestion.to_state]} now"

        async def change() -> None:
            await self.study(answer, suggestion)
            await self.reload(now if yes else "suggested again tomorrow")

        await self.explain_first(suggestion.slug, suggestion.to_state if yes else "", change)

    def move_concept(self, line: ConceptLine, to: str | None = None) -> None:
        """Ask where a concept goes, and why, `to` first; then move it there."""
        from studyattn.tui.dialogs.dialog import MoveScreen  # late, as above

        async def move(there: tuple[str, str]) -> None:
            async def change() -> None:
                await self.study(concepts.board.set_state, line.slug, *there)
                await self.reload(f"{line.title} is {NAMES[there[0]]} now; u undoes it")

            await self.explain_first(line.slug, there[0], change)

        self.ask(MoveScreen(line.title, line.state, to), move)

    # Studying more.

    def studied(self) -> str | None:
        """Return a search for the cards that are shown here, "" for all; None to offer none."""
        return ""

    @queued
    async def action_more(self) -> None:
        among = self.studied()
        found = [] if among is None else await self.study(review.more.offers, among)
        need(found, "nothing more to study here")
        from studyattn.tui.dialogs.dialog import PickScreen  # late, as above

        async def study(chosen: str) -> None:
            await self.study_more(found[int(chosen)].guids)

        choices = {str(place): offer.words for place, offer in enumerate(found)}
        self.ask(PickScreen("Study more", choices, _AHEAD), study)

    async def study_more(self, guids: tuple[str, ...]) -> None:
        self.go("study", only=guids, ahead=True)

    async def settled(self) -> None:
        """Wait until everything that was asked for is done."""
        await self._work.join()
        for worker in [each for each in self.workers if each.group == BESIDE]:
            with suppress(WorkerError):
                await worker.wait()

    def on_mount(self) -> None:
        for text in self.query(Static):
            text.auto_links = False  # a line that can be clicked keeps its colours
        self.run_worker(self._run_work(), group="work", exit_on_error=False)
        self.paint()
        self.show_hints()
        self.do(self._load_first)

    async def _load_first(self) -> None:
        # Loading imports a lot the first time, and a thread that imports holds the interpreter.
        if not self.database.is_open:
            await self.painted()
        try:
            await self.renew()
        finally:
            gc.enable()  # the program starts without (`__main__`)
        # Spare the collector what the first screen of a kind has loaded, which stays anyway: a full
        # collection would look through all of it and hold a key press for a third of a second.
        if type(self) not in _SEEN:
            _SEEN.add(type(self))
            gc.freeze()

    def on_screen_suspend(self) -> None:
        # What a modal changes is told to the screen below; another screen may change anything.
        self._hidden = not isinstance(self.app.screen, ModalScreen)
        for line in self.query(KeyLine):
            line.notice = ""  # it stays until the next action, and this was it
        self.query(KeyLine).set(visible=False)  # a dialog names its own keys; these do nothing now

    def on_screen_resume(self) -> None:
        self.query(KeyLine).set(visible=True)
        if self.is_loaded and self._hidden:
            self._hidden = False
            self.do(self.renew)

    def on_resize(self) -> None:
        if self.is_mounted:
            self.paint()

    async def on_unmount(self) -> None:
        """End what ends with it, and leave nothing waiting for work that will not be done."""
        await self.ends.aclose()
        while not self._work.empty():
            self._work.get_nowait()
            self._work.task_done()

    def action_back(self) -> None:
        self.services.back()

    async def _run_work(self) -> None:
        def say_waiting() -> None:
            self.query_one(KeyLine).notice = _WAITING

        while True:
            work = await self._work.get()
            waiting = self.set_timer(_PATIENCE, say_waiting)
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
                self._show_failure(error)
            finally:
                waiting.stop()
                for line in self.query(KeyLine):
                    if line.notice == _WAITING:
                        line.notice = ""
                self._work.task_done()

    async def _dispatch_message(self, message: Message) -> None:
        # An exception that left here would end this screen's message loop for good.
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - the same
            self._show_failure(error)

    def _show_failure(self, error: Exception) -> None:
        """Show what went wrong, unless the screen is closed: its widgets go before its work."""
        if isinstance(error, NothingToDoError):
            if self.is_open:
                self.show_hints(str(error))
        elif self.is_open or not isinstance(error, NoMatches):
            self.services.show_error(error)


class ReadingScreen(StudyScreen):
    """A text that scrolls; below the names of its parts where it has `TABS`."""

    TABS: ClassVar[bool] = False
    reading = query_one("#reading", VerticalScroll)

    def body(self) -> Iterable[Widget]:
        if self.TABS:
            yield Static(id="tabs", markup=False)
        with VerticalScroll(id="reading", classes="" if self.TABS else "page"):
            yield Static(id="page", markup=False)

    def on_mount(self) -> None:
        self.reading.focus()

    @property
    def width(self) -> int:
        """Columns for the text, beside its padding and a scroll bar."""
        return max(20, self.size.width - 7)

    def read(self, text: Text | Content) -> None:
        self.query_one("#page", Static).update(text)
