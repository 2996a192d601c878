"""The learner's file of settings: read, checked line by line, and written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.config_file import as_toml, read_config
from studyattn.study.settings import SETTINGS, Settings


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, "utf-8")
    return path


def test_names_and_values_are_those_of_the_settings(tmp_path: Path) -> None:
    config = read_config(
        written(
            tmp_path,
            '# mine\nnew-per-day = 7\n"lessons" = false\ndesired_retention = "85%"\n'
            'learning_steps = ["30s", "5m"]\ntheme = "dark"\neditor = "vi -n"\n',
        )
    )
    assert config.problems == ()
    assert config.texts == {
        "new_per_day": "7",
        "lessons": "off",
        "desired_retention": "85%",
        "learning_steps": "30s 5m",
        "theme": "dark",
        "editor": "vi -n",
    }
    assert config.lines["new_per_day"] == 2
    assert config.place("desired_retention") == f"{tmp_path}/config.toml:4"
    assert config.place("fuzz") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("new_per_day = 7\nnews_per_day = 1\n", ":2: there is no setting 'news_per_day'. Did you"),
        ("new_per_day = 7\n\nreviews_per_day = -1\n", ":3: Invalid value '-1' for reviews_per_day"),
        ("new_per_day = 7\nfuzz = 2026-01-01\n", ":2: Invalid value for fuzz: expected on or off"),
        ("new_per_day = 7\n[fuzz]\na = 1\n", ":2: Invalid value for fuzz"),
        ("new_per_day = 7\nfuzz = 1\n", ":2: Invalid value '1' for fuzz"),
    ],
)
def test_a_line_that_cannot_be_used_is_told_and_the_others_count(
    tmp_path: Path, text: str, told: str
) -> None:
    config = read_config(written(tmp_path, text))
    (problem,) = config.problems
    assert f"config.toml{told}" in str(problem)
    assert config.texts == {"new_per_day": "7"}


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    (problem,) = read_config(written(tmp_path, "fuzz = true\nnew_per_day =\n")).problems
    assert str(problem) == f"{tmp_path}/config.toml:2: invalid value"


def test_a_file_that_is_missing_or_unreadable(tmp_path: Path) -> None:
    assert read_config(None).problems == ()
    assert read_config(tmp_path / "config.toml").problems == ()
    assert read_config(written(tmp_path, "") / "below").problems == ()
    (problem,) = read_config(tmp_path).problems
    assert "it cannot be read: Is a directory" in str(problem)
    (tmp_path / "config.toml").write_bytes(b"\xff")
    (problem,) = read_config(tmp_path / "config.toml").problems
    assert "it is not UTF-8 text" in str(problem)


TEXT = st.text(st.characters(exclude_categories=["Cs"])).map(str.strip)


@given(TEXT, st.integers(0, 999), st.booleans(), st.sampled_from([0.7, 0.85, 0.97]))
def test_what_is_written_is_read_back(editor: str, new: int, fuzz: bool, retention: float) -> None:
    given = {"editor": editor, "new_per_day": str(new), "fuzz": "on" if fuzz else "off"}
    settings = Settings().with_text("desired_retention", str(retention))
    for key, text in given.items():
        settings = settings.with_text(key, text)
    table = tomllib.loads(as_toml(settings))
    assert {each.key for each in SETTINGS if settings.value(each) != each.default} == set(table)
    again = Settings()
    for key, value in table.items():
        text = ("off", "on")[value] if isinstance(value, bool) else str(value)
        again = again.with_text(key, text)
    assert again == settings
