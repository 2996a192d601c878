"""Take the installed packs whose files changed into the learner's database.

Each start asks, so what reads a pack's Markdown is loaded only when a pack changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import PackError
from studyattn.packs.locate import digest_with, installed_packs, pack_digest, place_of, share_of
from studyattn.store.database import Database
from studyattn.store.queries.settings import WrittenPack, written_packs

if TYPE_CHECKING:
    from studyattn.packs.model import Pack
    from studyattn.packs.sync import Synced


@dataclass(frozen=True, slots=True)
class PackSyncReport:
    """The packs that were synced, and those that could not be read, whose items are unchanged."""

    synced: tuple[Synced, ...]
    problems: tuple[PackError, ...]


def sync_installed(
    database: Database, at: datetime, order: str = "", goal: str = ""
) -> PackSyncReport:
    """Sync every installed pack that changed, and retire the packs that are gone.

    `order` is the setting `packs`: which packs are taught first, and which are put aside. `goal` is
    the one whose concepts come first in a pack.
    """
    with database.read() as connection:
        known = written_packs(connection)
    synced: list[Synced] = []
    problems: list[PackError] = []
    present: dict[str, Path] = {}
    for folder in installed_packs(database.home):
        try:
            name, pack = _changed(folder, known, order, goal)
            if name in present:
                problems.append(_second(name, folder, present[name]))
                continue
            present[name] = folder
            if pack is not None:
                from studyattn.packs.sync import sync_pack

                place = place_of(name, order, pack.after)
                share = share_of(name, order)
                synced.append(sync_pack(database, pack, at, place, share))
        except PackError as error:
            problems.append(error)
    if not problems:  # a pack that cannot be read is not a pack that is gone
        for name in known:
            if name not in present:
                from studyattn.packs.sync import Synced
                from studyattn.store.queries import pack_rows

                with database.write() as connection:
                    retired = pack_rows.retire_pack(connection, name)
                    pack_rows.forget_pack(connection, name)
                synced.append(Synced(name, retired=retired))
    return PackSyncReport(tuple(synced), tuple(problems))


def _changed(
    folder: Path, known: Mapping[str, WrittenPack], order: str, goal: str
) -> tuple[str, Pack | None]:
    """Return the id of the pack in `folder`, and the pack itself unless it was written so."""
    try:
        digest = pack_digest(folder)
    except OSError as error:
        raise PackError(
            f"cannot be read: {error.strerror}", where=str(error.filename or folder)
        ) from error
    same = (
        each
        for each, held in known.items()
        if held.digest == digest_with(digest, goal, share_of(each, order))
    )
    name = next(same, None)
    if name is not None and known[name].place == place_of(name, order, known[name].after):
        return name, None
    from studyattn.packs.read import load_pack

    pack = load_pack(folder)
    return pack.id, pack.toward(goal, share_of(pack.id, order))


def _second(name: str, folder: Path, first: Path) -> PackError:
    return PackError(
        f"a pack called {name!r} is at {first} already",
        where=str(folder),
        advice="Remove one of them, or give it another id",
    )
