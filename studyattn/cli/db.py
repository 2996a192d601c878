"""`db`: backups and maintenance of the database, a file or on a server."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from pathlib import Path

import click

from studyattn.address import is_address, read_address
from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    Whole,
    emit,
    examples,
    json_option,
    local,
    opened,
    pass_invocation,
    say,
    table,
)
from studyattn.errors import DamagedDatabaseError
from studyattn.paths import shown
from studyattn.study import review
from studyattn.study.clock import SystemClock
from studyattn.text.counting import count


@click.group(epilog=examples("studyattn db backup", "studyattn db check"))
def db() -> None:
    """Back up, check, restore, recover, merge and rebuild the database."""


@db.command(epilog=examples("studyattn db backup"))
@json_option
@pass_invocation
def backup(invocation: Invocation, as_json: bool) -> None:
    """Make a backup now.

    This backup is never deleted automatically. For a database on a server, the backup is an export
    of all your data as JSON Lines.
    """
    # Late, here and below: the modules of the database load SQLAlchemy, which help does without.
    from studyattn.cli.backups import ON_SERVER, back_up

    _make_first(invocation)
    made = back_up(invocation)
    if as_json:
        emit(made)
        return
    click.echo(f"{made.path}")
    if invocation.home.server is not None:
        click.echo(ON_SERVER, err=True)


@db.command(epilog=examples("studyattn db restore", "studyattn db restore studyattn-backup.db"))
@click.argument("file", required=False)
@json_option
@pass_invocation
def restore(invocation: Invocation, file: str | None, as_json: bool) -> None:
    """Restore the backup FILE; without FILE, list the backups."""
    from studyattn.cli.backups import backups, put_back

    if file is None:
        found = backups(invocation.home)
        if as_json:
            emit(found)
        else:
            table([(each.path.name, local(each.made_at), each.reason) for each in found])
        return
    path, kept = put_back(invocation.home, file)
    if as_json:
        emit({"restored": path, "kept": kept})
        return
    click.echo(f"Restored {path}.")
    if kept is not None:
        click.echo(f"The previous database is kept: {kept}")


@db.command(epilog=examples("studyattn db check"))
@json_option
@pass_invocation
def check(invocation: Invocation, as_json: bool) -> None:
    """Check for corruption and stale derived data."""
    with contextlib.suppress(DamagedDatabaseError):  # an emptied file: the check tells of it
        _make_first(invocation)
    findings = review.rebuild.check_database(invocation.home)
    if as_json:
        emit({"sound": not findings, "findings": findings})
    else:
        for finding in findings or ["The database is intact."]:
            click.echo(finding)
    if findings:
        click.get_current_context().exit(1)
    ahead = review.redate.check_clock(invocation.home, SystemClock().now())
    if ahead is not None:  # the database is sound all the same
        say(f"studyattn: {ahead.error()}", err=True)


@db.command(epilog=examples("studyattn db clock", "studyattn db clock --days 365"))
@click.option("--days", type=Whole(1, 100_000), help="Number of days the clock was ahead.")
@click.option("--dry-run", is_flag=True, help="Preview; change nothing.")
@json_option
@pass_invocation
def clock(invocation: Invocation, days: int | None, dry_run: bool, as_json: bool) -> None:
    """Correct the dates of answers given while the clock was ahead.

    Without --days, list these answers and change nothing. The log keeps the original answers: each
    is withdrawn and recorded again, that many days earlier. Items postponed by a wrong date become
    due again.
    """
    from studyattn.cli.backups import back_up

    changes = days is not None and not dry_run
    kept = None
    with opened(invocation) as profile:
        with profile.database.read() as connection:
            ahead = review.redate.find_ahead(connection, profile.clock.now())
        if ahead is not None and days is not None:
            review.redate.refuse_too_few(ahead, days)
            if changes:
                kept = back_up(invocation, "before-clock")
                review.redate.redate(profile, days)
    if as_json:
        emit({"ahead": ahead, "days": days, "changed": kept is not None, "backup": kept})
        return
    if ahead is None:
        say("No answer is dated in the future.")
        return
    given = days or ahead.days
    by = timedelta(days=given)
    say(
        f"{count(ahead.answers, 'answer')} to {count(ahead.cards, 'item')}, dated"
        f" {local(ahead.first)} to {local(ahead.last)}:"
    )
    become = "are now" if changes else "would be"
    say(
        f"{count(given, 'day')} earlier they {become}"
        f" {local(ahead.first - by)} to {local(ahead.last - by)}."
    )
    if kept is not None:
        say(f"The previous database is kept: {shown(kept.path)}")
        return
    say(
        f"Nothing was changed. `studyattn db clock --days {given}` corrects them. Give the number "
        f"of days the clock was ahead, at least {ahead.days}."
    )


@db.command(epilog=examples("studyattn db recover --dry-run", "studyattn db recover"))
@click.option("--dry-run", is_flag=True, help="Show the readable data; change nothing.")
@json_option
@pass_invocation
def recover(invocation: Invocation, dry_run: bool, as_json: bool) -> None:
    """Rebuild a damaged database from its readable data.

    Your data is read from the damaged file and its log (-wal) and merged with the newest good
    backup. The damaged files are kept under other names.
    """
    from studyattn.study.recovery import recover as recover_database
    from studyattn.study.recovery import recovery_lines, recovery_rows

    result = recover_database(invocation.home, SystemClock(), dry_run=dry_run)
    if as_json:
        emit(result)
        return
    if not result.findings:
        say("The database is intact. Nothing to recover.")
        for finding in result.mended:
            say(f"{'Not mended yet' if dry_run else 'Mended'}: {finding}.")
        return
    say("\n".join(recovery_lines(result)))
    table(recovery_rows(result))
    if dry_run:
        say("Nothing was changed. Run `studyattn db recover` to rebuild it.")
        return
    if any(each.table == "note" and each.added for each in result.tables):
        say("Notes you removed after that backup may reappear.")
    if result.kept is not None:
        say(f"The previous database is kept: {shown(result.kept)}")


@db.command(epilog=examples("studyattn db rebuild"))
@json_option
@pass_invocation
def rebuild(invocation: Invocation, as_json: bool) -> None:
    """Rebuild derived data (memory states, search index)."""
    with opened(invocation) as profile:
        result = review.rebuild.rebuild(profile)
    if as_json:
        emit(result)
        return
    click.echo(
        f"{count(result.reviews, 'row')} of the log replayed over {count(result.items, 'item')}:"
        f" {len(result.changed)} changed."
    )
    for guid in result.changed[:20]:
        click.echo(f"  {guid}")
    for finding in result.search:
        click.echo(f"Mended: {finding}.")


@db.command(epilog=examples("studyattn db merge laptop/studyattn.db"))
@click.argument("other")
@json_option
@pass_invocation
def merge(invocation: Invocation, other: str, as_json: bool) -> None:
    """Merge another database into this one.

    OTHER is a file, a home folder, or the address of a database on a server. It is not changed.
    """
    from studyattn.cli.backups import back_up
    from studyattn.exchange.merge.merge_into import merge_database
    from studyattn.exchange.merge.other_database import carry_media_of, opened_other

    place = read_address(other) if is_address(other) else Path(other)
    with (
        opened(invocation) as profile,
        opened_other(place, profile.clock.now()) as theirs,
    ):
        kept = back_up(invocation, "before-merge")
        taken = merge_database(profile.database, theirs, review.rebuild.refold)
        if isinstance(place, Path):
            carry_media_of(place, profile.home)
    if as_json:
        emit({"taken": taken, "backup": kept})
        return
    say("\n".join(taken.lines()))
    say(f"The previous database is kept: {shown(kept.path)}")


def _make_first(invocation: Invocation) -> None:
    """Make the database of a new home, or of one whose first command was interrupted."""
    from studyattn.store.health import is_made

    home = invocation.home
    if home.server is None and not is_made(home):
        with opened(invocation):
            pass
