"""A modal that shows the colours of each theme while one chooses."""

from __future__ import annotations

from textual import on
from textual.widgets import OptionList

from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.theme import THEME_NAMES

_WORDS = {
    "dark": "dark",
    "light": "light",
    "terminal": "terminal: your terminal's own 16 colors",
}


class ThemeScreen(PickScreen):
    """Dismisses with the name of a theme; with None, and the colours of before, when it is left."""

    CSS_PATH = "picker.tcss"

    def __init__(self, now: str) -> None:
        super().__init__("Colors", {name: _WORDS.get(name, name) for name in THEME_NAMES}, now=now)
        self._before = now

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None and self.is_current:
            self.services.show_theme(event.option_id)

    def action_leave(self) -> None:
        self.services.show_theme(self._before)
        super().action_leave()
