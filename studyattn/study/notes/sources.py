"""The documents that a learner imported, to be listed, found and read."""

from __future__ import annotations

from studyattn.errors import InputError, NotFoundError
from studyattn.packs.corrections import with_corrections
from studyattn.packs.errata import installed_errata
from studyattn.store.database import Connection
from studyattn.store.queries import sources as queries
from studyattn.store.queries.sources import SourceHead, SourceText
from studyattn.study.profile import Profile

_SEARCH = "`studyattn search --kind source` lists them."


def list_sources(profile: Profile) -> list[SourceHead]:
    """Return every document, the last imported first."""
    with profile.database.read() as connection:
        return queries.all_sources(connection)


def show_source(profile: Profile, guid: str) -> SourceText:
    """Return one document with its text. Raises NotFoundError.

    What the errata contradict in it is followed by its correction.
    """
    with profile.database.read() as connection:
        source = queries.source_text(connection, guid)
    if source is None:
        raise NotFoundError(f"there is no source {guid!r}", advice=_SEARCH)
    errata = installed_errata(profile.home)
    return source._replace(text=with_corrections(source.text, errata))


def find_source(connection: Connection, name: str) -> SourceHead:
    """Return the source with this guid or, if only one has it, this title.

    Raises NotFoundError, or InputError if several sources have the title.
    """
    found = queries.sources_named(connection, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} sources are called {name!r}",
            advice="Name the guid: `studyattn search --kind source` shows it.",
        )
    raise NotFoundError(
        f"there is no source {name!r}",
        advice=_SEARCH if queries.has_sources(connection) else "Nothing was imported yet.",
    )
