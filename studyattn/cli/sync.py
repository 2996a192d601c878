"""`sync`: databases of one learner that meet in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer
from studyattn.exchange.sync import sync as sync_with
from studyattn.study import review

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


def sync(profile: Profile, folder: str | None) -> Answer:
    place = folder or profile.settings.sync_folder.strip()
    if not place:
        raise click.UsageError("Give DIR, or set it: studyattn settings set sync_folder DIR")
    report = sync_with(profile.database, Path(place).expanduser(), review.rebuild.refold)
    return Answer(report, report.lines(), failed=bool(report.problems))
