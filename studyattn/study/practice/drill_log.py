"""What practising a drill leaves behind: attempts with their code, hints and solutions looked at.

Rows are only added. All that belongs to a drill since it was last rated is its present *series*;
taking the rating back makes the series present again. `drilling` is how a learner works on it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, select

from studyattn.errors import InputError, NotFoundError
from studyattn.grading.verdict import Report
from studyattn.memory import effective_reviews
from studyattn.store.models import AttemptRow, PracticeStepRow
from studyattn.study.clock import Moment
from studyattn.study.practice.drill_file import storable
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.uuids import new_uuid

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.packs.model import DrillBrief


LONGEST_PAUSE = timedelta(minutes=30)
"""Whoever did nothing for longer was away."""


class EntryKind(StrEnum):
    """What a row of practice says."""

    ATTEMPT = "attempt"
    BEGAN = "began"  # a series; `number` is that of the file put aside, 0 for none
    HINT = "hint"  # `number` counts from 1
    REVEALED = "revealed"  # the solution was looked at
    KEPT = "kept"  # what the file said before something took its place
    LEFT = "left"  # the learner went away


@dataclass(frozen=True, slots=True)
class PracticeEntry:
    """One row of practice: an attempt or anything else that was done."""

    kind: EntryKind
    uuid: str
    at: datetime
    learner_day: date
    seconds: float  # of work since the row before
    number: int = 0
    code: str = ""
    verdict: str | None = None  # of an attempt
    report: Mapping[str, Any] = field(default_factory=dict)
    hints: int = 0
    revealed: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """UUIDs grow in the order in which they were made, so rows of one instant keep theirs."""
        return self.at, self.uuid


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


def drill_guid(pack: str, drill: str) -> str:
    """The guid under which a pack's drill is scheduled."""
    return f"{pack}:drill/{drill}"


def find_drill(home: Home, identifier: str) -> FoundDrill:
    """The drill with this id. Raises NotFoundError when no installed pack has it."""
    from studyattn.packs.briefs import read_brief
    from studyattn.packs.locate import installed_packs

    for folder in installed_packs(home):
        file = folder / "drills" / identifier / "brief.md"
        if identifier == Path(identifier).name and file.is_file():
            pack = str(tomllib.loads((folder / "pack.toml").read_text("utf-8"))["id"])
            brief, _ = read_brief(file.read_text("utf-8"), file)
            return FoundDrill(drill_guid(pack, identifier), pack, brief)
    raise NotFoundError(
        f"there is no drill {identifier!r}", advice="`studyattn drill list` shows all of them."
    )


def checked_backend(brief: DrillBrief, given: str | None) -> str:
    """`given`, or the first of the drill's backends that is installed, or the first of all.

    Raises InputError when the drill cannot be done in `given`.
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
    """As `checked_backend`. Raises InputError also when the library is not installed."""
    backend = checked_backend(brief, given)
    if not is_installed(backend):
        others = [each for each in brief.backends if is_installed(each)]
        instead = f", or use --backend {others[0]}" if others else ""
        raise InputError(
            f"{backend} is not installed, and the drill {brief.id!r} is to be written in it",
            advice=f"Install it with `pip install {backend}`{instead}.",
        )
    return backend


def is_installed(backend: str) -> bool:
    """Whether Python finds the library. Only looks for it: importing torch takes seconds."""
    try:
        return find_spec(backend) is not None
    except ImportError:  # an import hook may refuse a name
        return False


def list_drills(profile: Profile) -> list[DrillLine]:
    """Every drill of the installed packs, in the order of the packs' paths."""
    from studyattn.packs.locate import installed_packs
    from studyattn.packs.read import load_pack

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


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def add_attempt(
    connection: Connection,
    profile: Profile,
    guid: str,
    code: str,
    report: Report,
    *,
    seconds: float = 0.0,
) -> str:
    """Keep an attempt with the hints of its series; its UUID.

    It counts as made with the solution when that was looked at in this series or on this learner
    day.
    """
    moment = profile.moment()
    series = read_series(connection, guid)
    row = _row(profile, guid, moment, seconds)
    connection.execute(
        insert(AttemptRow).values(
            **row,
            code=storable(code),
            backend=report.backend,
            device=report.device,
            verdict=report.verdict.value,
            report=report.to_json(),
            hints=hints_seen(series),
            revealed=_revealed(connection, guid, series, profile.day_of(moment)),
        )
    )
    return str(row["uuid"])


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
    """Write down something that was done besides handing in an attempt."""
    row = _row(profile, guid, profile.moment(), seconds)
    kept = None if code is None else storable(code)
    connection.execute(
        insert(PracticeStepRow).values(**row, kind=kind.value, number=number, code=kept)
    )


def _row(profile: Profile, guid: str, at: Moment, seconds: float) -> dict[str, Any]:
    return {
        "uuid": new_uuid(profile.clock.now()),
        "item_guid": guid,
        "at": at.at,
        "utc_offset": at.utc_offset,
        "learner_day": profile.day_of(at),
        "seconds": max(0.0, seconds),
    }


def _revealed(
    connection: Connection, guid: str, series: Sequence[PracticeEntry], today: date
) -> bool:
    if any(each.kind is EntryKind.REVEALED for each in series):
        return True
    looked = select(PracticeStepRow.id).where(
        PracticeStepRow.item_guid == guid,
        PracticeStepRow.kind == EntryKind.REVEALED.value,
        PracticeStepRow.learner_day == today,
    )
    return connection.execute(looked.limit(1)).first() is not None


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read_practice(connection: Connection, guid: str) -> list[PracticeEntry]:
    """All rows of a drill, oldest first."""
    return sorted((*_attempts(connection, guid), *_steps(connection, guid)), key=_by_order)


def read_series(connection: Connection, guid: str) -> list[PracticeEntry]:
    """The rows since the drill was last rated, oldest first."""
    return present_series(connection, guid, read_practice(connection, guid))


def present_series(
    connection: Connection, guid: str, entries: Sequence[PracticeEntry]
) -> list[PracticeEntry]:
    """Of all `entries` of a drill those since it was last rated."""
    ratings = effective_reviews(log_of(connection, guid))
    if not ratings:
        return list(entries)
    last = (ratings[-1].at, ratings[-1].uuid)
    return [each for each in entries if each.order > last]


def worked(elapsed: timedelta) -> float:
    """Seconds of work in the time between two rows."""
    return min(max(elapsed, timedelta(0)), LONGEST_PAUSE).total_seconds()


def worked_since(series: Sequence[PracticeEntry], now: datetime) -> float:
    """Seconds of work since the last row of a series; none after the learner had left."""
    if not series or series[-1].kind is EntryKind.LEFT:
        return 0.0
    return worked(now - series[-1].at)


def hints_seen(series: Sequence[PracticeEntry]) -> int:
    """How many hints were revealed in a series."""
    return max((each.number for each in series if each.kind is EntryKind.HINT), default=0)


def _by_order(entry: PracticeEntry) -> tuple[datetime, str]:
    return entry.order


def _attempts(connection: Connection, guid: str) -> Iterator[PracticeEntry]:
    rows = connection.execute(
        select(
            AttemptRow.uuid,
            AttemptRow.at,
            AttemptRow.learner_day,
            AttemptRow.seconds,
            AttemptRow.code,
            AttemptRow.verdict,
            AttemptRow.report,
            AttemptRow.hints,
            AttemptRow.revealed,
        ).where(AttemptRow.item_guid == guid)
    )
    for row in rows:
        yield PracticeEntry(
            kind=EntryKind.ATTEMPT,
            uuid=row.uuid,
            at=row.at,
            learner_day=row.learner_day,
            seconds=row.seconds,
            code=row.code,
            verdict=row.verdict,
            report=row.report,
            hints=row.hints,
            revealed=row.revealed,
        )


def _steps(connection: Connection, guid: str) -> Iterator[PracticeEntry]:
    rows = connection.execute(
        select(
            PracticeStepRow.uuid,
            PracticeStepRow.at,
            PracticeStepRow.learner_day,
            PracticeStepRow.seconds,
            PracticeStepRow.kind,
            PracticeStepRow.number,
            PracticeStepRow.code,
        ).where(PracticeStepRow.item_guid == guid)
    )
    for row in rows:
        yield PracticeEntry(
            kind=EntryKind(row.kind),
            uuid=row.uuid,
            at=row.at,
            learner_day=row.learner_day,
            seconds=row.seconds,
            number=row.number,
            code=row.code or "",
        )


def drill_states(connection: Connection) -> dict[str, str]:
    """The state of each drill that was ever practised: the best that stands on its own."""
    looked = select(PracticeStepRow.item_guid).where(
        PracticeStepRow.kind == EntryKind.REVEALED.value
    )
    states = dict.fromkeys(connection.scalars(looked), "revealed")
    rows = connection.execute(
        select(AttemptRow.item_guid, AttemptRow.verdict, AttemptRow.revealed).order_by(
            AttemptRow.id
        )
    )
    for guid, verdict, revealed in rows:
        if verdict == "passed" and not revealed:
            states[guid] = "passed"
        elif states.get(guid) != "passed":
            states[guid] = "revealed" if revealed else states.get(guid, "tried")
    return states
