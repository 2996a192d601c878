"""The registry of settings: one typed field each, stored as text under the same keys as ever."""

from __future__ import annotations

from dataclasses import fields
from datetime import date, timedelta

import pytest
from sqlalchemy import insert, select

from studyattn.errors import NotFoundError, SettingError
from studyattn.memory import DEFAULT_PARAMETERS, SchedulingSettings
from studyattn.memory.order import Interleaving
from studyattn.setting import FITTED_PARAMETERS, Setting, StepList
from studyattn.store.models import SettingRow as Row
from studyattn.study.profile import Profile
from studyattn.study.settings import (
    SETTINGS,
    Pictures,
    Settings,
    ThemeName,
    find_setting,
    read_settings,
)

# One text other than the default for each setting, as 0.1.0 stored it, with its value.
STORED: dict[str, tuple[str, object]] = {
    "minutes_per_day": ("45", 45),
    "new_per_day": ("0", 0),
    "reviews_per_day": ("9999", 9999),
    "drills_per_day": ("5", 5),
    "interleave": ("mixed", Interleaving.MIXED),
    "lessons": ("off", False),
    "requirements_first": ("on", True),
    "goal": ("real-model", "real-model"),
    "packs": ("attention", "attention"),
    "move_on_evidence": ("on", True),
    "desired_retention": ("0.85", 0.85),
    "learning_steps": (
        "30s 5m 1h",
        (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=1)),
    ),
    "relearning_steps": ("", ()),
    "maximum_interval": ("365", 365),
    "fuzz": ("off", False),
    "easy_days": ("sat=0.5,sun=0", (1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0)),
    "vacation": (
        "2026-12-20..2027-01-03,2027-04-01",
        ((date(2026, 12, 20), date(2027, 1, 3)), (date(2027, 4, 1), date(2027, 4, 1))),
    ),
    "load_balance": ("on", True),
    "rollover_hour": ("0", 0),
    "leech_lapses": ("4", 4),
    "theme": ("terminal", ThemeName.TERMINAL),
    "pictures": ("kitty", Pictures.KITTY),
    "editor": ("code --wait", "code --wait"),
    "note_path": ("/home/me/note.html", "/home/me/note.html"),
    "sync_folder": ("/home/me/sync", "/home/me/sync"),
    "anki_key_file": ("~/.config/anki.key", "~/.config/anki.key"),
}


def stored(profile: Profile) -> dict[str, object]:
    with profile.database.read() as connection:
        rows = connection.execute(
            select(Row.key, Row.value).where(Row.key.startswith("settings."))
        ).all()
        return dict(rows)


def store(profile: Profile, key: str, value: object) -> None:
    with profile.database.write() as connection:
        connection.execute(insert(Row).values(key=key, value=value))


def test_every_field_of_both_classes_is_a_setting() -> None:
    own = {each.name for each in fields(Settings)} - {"scheduling"}
    scheduling = {each.name for each in fields(SchedulingSettings)} - {"parameters"}
    assert {each.key for each in SETTINGS} == own | scheduling == set(STORED)


def test_the_settings_are_listed_by_group() -> None:
    groups = [each.group for each in SETTINGS]
    assert list(dict.fromkeys(groups)) == ["Each day", "Scheduling", "App"]
    assert groups == sorted(groups, key=["Each day", "Scheduling", "App"].index)


@pytest.mark.parametrize("each", SETTINGS, ids=lambda each: each.key)
def test_a_setting_is_stored_as_it_always_was_and_read_again(
    each: Setting, profile: Profile
) -> None:
    text, value = STORED[each.key]
    changed = profile.change_setting(each.key, f" {text} ")
    assert changed.value(each) == value
    assert type(changed.value(each)) is type(each.default)
    assert stored(profile) == {f"settings.{each.key}": text}
    profile.reload()
    assert profile.settings == changed
    profile.change_setting(each.key, each.default_text)
    assert stored(profile) == {}
    assert profile.settings == Settings()


def test_a_home_with_every_setting_stored_is_read_whole(profile: Profile) -> None:
    for key, (text, _) in STORED.items():
        store(profile, f"settings.{key}", text)
    with profile.database.read() as connection:
        settings = read_settings(connection)
    assert {each.key: settings.value(each) for each in SETTINGS} == {
        key: value for key, (_, value) in STORED.items()
    }


def test_a_stored_value_that_is_not_accepted_is_the_default_and_spoils_no_other(
    profile: Profile,
) -> None:
    store(profile, "settings.maximum_interval", "1")
    store(profile, "settings.learning_steps", "10m 1m")
    store(profile, "settings.rollover_hour", "3")
    store(profile, FITTED_PARAMETERS, [1.0])
    profile.reload()
    assert profile.settings == Settings(scheduling=SchedulingSettings(rollover_hour=3))


def test_fitted_parameters_stay_when_another_setting_changes(profile: Profile) -> None:
    fitted = [value + 0.01 for value in DEFAULT_PARAMETERS]
    store(profile, FITTED_PARAMETERS, fitted)
    profile.reload()
    profile.change_setting("new_per_day", "3")
    assert list(profile.change_setting("fuzz", "off").scheduling.parameters) == fitted


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("new_per_day", "abc", "a whole number from 0 to 999"),
        ("new_per_day", "1000", "a whole number from 0 to 999"),
        ("new_per_day", "-1", "a whole number from 0 to 999"),
        ("desired_retention", "0.5", "a number from 0.70 to 0.97"),
        ("desired_retention", "nan", "a number from 0.70 to 0.97"),
        ("fuzz", "maybe", "on or off"),
        ("interleave", "never", "first, last, mixed or cards"),
        ("learning_steps", "10m 1m", "up to 10 increasing waits of at most 1d each"),
        ("learning_steps", "2d", "up to 10 increasing waits of at most 1d each"),
        ("learning_steps", "inf", "up to 10 increasing waits of at most 1d each"),
        ("easy_days", "sun", "weekdays with a share from 0 to 1"),
        ("easy_days", "sun=2", "weekdays with a share from 0 to 1"),
        ("easy_days", "holiday=0", "weekdays with a share from 0 to 1"),
        (
            "easy_days",
            "mon=0 tue=0 wed=0 thu=0 fri=0 sat=0 sun=nan",
            "weekdays with a share from 0 to 1",
        ),
        ("vacation", "2026-12-20..2026-12-01", "days such as 2026-12-20..2027-01-03"),
        ("vacation", "Christmas", "days such as 2026-12-20..2027-01-03"),
        ("learning_steps", "5 minutes", "up to 10 increasing waits of at most 1d each"),
    ],
)
def test_an_invalid_value_is_refused_with_what_is_expected(
    profile: Profile, key: str, text: str, expected: str
) -> None:
    with pytest.raises(SettingError) as refused:
        profile.change_setting(key, text)
    assert str(refused.value).startswith(f"Invalid value {text!r} for {key}: expected {expected}")
    assert stored(profile) == {}
    assert profile.settings == Settings()


def test_a_value_out_of_range_cannot_be_constructed() -> None:
    with pytest.raises(SettingError, match="Invalid value '-1' for new_per_day"):
        Settings(new_per_day=-1)


def test_an_unknown_setting_is_not_found() -> None:
    assert find_setting("new-per-day").key == "new_per_day"
    with pytest.raises(NotFoundError, match="no_such"):
        find_setting("no_such")


@pytest.mark.parametrize("text", ["1m", "90s", "1d", "1m 10m", "12h", "1.5h"])
def test_steps_are_written_as_they_are_read(text: str) -> None:
    steps = StepList().parse(text)
    assert StepList().parse(StepList().format(steps)) == steps


def test_a_percentage_is_read_as_a_fraction(profile: Profile) -> None:
    assert profile.change_setting("desired_retention", "85%").scheduling.desired_retention == 0.85


def test_zero_minutes_a_day_and_nothing_else_is_no_limit() -> None:
    assert Settings(minutes_per_day=0).budget == 0
    assert Settings(new_per_day=999).budget == 20 * 60
