"""The results of a class that studies in a shared database, as the same results that files give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from studyattn.address import ServerAddress
from studyattn.classroom.results import Result
from studyattn.classroom.score import Score
from studyattn.errors import InputError, NotFoundError
from studyattn.grading.verdict import Diagnosis, NamedMistake
from studyattn.home import Home
from studyattn.store.database import open_database
from studyattn.store.engine import opened, raise_store_error
from studyattn.store.queries import sharing
from studyattn.store.queries.sharing import SharedAttempt


@dataclass(frozen=True, slots=True)
class ClassSoFar:
    """All attempts, what came of each drill in the end, and what came of it week by week."""

    attempts: tuple[Result, ...]
    results: tuple[Result, ...]
    weeks: tuple[tuple[str, tuple[Result, ...]], ...]


def share(home: Home, teacher: str, *, now: datetime) -> None:
    """Let the user `teacher` of the server see what `shown_attempts` returns, from now on.

    NotFoundError when the server has no such user, InputError without a server.
    """
    server = _server(home)
    with open_database(home, now=now) as database, database.write() as connection:
        if not sharing.is_user(connection, teacher):
            raise NotFoundError(
                f"the server has no user {teacher!r}", advice="Ask your teacher for the name."
            )
        sharing.share(connection, server.schema, teacher)


def unshare(home: Home, teacher: str, *, now: datetime) -> None:
    """Take back what `share` gave; nothing happens when it was not given."""
    server = _server(home)
    with open_database(home, now=now) as database, database.write() as connection:
        sharing.unshare(connection, server.schema, teacher)


def shown_attempts(home: Home, *, now: datetime) -> tuple[list[str], list[SharedAttempt]]:
    """Return who may see a learner's results, and exactly what they see."""
    server = _server(home)
    with open_database(home, now=now) as database, database.read() as connection:
        return (
            sharing.readers(connection, server.schema),
            sharing.own_attempts(connection, server.schema, server.learner),
        )


def read_class(home: Home) -> list[SharedAttempt]:
    """Return the attempts of every learner who shares with the user who connects.

    Nothing is made on the server: a teacher need not be a learner. Raises StoreError.
    """
    _server(home)
    try:
        with opened(home) as connection:
            return sharing.shared_attempts(connection)
    except Exception as error:  # noqa: BLE001 - it is raised again
        raise_store_error(error, home)


def class_so_far(attempts: Iterable[SharedAttempt], score: Score) -> ClassSoFar:
    """Return the results of attempts: of each student and drill the first that passed, or the last.

    A week is one of ISO 8601, by the instant in UTC.
    """
    every = [_result(each, score) for each in attempts]
    weeks: dict[str, list[Result]] = defaultdict(list)
    for each in every:
        year, week, _ = datetime.fromisoformat(each.at).isocalendar()
        weeks[f"{year}, week {week}"].append(each)
    return ClassSoFar(
        tuple(every),
        _in_the_end(every),
        tuple((name, _in_the_end(of)) for name, of in sorted(weeks.items())),
    )


def _in_the_end(attempts: Sequence[Result]) -> tuple[Result, ...]:
    found: dict[tuple[str, str], Result] = {}
    for each in attempts:
        key = each.student, each.drill
        if key not in found or not found[key].passed:
            found[key] = each
    return tuple(found[key] for key in sorted(found))


def _result(attempt: SharedAttempt, score: Score) -> Result:
    mistakes = tuple(
        NamedMistake(
            id=str(each.get("id") or ""),
            title=str(each.get("title") or ""),
            formula=str(each.get("formula") or ""),
            concept=str(each.get("concept") or ""),
        )
        for each in attempt.mistakes
    )
    passed = attempt.verdict == "passed"
    share = attempt.cases / max(attempt.of, 1)
    return Result(
        student=attempt.learner,
        drill=attempt.drill.rpartition("/")[2],
        verdict=attempt.verdict,
        passed=passed,
        score=score.of(passed=passed, cases=share, mistakes=len(mistakes)),
        most=score.most,
        cases=attempt.cases,
        of=attempt.of,
        diagnosis=(Diagnosis(mistakes, 0, 0),) if mistakes else (),
        at=attempt.at.isoformat(),
    )


def _server(home: Home) -> ServerAddress:
    if home.server is None:
        raise InputError(
            "sharing a class needs a database on a server",
            where="--db",
            advice="See docs/shared-database.md.",
        )
    return home.server
