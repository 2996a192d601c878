"""Write a path for a person: without detours, and from the home folder on.

Where a program goes on with a path, it uses the path itself; `shown` is for lines that are read.
"""

from __future__ import annotations

import os
from pathlib import Path


def tidy(path: Path) -> Path:
    """The path without `.`, `..` and doubled slashes, as long as it leads to the same place.

    Beyond a link `a/b/..` is not `a`; such a path stays as it is.
    """
    plain = Path(os.path.normpath(path))
    if ".." not in path.parts or _same(plain, path):
        return plain
    return path


def shown(path: Path | str) -> str:
    """The path as a person writes it: tidy, with `~` for their home folder."""
    plain = tidy(Path(path))
    try:
        home = Path.home()
    except RuntimeError:  # nobody's home is known
        return str(plain)
    if plain.is_relative_to(home) and home != Path(home.anchor):
        return str("~" / plain.relative_to(home))
    return str(plain)


def _same(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file; a missing file is placed by its folder."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        pass
    try:
        return one.name == other.name and one.parent.samefile(other.parent)
    except (OSError, ValueError):
        return False
