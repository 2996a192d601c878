"""What dialogs share: what they may ask of the app, and the line that names their keys."""

from __future__ import annotations

from typing import TypeVar

from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from studyattn.tui.services import Services, services_of

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen whose widgets are in a container of the class `dialog` (`app.tcss`)."""

    @property
    def services(self) -> Services:
        """The app, as far as a dialog may ask something of it."""
        return services_of(self)

    def action_leave(self) -> None:
        self.dismiss(None)


def keys_line(*keys: tuple[str, str]) -> Static:
    """Return the last line of a dialog: what its keys do."""
    parts = (Content.assemble((key, "$accent bold"), " ", word) for key, word in keys)
    return Static(Content("   ").join(parts), classes="keys")
