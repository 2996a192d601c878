"""The services of the app to a screen, and the screens by name: a screen imports no other.

Screens and dialogs depend on the protocol, and the app implements it. Screens open one another
through `Services.go("concept", slug)`, and a module is imported when its screen is opened for the
first time. A new screen takes a line in `screens.txt`, actions in `actions.txt`, and its module.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast

from textual.dom import DOMNode
from textual.screen import Screen

from studyattn.home import Home
from studyattn.study.clock import Clock
from studyattn.tui.actions import ACTIONS, Action
from studyattn.tui.database_worker import DatabaseWorker

BESIDE: Final = "beside"
"""The group of workers that read beside a screen's queue, so that no key waits for them."""


class Services(Protocol):
    """The app, as screens see it."""

    home: Home
    clock: Clock
    database: DatabaseWorker
    theme_name: str  # the theme in use, by its name in the setting

    async def open_home(self) -> None:
        """Open the database and adopt the learner's theme. Raises what opening raises."""

    async def sync_folder(self) -> bool:
        """Sync with the folder of the setting; return whether that changed anything here.

        Raises InputError and StoreError where the folder cannot be used.
        """

    def adopt_theme(self, setting: str) -> None:
        """Use the colours that the setting `theme` names, and remember them for the next start."""

    async def keep_theme(self, name: str) -> None:
        """Draw in the colours of a theme, and keep the choice in the setting."""

    def show_theme(self, name: str) -> None:
        """Draw in the colours of a theme until another one is shown; keeps nothing."""

    def prepare_pictures(self, *, again: bool = False) -> None:
        """Find out, once, how the terminal draws pictures, then draw them so.

        `again`: what was found out before no longer holds.
        """

    def go(self, name: str, *arguments: Any, **options: Any) -> None:
        """Open the screen registered under `name`; the arguments are those of its class."""

    def run_command(self, command: str) -> None:
        """Open the screen for a command of this program, or say it where there is none.

        `studyattn gpt train` has the screen `gpt-train`, or else `gpt`.
        """

    def back(self) -> None:
        """Close the open screen, unless it is Today."""

    def show_error(self, error: BaseException) -> None:
        """Explain an error in a dialog; a bug is also written to the log."""

    async def edit_text(self, text: str) -> str:
        """Return `text` as the learner's own editor left it. Raises InputError if that failed."""

    async def edit_file(self, path: Path) -> None:
        """Open a file in the learner's own editor. Raises InputError if that failed."""


def services_of(node: DOMNode) -> Services:
    """Return the app of a screen or widget under the protocol."""
    return cast("Services", node.app)


@dataclass(frozen=True, slots=True)
class ScreenEntry:
    """One screen."""

    name: str
    where: str  # `module:Class`, imported on first use
    above: bool = False
    """Opens above the open screen, to come back to it; otherwise in its place, above Today."""
    nests: bool = False  # may open above another one of its class

    def load(self) -> type[Screen[Any]]:
        module, _, name = self.where.partition(":")
        return cast("type[Screen[Any]]", getattr(import_module(module), name))


_LISTED: Final = Path(__file__).with_name("screens.txt")
SCREENS: dict[str, ScreenEntry] = {
    name: ScreenEntry(
        name, f"studyattn.tui.screens.{where}", above="above" in how, nests="nests" in how
    )
    for name, where, *how in map(str.split, _LISTED.read_text("utf-8").splitlines()[1:])
}


def register(entry: ScreenEntry, *actions: Action) -> None:
    """Add a screen and its actions: its own, and one with the scope `GO` to open it.

    An app that is made afterwards binds their keys and lists them in the palette and in help.
    """
    SCREENS[entry.name] = entry
    ACTIONS.extend(actions)
