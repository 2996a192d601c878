"""The modules of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from studyattn.lazy import lazy_modules


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
