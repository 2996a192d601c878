"""Textual's driver for a browser, for `studyattn serve`: a page may come back, a server may die.

Textual's own ends neither when nobody is left to talk to, nor can it draw everything once more.
"""

from __future__ import annotations

from textual import messages
from textual.drivers.web_driver import WebDriver

_ALTERNATE_SCREEN = "\x1b[?1049h\x1b[?25l"


class BrowserDriver(WebDriver):
    """Takes one message more, `attach`: another terminal shows this app from now on."""

    def run_input_thread(self) -> None:
        """Read until the server closes the pipe or has gone; then the app quits in order."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(messages.ExitApp())

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Carry out a message of the server."""
        if packet_type == "attach":
            self._app.call_later(self._draw_all)
            # Now, not in `_draw_all`: a size that is told next would be followed by this older one.
            super().on_meta("resize", payload)
        else:
            super().on_meta(packet_type, payload)

    async def _draw_all(self) -> None:
        self.write(_ALTERNATE_SCREEN)
        self._enable_mouse_support()
        self._enable_bracketed_paste()
        self._app.call_later(self._app.refresh, layout=True)
