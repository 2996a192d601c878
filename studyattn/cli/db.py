"""`db`: looking after the one file in which everything is."""

from __future__ import annotations

from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, local, opened, pass_invocation, table


@click.group()
def db() -> None:
    """Back up, restore, merge, check and rebuild the database."""


@db.command()
@json_option
@pass_invocation
def backup(invocation: Invocation, as_json: bool) -> None:
    """Make a backup now. It is never thinned."""
    from studyattn.store import backup as backups
    from studyattn.study.clock import SystemClock

    made = backups.make(invocation.home, now=SystemClock().now())
    if as_json:
        emit(made)
    else:
        click.echo(f"{made.path}")


@db.command()
@click.argument("file", required=False)
@json_option
@pass_invocation
def restore(invocation: Invocation, file: str | None, as_json: bool) -> None:
    """Put the backup FILE in the database's place; without FILE, list the backups."""
    from studyattn.store import backup as backups
    from studyattn.study.clock import SystemClock

    home = invocation.home
    if file is None:
        found = backups.list_backups(home)
        if as_json:
            emit(found)
        else:
            table([(each.path.name, local(each.made_at), each.reason) for each in found])
        return
    named = home.backups / file
    path = named if named.is_file() else Path(file)
    kept = backups.restore(home, path, now=SystemClock().now())
    if as_json:
        emit({"restored": path, "kept": kept})
        return
    click.echo(f"Restored {path}.")
    if kept is not None:
        click.echo(f"What was there before is kept: {kept}")


@db.command()
@json_option
@pass_invocation
def check(invocation: Invocation, as_json: bool) -> None:
    """Look for damage, memory that is not what the log says, a search index out of step."""
    from studyattn.study.rebuild import check_database

    findings = check_database(invocation.home)
    if as_json:
        emit({"sound": not findings, "findings": findings})
    else:
        for finding in findings or ["The database is sound."]:
            click.echo(finding)
    if findings:
        click.get_current_context().exit(1)


@db.command()
@json_option
@pass_invocation
def rebuild(invocation: Invocation, as_json: bool) -> None:
    """Make anew what follows from the rest: memory from the log, the index for search."""
    from studyattn.study.rebuild import rebuild as rebuild_memory

    with opened(invocation) as learner:
        result = rebuild_memory(learner)
    if as_json:
        emit(result)
        return
    click.echo(
        f"{result.reviews} rows of the log replayed over {result.items} items:"
        f" {len(result.changed)} changed."
    )
    for guid in result.changed[:20]:
        click.echo(f"  {guid}")
    for finding in result.search:
        click.echo(f"Mended: {finding}.")


@db.command()
@click.argument("other", type=click.Path(path_type=Path))
@json_option
@pass_invocation
def merge(invocation: Invocation, other: Path, as_json: bool) -> None:
    """Join OTHER, a database (or home) that was used apart. OTHER itself is not changed."""
    from studyattn.exchange.otherdatabase import merge as merge_database
    from studyattn.store import backup as backups
    from studyattn.study.rebuild import refold

    with opened(invocation) as learner:
        now = learner.clock.now()
        kept = backups.make(invocation.home, now=now, reason="before-merge")
        taken = merge_database(learner.database, other, now, refold)
    if as_json:
        emit({"taken": taken, "backup": kept})
        return
    click.echo("\n".join(taken.lines()))
    click.echo(f"What was there before is kept: {kept.path}")
