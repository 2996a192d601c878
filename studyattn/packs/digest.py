"""The digest by which a start knows, without reading a pack's Markdown, that it did not change."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

FORMAT: Final = 2
"""Goes up when other things are kept of the same files, so that every pack is taken over anew."""

_PATTERNS: Final = ("pack.toml", "concepts/*.md", "drills/*/brief.md", "bugs/*.md")


def pack_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of all files that reach the database."""
    total = hashlib.sha256(f"format {FORMAT}".encode())
    for pattern in _PATTERNS:
        for file in sorted(folder.glob(pattern)):
            total.update(f"\0{file.relative_to(folder).as_posix()}\0".encode())
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
