"""Exporting: choose a form and a file, and all of what was learnt is written there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.exchange.format import Format
from studyattn.exchange.registry import FORMATS
from studyattn.paths import shown
from studyattn.tui.actions import Scope
from studyattn.tui.formatting import join_lines, pad
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.text_line import TextLine

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

_NAME_WIDTH: Final = 16


class ExportScreen(StudyScreen):
    """The forms, the path below them, and what was written."""

    SCOPE = Scope.EXPORT
    CSS_PATH = "exporting.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._replaces: Path | None = None
        """The file that is there, and is replaced if the learner asks once more."""
        self._said: Content = Content()

    def body(self) -> Iterable[Widget]:
        yield OptionList(
            *(
                Option(
                    Content.assemble(pad(form.title, _NAME_WIDTH), (form.about, "$quiet")),
                    id=form.name,
                )
                for form in FORMATS.values()
            ),
            id="forms",
        )
        yield TextLine(placeholder="where to", select_on_focus=False, id="path")
        yield Static(id="said", markup=False)

    async def load(self) -> None:
        self._forms.focus()
        self._suggest()

    @property
    def _forms(self) -> OptionList:
        return self.query_one("#forms", OptionList)

    @property
    def _path(self) -> Input:
        return self.query_one("#path", Input)

    @property
    def _form(self) -> Format:
        option = self._forms.highlighted_option
        name = option.id if option is not None and option.id is not None else next(iter(FORMATS))
        return FORMATS[name]

    @property
    def _target(self) -> Path:
        return Path(self._path.value).expanduser()

    @on(OptionList.OptionHighlighted)
    def _suggest(self) -> None:
        """Write the usual name of the form into the line, in the folder that is there."""
        folder = os.path.dirname(self._path.value) or "~"  # noqa: PTH120 - as typed
        self._path.value = os.path.join(folder, self._form.file_name)  # noqa: PTH118 - as typed
        self._path.cursor_position = len(self._path.value)

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        self._path.focus()
        self.show_hints()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._replaces = None

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_write()

    @queued
    async def action_write(self) -> None:
        """Write the chosen form to the path."""
        path = self._target
        if path.is_file() and self._replaces != path:
            self._replaces = path
            self._say(Content(f"{shown(path)} is there already. Once more to replace it."))
            return
        form = self._form

        def export(profile: Profile) -> str:
            # Late: the writers are imported in this thread, and the screen keeps drawing.
            from studyattn.exchange.export_file import export_to

            return export_to(profile.database, profile.scheduler, form, path)

        held = await self.database.run_with_profile(export)
        self._replaces = None
        done = Content.assemble(("✓ ", "$right bold"), ("Written", "bold"))
        self._say(join_lines([done, Content(), Content(shown(path)), Content(held)]))

    def _say(self, what: Content) -> None:
        self._said = what
        self.draw()

    def draw(self) -> None:
        self.headline("Export", "everything that is yours, in a form to keep")
        self.query_one("#said", Static).update(self._said)

    def hints(self) -> Iterable[Hint]:
        if self._forms.has_focus:
            yield hint("export.write", "choose", "enter")
        else:
            yield hint("export.write", key="enter")
        yield hint("back")

    def on_descendant_focus(self) -> None:
        self.refresh_hints()

    def action_back(self) -> None:
        if self._path.has_focus:
            self._forms.focus()
        else:
            super().action_back()
