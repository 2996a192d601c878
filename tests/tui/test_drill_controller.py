"""The learner's file under an open drill: other programs save, delete and lock it; nothing is lost.

Real files. A folder that may not be written is made with an error of the operating system where
files are made, because whoever runs the tests may be one whom no permission stops.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.practice.drill_views import FileState
from studyattn.tui.database_worker import DatabaseWorker
from studyattn.tui.drill.controller import DrillController, FileChange
from studyattn.tui.widgets.text_areas import FiledText

CONTENT = content_dir()


class Typed:
    """An editor without a screen."""

    def __init__(self) -> None:
        self.text = ""
        self.before = ""

    def begin(self, text: str) -> None:
        self.text = text

    def take(self, text: str) -> None:
        self.before, self.text = self.text, text


Opened = tuple[DrillController, Typed, Path]


@pytest.fixture
async def database(
    stocked_home: Home,
    clock: FixedClock,
    no_builtin_pack: None,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[DatabaseWorker]:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    database = DatabaseWorker(stocked_home, clock)
    await database.open()
    yield database
    await database.close()


async def opened(database: DatabaseWorker) -> Opened:
    typed = Typed()
    controller = await DrillController.begin(database, "softmax", cast("FiledText", typed))
    return controller, typed, controller.session.path


async def versions(controller: DrillController) -> list[str]:
    return [each.code for each in (await controller.read()).history]


def replace(path: Path, text: str) -> None:
    """As editors save: a new file takes the old one's place."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def write_in_place(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("write", [replace, write_in_place])
async def test_what_another_program_saves_is_taken_in(
    database: DatabaseWorker, write: Callable[[Path, str], None]
) -> None:
    controller, typed, path = await opened(database)
    write(path, "# theirs\n")
    assert controller.moved
    assert await controller.look() is FileChange.CHANGED
    assert typed.text == "# theirs\n"
    assert not controller.is_dirty
    assert await controller.look() is FileChange.SAME


async def test_a_look_is_asked_for_once(database: DatabaseWorker) -> None:
    controller, _, path = await opened(database)
    moved = [controller.moved]
    replace(path, "# theirs\n")
    moved.append(controller.moved)
    await controller.look()
    moved.append(controller.moved)
    assert moved == [False, True, False]


async def test_a_file_that_is_imported_is_looked_at_too(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    replace(path, "from helper import shifted\n")
    found = [await controller.look()]
    for name in ("helper.py", "helper.py", "another.py"):
        write_in_place(path.with_name(name), f"shifted = {len(found)}.0{'0' * len(found)}\n")
        found += [await controller.look() if controller.moved else FileChange.SAME]
    path.with_name("helper.py").unlink()
    found += [await controller.look(), await controller.look()]
    beside = FileChange.BESIDE
    same = FileChange.SAME
    assert found == [FileChange.CHANGED, beside, beside, same, beside, same]
    assert typed.text == "from helper import shifted\n"


async def test_unsaved_text_gives_way_and_is_kept(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    typed.text = "# mine\n"
    replace(path, "# theirs\n")
    assert await controller.save() is FileChange.REPLACED  # not written over what was not seen
    assert path.read_text(encoding="utf-8") == typed.text == "# theirs\n"
    assert typed.before == "# mine\n"  # one undo away
    assert "# mine\n" in await versions(controller)


async def test_what_a_killed_app_had_not_saved_is_back(database: DatabaseWorker) -> None:
    killed, typed, path = await opened(database)
    starter = typed.text
    typed.text = "# half a thought\n"
    to_keep = [killed.has_new_draft]
    await killed.keep_draft()
    to_keep.append(killed.has_new_draft)
    assert to_keep == [True, False]
    next_one, typed, _ = await opened(database)
    assert (typed.before, typed.text) == (starter, "# half a thought\n")
    assert next_one.is_recalled
    assert next_one.is_dirty
    assert path.read_text(encoding="utf-8") == starter
    await next_one.close()
    assert path.read_text(encoding="utf-8") == "# half a thought\n"
    assert [each.name for each in path.parent.iterdir()] == [path.name]  # no draft is left
    third, _, _ = await opened(database)
    assert not third.is_recalled


async def test_a_file_written_since_wins_over_a_draft(database: DatabaseWorker) -> None:
    killed, typed, path = await opened(database)
    typed.text = "# mine\n"
    await killed.keep_draft()
    replace(path, "# theirs\n")
    later = path.stat().st_mtime + 5
    os.utime(path, (later, later))
    next_one, typed, _ = await opened(database)
    assert typed.text == "# theirs\n"
    assert not next_one.is_recalled
    assert "# mine\n" in await versions(next_one)
    await next_one.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


async def test_undone_text_leaves_no_draft(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    saved, typed.text = typed.text, "# a try\n"
    await controller.keep_draft()
    assert len(list(path.parent.iterdir())) == 2
    typed.text = saved
    await controller.keep_draft()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


async def test_a_deleted_file_is_written_again(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    starter = typed.text
    path.unlink()
    assert controller.moved
    assert await controller.look() is FileChange.UNREADABLE
    assert controller.file_state is FileState.MISSING
    assert await controller.save() is FileChange.SAME
    assert path.read_text(encoding="utf-8") == starter


async def test_a_folder_of_that_name_is_left_alone(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    path.unlink()
    path.mkdir()
    assert await controller.look() is FileChange.UNREADABLE
    assert controller.file_state is FileState.FOLDER
    typed.text = "# mine\n"
    with pytest.raises(InputError, match="Move the folder away"):
        await controller.save()
    assert typed.text == "# mine\n"
    assert controller.is_dirty
    problem = await controller.leave()
    assert problem is not None
    assert "# mine\n" in await versions(controller)
    assert path.is_dir()


def no_new_file(*_: object, **__: object) -> object:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


async def test_where_nothing_can_be_written_the_code_is_kept_in_the_history(
    database: DatabaseWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, typed, path = await opened(database)
    before = path.read_text(encoding="utf-8")
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", no_new_file)
    typed.text = "# mine\n"
    with pytest.raises(InputError, match=r"Permission denied.*Make the folder writable"):
        await controller.save()
    await controller.close()
    assert path.read_text(encoding="utf-8") == before
    monkeypatch.undo()
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    again, _, _ = await opened(database)
    assert "# mine\n" in await versions(again)


@pytest.mark.skipif(os.geteuid() == 0, reason="no permission stops the superuser")
async def test_a_folder_that_may_not_be_written(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    typed.text = "# mine\n"
    path.parent.chmod(0o500)
    try:
        with pytest.raises(InputError, match="Permission denied"):
            await controller.save()
    finally:
        path.parent.chmod(0o700)
    assert await controller.save() is FileChange.SAME
    assert path.read_text(encoding="utf-8") == "# mine\n"


async def test_a_file_that_cannot_be_read_is_never_overwritten(
    database: DatabaseWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, typed, path = await opened(database)
    path.write_text("# theirs\n", encoding="utf-8")
    monkeypatch.setattr(Path, "open", no_new_file)  # what `state` and reading stand on
    assert await controller.look() is FileChange.UNREADABLE
    assert controller.file_state is FileState.UNREADABLE
    typed.text = "# mine\n"
    with pytest.raises(InputError, match="Check its permissions"):
        await controller.save()
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "# theirs\n"


async def test_bytes_that_are_no_text_survive_an_untouched_editor(database: DatabaseWorker) -> None:
    controller, typed, path = await opened(database)
    path.write_bytes(b"# caf\xe9\n")
    assert await controller.look() is FileChange.CHANGED
    assert typed.text == "# caf�\n"
    path.unlink()
    assert await controller.save() is FileChange.SAME
    assert path.read_bytes() == b"# caf\xe9\n"


async def test_two_apps_on_one_drill_end_with_both_codes(
    database: DatabaseWorker, stocked_home: Home, clock: FixedClock
) -> None:
    other_database = DatabaseWorker(stocked_home, clock)
    await other_database.open()
    one, typed, path = await opened(database)
    other, typed_there, _ = await opened(other_database)
    typed.text, typed_there.text = "# here\n", "# there\n"
    await one.save()
    assert await other.save() is FileChange.REPLACED  # the first one's is shown, not overwritten
    assert typed_there.text == "# here\n"
    typed_there.text = "# there, again\n"
    await other.save()
    assert await one.look() is FileChange.CHANGED
    assert typed.text == "# there, again\n"
    assert "# there\n" in await versions(one)
    await other.close()
    await other_database.close()
    await one.close()
    assert path.read_text(encoding="utf-8") == "# there, again\n"
