"""The pictures and sounds that a card's Markdown names. Pure.

A card names a picture as `![words](media/NAME)`, a sound as `[words](media/NAME)`. NAME ends with a
digest of the content, so the same file has one name everywhere, and two files never share one.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import Final

PREFIX: Final = "media/"
"""Begins the address of a file in the home's folder of media."""
_NAMED: Final = re.compile(r"\]\(media/([A-Za-z0-9][A-Za-z0-9._-]*)\)")
_DIGITS: Final = 12  # of the digest in a name
_LONGEST: Final = 60  # characters of the name that it came with
_PICTURES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".bmp": "image/bmp",
    ".avif": "image/avif",
}


def media_name(name: str, digest: str) -> str:
    """Return the name under which a file that was called `name` is kept; `digest` is of SHA-1."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem, dot, suffix = re.sub(r"[^A-Za-z0-9.]+", "-", plain).rpartition(".")
    if not dot or not re.fullmatch(r"[A-Za-z0-9]{1,8}", suffix):
        stem, suffix = f"{stem}{dot}{suffix}", ""
    suffix = f".{suffix.lower()}" if suffix else ""
    stem = stem.replace(".", "-").strip("-")
    ending = digest[:_DIGITS]
    stem = stem.removesuffix(ending).rstrip("-")[:_LONGEST]
    return f"{stem}-{ending}{suffix}" if stem else f"{ending}{suffix}"


def named_media(*texts: str) -> tuple[str, ...]:
    """Return the names of the files that Markdown texts name, each once and in order."""
    found = (name for text in texts if PREFIX in text for name in _NAMED.findall(text))
    return tuple(dict.fromkeys(found))


def picture_type(name: str) -> str | None:
    """Return the media type of a picture, by its name; None for a sound or a film."""
    return _PICTURES.get(PurePath(name).suffix.lower())
