"""One setting: its label and help text, and how its value is read, checked and written as text.

A settings class is a frozen dataclass whose fields are made by `setting`: each has a kind, a range
and a default, and `settings.txt` its words. The settings screen, `studyattn settings` and the
stored text are drawn from them. The classes are `memory.settings.SchedulingSettings` and
`study.settings.Settings`.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import field, fields
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from studyattn.errors import SettingError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

STORED_PREFIX = "settings."
"""Prefix of the keys of the table `setting` that hold a learner's choice."""

FITTED_PARAMETERS = "scheduling.parameters"
"""Key of the table `setting` that holds the model parameters fitted to a learner's reviews."""

OF_ONE_MACHINE = frozenset(
    f"{STORED_PREFIX}{key}"
    for key in ("theme", "pictures", "editor", "note_path", "sync_folder", "anki_key_file")
)
"""Keys of settings that hold on one machine only: no merge carries them to another."""

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class SettingKind(ABC, Generic[T]):
    """The kind of value a setting takes: how it is read, checked and written."""

    choices: tuple[str, ...] = ()  # all values as text, if there are few

    @property
    @abstractmethod
    def expected(self) -> str:
        """The accepted values in words, to follow "expected"."""

    @abstractmethod
    def parse(self, text: str) -> T:
        """Return the value of `text`. Raises ValueError or OverflowError."""

    def accepts(self, value: T) -> bool:  # noqa: ARG002  # any value, unless a kind is narrower
        """Return whether `value` is in range."""
        return True

    def format(self, value: T) -> str:
        """Return `value` as a learner would write it; `parse` reads it back."""
        return str(value)


class WholeNumber(SettingKind[int]):
    """A whole number in a range that includes both ends."""

    def __init__(self, lowest: int, highest: int) -> None:
        self.lowest, self.highest = lowest, highest

    @property
    def expected(self) -> str:
        return f"a whole number from {self.lowest} to {self.highest}"

    def parse(self, text: str) -> int:
        return int(text)

    def accepts(self, value: int) -> bool:
        return self.lowest <= value <= self.highest


class Proportion(SettingKind[float]):
    """A fraction in a range that includes both ends, written `0.9` or `90%`."""

    def __init__(self, lowest: float, highest: float) -> None:
        self.lowest, self.highest = lowest, highest

    @property
    def expected(self) -> str:
        return f"a number from {self.lowest:.2f} to {self.highest:.2f}"

    def parse(self, text: str) -> float:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)

    def accepts(self, value: float) -> bool:
        return self.lowest <= value <= self.highest  # false for NaN


class Switch(SettingKind[bool]):
    """A setting that is on or off."""

    choices = ("on", "off")

    @property
    def expected(self) -> str:
        return "on or off"

    def parse(self, text: str) -> bool:
        words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
        if text.lower() not in words:
            raise ValueError(text)
        return words[text.lower()]

    def format(self, value: bool) -> str:
        return "on" if value else "off"


class Choice(SettingKind[E]):
    """A member of an enumeration, written as its value."""

    def __init__(self, members: type[E]) -> None:
        self._members = members
        self.choices = tuple(members)

    @property
    def expected(self) -> str:
        return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"

    def parse(self, text: str) -> E:
        return self._members(text)


class FreeText(SettingKind[str]):
    """Any text."""

    expected = ""

    def __init__(self, expected: str) -> None:
        self.expected = expected

    def parse(self, text: str) -> str:
        return text


class PackOrder(SettingKind[str]):
    """Ids of packs: `one, two` teaches one first, `2*one+two` mixes them, `-three` is put aside."""

    @property
    def expected(self) -> str:
        return "ids of packs, each once, such as 2*one+two, three, -four"

    def parse(self, text: str) -> str:
        parts = ["+".join(each.split()) for each in text.replace("+", " ").split(",")]
        names = [name for each in parts for name in each.removeprefix("-").split("+")]
        put_aside = any("+" in each for each in parts if each.startswith("-"))
        if parts == [""]:
            return ""
        ids = {name.rpartition("*")[2] for name in names}
        if put_aside or len(ids) < len(names) or not all(map(_PACK.fullmatch, names)):
            raise ValueError(text)
        return ", ".join(parts)


_PACK = re.compile(r"(?:[1-9]\d?\*)?[a-z0-9]+(?:-[a-z0-9]+)*")
_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}  # in seconds


class StepList(SettingKind[tuple[timedelta, ...]]):
    """Increasing waits, each with a unit: `30s`, `10m`, `10min`, `12h`, `1d`; minutes without."""

    most = 10
    longest = timedelta(days=1)

    @property
    def expected(self) -> str:
        return f"up to {self.most} increasing waits of at most 1d each, such as 1m 10m"

    def parse(self, text: str) -> tuple[timedelta, ...]:
        return tuple(map(self._step, text.replace(",", " ").split()))

    def accepts(self, value: tuple[timedelta, ...]) -> bool:
        return (
            len(value) <= self.most
            and all(timedelta(0) < step <= self.longest for step in value)
            and all(earlier < later for earlier, later in pairwise(value))
        )

    def format(self, value: tuple[timedelta, ...]) -> str:
        return " ".join(map(self._text, value))

    @staticmethod
    def _step(text: str) -> timedelta:
        number = text.rstrip("smindh")
        unit = text[len(number) :] or "m"
        if unit not in _UNITS or not math.isfinite(float(number)):
            raise ValueError(text)
        return timedelta(seconds=round(float(number) * _UNITS[unit]))

    @staticmethod
    def _text(step: timedelta) -> str:
        seconds = round(step.total_seconds())
        for unit in ("d", "h", "m"):
            if seconds % _UNITS[unit] == 0:
                return f"{seconds // _UNITS[unit]}{unit}"
        return f"{seconds}s"


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class WeekdayShares(SettingKind[tuple[float, ...]]):
    """Shares of a usual day, Monday first, written `sat=0.5,sun=0`; days not named have 1."""

    @property
    def expected(self) -> str:
        return "weekdays with a share from 0 to 1, such as sat=0.5,sun=0, at least one of them 1"

    def parse(self, text: str) -> tuple[float, ...]:
        shares = [1.0] * len(WEEKDAYS)
        for part in text.replace(",", " ").split():
            name, equals, share = part.partition("=")
            if not equals:
                raise ValueError(part)
            percent = share.endswith("%")
            number = float(share.removesuffix("%")) / (100 if percent else 1)
            shares[WEEKDAYS.index(name.lower()[:3])] = number
        return tuple(shares)

    def accepts(self, value: tuple[float, ...]) -> bool:
        in_range = all(0 <= share <= 1 for share in value)  # false for NaN
        return len(value) == len(WEEKDAYS) and in_range and max(value) == 1

    def format(self, value: tuple[float, ...]) -> str:
        named = zip(WEEKDAYS, value, strict=True)
        return ",".join(f"{name}={share:g}" for name, share in named if share != 1)


class DateRanges(SettingKind[tuple[tuple[date, date], ...]]):
    """Ranges of days, both ends included, written `2026-12-20..2027-01-03`; a day alone too."""

    longest = 366  # days of one range

    @property
    def expected(self) -> str:
        return "days such as 2026-12-20..2027-01-03, several separated by commas"

    def parse(self, text: str) -> tuple[tuple[date, date], ...]:
        return tuple(sorted(map(self._range, text.replace(",", " ").split())))

    def accepts(self, value: tuple[tuple[date, date], ...]) -> bool:
        return all(0 <= (last - first).days < self.longest for first, last in value)

    def format(self, value: tuple[tuple[date, date], ...]) -> str:
        return ",".join(f"{first}..{last}" if first < last else f"{first}" for first, last in value)

    @staticmethod
    def _range(text: str) -> tuple[date, date]:
        first, _, last = text.partition("..")
        return date.fromisoformat(first), date.fromisoformat(last or first)


class Setting(NamedTuple):
    """One entry of the registry: a field of a settings class, and its words in `settings.txt`."""

    key: str
    label: str
    group: str
    help: str
    kind: SettingKind[Any]
    default: object
    reschedules: bool  # changing it recomputes every item's memory columns

    @property
    def stored_as(self) -> str:
        """The key in the table `setting`."""
        return STORED_PREFIX + self.key

    @property
    def default_text(self) -> str:
        return self.kind.format(self.default)

    def read(self, text: str) -> object:
        """Return the value of `text`. Raises SettingError for one that is not accepted."""
        try:
            value = self.kind.parse(text.strip())
        except (ValueError, OverflowError):
            value = None
        if value is None or not self.kind.accepts(value):
            raise _invalid(self.key, self.kind, text)
        return value


def _invalid(key: str, kind: SettingKind[Any], text: str) -> SettingError:
    return SettingError(f"Invalid value {text!r} for {key}: expected {kind.expected}")


def setting(kind: SettingKind[T], default: T) -> T:
    """Return a dataclass field that defines a setting; its name is the setting's key."""
    return field(default=default, metadata={"kind": kind})


@cache
def kinds_of(settings: type[DataclassInstance]) -> dict[str, SettingKind[Any]]:
    """Return the kinds of the settings that a class defines, by key."""
    return {e.name: e.metadata["kind"] for e in fields(settings) if "kind" in e.metadata}


def check_settings(settings: DataclassInstance) -> None:
    """Raise SettingError for the first setting that is out of range."""
    for key, kind in kinds_of(type(settings)).items():
        value = getattr(settings, key)
        if not kind.accepts(value):
            raise _invalid(key, kind, kind.format(value))


def described(*classes: type[DataclassInstance]) -> tuple[Setting, ...]:
    """Return the settings of some classes with the words of `settings.txt`, in its order."""
    own = {each.name: each for settings in classes for each in fields(settings)}
    found, group = [], ""
    for paragraph in Path(__file__).with_name("settings.txt").read_text("utf-8").split("\n\n")[1:]:
        head, *told = paragraph.strip().split("\n")
        key, _, label = head.partition("  ")
        if label:
            kind, words = own[key].metadata["kind"], label.removesuffix(" *")
            about = (key, words, group, " ".join(told))
            found.append(Setting(*about, kind, own[key].default, reschedules=words != label))
        else:
            group = head.strip("[]")
    return tuple(found)
