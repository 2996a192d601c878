"""Writing an export to where the learner wants it: the whole file, or the old one as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from studyattn.errors import InputError


def save_text(path: Path, text: str) -> None:
    """Write a text in UTF-8. Raises InputError when it cannot be written."""
    save(path, lambda unfinished: unfinished.write_bytes(text.encode()))


def save(path: Path, write: Callable[[Path], object]) -> None:
    """Have `write` write a file beside `path`, then give it that name in one step.

    Raises InputError when it cannot be written.
    """
    target = path.expanduser()
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write(unfinished)
        unfinished.replace(target)
    except OSError as error:
        raise InputError(
            f"it cannot be written ({error.strerror})",
            where=str(path),
            advice="Choose another place with -o",
        ) from error
    finally:
        with suppress(OSError):  # a path through a file has no place for it either
            unfinished.unlink(missing_ok=True)
