"""Textual's driver for a terminal, which also draws where errors go to a file."""

from __future__ import annotations

import sys

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Draws by standard output where standard error, which Textual draws by, is no terminal."""

    def start_application_mode(self) -> None:
        """Draw in the terminal."""
        if sys.__stdout__ is not None and not (sys.__stderr__ and sys.__stderr__.isatty()):
            # As standard error has it: nothing that cannot be encoded ends the app.
            sys.__stdout__.reconfigure(errors="backslashreplace")
            self._file = sys.__stdout__
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
