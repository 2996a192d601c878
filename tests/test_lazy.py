"""The modules of a package that are imported when they, or a name of theirs, are first used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from studyattn import memory
from studyattn.lazy import lazy_modules, lazy_names


def test_a_module_is_imported_at_its_first_use_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "lazily"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("number = 1")
    (package / "other.py").write_text("number = 2")
    monkeypatch.syspath_prepend(str(tmp_path))

    load = lazy_modules("lazily", ["one"])
    assert "lazily.one" not in sys.modules
    assert load("one").number == 1
    with pytest.raises(AttributeError, match="'lazily' has no attribute 'other'"):
        load("other")
    assert "lazily.other" not in sys.modules


def test_a_name_brings_its_module_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "named"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("number = 1")
    (package / "other.py").write_text("word = 'two'")
    monkeypatch.syspath_prepend(str(tmp_path))

    load = lazy_names("named", {"number": "one", "word": "other"})
    assert load("number") == 1
    assert "named.other" not in sys.modules
    with pytest.raises(AttributeError, match="'named' has no attribute 'one'"):
        load("one")


def test_every_name_of_the_forgetting_model_is_there() -> None:
    for name in memory.__all__:
        assert getattr(memory, name) is not None


def test_no_screen_with_a_list_loads_the_language_model_or_numpy() -> None:
    screens = ("cards", "concepts", "concept", "drills", "notes", "search")
    told = "[name for name in ('studyattn.lm', 'studyattn.attention', 'numpy') if name in modules]"
    imports = "".join(f"import studyattn.tui.screens.{each}\n" for each in screens)
    script = f"{imports}from sys import modules\nprint({told})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"
