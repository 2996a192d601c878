"""The settings that a learner can see and change, with their storage in the table `setting`.

To add a setting, add a field to `Settings` (or, for the scheduler, to `SchedulingSettings`) and its
words to `settings.txt`; the settings screen and `studyattn settings` show it. A value that differs
from its default is stored as text. Importing this module opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from studyattn.errors import NotFoundError, SettingError
from studyattn.memory.order import DayLimits, Interleaving, kept_for_new
from studyattn.memory.settings import SchedulingSettings
from studyattn.setting import (
    FITTED_PARAMETERS,
    Choice,
    FreeText,
    PackOrder,
    Setting,
    Switch,
    WholeNumber,
    check_settings,
    described,
    kinds_of,
    setting,
)

if TYPE_CHECKING:
    from studyattn.store.database import Connection
    from studyattn.store.sql import Connection as Readable


class ThemeName(StrEnum):
    """The colours of the app; those from nord on come with Textual."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
    TERMINAL = "terminal"
    NORD = "nord"
    GRUVBOX = "gruvbox"
    TOKYO_NIGHT = "tokyo-night"
    CATPPUCCIN_MOCHA = "catppuccin-mocha"
    DRACULA = "dracula"
    TEXTUAL_DARK = "textual-dark"
    TEXTUAL_LIGHT = "textual-light"
    CATPPUCCIN_LATTE = "catppuccin-latte"
    SOLARIZED_LIGHT = "solarized-light"


class Pictures(StrEnum):
    """The ways to draw the pictures of cards."""

    AUTO = "auto"
    KITTY = "kitty"
    BLOCKS = "blocks"


@dataclass(frozen=True, slots=True)
class Settings:
    """The values in force. Raises SettingError for a value out of its range."""

    minutes_per_day: int = setting(WholeNumber(0, 600), 20)
    new_per_day: int = setting(WholeNumber(0, 999), 15)
    reviews_per_day: int = setting(WholeNumber(0, 9999), 200)
    drills_per_day: int = setting(WholeNumber(0, 99), 2)
    interleave: Interleaving = setting(Choice(Interleaving), Interleaving.LAST)
    lessons: bool = setting(Switch(), True)
    requirements_first: bool = setting(Switch(), False)
    goal: str = setting(FreeText("the name of a goal"), "")
    packs: str = setting(PackOrder(), "")
    move_on_evidence: bool = setting(Switch(), False)
    scheduling: SchedulingSettings = field(default_factory=SchedulingSettings)
    theme: ThemeName = setting(Choice(ThemeName), ThemeName.AUTO)
    pictures: Pictures = setting(Choice(Pictures), Pictures.AUTO)
    editor: str = setting(FreeText("a command line"), "")
    note_path: str = setting(FreeText("a file path"), "")
    sync_folder: str = setting(FreeText("a folder path"), "")
    # The file, not the key: a setting is shown, exported and in every backup.
    anki_key_file: str = setting(FreeText("a file path"), "")

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def day_limits(self) -> DayLimits:
        """The limits of a whole usual day."""
        return DayLimits(
            new=self.new_per_day,
            reviews=self.reviews_per_day,
            drills=self.drills_per_day,
            new_drills=kept_for_new(self.drills_per_day),
        )

    @property
    def budget(self) -> float:
        """Seconds that a day may take before nothing new is introduced; 0 is no limit."""
        return 60.0 * self.minutes_per_day

    def value(self, setting: Setting) -> object:
        """Return the value of a setting of the registry."""
        part = self.scheduling if setting.key in _SCHEDULING else self
        value: object = getattr(part, setting.key)
        return value

    def text(self, key: str) -> str:
        """Return a value as the learner would write it. Raises NotFoundError for an unknown key."""
        setting = find_setting(key)
        return setting.kind.format(self.value(setting))

    def with_text(self, key: str, text: str) -> Settings:
        """Return these settings with the value of `text` for `key`.

        Raises NotFoundError for an unknown key, SettingError for a value that is not accepted.
        """
        setting = find_setting(key)
        return _with(self, {setting.key: setting.read(text)})


SETTINGS: tuple[Setting, ...] = described(Settings, SchedulingSettings)
_BY_KEY = {each.key: each for each in SETTINGS}
_SCHEDULING = kinds_of(SchedulingSettings)


def find_setting(key: str) -> Setting:
    """Return the setting named `key` (`-` and `_` are the same). Raises NotFoundError."""
    try:
        return _BY_KEY[key.replace("-", "_")]
    except KeyError:
        # Late: only a mistake needs it.
        from studyattn.study.rules.naming import Named, did_you_mean

        close = did_you_mean(key, [Named(each.key, each.label) for each in SETTINGS])
        raise NotFoundError(
            f"there is no setting {key!r}",
            advice=f"{close}`studyattn settings list` lists them.",
        ) from None


def read_settings(connection: Readable) -> Settings:
    """Return the stored settings. A stored value that is no longer accepted is the default."""
    from studyattn.store.queries.settings import stored_values  # a screen needs only the fields

    stored = stored_values(connection)
    settings = Settings()
    fitted = stored.get(FITTED_PARAMETERS)
    if isinstance(fitted, list):
        with suppress(SettingError, TypeError, ValueError):
            parameters = tuple(float(number) for number in fitted)
            settings = Settings(scheduling=SchedulingSettings(parameters=parameters))
    chosen = {}
    for each in SETTINGS:
        if each.stored_as in stored:
            with suppress(SettingError):
                chosen[each.key] = each.read(str(stored[each.stored_as]))
    return _with(settings, chosen)


def write_setting(
    connection: Connection, settings: Settings, setting: Setting, at: datetime
) -> None:
    """Store the value of `setting`. The caller recomputes the items if it `reschedules`."""
    from studyattn.store.queries.decisions import choose_setting  # it loads SQLAlchemy

    default = settings.value(setting) == setting.default
    chosen = None if default else settings.text(setting.key)
    choose_setting(connection, setting.stored_as, chosen, at)


def _with(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Return `settings` with these values, each read by its own setting."""
    scheduling = {key: value for key, value in values.items() if key in _SCHEDULING}
    others = {key: value for key, value in values.items() if key not in _SCHEDULING}
    changed = replace(settings.scheduling, **scheduling)  # type: ignore[arg-type]  # typed by key
    return replace(settings, scheduling=changed, **others)  # type: ignore[arg-type]  # the same
