"""Names that a shell completes while somebody types: read at once, and never a failure.

A home that is not there, was made by another version or cannot be read has no names; nothing is
created, migrated or backed up. A database on a server is not asked.
"""

from __future__ import annotations

from studyattn.home import Home
from studyattn.packs.locate import drill_titles
from studyattn.store.queries.concepts import titles_at_once


def concepts_beginning(home: Home, begun: str) -> dict[str, str]:
    """Return the titles of the concepts whose slug begins so, by slug."""
    return _beginning(titles_at_once(home), begun)


def drills_beginning(home: Home, begun: str) -> dict[str, str]:
    """Return the titles of the drills whose id begins so, by id."""
    try:
        return _beginning(drill_titles(home), begun)
    except OSError:
        return {}


def _beginning(titles: dict[str, str], begun: str) -> dict[str, str]:
    return {name: title for name, title in titles.items() if name.startswith(begun)}
