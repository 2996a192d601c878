"""Exporting: choose a form and a file, and all of what was learnt is written there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.exchange.format import Format, OutputKind
from studyattn.exchange.registry import FORMATS, of_command
from studyattn.exchange.save_file import file_named
from studyattn.paths import shown
from studyattn.study import statistics
from studyattn.study.profile import Profile
from studyattn.tui.formatting import Lines, join_lines, pad
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets.header_footer import ROOM, KeyedList, Offers, SidePanel, TextLine

_NAME_WIDTH: Final = 16


class ExportScreen(StudyScreen, wide=ROOM):
    """The forms, the path below them, and what was written."""

    SCOPE = "Export"
    _forms, _path = query_one("#forms", KeyedList), query_one("#path", Input)
    _replaces: Path | None = None
    """The file that is there, and is replaced if the learner asks once more."""
    _said: Content = Content()

    def body(self) -> Iterable[Widget]:
        forms = (
            Option(Content.assemble(pad(each.title, _NAME_WIDTH), (each.about, "$quiet")), id=name)
            for name, each in FORMATS.items()
        )
        with Horizontal():
            with Vertical():
                yield KeyedList(*forms, id="forms")
                yield TextLine(placeholder="where to", select_on_focus=False, id="path")
                yield Static(id="said", markup=False)
            yield SidePanel()

    async def load(self) -> None:
        self._forms.focus()
        self._suggest()

    @property
    def _form(self) -> Format:
        return FORMATS[self._forms.key or next(iter(FORMATS))]

    @property
    def _target(self) -> Path:
        given = self._path.value
        is_folder = self._form.output is OutputKind.FOLDER
        return Path(given).expanduser() if is_folder else file_named(given)

    @on(OptionList.OptionHighlighted)
    def _suggest(self) -> None:
        """Write the usual name of the form into the line, in the folder that is there."""
        folder = os.path.dirname(self._path.value) or "~"  # noqa: PTH120 - as typed
        self._path.value = os.path.join(folder, self._form.file_name)  # noqa: PTH118 - as typed
        self._path.cursor_position = len(self._path.value)
        self.draw()

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        self._path.focus()
        self.show_hints()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._replaces = None

    @on(Input.Submitted)
    @queued
    async def action_write(self) -> None:
        path = self._target
        if path.is_file() and self._replaces != path:
            self._replaces = path
            self._said = Content(f"{shown(path)} already exists. Press again to replace it.")
            self.draw()
            return
        form = self._form

        def export(profile: Profile) -> str:
            # Late: the writers are imported in this thread, and the screen keeps drawing.
            from studyattn.exchange.export_file import export_to

            figures = statistics.pages.shared_figures(profile) if form.figures else ()
            return export_to(profile.database, profile.scheduler, form, path, figures=figures)

        held = await self.study(export)
        self._replaces = None
        done = Content.assemble(("✓ ", "$right bold"), ("Written", "bold"))
        self._said = join_lines([done, Content(), Content(shown(path)), Content(held)])
        self.draw()

    def draw(self) -> None:
        self.headline("Export", "your data, as a file or a folder")
        self.query_one("#said", Static).update(self._said)
        self.side.show(partial(_about, self._form), anew=True)

    def hints(self) -> Offers:
        word = "choose" if self._forms.has_focus else ""
        return (("write", word, "enter"), "back")

    def action_back(self) -> None:
        if self._path.has_focus:
            self._forms.focus()
        else:
            super().action_back()


_CARRIED: Final = {
    "concepts": "concepts and their states",
    "changes": "the history of those states",
    "items": "cards and drills",
    "reviews": "every answer",
    "starts": "how well each card is remembered",
    "notes": "notes",
    "wordings": "earlier wordings of cards and notes",
    "sources": "imported documents",
    "anki_notes": "cards from Anki as they were there",
    "attempts": "submissions to drills",
    "steps": "the steps taken in drills",
    "settings": "settings",
}
"""The lists of a snapshot in the words of a learner, in this order."""


def _about(form: Format, width: int) -> Content:
    """Return what a form is for, what goes into it, and whether it can come back."""
    page = Lines(width)
    page.add((form.title, "bold"))
    page.quiet(form.file_name)
    page.add()
    page.wrap(f"{form.about[:1].upper()}{form.about[1:]}.")
    page.add()
    for name, words in _CARRIED.items():
        is_carried = name in form.carries
        page.add(("✓ " if is_carried else "  ", "$right"), (words, "" if is_carried else "$quiet"))
    if form.figures:
        page.add(("✓ ", "$right"), "figures of your statistics")
    page.add()
    page.quiet(f"It {'can' if form.reader is not None else 'cannot'} be imported again.")
    page.add()
    named = f" --format {form.name}" if len(of_command(form.command)) > 1 else ""
    page.add(("In a shell: ", "$quiet"), f"studyattn export {form.command}{named}")
    return page.content
