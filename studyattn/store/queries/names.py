"""The names of concepts alone, read without SQLAlchemy: a shell that completes a word waits."""

from __future__ import annotations

import sqlite3

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.store.quick import open_quickly


def titles_at_once(home: Home) -> dict[str, str]:
    """Return the title of each concept by its slug, in the order of the path.

    Nothing where that takes more than looking into the home's file as it is: no such file, one of
    another version, a damaged one, or a database on a server.
    """
    try:
        with open_quickly(home) as connection:
            return {} if connection is None else dict(connection.stream(_ALL))
    except (OSError, StoreError, sqlite3.Error):
        return {}


_ALL = """
SELECT slug, title FROM concept WHERE NOT retired
ORDER BY pack IS NULL, pack, position, id"""
