"""What a screen may ask of the app: the part of the app that screens know, and nothing more.

Screens and dialogs depend on this protocol, the app implements it, and so no screen imports the
app. Tests may implement it too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Protocol, cast

from textual.dom import DOMNode
from textual.notifications import SeverityLevel

from studyattn.home import Home
from studyattn.study.clock import Clock
from studyattn.tui.database_worker import DatabaseWorker

BESIDE: Final = "beside"
"""The group of workers that read beside a screen's queue, so that no key waits for them."""


class Services(Protocol):
    """The app, as screens see it."""

    home: Home
    clock: Clock
    database: DatabaseWorker
    theme_name: str
    """The theme in use, by its name in the setting."""

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

    def back(self) -> None:
        """Close the open screen, unless it is Today."""

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a message in a corner for `timeout` seconds, above whichever screen is open."""

    def show_error(self, error: BaseException) -> None:
        """Explain an error in a dialog; a bug is also written to the log."""

    async def edit_text(self, text: str) -> str:
        """Return `text` as the learner's own editor left it. Raises InputError if that failed."""

    async def edit_file(self, path: Path) -> None:
        """Open a file in the learner's own editor. Raises InputError if that failed."""


def services_of(node: DOMNode) -> Services:
    """Return the app of a screen or widget under the protocol."""
    return cast("Services", node.app)
