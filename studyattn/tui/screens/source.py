"""A document that was imported, to read: with its preview, notes on it and cards made of it."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from studyattn.store.queries.sources import SourceText
from studyattn.study.notes.note_links import concept_names
from studyattn.study.notes.notes import About, show_source
from studyattn.study.notes.own_cards import SelectedPassage
from studyattn.study.profile import Profile
from studyattn.text.links import Names
from studyattn.tui.screens.passage import PassageScreen
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.text_areas import LONGEST_LINE, shown

SHOWN: Final = 500_000
"""Characters of a document that are shown; it says so when there are more."""
_LONG_LINE: Final = re.compile(rf"([^\n]{{{LONGEST_LINE}}})")
"""What is shown on lines of its own, since longer ones make every key slow."""


class SourceScreen(PassageScreen, global_keys=False):
    """A document, opened at the first place that has the words `looked_for`."""

    SCOPE = "A source"
    READ_ONLY: ClassVar = True

    def __init__(self, guid: str, looked_for: str = "") -> None:
        super().__init__()
        self._guid = guid
        self._looked_for = looked_for
        self._source: SourceText | None = None

    async def load(self) -> None:
        if self._source is not None:
            return

        def read(profile: Profile) -> tuple[SourceText, Names]:
            return show_source(profile, self._guid), concept_names(profile)

        source, self.names = await self.study(read)
        self._source = source
        text = _LONG_LINE.sub(r"\1\n", shown(source.text[:SHOWN]))
        self.text.begin(text)
        at = text.casefold().find(self._looked_for.casefold()) if self._looked_for else 0
        if at > 0:
            self.text.go_to(at)
        self.text.focus()
        self.redraw()

    def draw(self) -> None:
        super().draw()
        source = self._source
        if source is None:
            self.headline("Source")
            return
        cut = f"the first {SHOWN:,} characters of " if len(source.text) > SHOWN else ""
        self.headline(source.title, f"{cut}{source.path}")

    def hints(self) -> Offers:
        return ("preview card cloze note more back",)

    def studied(self) -> str:
        """Return a search for the cards that came from this document."""
        return f"source:{self._guid}"

    def passage(self, row: int) -> SelectedPassage:
        return SelectedPassage(source=self._guid, text=self.text.text, line=row + 1)

    def action_note(self) -> None:
        self.go("note", about=About(source=self._guid))
