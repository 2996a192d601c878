"""Settings, drawn from the registry in `study.settings`: label, value, and what it means."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from functools import partial

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.setting import Setting
from studyattn.study.config_file import ConfigFile, toml_line
from studyattn.study.profile import Profile
from studyattn.study.settings import SETTINGS, Settings
from studyattn.tui.dialogs.dialog import ThemeScreen
from studyattn.tui.dialogs.editor import Field, Written
from studyattn.tui.formatting import Lines, pad
from studyattn.tui.screens.base import need
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import ROOM, Offers

_LABEL = 28


class SettingsScreen(ListDetailScreen[Setting | None], wide=ROOM):
    """Enter changes the setting under the cursor; one with choices steps through them."""

    SCOPE = "Settings"
    _settings = Settings()
    _config = ConfigFile()

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        yield Static(id="explanation", markup=False)

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[Settings, ConfigFile]:
            profile.reload()
            return profile.settings, profile.config

        self._settings, self._config = await self.study(read)
        self._list()

    def _list(self) -> None:
        rows: dict[str, Setting | None] = {}
        for setting in SETTINGS:
            if f"group {setting.group}" not in rows:
                rows |= {f"above {setting.group}": None} if rows else {}
                rows[f"group {setting.group}"] = None
            rows[setting.key] = setting
        self.show(rows)

    def heading(self) -> tuple[str, str]:
        return "Settings", ""

    def first(self) -> str:
        return SETTINGS[0].key

    def draw_rows(self, _width: int) -> Iterable[Content]:
        for key, setting in self.rows.items():
            if setting is None:
                name = key.removeprefix("group ")
                yield Content.styled("" if name.startswith("above") else name, "$quiet")
                continue
            changed = self._settings.value(setting) != setting.default
            value = self._settings.text(key) or "—"
            place = self._config.place(key)
            yield Content.assemble(
                "  ",
                pad(setting.label, _LABEL),
                (value, "$accent bold" if changed else "$foreground"),
                (f"   set in {place}" if place else "", "$quiet"),
            )

    def draw(self) -> None:
        super().draw()
        if (setting := self.chosen) is not None:
            told = Content.assemble(setting.help, "\n", (_expected(setting), "$quiet"))
            self.query_one("#explanation", Static).update(told)

    def hints(self) -> Offers:
        return ("edit", ("reset", "", "del"), "theme back")

    def draw_detail(self, item: Setting | None, width: int) -> Content | None:
        return None if item is None else self._draw_setting(item, width)

    def _draw_setting(self, setting: Setting, width: int) -> Content:
        """Return what a setting is for, its choices if it has some, and where it is set."""
        settings, place = self._settings, self._config.place(setting.key)
        now = settings.text(setting.key)
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
            page.wrap(_expected(setting), "$quiet")
        remarks = {
            "A change reschedules every card from its answers.": setting.reschedules,
            f"Set in {place}; change it there.": place,
        }
        for remark in (remark for remark, holds in remarks.items() if holds):
            page.add()
            page.wrap(remark, "$quiet")
        if not place:
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

    def action_open(self) -> None:
        setting = need(self.chosen)
        now = self._settings.text(setting.key)
        place = self._config.place(setting.key)
        need(place is None, f"set in {place}: change it there")
        if setting.key == "theme":
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
        setting = need(self.chosen)
        place = self._config.place(setting.key)
        need(place is None, f"set in {place}: change it there")
        self.do(partial(self._change, setting.key, setting.default_text))

    async def _change(self, key: str, text: str) -> None:
        self._settings = await self.study(lambda profile: profile.change_setting(key, text))
        self._list()
        self.show_hints("saved")
        if key == "theme":
            self.services.adopt_theme(self._settings.text(key))
        elif key == "pictures":
            self.services.prepare_pictures(again=True)


def _expected(setting: Setting) -> str:
    """Return what a setting takes, and its default."""
    expected = setting.kind.expected
    return f"{expected[:1].upper()}{expected[1:]}; default {setting.default_text or 'none'}."
