"""Who may log in, and what is kept of their passwords."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from studyattn.errors import InputError, NotFoundError

pytest.importorskip("argon2", reason="argon2-cffi is not installed")

from studyattn.serve.learners import Learners


def test_a_password_is_kept_as_a_hash_that_only_the_owner_reads(tmp_path: Path) -> None:
    learners = Learners(tmp_path / "served" / "learners.json")
    assert learners.names() == []
    learners.add("anna", "correct horse")
    assert learners.names() == ["anna"]
    assert stat.S_IMODE(learners.file.stat().st_mode) == 0o600
    assert "correct horse" not in learners.file.read_text()
    assert "$argon2id$" in learners.file.read_text()
    assert learners.right_hash("anna", "correct horse") == learners.hashes()["anna"]
    assert learners.right_hash("anna", "correct house") is None
    assert learners.right_hash("ben", "correct horse") is None
    learners.remove("anna")
    assert learners.right_hash("anna", "correct horse") is None
    with pytest.raises(NotFoundError, match="'anna'"):
        learners.remove("anna")


def test_a_short_password_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    learners = Learners(tmp_path / "learners.json")
    with pytest.raises(InputError, match="8 characters"):
        learners.add("anna", "short")
    learners.file.write_text("[")
    with pytest.raises(InputError, match="not a list of learners"):
        learners.names()


def test_a_file_that_cannot_be_read_or_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "served").write_text("a file in the place of the folder")
    learners = Learners(tmp_path / "served" / "learners.json")
    with pytest.raises(InputError, match="the list of learners cannot be"):
        learners.add("anna", "correct horse")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="the list of learners cannot be read"):
        Learners(tmp_path / "folder").names()
