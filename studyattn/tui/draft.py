"""Drafts: what is written and not saved, kept in a file beside the app.

Whatever ends the app, a terminal that is closed or a machine that stops, the text is there when it
is opened again. When to write and when to offer it is the screen's to say.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsaved text for `file`. Where no file can be written there is none; saving tells why."""

    file: Path

    @property
    def path(self) -> Path:
        """A hidden file in the same folder."""
        return self.file.with_name(f".{self.file.name}.unsaved")

    def keep(self, text: str | None) -> None:
        """Let it be `text`, all of it or what it was before; None: everything is saved."""
        with contextlib.suppress(OSError):
            if text is None:
                self.path.unlink(missing_ok=True)
                return
            written = self.path.with_suffix(".writing")
            written.write_bytes(text.encode("utf-8", "replace"))
            written.replace(self.path)

    @property
    def is_overtaken(self) -> bool:
        """True if the file was written after the draft."""
        try:
            return self.file.stat().st_mtime_ns > self.path.stat().st_mtime_ns
        except OSError:
            return False

    def recall(self) -> str | None:
        """Return what an app that was killed left behind; None if there is nothing."""
        try:
            return self.path.read_bytes().decode("utf-8", "replace")
        except OSError:
            return None
