"""The learner's file of a drill: read as any editor left it, written so that nothing gets lost.

The file on disk is the truth. Another program may replace, delete or lock it at any moment, so each
read looks again, and each write goes to a file of its own that then takes the old one's place.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from studyattn.disk import reason, replace_file
from studyattn.errors import InputError, NotFoundError
from studyattn.study.practice.drill_views import FileState

if TYPE_CHECKING:
    from studyattn.packs.model import DrillBrief


class DrillFile(NamedTuple):
    """One file, which may be there or not."""

    path: Path

    @property
    def state(self) -> FileState:
        """Its state on disk now."""
        if self.path.is_dir():
            return FileState.FOLDER
        try:
            with self.path.open("rb"):
                return FileState.READY
        except FileNotFoundError:
            return FileState.MISSING
        except OSError:
            return FileState.UNREADABLE

    def read(self) -> bytes:
        """Return its bytes. Raises NotFoundError or InputError, which say what to do."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            raise NotFoundError(
                "there is no such file",
                where=str(self.path),
                advice=(
                    "Save it again, or restore an earlier version. Every graded version is kept."
                ),
            ) from None
        except IsADirectoryError:
            raise InputError(
                "this is a folder, but a drill is a single file",
                where=str(self.path),
                advice=(
                    "Move the folder away, then restore a version. Every graded version is kept."
                ),
            ) from None
        except OSError as error:
            raise InputError(
                f"it cannot be read ({error.strerror})",
                where=str(self.path),
                advice="Check its permissions.",
            ) from error

    def text(self) -> str | None:
        """Return its text; None if it cannot be read."""
        try:
            return decoded(self.read())
        except InputError:
            return None

    def write(self, text: str) -> None:
        """Replace its text, all of it or nothing. Raises InputError if that cannot be done."""
        try:
            replace_file(self.path, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise self._unwritable(error) from error

    def put_aside(self) -> int:
        """Keep a copy under the next free number, `ID.1.py`, and return that number.

        Raises InputError if it cannot be read or the copy cannot be written.
        """
        source = self.read()
        for number in count(1):
            try:
                with self.numbered(number).open("xb") as file:
                    file.write(source)
                    return number
            except FileExistsError:
                continue
            except OSError as error:
                raise self._unwritable(error) from error
        raise AssertionError  # numbers do not end

    def numbered(self, number: int) -> Path:
        """Return the path of an earlier file."""
        return self.path.with_name(f"{self.path.stem}.{number}{self.path.suffix}")

    def _unwritable(self, error: OSError) -> InputError:
        if isinstance(error, IsADirectoryError):
            return InputError(
                "this is a folder, but a drill is a single file",
                where=str(self.path),
                advice="Move the folder away and try again. Nothing was changed.",
            )
        return InputError(
            f"it cannot be written ({reason(error, self.path.parent)})",
            where=str(self.path),
            advice="Nothing was changed. Make the folder writable and try again.",
        )


def notebook_of(brief: DrillBrief, backend: str) -> str:
    """Return a Jupyter notebook (format 4.5) with the task and a cell that is graded when run."""
    cells = [
        ("markdown", f"# {brief.title}\n\n{brief.text_in(backend)}"),
        ("code", "%load_ext studyattn"),
        ("code", f"%%drill {brief.id}\n{brief.starter_code(backend)}"),
    ]
    code: dict[str, object] = {"execution_count": None, "outputs": []}
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [
                {"id": f"{number}", "cell_type": kind, "metadata": {}, "source": text}
                | (code if kind == "code" else {})
                for number, (kind, text) in enumerate(cells)
            ],
        },
        ensure_ascii=False,
        indent=1,
    )


def decoded(source: bytes) -> str:
    """Return the text of a submission; bytes that are not UTF-8 survive a later `write`."""
    return source.decode("utf-8", "surrogateescape")
