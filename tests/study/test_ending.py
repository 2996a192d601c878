"""After a session the learning note is where the learner wants it, or what was wrong is told."""

from __future__ import annotations

from pathlib import Path

from studyattn.exchange.learningnote.keeping import keep_note
from studyattn.study.ending import after_session
from studyattn.study.learner import Learner


def test_without_a_path_nothing_is_written(learner: Learner) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    assert after_session(learner, never) is None


def test_the_note_is_written_and_stays_the_same(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "notes" / "learning.md"
    learner.change_setting("note_path", str(path))
    assert after_session(learner, keep_note) is None
    first = path.read_bytes()
    assert first.startswith(b"---\ntitle: Learning note\n")
    after_session(learner, keep_note)
    assert path.read_bytes() == first
    assert [each.name for each in path.parent.iterdir()] == ["learning.md"]


def test_a_path_that_cannot_be_written_is_told(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    learner.change_setting("note_path", str(tmp_path / "file" / "note.md"))
    problem = after_session(learner, keep_note)
    assert problem is not None
    assert "it cannot be written" in str(problem)
