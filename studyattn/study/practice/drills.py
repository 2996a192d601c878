"""The drills of the installed packs: found by their ids, listed, and the library of each.

`drill_session` is how a learner works on one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from studyattn.errors import InputError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.home import Home
from studyattn.memory.state import drill_guid
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import DrillBrief
from studyattn.packs.read import load_pack
from studyattn.store.queries.practice import drill_states
from studyattn.store.queries.settings import kept_drills
from studyattn.study.profile import Profile
from studyattn.study.review.steps import read_progress


class DrillLine(NamedTuple):
    """A drill in the list. `state` is `new`, `tried`, `passed` or `revealed`.

    `step` is the next one of a long drill that was begun: `3/5 weigh the keys`.
    """

    id: str
    title: str
    concept: str
    level: int
    state: str
    step: str = ""


class FoundDrill(NamedTuple):
    """A drill of an installed pack."""

    guid: str
    pack: str
    brief: DrillBrief


def find_drill(home: Home, identifier: str) -> FoundDrill:
    """Return the drill with this id. Raises NotFoundError if no installed pack has it."""
    for folder in installed_packs(home):
        file = folder / "drills" / identifier / "brief.md"
        if identifier == Path(identifier).name and file.is_file():
            pack = str(tomllib.loads((folder / "pack.toml").read_text("utf-8"))["id"])
            brief, _ = read_brief(file.read_text("utf-8"), file)
            return FoundDrill(drill_guid(pack, identifier), pack, brief)
    raise NotFoundError(
        f"there is no drill {identifier!r}", advice="`studyattn drill list` lists them."
    )


def checked_backend(brief: DrillBrief, given: str | None) -> str:
    """Return `given`, or the first of the drill's backends that is installed, or the first of all.

    Raises InputError if the drill cannot be done in `given`.
    """
    installed = (each for each in brief.backends if is_installed(each))
    backend = given or next(installed, brief.backends[0])
    if backend not in brief.backends:
        raise InputError(
            f"the drill {brief.id!r} cannot be done in {backend}",
            advice=f"Use --backend {brief.backends[0]}.",
        )
    return str(backend)


def installed_backend(brief: DrillBrief, given: str | None) -> str:
    """Do as `checked_backend`, and raise InputError also if the library is not installed."""
    backend = checked_backend(brief, given)
    if not is_installed(backend):
        others = [each for each in brief.backends if is_installed(each)]
        instead = f" Or use --backend {others[0]}." if others else ""
        raise InputError(
            f"{backend} is not installed, but the drill {brief.id!r} requires it",
            advice=f"{how_to_install(backend)}{instead}",
        )
    return backend


def list_drills(profile: Profile) -> list[DrillLine]:
    """Return every drill of the installed packs, in the order of the packs' paths."""
    with profile.database.read() as connection:
        states = drill_states(connection)
        steps = read_progress(connection, kept_drills(connection), profile.today())
    lines = []
    for folder in installed_packs(profile.home):
        pack = load_pack(folder)
        path = list(pack.concepts)
        for brief in sorted(
            pack.drills.values(),
            key=lambda each: path.index(each.concept) if each.concept in path else len(path),
        ):
            guid = drill_guid(pack.id, brief.id)
            known = brief.id, brief.title, brief.concept, brief.level, states.get(guid, "new")
            begun = guid in steps and steps[guid].now
            lines.append(DrillLine(*known, steps[guid].next if begun else ""))
    return lines
