"""Settings, drawn from the registry in `study.settings`: label, value, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.errors import InputError
from studyattn.study.settings import SETTINGS, Settings, find_setting
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.formatting import pad
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
    from studyattn.setting import Setting
    from studyattn.study.profile import Profile

_LABEL = 28


class SettingsScreen(StudyScreen):
    """Enter changes the setting under the cursor; one with choices steps through them."""

    SCOPE = Scope.SETTINGS
    CSS_PATH = "settings.tcss"

    def __init__(self) -> None:
        super().__init__()
        self._settings: Settings | None = None

    def body(self) -> Iterable[Widget]:
        yield OptionList(id="settings")
        yield Static(id="explanation", markup=False)

    async def load(self) -> None:
        def read(profile: Profile) -> Settings:
            profile.reload()
            return profile.settings

        self._settings = await self.database.run_with_profile(read)
        self._fill()

    def _fill(self) -> None:
        settings, options = self._settings, self._options
        if settings is None:
            return
        chosen = options.highlighted
        options.clear_options()
        group = ""
        for setting in SETTINGS:
            if setting.group != group:
                if group:
                    options.add_option(Option("", disabled=True))
                group = setting.group
                options.add_option(Option(Content.styled(group, "$quiet"), disabled=True))
            changed = settings.value(setting) != setting.default
            style = "$accent bold" if changed else "$foreground"
            value = Content.styled(settings.text(setting.key) or "—", style)
            row = Content.assemble("  ", pad(setting.label, _LABEL), value)
            options.add_option(Option(row, id=setting.key))
        options.highlighted = 1 if chosen is None else chosen
        options.focus()

    def draw(self) -> None:
        self.headline("Settings")

    def hints(self) -> Iterable[Hint]:
        yield hint("settings.edit")
        yield hint("settings.reset", key="del")
        yield hint("theme")
        yield hint("back")

    @property
    def _options(self) -> OptionList:
        return self.query_one("#settings", OptionList)

    @property
    def _chosen(self) -> Setting | None:
        option = self._options.highlighted_option
        return None if option is None or option.id is None else find_setting(option.id)

    @on(OptionList.OptionHighlighted)
    def _explain(self) -> None:
        setting = self._chosen
        if setting is None or self._settings is None:
            return
        default, expected = setting.default_text or "none", setting.kind.expected
        self.query_one("#explanation", Static).update(
            Content.assemble(
                setting.help,
                "\n",
                (f"{expected[:1].upper()}{expected[1:]}; default {default}.", "$quiet"),
            )
        )

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_edit()

    def action_edit(self) -> None:
        """Set the next choice, or open a line to write the value in."""
        setting, settings = self._chosen, self._settings
        if setting is None or settings is None:
            return
        now = settings.text(setting.key)
        if setting.kind.choices:
            following = (setting.kind.choices.index(now) + 1) % len(setting.kind.choices)
            self.do(partial(self._change, setting.key, setting.kind.choices[following]))
        else:
            self._ask_for(setting, now, now)

    def _ask_for(self, setting: Setting, now: str, text: str, problem: str = "") -> None:
        """Ask for a value that is `now`, with `text` typed in; a problem is shown above it."""

        async def save(written: Written) -> None:
            if written["value"] == now:
                return
            try:
                await self._change(setting.key, written["value"])
            except InputError as error:  # asked again with what was written, to put it right
                self._ask_for(setting, now, written["value"], str(error))

        explanation = f"{setting.help}\n\n✗ {problem}" if problem else setting.help
        editor = EditorScreen(setting.label, Field("value", "", text), explanation=explanation)
        self.ask(editor, save)

    def action_reset(self) -> None:
        """Set the default again."""
        setting = self._chosen
        if setting is not None:
            self.do(partial(self._change, setting.key, setting.default_text))

    async def _change(self, key: str, text: str) -> None:
        self._settings = await self.database.run_with_profile(
            lambda profile: profile.change_setting(key, text)
        )
        self._fill()
        self.show_hints("saved")
        if key == "theme":
            self.services.adopt_theme(self._settings.text(key))
