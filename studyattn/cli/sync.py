"""`sync`: databases of one learner that meet in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, say
from studyattn.study import review


@click.command(epilog=examples("studyattn sync ~/Dropbox/studyattn", "studyattn sync"))
@click.argument("folder", metavar="DIR", required=False)
@json_option
@pass_invocation
def sync(invocation: Invocation, folder: str | None, as_json: bool) -> None:
    """Sync with your other machines through a folder.

    Share the folder DIR through any file sync or git. Each machine writes its own file and reads
    the others', so there are no conflicts. DIR defaults to the setting `sync_folder`; the app
    syncs with that folder when it starts and ends.
    """
    from studyattn.exchange.sync import sync as sync_with  # late: it loads SQLAlchemy

    with opened(invocation) as profile:
        place = folder or profile.settings.sync_folder.strip()
        if not place:
            raise click.UsageError("Give DIR, or set it: studyattn settings set sync_folder DIR")
        report = sync_with(profile.database, Path(place).expanduser(), review.rebuild.refold)
    if as_json:
        emit(report)
    else:
        say("\n".join(report.lines()))
    if report.problems:
        click.get_current_context().exit(1)
