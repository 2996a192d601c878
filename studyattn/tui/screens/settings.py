"""Settings, drawn from the registry in `study.settings`: label, value, and what it means."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from functools import partial

from textual import on
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.setting import Setting
from studyattn.study.config_file import ConfigFile, toml_line
from studyattn.study.profile import Profile
from studyattn.study.settings import SETTINGS, Settings, find_setting
from studyattn.tui.dialogs.editor import Field, Written
from studyattn.tui.dialogs.picker import ThemeScreen
from studyattn.tui.formatting import Lines, pad
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.side_panel import ROOM, SidePanel

_LABEL = 28


class SettingsScreen(StudyScreen, wide=ROOM):
    """Enter changes the setting under the cursor; one with choices steps through them."""

    SCOPE = "Settings"

    def __init__(self) -> None:
        super().__init__()
        self._settings: Settings | None = None
        self._config = ConfigFile()

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="panes"):
            yield OptionList(id="settings")
            yield SidePanel()
        yield Static(id="explanation", markup=False)

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[Settings, ConfigFile]:
            profile.reload()
            return profile.settings, profile.config

        self._settings, self._config = await self.study(read)
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
            place = self._config.place(setting.key)
            fixed = (f"   set in {place}", "$quiet") if place else ""
            row = Content.assemble("  ", pad(setting.label, _LABEL), value, fixed)
            options.add_option(Option(row, id=setting.key))
        options.highlighted = 1 if chosen is None else chosen
        options.focus()

    def draw(self) -> None:
        self.headline("Settings")
        self._explain()

    def hints(self) -> Offers:
        return ("edit", ("reset", "", "del"), "theme back")

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
        told = f"{expected[:1].upper()}{expected[1:]}; default {default}."
        self.query_one("#explanation", Static).update(
            Content.assemble(setting.help, "\n", (told, "$quiet"))
        )
        self.query_one(SidePanel).show(partial(self._draw_setting, setting, told), anew=True)

    def _draw_setting(self, setting: Setting, told: str, width: int) -> Content:
        """Return what a setting is for, its choices if it has some, and where it is set."""
        settings, place = self._settings, self._config.place(setting.key)
        now = settings.text(setting.key) if settings is not None else ""
        page = Lines(width)
        page.add((setting.label, "bold"))
        page.quiet(f"{setting.group} · {setting.key}")
        page.add()
        page.wrap(setting.help)
        page.add()
        for choice in setting.kind.choices:
            usual = "  default" if choice == setting.default_text else ""
            mark, style = ("▸ ", "bold") if choice == now else ("  ", "")
            page.add((mark, "$accent bold"), (choice, style), (usual, "$quiet"))
        if not setting.kind.choices:
            page.wrap(told, "$quiet")
        remarks = {
            "A change reschedules every card from its answers.": setting.reschedules,
            f"Set in {place}; change it there.": place,
        }
        for remark in (remark for remark, holds in remarks.items() if holds):
            page.add()
            page.wrap(remark, "$quiet")
        if settings is not None and not place:
            command = f"  studyattn settings set {setting.key} {shlex.quote(now)}"
            page.add()
            page.quiet("In a shell")
            page.add(command)
            if setting.reschedules:
                page.add(f"{command} --dry-run", ("  previews", "$quiet"))
            page.add()
            page.quiet("In a config file")
            page.add(f"  {toml_line(setting, settings.value(setting))}")
        return page.content

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_edit()

    def action_edit(self) -> None:
        setting, settings = self._chosen, self._settings
        if setting is None or settings is None:
            return
        now = settings.text(setting.key)
        place = self._config.place(setting.key)
        if place is not None:
            self.show_hints(f"set in {place}: change it there")
        elif setting.key == "theme":
            self.ask(ThemeScreen(self.services.theme_name), self._dress)
        elif setting.kind.choices:
            following = (setting.kind.choices.index(now) + 1) % len(setting.kind.choices)
            self.do(partial(self._change, setting.key, setting.kind.choices[following]))
        else:
            field = Field("value", "", now)
            save = partial(self._save, setting.key, now)
            self.write(setting.label, field, then=save, explanation=setting.help)

    async def _dress(self, name: str) -> None:
        await self.services.keep_theme(name)
        await self.load()
        self.show_hints("saved")

    async def _save(self, key: str, before: str, written: Written) -> None:
        if written["value"] != before:
            await self._change(key, written["value"])

    def action_reset(self) -> None:
        setting = self._chosen
        if setting is not None and (place := self._config.place(setting.key)):
            self.show_hints(f"set in {place}: change it there")
        elif setting is not None:
            self.do(partial(self._change, setting.key, setting.default_text))

    async def _change(self, key: str, text: str) -> None:
        self._settings = await self.study(lambda profile: profile.change_setting(key, text))
        self._fill()
        self.show_hints("saved")
        if key == "theme":
            self.services.adopt_theme(self._settings.text(key))
        elif key == "pictures":
            self.services.prepare_pictures(again=True)
