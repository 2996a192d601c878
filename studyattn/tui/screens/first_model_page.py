"""A page about what the first model wrote before and writes now, once it has written."""

from __future__ import annotations

from studyattn.study.practice.first_model import FirstModelText
from studyattn.tui.screens.reading import ReadingScreen
from studyattn.tui.widgets.first_model import FirstModelWriter


class FirstModelPage(ReadingScreen, global_keys=False):
    """One page that scrolls, drawn again when the model has written."""

    SCOPE = "After a drill"

    def __init__(self) -> None:
        super().__init__()
        self._writer = FirstModelWriter()
        self._model: FirstModelText | None = None

    async def load(self) -> None:
        if not self.is_loaded:
            self.ends.push_async_callback(self._writer.stop)
            self.run_worker(self._writer.write(self, self._show), exit_on_error=False)

    def _show(self, model: FirstModelText) -> None:
        if self.is_attached and self.is_told_by(model):
            self._model = model
            self.draw()

    def is_told_by(self, model: FirstModelText) -> bool:  # noqa: ARG002 - a subclass's argument
        """Tell whether the screen is about what this model wrote."""
        return True
