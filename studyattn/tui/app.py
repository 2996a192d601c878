"""The app, and `make_app`, the one place where it is put together: for the command and for tests.

The app is the `Services` of its screens: the thread with the database, the screens that are open,
the colours, and what happens when something goes wrong. Nothing imported here may load SQLAlchemy,
Alembic or torch: they load in the database's thread, after the first frame.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import constants
from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from studyattn.errors import InputError, StudyattnError
from studyattn.home import Home
from studyattn.study.clock import Clock, SystemClock
from studyattn.tui.actions import Action, Scope, action, actions_of, bindings_of
from studyattn.tui.database_worker import DatabaseWorker
from studyattn.tui.navigation import SCREENS
from studyattn.tui.sanitize import HarmlessText
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.screens.today import TodayScreen
from studyattn.tui.theme import THEMES, Look, choose_look, forget_look, recall_look, remember_look

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.tui.dialogs.error import ErrorNotice
    from studyattn.tui.external_editor import Launcher

_MOST_RECOVERIES = 3
"""Broken widgets in one run after which the app ends rather than tries again."""


class StudyApp(App[None]):
    """The terminal app of one learner's home."""

    TITLE = "studyattn"
    # Textual loads the style sheet of a screen that is pushed; Today is there from the beginning.
    CSS_PATH: ClassVar = ["app.tcss", "screens/today.tcss"]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar = [
        binding
        for binding in bindings_of(Scope.EVERYWHERE, Scope.FIND)
        if binding.action != action("back").call
    ]

    def __init__(
        self,
        home: Home,
        clock: Clock,
        look: Look,
        *,
        follow_setting: bool,
        launcher: Launcher | None = None,
    ) -> None:
        # Textual picks its filter for NO_COLOR here, before a theme is set: one makes greys, which
        # turns a terminal's own colours black on black, the other takes every colour away.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        # A dialog leaves something of its screen in sight where there is room for that.
        self.HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (72, "-normal")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
        self._harmless = HarmlessText()
        self.home = home
        self.clock = clock
        self.database = DatabaseWorker(home, clock)
        self.animation_level = "none"
        self._launcher = launcher
        self.last_words: ErrorNotice | None = None
        """Why the app had to end, if it had to."""
        self._recoveries = 0
        self._follow_setting = follow_setting
        for theme in THEMES.values():
            self.register_theme(theme)
        self.look = look
        self.theme = look.theme
        for each in actions_of(Scope.GO):
            self.bind(",".join(each.keys), f"shortcut('{each.id}')", show=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, after the one that lets no text drive the terminal."""
        return [self._harmless, *super().get_line_filters()]

    def get_default_screen(self) -> Screen[None]:
        """Today is always at the bottom."""
        return TodayScreen()

    async def on_unmount(self) -> None:
        if self.database.is_open:
            with suppress(StudyattnError):  # the next start syncs again
                await self.sync_folder()
        await self.database.close()

    # Getting about.

    def go(self, name: str, *arguments: Any, **options: Any) -> None:
        """Open the screen of this name; see `tui.navigation` for where it opens."""
        if name == "today":
            self._close_down_to_today()
            return
        entry = SCREENS[name]
        screen_class = entry.load()
        if isinstance(self.screen, screen_class) and not entry.nests:
            return
        screen = screen_class(*arguments, **options)
        if entry.above or len(self.screen_stack) == 1:
            self.push_screen(screen)
        else:
            self.switch_screen(screen)

    def back(self) -> None:
        """Close the open screen, unless it is Today."""
        if len(self.screen_stack) > 1:
            self.pop_screen()

    def _close_down_to_today(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def action_go(self, name: str) -> None:
        """Open a screen that needs no arguments."""
        self.go(name)

    async def action_shortcut(self, name: str) -> None:
        """Run the action of a key that works wherever a screen allows it (`Scope.GO`)."""
        await self.run_action(action(name).call)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Switch off the keys of `Scope.GO` where the open screen has them mean nothing."""
        if action == "shortcut":
            return isinstance(self.screen, StudyScreen) and self.screen.GLOBAL_KEYS
        return super().check_action(action, parameters)

    def action_command_palette(self) -> None:
        """Show everything that can be done here, by name."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="what do you want to do?"))

    def action_help(self) -> None:
        """Show all keys, those of the open screen first."""
        self.go("help", self.screen.SCOPE if isinstance(self.screen, StudyScreen) else Scope.TODAY)

    async def action_next_theme(self) -> None:
        """The next of the three looks, kept for the next start."""
        looks = list(Look)
        look = looks[(looks.index(self.look) + 1) % len(looks)]
        self.set_look(look)
        await self.database.run_with_profile(
            lambda profile: profile.change_setting("theme", look.value)
        )
        remember_look(self.home.root, look)

    def set_look(self, look: Look) -> None:
        """Draw everything in these colours from now on."""
        self.look = look
        self.theme = look.theme
        for screen in self.screen_stack:
            if isinstance(screen, StudyScreen):
                screen.draw()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: everything that can be done on this screen, and every screen to go to."""
        scopes: set[str] = {Scope.EVERYWHERE, Scope.FIND, Scope.GO}
        if isinstance(screen, StudyScreen):
            scopes.add(screen.SCOPE)
        # A screen may do in its own way what a key does everywhere; it is listed once.
        offered = {(each.title, each.keys): each for each in actions_of(*scopes)}
        for each in offered.values():
            explained = f"   {each.help}" if each.help.rstrip(".") != each.title else ""
            yield SystemCommand(each.title, f"{each.shown_key}{explained}", self._call(each))

    def _call(self, action: Action) -> Callable[[], object]:
        def run() -> None:
            self.call_later(self.run_action, action.call, self.screen)

        return run

    async def open_home(self) -> None:
        """Wait until the home is open; the colours that the learner has set hold from then on."""
        await self.database.open()
        if self._follow_setting:
            self.adopt_theme(
                await self.database.run_with_profile(lambda profile: profile.settings.theme)
            )

    async def sync_folder(self) -> bool:
        """Sync with the folder of the setting; return whether anything here changed by that.

        Raises InputError and StoreError where the folder cannot be used.
        """
        return await self.database.run_with_profile(_sync)

    def adopt_theme(self, setting: str) -> None:
        """Draw in the colours that the setting `theme` says, and keep a copy for the next start."""
        chosen = Look(setting) if setting in set(Look) else None
        if chosen is None:
            forget_look(self.home.root)
        elif chosen is not recall_look(self.home.root):
            remember_look(self.home.root, chosen)
        look = choose_look(os.environ, chosen)
        if look is not self.look:
            self.set_look(look)

    async def edit_text(self, text: str) -> str:
        """Return `text` as the learner's own editor left it. Raises InputError if that failed."""
        from studyattn.tui import external_editor  # late: the first frame does without it

        launch = self._launcher or external_editor.launch
        return external_editor.edit(self, text, await self._editor_command(), launch)

    async def edit_file(self, path: Path) -> None:
        """Open a file in the learner's own editor. Raises InputError if that failed."""
        from studyattn.tui import external_editor  # late, as above

        launch = self._launcher or external_editor.launch
        launch(self, [*await self._editor_command(), str(path)])

    async def _editor_command(self) -> list[str]:
        from studyattn.tui import external_editor  # late, as above

        setting = await self.database.run_with_profile(lambda profile: profile.settings.editor)
        return external_editor.editor_command(setting, os.environ)

    async def settled(self) -> None:
        """Wait until no open screen has anything left to do."""
        for screen in self.screen_stack:
            if isinstance(screen, StudyScreen):
                await screen.settled()

    # What goes wrong.

    @property
    def error_log(self) -> Path:
        """The file that bugs are written to."""
        return self.home.root / "errors.log"

    def show_error(self, error: BaseException) -> None:
        """Tell what went wrong in a modal; a second one while it is open is only logged."""
        from studyattn.tui.dialogs.error import ErrorScreen  # late: the first frame has no error

        notice = self._describe(error)
        if not isinstance(self.screen, ErrorScreen):
            self.push_screen(ErrorScreen(notice))

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
            today.do(today.load)
        from studyattn.tui.dialogs.error import ErrorScreen  # late, as above

        self.push_screen(ErrorScreen(notice))


def make_app(
    home: Home,
    clock: Clock | None = None,
    look: Look | None = None,
    launcher: Launcher | None = None,
) -> StudyApp:
    """The app of this home. Reads one small file and the environment; opens nothing.

    A `look` that is given holds whatever the terminal and the setting say. The `launcher` starts
    the learner's editor; without one it takes over the terminal.
    """
    clock = clock or SystemClock()
    follow = look is None
    look = look or choose_look(os.environ, recall_look(home.root))
    return StudyApp(home, clock, look, follow_setting=follow, launcher=launcher)


def run(home: Home, clock: Clock | None = None) -> int:
    """Run the app until the learner quits; the exit status. Never ends in a traceback.

    Raises InputError when there is neither a terminal to run in nor another driver for Textual
    (`TEXTUAL_DRIVER`, which `textual serve` sets: its app talks to a browser through pipes).
    """
    streams = (sys.__stdin__, sys.__stderr__)
    in_terminal = all(stream is not None and stream.isatty() for stream in streams)
    if not in_terminal and constants.DRIVER is None:
        raise InputError(
            "the app needs a terminal",
            advice="`studyattn --help` lists the commands, which need none",
        )
    if hasattr(signal, "SIGHUP"):
        # The terminal is gone. The parent process may have had the signal ignored, and then an app
        # without a terminal would read its end for ever; every answer is committed, so just end.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    app = make_app(home, clock)
    app.run()
    if app.last_words is not None:
        print(app.last_words.line, file=sys.stderr)
    return app.return_code or 0


def _sync(profile: Profile) -> bool:
    place = profile.settings.sync_folder.strip()
    if not place:
        return False
    # Late: only those who have such a folder need it.
    from studyattn.exchange.sync import sync
    from studyattn.study.review.rebuild import refold

    report = sync(profile.database, Path(place).expanduser(), refold)
    profile.reload()
    return report.changed
