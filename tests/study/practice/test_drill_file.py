"""The learner's file where nothing can be written: a sensible sentence, and nothing is lost.

The error of the operating system is made where files are made, because whoever runs the tests may
be one whom no permission stops; for others a real folder is made read-only.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.practice.drill_file import DrillFile
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.profile import Profile, open_profile

Refuse = Callable[[int], None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """From now on no file is made: the system answers with this error."""
    exclusively = Path.open

    def refuse_with(number: int) -> None:
        def new_file(*_: object, **__: object) -> object:
            raise OSError(number, os.strerror(number))

        def open_(self: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
            return new_file() if "x" in mode else exclusively(self, mode, *rest, **more)

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", new_file)
        monkeypatch.setattr(Path, "open", open_)

    return refuse_with


@pytest.fixture
def file(tmp_path: Path) -> DrillFile:
    file = DrillFile(tmp_path / "drills" / "attention.py")
    file.write("mine\n")
    return file


@pytest.fixture
def profile(stocked_home: Home) -> Iterator[Profile]:
    clock = FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    with open_profile(stocked_home, clock) as opened:
        yield opened


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EDQUOT])
def test_what_cannot_be_written_is_said_and_the_file_stays(
    file: DrillFile, refuse: Refuse, number: int
) -> None:
    refuse(number)
    writes: tuple[Callable[[], object], ...] = (lambda: file.write("other\n"), file.put_aside)
    for write in writes:
        with pytest.raises(InputError) as told:
            write()
        said = str(told.value)
        assert "\n" not in said
        assert said.startswith(f"{file.path}: it cannot be written ({os.strerror(number)})")
        assert "Nothing was changed" in said
    assert file.text() == "mine\n"
    assert [each.name for each in file.path.parent.iterdir()] == ["attention.py"]


def test_a_write_that_breaks_off_leaves_nothing_behind(
    file: DrillFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        file.write("other\n")
    assert file.text() == "mine\n"
    assert [each.name for each in file.path.parent.iterdir()] == ["attention.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="no permission stops the superuser")
def test_a_folder_that_may_not_be_written(file: DrillFile) -> None:
    file.path.parent.chmod(0o500)
    try:
        with pytest.raises(InputError, match="Permission denied"):
            file.write("other\n")
    finally:
        file.path.parent.chmod(0o700)
    assert file.text() == "mine\n"


def test_a_drill_that_cannot_be_begun_leaves_no_row(
    profile: Profile, refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(errno.EROFS)
    with pytest.raises(InputError, match="Make the folder writable"):
        PracticeSession(profile, "attention")
    monkeypatch.undo()
    with PracticeSession(profile, "attention") as session:
        assert session.attempts == 0
        assert "def attention" in session.code()


def test_in_a_folder_that_may_not_be_written_nothing_is_lost(
    profile: Profile, refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PracticeSession(profile, "attention") as session:
        session.save("mine\n")
        refuse(errno.EACCES)
        changes: tuple[Callable[[], object], ...] = (
            lambda: session.save("other\n"),
            session.start_afresh,
            lambda: session.start_afresh("numpy"),
        )
        for change in changes:
            with pytest.raises(InputError, match="Nothing was changed"):
                change()
        assert session.code() == "mine\n"
        assert session.submission("numpy").source == b"mine\n"  # it can still be graded
        assert session.undo() is None
        monkeypatch.undo()
        session.save("other\n")
        assert session.start_afresh() == 1
        assert session.file.numbered(1).read_text() == "other\n"
