"""Where the folders that ship with the program are: the built-in packs and the migrations.

In a checkout they stand beside the package; in an installed wheel they travel inside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / "_bundled" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def content_dir() -> Path:
    """The folder of built-in packs, one folder each."""
    return _folder("content")


def migrations_dir() -> Path:
    """Alembic's script location."""
    return _folder("migrations")
