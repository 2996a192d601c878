"""`db`: backups and maintenance of the database, a file or on a server."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from studyattn.address import is_address, read_address
from studyattn.cli.common import Answer, Invocation, Rows, Shown, local, opened, say, warned
from studyattn.errors import DamagedDatabaseError, InputError
from studyattn.exchange import archive
from studyattn.home import Home
from studyattn.paths import shown
from studyattn.store import backup as copies
from studyattn.store import backup_files
from studyattn.store.backup_files import Backup
from studyattn.store.database import open_database
from studyattn.store.health import is_made
from studyattn.study import review
from studyattn.study.clock import SystemClock
from studyattn.study.profile import Profile
from studyattn.study.review.rebuild import refold
from studyattn.text.counting import count

ON_SERVER = (
    "It contains all your data as JSON Lines. Backing up the server itself is up to its owner."
)


def back_up(invocation: Invocation, reason: str = "manual") -> Backup:
    """Back up the database as it is now. Raises NotFoundError and StoreError."""
    now = SystemClock().now()
    if invocation.home.server is None:
        return copies.make(invocation.home, now=now, reason=reason)
    with open_database(invocation.home, now=now) as database:
        return archive.make(database, now=now, reason=reason)


def backups(home: Home) -> list[Backup]:
    """List the backups of the home's database, newest first."""
    return backup_files.list_backups(
        home, backup_files.SUFFIX if home.server is None else archive.SUFFIX
    )


def put_back(home: Home, name: str) -> tuple[Path, Path | str | None]:
    """Restore a backup. Return its path, and where what it replaced is kept, if anything is.

    Raises NotFoundError, StoreError, and InputError for a backup of the other kind of database.
    """
    now = SystemClock().now()
    path = backup_files.find(home, name)
    if home.server is None:
        if path.suffix == archive.SUFFIX:
            raise InputError(
                "this is not a copy of a database file",
                where=str(path),
                advice="Import its contents with `studyattn import`.",
            )
        return path, copies.restore(home, path, now=now)
    if path.suffix == backup_files.SUFFIX:
        raise InputError(
            "this is a copy of a database file",
            where=str(path),
            advice="Import its contents with `studyattn db merge`.",
        )
    return path, archive.restore(home, path, refold, now=now)


def backup(invocation: Invocation) -> Answer:
    _make_first(invocation)
    made = back_up(invocation)
    on_server = invocation.home.server is not None
    return Answer(made, (f"{made.path}", warned(ON_SERVER) if on_server else None))


def restore(invocation: Invocation, file: str | None) -> Answer:
    if file is None:
        found = backups(invocation.home)
        rows = [(each.path.name, local(each.made_at), each.reason) for each in found]
        return Answer(found, Rows(rows))
    path, kept = put_back(invocation.home, file)
    told = [f"Restored {path}."]
    if kept is not None:
        told.append(f"The previous database is kept: {kept}")
    return Answer({"restored": path, "kept": kept}, told)


def check(invocation: Invocation) -> Answer:
    with contextlib.suppress(DamagedDatabaseError):  # an emptied file: the check tells of it
        _make_first(invocation)
    findings = review.rebuild.check_database(invocation.home)
    if not findings:  # the database is sound all the same
        ahead = review.redate.check_clock(invocation.home, SystemClock().now())
        if ahead is not None:
            say(f"studyattn: {ahead.error()}", err=True)
    value = {"sound": not findings, "findings": findings}
    return Answer(value, findings or "The database is intact.", failed=bool(findings))


def clock(invocation: Invocation, profile: Profile, days: int | None, dry_run: bool) -> Answer:
    kept = None
    with profile.database.read() as connection:
        ahead = review.redate.find_ahead(connection, profile.clock.now())
    if ahead is not None and days is not None:
        review.redate.refuse_too_few(ahead, days)
        if not dry_run:
            kept = back_up(invocation, "before-clock")
            review.redate.redate(profile, days)
    value = {"ahead": ahead, "days": days, "changed": kept is not None, "backup": kept}
    if ahead is None:
        return Answer(value, "No answer is dated in the future.")
    given = days or ahead.days
    by = timedelta(days=given)
    become = "would be" if kept is None else "are now"
    earlier = f"{count(given, 'day')} earlier they {become}"
    found = f"{count(ahead.answers, 'answer')} to {count(ahead.cards, 'item')}, dated"
    told = [
        f"{found} {local(ahead.first)} to {local(ahead.last)}:",
        f"{earlier} {local(ahead.first - by)} to {local(ahead.last - by)}.",
    ]
    if kept is not None:
        return Answer(value, (*told, f"The previous database is kept: {shown(kept.path)}"))
    told.append(
        f"Nothing was changed. `studyattn db clock --days {given}` corrects them. Give the number "
        f"of days the clock was ahead, at least {ahead.days}."
    )
    return Answer(value, told)


def recover(invocation: Invocation, dry_run: bool) -> Answer:
    from studyattn.study import recovery  # late: it loads the packs

    result = recovery.recover(invocation.home, SystemClock(), dry_run=dry_run)

    def told() -> Iterator[Shown]:
        if not result.findings:
            yield "The database is intact. Nothing to recover."
            mended = "Not mended yet" if dry_run else "Mended"
            yield [f"{mended}: {finding}." for finding in result.mended]
            return
        yield recovery.recovery_lines(result)
        yield Rows(recovery.recovery_rows(result))
        if dry_run:
            yield "Nothing was changed. Run `studyattn db recover` to rebuild it."
            return
        if any(each.table == "note" and each.added for each in result.tables):
            yield "Notes you removed after that backup may reappear."
        if result.kept is not None:
            yield f"The previous database is kept: {shown(result.kept)}"

    return Answer(result, told())


def rebuild(profile: Profile) -> Answer:
    result = review.rebuild.rebuild(profile)
    replayed = f"{count(result.reviews, 'row')} of the log replayed"
    told = [
        f"{replayed} over {count(result.items, 'item')}: {len(result.changed)} changed.",
        *(f"  {guid}" for guid in result.changed[:20]),
        *(f"Mended: {finding}." for finding in result.search),
    ]
    return Answer(result, told)


def merge(invocation: Invocation, profile: Profile, other: str) -> Answer:
    from studyattn.exchange.merge.merge_into import merge_database  # late: no other command merges
    from studyattn.exchange.merge.other_database import carry_media_of, opened_other

    place = read_address(other) if is_address(other) else Path(other)
    with opened_other(place, profile.clock.now()) as theirs:
        kept = back_up(invocation, "before-merge")
        taken = merge_database(profile.database, theirs, review.rebuild.refold)
        if isinstance(place, Path):
            carry_media_of(place, profile.home)
    told = (taken.lines(), f"The previous database is kept: {shown(kept.path)}")
    return Answer({"taken": taken, "backup": kept}, told)


def _make_first(invocation: Invocation) -> None:
    """Make the database of a new home, or of one whose first command was interrupted."""
    home = invocation.home
    if home.server is None and not is_made(home):
        with opened(invocation):
            pass
