"""`drill`: list, start, hint, solution, history, rate, undo; the learner's passed code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, Invocation, Rows, Shown, local, opened, warned
from studyattn.errors import InputError
from studyattn.memory import Rating, Remembered
from studyattn.study.practice import attempts
from studyattn.study.practice.drill_file import DrillFile, notebook_of
from studyattn.study.practice.drills import (
    checked_backend,
    find_drill,
    installed_backend,
    list_drills,
)
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.practice.drill_session import PracticeSession
    from studyattn.study.profile import Profile
    from studyattn.study.rules.practice_series import SuggestedRating


def list_(profile: Profile) -> Answer:
    lines = list_drills(profile)
    signs = {"new": " ", "tried": "·", "passed": "✓", "revealed": "s"}
    rows = [
        (signs[each.state], each.id, f"level {each.level}", each.title, each.step) for each in lines
    ]
    return Answer(lines, Rows(rows))


def start(
    invocation: Invocation,
    identifier: str,
    backend: str | None,
    folder: Path | None,
    notebook: bool,
) -> Answer:
    brief = find_drill(invocation.home, identifier).brief
    chosen = installed_backend(brief, backend)
    path = (folder or invocation.home.drills) / f"{identifier}.{'ipynb' if notebook else 'py'}"
    taken = InputError(
        "the file already exists and is not overwritten",
        where=str(path),
        advice="Choose another folder with --dir.",
    )
    is_taken = os.path.lexists(path)
    if is_taken and (folder is not None or notebook):
        raise taken
    if notebook:
        DrillFile(path).write(notebook_of(brief, chosen))
    elif not _begun(invocation, identifier, path, chosen, is_taken=is_taken):
        raise taken
    told: Shown = partial(click.echo, path)
    missing = brief.backends[0]
    if backend is None and chosen != missing:
        why = f"{missing} is not installed, so this is the starter for {chosen}."
        told = (warned(why), told)
    return Answer({"drill": identifier, "backend": chosen, "path": path}, told)


def _begun(
    invocation: Invocation, identifier: str, path: Path, backend: str, *, is_taken: bool
) -> bool:
    """Begin a drill in a file. Return False where what is in it is not that of an ended one."""
    with _practising(invocation, identifier, path=path, backend=backend) as session:
        if is_taken and session.put_aside is None:
            return False
        if not path.exists():  # it was rated, is not due, and is begun again all the same
            session.start_afresh(backend)
    return True


def solution(invocation: Invocation, identifier: str, backend: str | None, yes: bool) -> Answer:
    chosen = checked_backend(find_drill(invocation.home, identifier).brief, backend)
    question = f"Show the solution of {identifier}? It counts as revealed"
    if not yes and not click.confirm(question, err=True):
        click.get_current_context().exit(1)
    with _practising(invocation, identifier) as session:
        source = session.solution(chosen)
    value = {"drill": identifier, "backend": chosen, "code": source}
    return Answer(value, partial(click.echo, source, nl=not source.endswith("\n")))


def hint(invocation: Invocation, identifier: str) -> Answer:
    with _practising(invocation, identifier) as session:
        text = session.next_hint()
        seen, in_all = len(session.hints), len(session.brief.hints)
    told = "No hints left." if text is None else f"{seen}/{in_all}  {text}"
    return Answer({"hint": text, "number": seen, "of": in_all}, told, failed=text is None)


def history(
    invocation: Invocation, identifier: str, show: int | None, restore: int | None
) -> Answer:
    found = find_drill(invocation.home, identifier)
    if restore is not None:
        with _practising(invocation, identifier) as session:
            session.restore(restore)
        value = {"restored": restore, "path": session.path}
        return Answer(value, partial(click.echo, session.path))
    with opened(invocation) as profile:
        if show is not None:
            shown = attempts.version(profile, found.guid, show)
            return Answer(shown, partial(click.echo, shown.code, nl=False))
        versions = attempts.history(profile, found.guid)
    rows = [
        (
            str(each.number),
            local(each.at),
            each.verdict or "kept",
            count(each.hints, "hint") if each.hints else "",
            " ".join(each.misconceptions),
        )
        for each in versions
    ]
    return Answer(versions, Rows(rows))


def rate(invocation: Invocation, identifier: str, rating: str | None, as_json: bool) -> Answer:
    with _practising(invocation, identifier) as session:
        suggested = session.suggested()
        if rating is None:
            chosen = suggested.rating if as_json else ask_rating(suggested)
        else:
            chosen = Rating.parse(rating)
        answered = session.rate(chosen)
    why = f"Suggested: {rating_name(suggested.rating)}. {suggested.reason}"
    due = answered.after.due if isinstance(answered.after, Remembered) else None
    told = f"Rated {rating_name(answered.review.rating)}; next on {local(due)}."
    shown = (None if rating is None else why, told)
    return Answer({"suggested": suggested, "answered": answered}, shown)


def undo(invocation: Invocation, identifier: str) -> Answer:
    guid = find_drill(invocation.home, identifier).guid
    with opened(invocation) as profile:
        what = attempts.undo_practice(profile, guid)
    told = "Nothing to undo." if what is None else f"Undone: {what}."
    return Answer({"undone": what}, told, failed=what is None)


def mine(profile: Profile, folder: Path | None, backend: str | None) -> Answer:
    from studyattn.study.practice.mine import PACKAGE, my_package  # late: lists do without it

    package = my_package(profile, backend)
    path = (folder or profile.home.drills) / PACKAGE
    if package.modules:
        package.write(path)
    rows = [
        (each.drill, ", ".join(each.entries), f"passed {each.passed_on}")
        for each in package.modules
    ]
    for drill, names in package.lacks().items():
        click.echo(f"{drill} needs {', '.join(names)}, which has not passed.", err=True)
    value = {"path": path, "backend": package.backend, "modules": package.modules}
    if not rows:
        return Answer(value, f"No drill has passed in {package.backend} yet.", failed=True)
    return Answer(value, (partial(click.echo, path), Rows(rows)))


@contextlib.contextmanager
def _practising(
    invocation: Invocation,
    identifier: str,
    *,
    path: Path | None = None,
    backend: str | None = None,
) -> Iterator[PracticeSession]:
    """A moment of work on a drill that goes on in the learner's editor."""
    from studyattn.study.practice.drill_session import PracticeSession  # late: lists do without it

    with (
        opened(invocation) as profile,
        PracticeSession(profile, identifier, path=path, backend=backend, resume=True) as session,
    ):
        yield session


def ask_rating(suggested: SuggestedRating) -> Rating:
    """Ask the learner for a rating; without a terminal, return the suggestion."""
    click.echo(f"Suggested: {rating_name(suggested.rating)}. {suggested.reason}")
    if not sys.stdin.isatty():
        return suggested.rating
    names = [rating_name(each) for each in Rating]
    return Rating.parse(
        click.prompt("Rate it", type=click.Choice(names), default=rating_name(suggested.rating))
    )


def rating_name(rating: Rating | None) -> str:
    """Return the word for a rating, as it is typed; nothing for none."""
    return "" if rating is None else rating.name.lower()
