"""The part that screens share on which the answer to a card may be typed."""

from __future__ import annotations

from abc import abstractmethod

from textual.widgets import Input

from studyattn.tui.screens.base import StudyScreen


class AnsweringScreen(StudyScreen):
    """A screen with a card, `#card`, and a line to type its answer in, `#typed`.

    While the line has the focus, keys are typed; escape leaves it, and enter reveals the answer.
    """

    @property
    def _typing(self) -> bool:
        return self.query_one("#typed", Input).has_focus

    @abstractmethod
    async def _reveal(self) -> None:
        """Show the answer beside what was typed."""

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    def on_descendant_blur(self) -> None:
        self.refresh_hints()

    def on_input_submitted(self) -> None:
        self.do(self._reveal)

    def action_back(self) -> None:
        if self._typing:
            self.query_one("#card").focus()
        else:
            super().action_back()
