"""The words of a text without case and marks, and digests and slugs made of them. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container
from itertools import chain, count


def digest(*parts: str) -> str:
    """SHA-256 of texts, in hexadecimal."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def normalised(text: str) -> str:
    """The words alone: no case, no marks, no punctuation, one space between two."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+", folded)
    return " ".join(words) or folded.strip()


def slug_of(title: str, taken: Container[str] = ()) -> str:
    """A name for addresses and commands, that is not among `taken`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-")
    return unused(slug or f"concept-{digest(title)[:8]}", taken)


def unused(name: str, taken: Container[str]) -> str:
    """The name, with a number if it is taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
