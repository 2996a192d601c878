"""The settings that a learner keeps in a file of their own, as dotfiles are kept.

`Home.config` says where it is. Its names are those of `studyattn settings`; each line wins over the
home: when a home is opened, what differs is changed there, so everything that reads the database
reads the same. A line that is taken out leaves the setting as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from studyattn.errors import NotFoundError, SettingError
from studyattn.paths import shown
from studyattn.setting import Setting
from studyattn.study.settings import SETTINGS, Settings, find_setting


class ConfigFile(NamedTuple):
    """The settings of a file, each checked; what cannot be used in it is left out and told."""

    path: Path | None = None
    texts: Mapping[str, str] = MappingProxyType({})
    """By the settings' keys, as a learner would write them."""
    lines: Mapping[str, int] = MappingProxyType({})
    problems: tuple[SettingError, ...] = ()

    def place(self, key: str) -> str | None:
        """Return `FILE:LINE` of a setting; None for one that the file does not set."""
        if self.path is None or key not in self.texts:
            return None
        return f"{shown(self.path)}:{self.lines[key]}"


def read_config(path: Path | None) -> ConfigFile:
    """Return the settings of a file; none where it is missing. Raises nothing: see `problems`."""
    if path is None:
        return ConfigFile()
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ConfigFile()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return ConfigFile(path, problems=(_problem(f"it cannot be read: {reason}", path),))
    import tomllib  # late: few have such a file, and a start waits

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.fullmatch(r"(.*?) \(at line (\d+), .*\)", str(error), re.DOTALL)
        message, line = (told[1], int(told[2])) if told else (str(error), None)
        message = f"{message[:1].lower()}{message[1:]}"
        return ConfigFile(path, problems=(_problem(message, path, line),))
    return _checked(path, text, table)


def as_toml(settings: Settings) -> str:
    """Return the settings as such a file: what differs from its default, the rest as comments."""
    blocks = []
    for each in SETTINGS:
        value = settings.value(each)
        mark = "# " if value == each.default else ""
        blocks.append(f"# {each.help}\n{mark}{toml_line(each, value)}\n")
    return "\n".join(blocks)


def toml_line(setting: Setting, value: object) -> str:
    """Return the line of such a file that gives a setting a value."""
    if not isinstance(value, int | float):  # of these JSON and TOML have the same
        value = setting.kind.format(value)
    # A string of JSON is one of TOML, but for the character that only JSON leaves as it is.
    written = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{setting.key} = {written}"


def _checked(path: Path, text: str, table: Mapping[str, Any]) -> ConfigFile:
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    problems: list[SettingError] = []
    for name, value in table.items():
        line = _line_of(name, text)
        try:
            setting = find_setting(name)
            written = _text(setting, value)
            setting.read(written)
        except (NotFoundError, SettingError) as error:
            problems.append(_problem(error.message, path, line, error.advice))
        else:
            texts[setting.key], lines[setting.key] = written, line
    return ConfigFile(path, texts, lines, tuple(problems))


def _text(setting: Setting, value: object) -> str:
    """Return a value of TOML as a learner would write it. Raises SettingError for other kinds."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    raise SettingError(f"Invalid value for {setting.key}: expected {setting.kind.expected}")


def _line_of(name: str, text: str) -> int:
    """Return the line, from 1, that begins with a key or its table."""
    begins = re.compile(rf"""\s*\[?\s*["']?{re.escape(name)}["']?\s*[=\].]""")
    found = (number for number, line in enumerate(text.splitlines(), 1) if begins.match(line))
    return next(found, 1)


def _problem(message: str, path: Path, line: int | None = None, advice: str = "") -> SettingError:
    where = shown(path) if line is None else f"{shown(path)}:{line}"
    return SettingError(message, where=where, advice=advice)
