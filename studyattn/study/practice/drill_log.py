"""Drills of the installed packs, and the log of practice: attempts, hints, solutions looked at.

Rows are only added; `study.rules.practice_series` says which of them belong to the present series.
`drill_session` is how a learner works on a drill.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import InputError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.grading.verdict import Report
from studyattn.memory import effective_reviews
from studyattn.memory.state import drill_guid
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.packs.read import load_pack
from studyattn.store.database import Connection
from studyattn.store.queries import practice as queries
from studyattn.study.practice.drill_file import storable
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.rules.practice_series import (
    EntryKind,
    PracticeEntry,
    has,
    hints_seen,
    present_series,
)
from studyattn.study.uuids import new_uuid

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.packs.model import DrillBrief


@dataclass(frozen=True, slots=True)
class DrillLine:
    """A drill in the list. `state` is `new`, `tried`, `passed` or `revealed`."""

    id: str
    title: str
    concept: str
    level: int
    state: str


@dataclass(frozen=True, slots=True)
class FoundDrill:
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
    lines = []
    for folder in installed_packs(profile.home):
        pack = load_pack(folder)
        path = list(pack.concepts)
        for brief in sorted(
            pack.drills.values(),
            key=lambda each: path.index(each.concept) if each.concept in path else len(path),
        ):
            state = states.get(drill_guid(pack.id, brief.id), "new")
            lines.append(DrillLine(brief.id, brief.title, brief.concept, brief.level, state))
    return lines


def drill_states(connection: Connection) -> dict[str, str]:
    """Return the best state of each drill that was ever practised: passed, revealed or tried.

    Passed means without the solution.
    """
    states = dict.fromkeys(queries.revealed_drills(connection), "revealed")
    for drill in queries.drill_summaries(connection):
        if drill.passed:
            states[drill.guid] = "passed"
        elif drill.revealed:
            states[drill.guid] = "revealed"
        else:
            states.setdefault(drill.guid, "tried")
    return states


# ── the log of one drill ─────────────────────────────────────────────────────────────────────────


def add_attempt(
    connection: Connection,
    profile: Profile,
    guid: str,
    code: str,
    report: Report,
    *,
    seconds: float = 0.0,
) -> str:
    """Record an attempt with the hints of its series and return its UUID.

    It counts as made with the solution if that was looked at in this series or on this learner
    day.
    """
    series = read_series(connection, guid)
    head = _head(profile, guid, seconds)
    revealed = has(series, EntryKind.REVEALED) or queries.was_revealed_on(
        connection, guid, head.learner_day
    )
    queries.insert_attempt(
        connection,
        head,
        code=storable(code),
        backend=report.backend,
        device=report.device,
        verdict=report.verdict.value,
        report=report.to_json(),
        hints=hints_seen(series),
        revealed=revealed,
    )
    return head.uuid


def add_step(
    connection: Connection,
    profile: Profile,
    guid: str,
    kind: EntryKind,
    *,
    number: int = 0,
    code: str | None = None,
    seconds: float = 0.0,
) -> None:
    """Record something that was done besides handing in an attempt."""
    queries.insert_step(
        connection,
        _head(profile, guid, seconds),
        kind=kind.value,
        number=number,
        code=None if code is None else storable(code),
    )


def _head(profile: Profile, guid: str, seconds: float) -> queries.PracticeHead:
    moment = profile.moment()
    return queries.PracticeHead(
        uuid=new_uuid(profile.clock.now()),
        item_guid=guid,
        at=moment.at,
        utc_offset=moment.utc_offset,
        learner_day=profile.day_of(moment),
        seconds=max(0.0, seconds),
    )


def read_practice(connection: Connection, guid: str) -> list[PracticeEntry]:
    """Return all entries of a drill, oldest first."""
    attempts = (
        PracticeEntry(kind=EntryKind.ATTEMPT, **each._asdict())
        for each in queries.attempts_at(connection, guid)
    )
    steps = (
        PracticeEntry(
            kind=EntryKind(each.kind),
            uuid=each.uuid,
            at=each.at,
            learner_day=each.learner_day,
            seconds=each.seconds,
            number=each.number,
            code=each.code or "",
        )
        for each in queries.steps_with(connection, guid)
    )
    return sorted((*attempts, *steps), key=lambda entry: entry.order)


def read_series(connection: Connection, guid: str) -> list[PracticeEntry]:
    """Return the entries since the drill was last rated, oldest first."""
    ratings = effective_reviews(log_of(connection, guid))
    return present_series(read_practice(connection, guid), ratings)
