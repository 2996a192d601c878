"""Find what ships with the program: packs, migrations, and the commit that it is made from.

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


def commit() -> str | None:
    """Return the first seven digits of the commit that this program is made from, if known.

    A wheel keeps it in a file. In a checkout git's files are read, since starting git takes longer
    than the rest of `--version`.
    """
    git = _PACKAGE.parent / ".git"
    try:
        if not git.is_dir():
            return (_PACKAGE / "commit.txt").read_text("ascii")[:7]
        head = (git / "HEAD").read_text("ascii").strip()
        name = head.removeprefix("ref: ")
        if name == head:
            return head[:7]
        if (git / name).exists():
            return (git / name).read_text("ascii")[:7]
        packed = (git / "packed-refs").read_text("ascii").splitlines()
        return next((line[:7] for line in packed if line.endswith(f" {name}")), None)
    except OSError:
        return None
