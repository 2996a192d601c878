"""What practising a drill leaves behind: attempts with their code, and solutions looked at.

A look at the solution is a row among the attempts, with the verdict `revealed` and no code.
Attempts of the same drill on that learner day count as made with it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from studyattn.grading.verdict import Report
from studyattn.store.models import Attempt
from studyattn.study.clock import Moment
from studyattn.study.learner import Learner

REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class DrillLine:
    """A drill in the list. `state` is `new`, `tried`, `passed` or `revealed`."""

    id: str
    title: str
    concept: str
    level: int
    state: str


def drill_guid(pack: str, drill: str) -> str:
    """The guid under which a pack's drill is scheduled."""
    return f"{pack}:drill/{drill}"


def list_drills(learner: Learner) -> list[DrillLine]:
    """Every drill of the installed packs, in the order of the packs' paths."""
    from studyattn.packs.locate import installed_packs
    from studyattn.packs.read import load_pack

    with learner.database.read() as connection:
        states = _states(connection)
    lines = []
    for folder in installed_packs(learner.home):
        pack = load_pack(folder)
        path = list(pack.concepts)
        for brief in sorted(
            pack.drills.values(),
            key=lambda each: path.index(each.concept) if each.concept in path else len(path),
        ):
            state = states.get(drill_guid(pack.id, brief.id), "new")
            lines.append(DrillLine(brief.id, brief.title, brief.concept, brief.level, state))
    return lines


def record_attempt(
    learner: Learner, guid: str, code: str, report: Report, *, hints: int = 0
) -> bool:
    """Keep an attempt. Whether the solution had been looked at on the same learner day."""
    at = learner.moment()
    with learner.database.write() as connection:
        revealed = _revealed_today(connection, learner, guid, at)
        connection.execute(
            insert(Attempt).values(
                **_row(learner, guid, at),
                code=code,
                backend=report.backend,
                device=report.device,
                verdict=report.verdict.value,
                report=report.to_json(),
                hints=hints,
                revealed=revealed,
                seconds=report.seconds,
            )
        )
    return revealed


def record_reveal(learner: Learner, guid: str) -> None:
    """The solution was looked at."""
    at = learner.moment()
    with learner.database.write() as connection:
        connection.execute(
            insert(Attempt).values(
                **_row(learner, guid, at),
                code="",
                backend="",
                device="",
                verdict=REVEALED,
                report={},
                hints=0,
                revealed=True,
                seconds=0.0,
            )
        )


def _row(learner: Learner, guid: str, at: Moment) -> dict[str, Any]:
    return {
        "uuid": str(uuid.uuid4()),
        "item_guid": guid,
        "at": at.at,
        "utc_offset": at.utc_offset,
        "learner_day": learner.day_of(at),
    }


def _revealed_today(connection: Connection, learner: Learner, guid: str, at: Moment) -> bool:
    query = select(Attempt.id).where(
        Attempt.item_guid == guid,
        Attempt.verdict == REVEALED,
        Attempt.learner_day == learner.day_of(at),
    )
    return connection.execute(query.limit(1)).first() is not None


def _states(connection: Connection) -> dict[str, str]:
    """The state of each drill that was ever practised: the best that stands on its own."""
    states: dict[str, str] = {}
    rows = connection.execute(
        select(Attempt.item_guid, Attempt.verdict, Attempt.revealed).order_by(Attempt.id)
    )
    for guid, verdict, revealed in rows:
        if verdict == "passed" and not revealed:
            states[guid] = "passed"
        elif states.get(guid) != "passed":
            states[guid] = "revealed" if revealed else "tried"
    return states
