"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.paths import shown, tidy


def test_detours_go_where_they_lead_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    assert tidy(tmp_path / "a" / "b" / ".." / "c.md") == tmp_path / "a" / "c.md"
    assert tidy(tmp_path / "a" / "." / "b") == tmp_path / "a" / "b"
    beyond = tmp_path / "link" / ".." / "c.md"
    assert tidy(beyond) == beyond
    assert tidy(Path("x.md")) == Path("x.md")
    assert tidy(Path("nowhere/../x\0.md")) == Path("nowhere/../x\0.md")


def test_home_is_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shown(tmp_path / "notes" / "a.md") == "~/notes/a.md"
    assert shown(str(tmp_path)) == "~"
    assert shown("/elsewhere/a.md") == "/elsewhere/a.md"
    assert shown(f"{tmp_path}er/a.md") == f"{tmp_path}er/a.md"
    monkeypatch.setenv("HOME", "/")
    assert shown("/etc/hosts") == "/etc/hosts"
