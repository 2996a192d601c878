"""The folder of the home in which the pictures and sounds of cards are (`text.media`)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def keep_medium(folder: Path, name: str, chunks: Iterable[bytes]) -> None:
    """Write a file into the folder unless it is there, whole or not at all. Raises OSError."""
    target = folder / name
    if target.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{name}.{os.getpid()}.part"
    try:
        with unfinished.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def carry_media(names: Iterable[str], source: Path, target: Path) -> None:
    """Copy files from one folder to another where it lacks them; others are passed over.

    Raises OSError.
    """
    for name in names:
        path = source / name
        if path.is_file() and not (target / name).exists():
            with path.open("rb") as file:
                keep_medium(target, name, iter(lambda: file.read(1024 * 1024), b""))


def carry_all_media(source: Path, target: Path) -> None:
    """Copy the files of one folder that another lacks. Raises OSError."""
    if source.is_dir():
        carry_media(
            (each.name for each in source.iterdir() if each.name[:1] != "."), source, target
        )
