"""Concepts and drills by the names that a learner gives them on the command line, and completes.

A completion is read at once, and never a failure: a home that is not there or cannot be read has
no names, and nothing is created, migrated or backed up.
"""

from __future__ import annotations

from collections.abc import Iterable

from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.packs.locate import drill_titles
from studyattn.store.queries.concepts import (
    StoredConcept,
    all_concepts,
    find_concept,
    titles_at_once,
)
from studyattn.study.profile import Profile
from studyattn.study.rules.naming import Named, meant


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


def concept_named(profile: Profile, name: str, *, joined: bool) -> str:
    """Return the slug of the concept that is called `name`: a slug, a title or their beginning.

    Where one concept was joined into another and both are called so, the other is meant; with
    `joined` the first. Raises NotFoundError, and InputError if several are called so.
    """
    with profile.database.read() as connection:
        try:
            return find_concept(connection, name).slug
        except NotFoundError:
            rows = all_concepts(connection)
    first = [row for row in rows if (row.joined_into_id is not None) == joined]
    try:
        return _concept(name, first)
    except NotFoundError:
        return _concept(name, rows)


def _concept(name: str, rows: Iterable[StoredConcept]) -> str:
    things = [Named(row.slug, row.title) for row in rows]
    return meant(name, things, what="concept", listing="studyattn concept list").key


def drill_named(home: Home, name: str) -> str:
    """Return the id of the drill that is called `name`: an id, a title or their beginning.

    Raises NotFoundError, and InputError if several are called so.
    """
    things = [Named(identifier, title) for identifier, title in drill_titles(home).items()]
    return meant(name, things, what="drill", listing="studyattn drill list").key
