"""The settings a learner can see and change: one registry that command and screen draw from.

Each setting is typed text with a range and a sentence of help. Values that differ from the default
are kept in the table `setting` under `settings.KEY`; importing this module opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from studyattn.errors import InputError, NotFoundError, SettingError
from studyattn.memory.settings import SchedulingSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STORED_AS = "settings."  # the table also keeps small state, such as pack digests
FITTED_PARAMETERS = "scheduling.parameters"


class Interleaving(StrEnum):
    """Where drills stand in the day's session."""

    FIRST = "first"
    LAST = "last"
    MIXED = "mixed"
    CARDS_ONLY = "cards"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: how it is named, explained, read from text and shown as text."""

    key: str
    label: str
    group: str
    help: str
    default: Any
    range: str  # what may be written, in words
    parse: Callable[[str], Any]  # raises ValueError
    choices: tuple[str, ...] = ()
    reschedules: bool = False  # changing it recomputes every item's memory columns

    def text(self, value: Any) -> str:
        """`value` as the learner would write it."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, tuple):
            return " ".join(_step_text(step) for step in value)
        return str(value)

    def read(self, text: str) -> Any:
        """The value that `text` says. Raises SettingError, naming the range."""
        try:
            return self.parse(text.strip())
        except (ValueError, OverflowError):
            raise SettingError(
                f"{text!r} is no value for {self.key} ({self.label})", advice=f"Give {self.range}."
            ) from None


_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def parse_step(text: str) -> timedelta:
    """A learning step such as `30s`, `10m`, `10min`, `12h`, `1d`. Raises ValueError."""
    number = text.rstrip("smindh")
    unit = text[len(number) :] or "m"
    if unit not in _UNITS:
        raise ValueError(text)
    return timedelta(seconds=round(float(number) * _UNITS[unit]))


def _step_text(step: timedelta) -> str:
    seconds = round(step.total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _steps(text: str) -> tuple[timedelta, ...]:
    return tuple(parse_step(word) for word in text.replace(",", " ").split())


def _whole(lowest: int, highest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not lowest <= value <= highest:
            raise ValueError(text)
        return value

    return parse


def _share(lowest: float, highest: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        if not lowest <= value <= highest:
            raise ValueError(text)
        return value

    return parse


def _switch(text: str) -> bool:
    words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
    try:
        return words[text.lower()]
    except KeyError:
        raise ValueError(text) from None


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return parse


def _words(text: str) -> str:
    return text


_SCHEDULING = SchedulingSettings()

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "minutes_per_day",
        "Minutes a day",
        "Each day",
        "New cards and new drills come only while the time you are expected to take stays within "
        "this; what is due comes in any case. 0 means no such limit, and so does 20 when you have "
        "asked for more new cards a day than usual.",
        20,
        "a whole number of minutes from 0 to 600",
        _whole(0, 600),
    ),
    Setting(
        "new_per_day",
        "New cards a day",
        "Each day",
        "How many cards you have never seen are shown on one learner day. Each one costs about "
        "seven later reviews in its first month.",
        15,
        "a whole number from 0 to 999",
        _whole(0, 999),
    ),
    Setting(
        "reviews_per_day",
        "Reviews a day",
        "Each day",
        "The most cards that are reviewed on one learner day. What is left over is overdue "
        "tomorrow and comes first then.",
        200,
        "a whole number from 0 to 9999",
        _whole(0, 9999),
    ),
    Setting(
        "drills_per_day",
        "Drills a day",
        "Each day",
        "The most coding drills on one learner day, new and repeated together.",
        2,
        "a whole number from 0 to 99",
        _whole(0, 99),
    ),
    Setting(
        "interleave",
        "Drills in the session",
        "Each day",
        "Where due drills stand in the session: before the cards, after them, mixed in, or not at "
        "all.",
        Interleaving.LAST.value,
        "first, last, mixed or cards",
        _one_of(*Interleaving),
        tuple(Interleaving),
    ),
    Setting(
        "requirements_first",
        "Requirements first",
        "Each day",
        "New cards wait until every concept that theirs requires is known, or all of its cards are "
        "learnt. The order has requirements first in any case; this makes some days shorter.",
        False,
        "on or off",
        _switch,
        ("on", "off"),
    ),
    Setting(
        "desired_retention",
        "Desired retention",
        "Scheduling",
        "The chance of remembering a card that its next review aims at. Higher means more reviews: "
        "0.95 takes about twice as many as 0.90.",
        _SCHEDULING.desired_retention,
        "a number from 0.70 to 0.97",
        _share(0.70, 0.97),
        reschedules=True,
    ),
    Setting(
        "learning_steps",
        "Learning steps",
        "Scheduling",
        "The waits between the first looks at a new card, before it is scheduled in days.",
        _SCHEDULING.learning_steps,
        "growing waits of at most a day, such as 1m 10m",
        _steps,
        reschedules=True,
    ),
    Setting(
        "relearning_steps",
        "Relearning steps",
        "Scheduling",
        "The waits after a card was forgotten, before it is scheduled in days again.",
        _SCHEDULING.relearning_steps,
        "growing waits of at most a day, such as 10m",
        _steps,
        reschedules=True,
    ),
    Setting(
        "maximum_interval",
        "Longest interval",
        "Scheduling",
        "No card is scheduled further ahead than this many days.",
        _SCHEDULING.maximum_interval,
        "a whole number of days from 3 to 36500",
        _whole(3, 36500),
        reschedules=True,
    ),
    Setting(
        "fuzz",
        "Spread intervals",
        "Scheduling",
        "Intervals vary a little, so that cards learnt together do not stay together for ever.",
        _SCHEDULING.fuzz,
        "on or off",
        _switch,
        ("on", "off"),
        reschedules=True,
    ),
    Setting(
        "rollover_hour",
        "The day begins at",
        "Scheduling",
        "The hour of your own clock at which a new learner day begins.",
        _SCHEDULING.rollover_hour,
        "a whole hour from 0 to 23",
        _whole(0, 23),
        reschedules=True,
    ),
    Setting(
        "leech_lapses",
        "Lapses of a leech",
        "Scheduling",
        "After this many lapses a card's concept is offered as known-unknown, and a note opens.",
        _SCHEDULING.leech_lapses,
        "a whole number from 1 to 99",
        _whole(1, 99),
    ),
    Setting(
        "theme",
        "Colours",
        "App",
        "The colours of the app. auto follows the terminal; terminal uses its sixteen colours.",
        "auto",
        "auto, light, dark or terminal",
        _one_of("auto", "light", "dark", "terminal"),
        ("auto", "light", "dark", "terminal"),
    ),
    Setting(
        "editor",
        "Editor",
        "App",
        "The command that opens a file for editing. Empty means $VISUAL, then $EDITOR.",
        "",
        "a command line",
        _words,
    ),
    Setting(
        "note_path",
        "Learning note",
        "App",
        "The file it is written to after each session; a page if it ends in .html. Empty: none.",
        "",
        "the path of a file",
        _words,
    ),
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """The values in force: those the learner chose and the defaults of the others."""

    values: Mapping[str, Any]  # one for each of SETTINGS
    scheduling: SchedulingSettings

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def text(self, key: str) -> str:
        """The value of `key` as the learner would write it."""
        return _BY_KEY[key].text(self.values[key])

    @property
    def budget(self) -> float:
        """Seconds that a day is meant to take; 0 is no limit.

        Who asks for more new cards than usual gets them, unless the minutes were chosen as well.
        """
        minutes, new = _BY_KEY["minutes_per_day"], _BY_KEY["new_per_day"]
        if self[minutes.key] == minutes.default and self[new.key] > new.default:
            return 0.0
        return 60.0 * float(self[minutes.key])

    @property
    def interleaving(self) -> Interleaving:
        return Interleaving(self.values["interleave"])


def find_setting(key: str) -> Setting:
    """The setting named `key` (`-` and `_` are the same). Raises NotFoundError."""
    try:
        return _BY_KEY[key.replace("-", "_")]
    except KeyError:
        raise NotFoundError(
            f"there is no setting {key!r}", advice="`studyattn settings list` shows all of them."
        ) from None


def read_settings(connection: Connection) -> Settings:
    """The settings in force. A stored value that no longer fits its range counts as the default."""
    from sqlalchemy import select

    from studyattn.store.models import Setting as Row

    stored: dict[str, Any] = dict(connection.execute(select(Row.key, Row.value)).all())
    values = {
        setting.key: _stored_value(setting, stored.get(_STORED_AS + setting.key))
        for setting in SETTINGS
    }
    try:
        scheduling = _scheduling(values, stored.get(FITTED_PARAMETERS))
    except (SettingError, TypeError, ValueError):
        scheduling = SchedulingSettings()
    return Settings(values, scheduling)


def check_change(settings: Settings, key: str, text: str) -> tuple[Setting, Settings]:
    """The setting and the settings as they would be. Raises NotFoundError or SettingError."""
    setting = find_setting(key)
    values = {**settings.values, setting.key: setting.read(text)}
    fitted = settings.scheduling.parameters
    return setting, Settings(values, _scheduling(values, list(fitted)))


def write_setting(connection: Connection, setting: Setting, value: Any) -> None:
    """Keep a checked value. The caller recomputes items when `setting.reschedules`."""
    from studyattn.study.state import put_state, remove_state

    if value == setting.default:
        remove_state(connection, _STORED_AS + setting.key)
    else:
        put_state(connection, _STORED_AS + setting.key, setting.text(value))


def _stored_value(setting: Setting, stored: Any) -> Any:
    if stored is None:
        return setting.default
    try:
        return setting.read(str(stored))
    except InputError:
        return setting.default


def _scheduling(values: Mapping[str, Any], fitted: Any) -> SchedulingSettings:
    names = (
        "desired_retention",
        "learning_steps",
        "relearning_steps",
        "maximum_interval",
        "rollover_hour",
        "fuzz",
        "leech_lapses",
    )
    chosen = {name: values[name] for name in names}
    if fitted is not None:
        chosen["parameters"] = tuple(float(number) for number in fitted)
    return SchedulingSettings(**chosen)
