"""The app: put together here for the command and for tests.

The app is the `Services` of its screens: the thread with the database, the screens that are open,
the colours, and what happens when something goes wrong. Nothing imported here may load SQLAlchemy,
Alembic or torch: they load in the database's thread, after the first frame.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual._context import active_message_pump
from textual.app import App, SystemCommand
from textual.color import Color
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from studyattn.errors import StudyattnError
from studyattn.home import Home
from studyattn.study.clock import Clock, SystemClock
from studyattn.text.characters import CONTROLS, TURNS
from studyattn.tui import leaving
from studyattn.tui.actions import EVERYWHERE, FIND, GO, action_named, actions_of, bindings_of
from studyattn.tui.database_worker import DatabaseWorker
from studyattn.tui.leaving import Launcher
from studyattn.tui.pictures import BLOCKS, canvas, choose
from studyattn.tui.pictures import use as use_canvas
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.screens.today import TodayScreen
from studyattn.tui.services import SCREENS
from studyattn.tui.theme import (
    THEME_NAMES,
    choose_theme,
    recall_theme,
    remember_theme,
    theme_named,
    wear,
)

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.statistics.ahead import Ahead
    from studyattn.tui.dialogs.error import ErrorNotice


# Control characters, line and paragraph separators, marks that turn a line's direction. They have
# no width, so a line without them keeps its place.
_DRIVING = re.compile(f"[\t\n{CONTROLS}{TURNS}]")


class HarmlessText(LineFilter):
    """Takes out of each line what would move the cursor or hide other text."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's signature
        if not any(_DRIVING.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment
            if segment.control
            else Segment(_DRIVING.sub("", segment.text), segment.style, None)
            for segment in segments
        ]


_MOST_RECOVERIES = 3  # broken widgets in one run after which the app ends rather than tries again


class StudyApp(App[None]):
    """The terminal app of one learner's home."""

    TITLE = "studyattn"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar = [
        binding
        for binding in bindings_of(EVERYWHERE, FIND)
        if binding.action != action_named("back").call
    ]

    def __init__(
        self,
        home: Home,
        clock: Clock | None = None,
        theme: str | None = None,
        launcher: Launcher = leaving.launch,
        ahead: Ahead | None = None,
    ) -> None:
        """Read one small file and the environment; open nothing.

        A `theme` that is given holds whatever the terminal and the setting say. The `launcher`
        starts the learner's editor. Today's numbers come from `ahead`, if there is one.
        """
        # Textual picks its filter for NO_COLOR here, before a theme is set: one makes greys, which
        # turns a terminal's own colours black on black, the other takes every colour away.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        # A dialog leaves something of its screen in sight where there is room for that.
        self.HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (72, "-normal")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
        self._harmless = HarmlessText()
        self.home = home
        self.clock = clock or SystemClock()
        self.database = DatabaseWorker(home, self.clock)
        self.animation_level = "none"
        self._launcher = launcher
        self._ahead = ahead
        self.last_words: ErrorNotice | None = None  # why the app had to end, if it had to
        self._recoveries = 0
        use_canvas(BLOCKS)
        self._knows_pictures = False
        self._follow_setting = theme is None
        self.theme_name = ""
        self._wear(theme or choose_theme(os.environ, recall_theme(home.root)))
        for each in actions_of(GO):
            self.bind(",".join(each.keys), f"shortcut('{each.id}')", show=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, after the one that lets no text drive the terminal."""
        return [self._harmless, *super().get_line_filters()]

    def get_default_screen(self) -> Screen[None]:
        return TodayScreen(self._ahead)

    def get_driver_class(self) -> type[Driver]:
        """Textual's own, or for a terminal the one that draws where errors go to a file."""
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from studyattn.tui.terminal_driver import TerminalDriver  # Windows has no such driver

        return TerminalDriver

    def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, self._draw_again)
        if self._driver is not None and not (self._driver.is_headless or self._driver.is_web):
            # A page's app ends with its pipe.
            leaving.quit_when_told(lambda status: self.exit(return_code=status))

    def _draw_again(self, _: object) -> None:
        # What the shell wrote meanwhile is in the terminal: Textual would draw only what changed.
        if (printer := canvas().printer) is not None:
            printer.forget()
        self.refresh(layout=True)

    def on_resize(self) -> None:
        if canvas().printer is not None:  # the size of a character may be another one
            self.prepare_pictures(again=True)

    async def on_unmount(self) -> None:
        if (printer := canvas().printer) is not None:
            printer.clear()
        if self.database.is_open:
            with suppress(StudyattnError):  # the next start syncs again
                await self.sync_folder()
        await self.database.close()

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the style sheets again: the theme's colours have changed.

        Textual asks for this before there is a screen too. They are about to be parsed then, and
        would be twice.
        """
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    # Getting about.

    def go(self, name: str, *arguments: Any, **options: Any) -> None:
        if name == "today":
            self._close_down_to_today()
            return
        entry = SCREENS[name]
        screen_class = entry.load()
        if type(self.screen) is screen_class and not entry.nests:
            return
        screen = screen_class(*arguments, **options)
        if entry.above or len(self.screen_stack) == 1:
            self.push_screen(screen)
        else:
            self.switch_screen(screen)

    def run_command(self, command: str) -> None:
        words = command.split()[1:]
        names = ("-".join(words), *words[:1])
        if name := next((each for each in names if each in SCREENS), None):
            self.go(name)
        else:
            self.notify(command, title="Run it in a shell", markup=False)

    def back(self) -> None:
        if len(self.screen_stack) > 1:
            self.pop_screen()

    def _close_down_to_today(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def action_go(self, name: str) -> None:
        self.go(name)

    async def action_shortcut(self, name: str) -> None:
        await self.run_action(action_named(name).call)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Switch off the keys of `GO` where the open screen has them mean nothing."""
        if action == "shortcut":
            return isinstance(self.screen, StudyScreen) and self.screen.GLOBAL_KEYS
        return super().check_action(action, parameters)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="what do you want to do?"))

    def action_suspend_process(self) -> None:
        if self._driver is None or not self._driver.can_suspend or not leaving.has_shell():
            self._tell("no shell to go back to")
            return
        self._suspend_signal()
        leaving.stop_job()

    def action_help_quit(self) -> None:
        self._tell(f"{action_named('quit').shown_key} quits; your answers are saved")

    def _tell(self, notice: str) -> None:
        if isinstance(self.screen, StudyScreen):
            self.screen.show_hints(notice)
        else:  # a dialog has no line for it
            self.notify(notice, markup=False)

    def action_help(self) -> None:
        self.go("help", self.screen.SCOPE if isinstance(self.screen, StudyScreen) else "Today")

    def action_choose_theme(self) -> None:
        from studyattn.tui.dialogs.dialog import ThemeScreen  # late: the first frame does without

        if not isinstance(self.screen, ThemeScreen):
            self.push_screen(ThemeScreen(self.theme_name), self._keep_theme)

    def _keep_theme(self, name: str | None) -> None:
        if name is None:
            return
        keep = partial(self.keep_theme, name)
        if isinstance(self.screen, StudyScreen):
            self.screen.do(keep)
        else:
            self.call_later(keep)

    async def keep_theme(self, name: str) -> None:
        self.show_theme(name)
        remember_theme(self.home.root, name)
        await self.database.run_with_profile(lambda profile: profile.change_setting("theme", name))

    def show_theme(self, name: str) -> None:
        if name != self.theme_name:
            self._wear(name)
            for screen in self.screen_stack:
                if isinstance(screen, StudyScreen):
                    screen.paint()

    def _wear(self, name: str) -> None:
        theme = theme_named(name)
        wear(theme)
        self.theme_name = name
        if theme.textual.name not in self.available_themes:
            self.register_theme(theme.textual)
        self.theme = theme.textual.name

    def prepare_pictures(self, *, again: bool = False) -> None:
        if again or not self._knows_pictures:
            self._knows_pictures = True
            self.run_worker(self._prepare_pictures(), group="pictures", exclusive=True)

    async def _prepare_pictures(self) -> None:
        from studyattn.tui.dialogs.dialog import PageScreen  # late: only pictures need them

        setting = await self.database.run_with_profile(lambda profile: profile.settings.pictures)
        before, chosen = canvas(), choose(setting, self._driver, os.environ)
        if chosen.cell == before.cell:
            return
        if before.printer is not None:
            before.printer.clear()
        use_canvas(chosen)
        for screen in self.screen_stack:
            if isinstance(screen, StudyScreen | PageScreen):
                screen.paint()
        self.refresh(layout=True)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: everything that can be done on this screen, and every screen to go to."""
        scopes: set[str] = {EVERYWHERE, FIND, GO}
        if isinstance(screen, StudyScreen):
            scopes.add(screen.SCOPE)
        # A screen may do in its own way what a key does everywhere; it is listed once.
        offered = {(each.title, each.keys): each for each in actions_of(*scopes)}
        for each in offered.values():
            explained = f"   {each.help}" if each.help.rstrip(".") != each.title else ""
            call = partial(self.call_later, self.run_action, each.call, screen)
            yield SystemCommand(each.title, f"{each.shown_key}{explained}", call)

    async def open_home(self) -> None:
        await self.database.open()
        if self._follow_setting:
            self.adopt_theme(
                await self.database.run_with_profile(lambda profile: profile.settings.theme)
            )

    async def sync_folder(self) -> bool:
        def sync_here(profile: Profile) -> bool:
            place = profile.settings.sync_folder.strip()
            if not place:
                return False
            from studyattn.exchange.sync import sync  # late: only those with such a folder need it
            from studyattn.study.review.rebuild import refold

            report = sync(profile.database, Path(place).expanduser(), refold)
            profile.reload()
            return report.changed

        return await self.database.run_with_profile(sync_here)

    def adopt_theme(self, setting: str) -> None:
        chosen = setting if setting in THEME_NAMES else None
        if chosen != recall_theme(self.home.root):
            remember_theme(self.home.root, chosen)
        self.show_theme(choose_theme(os.environ, chosen))

    async def edit_text(self, text: str) -> str:
        return leaving.edit(self, text, await self._editor(), self._launcher)

    async def edit_file(self, path: Path) -> None:
        self._launcher(self, [*await self._editor(), str(path)])

    async def _editor(self) -> list[str]:
        """Return the command of the learner's editor."""
        setting = await self.database.run_with_profile(lambda profile: profile.settings.editor)
        return leaving.editor_command(setting, os.environ)

    async def settled(self) -> None:
        """Wait until no open screen has anything left to do."""
        for screen in self.screen_stack:
            if isinstance(screen, StudyScreen):
                await screen.settled()

    # What goes wrong.

    @property
    def error_log(self) -> Path:
        return self.home.root / "errors.log"

    def show_error(self, error: BaseException) -> None:
        # A second one while it is open is only logged.
        if not self._comes_of_closing(error):
            self._show_notice(self._describe(error))

    def _show_notice(self, notice: ErrorNotice) -> None:
        from studyattn.tui.dialogs.error import ErrorScreen  # late: the first frame has no error

        if not isinstance(self.screen, ErrorScreen):
            self.push_screen(ErrorScreen(notice))

    def _comes_of_closing(self, error: BaseException) -> bool:
        """Return whether what is at work misses its widgets: they are gone, or never came.

        A screen's widgets go before its timers and its work, and an app that quits opens no screen.
        """
        at_work = active_message_pump.get(self)
        above = at_work.ancestors_with_self if isinstance(at_work, DOMNode) else []
        is_open = at_work is self or any(
            each in self.screen_stack and each.display for each in above
        )
        return isinstance(error, NoMatches) and (self._exit or not is_open)

    def _describe(self, error: BaseException) -> ErrorNotice:
        from studyattn.tui.dialogs.error import describe  # late, as above

        return describe(error, self.error_log, self.clock.now())

    async def _dispatch_message(self, message: Message) -> None:
        # An exception that left here would end the app's message loop.
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not self.is_running or not self.screen_stack:
                raise
            self.show_error(error)

    def _handle_exception(self, error: Exception) -> None:
        """A widget's own loop broke: start again from a fresh Today, or end with one line.

        Textual would end the app with a traceback here.
        """
        if self._comes_of_closing(error):
            return
        notice = self._describe(error)
        self._recoveries += 1
        if not self.is_running or self._recoveries > _MOST_RECOVERIES:
            self.last_words = notice
            self.exit(return_code=1)
        else:
            self.call_later(self._start_afresh, notice)

    async def _start_afresh(self, notice: ErrorNotice) -> None:
        self._close_down_to_today()
        today = self.screen
        await today.recompose()
        if isinstance(today, StudyScreen):
            today.do(today.renew)
        self._show_notice(notice)


def run(home: Home, ahead: Ahead | None = None) -> int:
    """Run the app until the learner quits; the exit status. Never ends in a traceback.

    It needs a terminal that can draw, or another driver for Textual (`TEXTUAL_DRIVER`, which
    `textual serve` sets: its app talks to a browser through pipes).
    """
    if hasattr(signal, "SIGHUP"):
        # The terminal is gone. The parent process may have had the signal ignored, and then an app
        # without a terminal would read its end for ever. From its first frame on the app quits by
        # itself (`leaving`); before that there is nothing to save.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    app = StudyApp(home, ahead=ahead)
    app.run()
    if app.last_words is not None:
        print(app.last_words.line, file=sys.stderr)
    return app.return_code or 0
