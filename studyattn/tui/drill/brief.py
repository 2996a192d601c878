"""A drill's brief as a learner reads it before writing, found in the pack that has the drill."""

from __future__ import annotations

from dataclasses import replace

from studyattn.home import Home
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.study.review.views import RenderedCard


def with_brief(shown: RenderedCard, home: Home) -> RenderedCard:
    """The drill with its brief as its front; as it was where no pack has the brief any more."""
    for folder in installed_packs(home):
        path = folder / "drills" / (shown.drill_id or "") / "brief.md"
        if shown.drill_id and folder.name == shown.pack and path.is_file():
            brief, _ = read_brief(path.read_text(encoding="utf-8"), path)
            return replace(shown, front=f"## {brief.title}\n\n{brief.text}")
    return shown
