"""Writing an export to where the learner wants it: the whole file, or the old one as it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from studyattn.disk import reason
from studyattn.errors import InputError


def file_named(given: str) -> Path:
    """Return the path of the file to write, as it was typed.

    Raises InputError when a slash at its end says that it is a folder, which a path no longer does.
    """
    path = Path(given).expanduser()
    if given.endswith(("/", os.sep)):
        raise _is_folder(given)
    return path


def save_text(path: Path, text: str) -> None:
    """Write a text in UTF-8. Raises InputError when it cannot be written."""
    save(path, lambda unfinished: unfinished.write_bytes(text.encode()))


def save(path: Path, write: Callable[[Path], object]) -> None:
    """Have `write` write a file beside `path`, then give it that name in one step.

    What a link points to is replaced, not the link; a pipe or a device is written into. Raises
    InputError when it cannot be written.
    """
    target = _target(path)
    if is_stream(target):
        _pass_on(target, path, write)
        return
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write(unfinished)
        unfinished.replace(target)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    finally:
        with suppress(OSError, ValueError):  # a path through a file has no place for it either
            unfinished.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return the path that is really written to. Raises InputError for what can be no file."""
    try:
        target = path.expanduser()
        if target.is_dir():
            raise _is_folder(str(path))
        return target if is_stream(target) else target.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise _unwritable(path, error) from error


def _is_folder(named: str) -> InputError:
    return InputError("this is a folder", where=named, advice="Name a file in it")


def is_stream(target: Path) -> bool:
    """Return whether a path is a pipe or a device, which nothing may take the place of."""
    return target.exists() and not target.is_file()


def _pass_on(target: Path, path: Path, write: Callable[[Path], object]) -> None:
    """Have the file written elsewhere, whole, then send it into a pipe or a device."""
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        try:
            write(whole)
            with whole.open("rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        except OSError as error:
            raise _unwritable(path, error) from error


def _unwritable(path: Path, error: Exception) -> InputError:
    why = reason(error, path.parent) if isinstance(error, OSError) else str(error)
    return InputError(
        f"it cannot be written ({why})",
        where=str(path),
        advice="Choose another place",
    )
