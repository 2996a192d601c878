"""After a session the learning note is where the learner wants it, or what was wrong is told."""

from __future__ import annotations

from pathlib import Path

from studyattn.exchange.learning_note.autosave import autosave_note
from studyattn.study.after_session import after_session
from studyattn.study.profile import Profile


def test_without_a_path_nothing_is_written(profile: Profile) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    assert after_session(profile, never) is None


def test_the_note_is_written_and_stays_the_same(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "notes" / "learning.md"
    profile.change_setting("note_path", str(path))
    assert after_session(profile, autosave_note) is None
    first = path.read_bytes()
    assert first.startswith(b"---\ntitle: Learning note\n")
    after_session(profile, autosave_note)
    assert path.read_bytes() == first
    assert [each.name for each in path.parent.iterdir()] == ["learning.md"]


def test_a_path_that_cannot_be_written_is_told(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    profile.change_setting("note_path", str(tmp_path / "file" / "note.md"))
    problem = after_session(profile, autosave_note)
    assert problem is not None
    assert "it cannot be written" in str(problem)
