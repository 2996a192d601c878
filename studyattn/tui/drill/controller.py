"""A drill that is open: its session (in the database's thread), the learner's file, and an editor.

The file on disk is the truth. What another program wrote comes in as one edit; a save of the editor
never overwrites a change that was not seen yet; and text that can be saved nowhere is kept among
the drill's versions. Nothing here draws.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from studyattn.errors import InputError
from studyattn.grading.backend_choice import choose
from studyattn.grading.submission import SourceFile, files_beside
from studyattn.packs.model import DrillBrief
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import CodeVersion, FileState
from studyattn.tui.database_worker import DatabaseWorker
from studyattn.tui.widgets.text_areas import Draft, FiledText

T = TypeVar("T")
_Stamp = tuple[int, int, int]
_Stamps = Mapping[str, _Stamp]


@dataclass(frozen=True, slots=True)
class DrillState:
    """A practice session at one moment: the task, and how far the learner has come."""

    brief: DrillBrief
    path: Path
    attempts: int
    hints: tuple[str, ...]
    passed: bool
    history: tuple[CodeVersion, ...]
    steps_passed: int = 0

    @property
    def step(self) -> str:
        """The step of a long drill that comes next: `3/5 weigh the keys`; '' if none does."""
        steps = self.brief.steps[self.steps_passed :]
        at = f"{self.steps_passed + 1}/{len(self.brief.steps)}"
        return f"{at} {steps[0].title}" if steps and not self.passed else ""

    @property
    def last_graded(self) -> CodeVersion | None:
        """The last version of the present series that was graded."""
        last = next((each for each in reversed(self.history) if each.report), None)
        return last if last is not None and last.current else None


class FileChange(Enum):
    """The result of looking at the file."""

    SAME = auto()
    CHANGED = auto()  # another program wrote, and the editor shows it now
    REPLACED = auto()  # the same, and what had not been saved is kept as a version
    BESIDE = auto()  # a file that it imports was written, added or removed
    UNREADABLE = auto()  # gone, a folder, or not to be read: see `file_state`


@dataclass(frozen=True, slots=True)
class _Seen:
    """The file at one moment; `text` is None when it cannot be read."""

    stamps: _Stamps
    state: FileState
    text: str | None
    beside: tuple[SourceFile, ...]  # the files that it imports


class DrillController:
    """One open drill: made by `begin`, to be closed with `close`."""

    def __init__(
        self, database: DatabaseWorker, session: PracticeSession, editor: FiledText
    ) -> None:
        self._database = database
        self._editor = editor
        self._stamps: _Stamps = {}
        self._on_disk: str | None = None  # what the file said when it was last read or written
        self._beside: tuple[SourceFile, ...] = ()  # the files that it imported then
        self._agreed = ""  # what the editor held then
        self._draft = Draft(session.path)
        self._drafted: str | None = None  # what the draft says
        self.session = session
        self.file_state = FileState.READY  # how the file was found at the last look
        self.is_recalled = False
        """Whether the editor began with what an app that was killed had not saved."""

    @classmethod
    async def begin(
        cls, database: DatabaseWorker, identifier: str, editor: FiledText
    ) -> DrillController:
        """Open a session, and its file in the editor.

        Raises NotFoundError for an unknown drill, InputError when the file must be written first
        and cannot be.
        """
        session = await database.run_with_profile(PracticeSession, identifier)
        controller = cls(database, session, editor)
        seen = await controller._see()
        editor.begin(_drawable(seen.text or ""))
        controller._agree(seen)
        # What was not saved when an app ended in the middle comes into the editor, or, where
        # another program has written the file since, into the history.
        left = controller._drafted = await database.run(controller._draft.recall)
        if left is not None and controller._draft.is_overtaken:
            await database.run(session.keep, left)
        elif left is not None:
            editor.take(left)
            controller.is_recalled = controller.is_dirty
        return controller

    @property
    def has_new_draft(self) -> bool:
        """True if the draft on disk is out of date."""
        return (self._editor.text if self.is_dirty else None) != self._drafted

    async def keep_draft(self) -> None:
        """Keep what is not saved where the next app finds it, should this one be killed."""
        unsaved = self._editor.text if self.is_dirty else None
        if unsaved != self._drafted:
            await self._database.run(self._draft.keep, unsaved)
            self._drafted = unsaved

    async def close(self) -> None:
        """Save what was written, or keep it where it cannot be saved, and end the session."""
        if self._database.is_open:
            await self.leave()
            await self._database.run(self.session.close)

    async def read(self) -> DrillState:
        """Read the drill's present state in one turn of the database's thread."""
        session = self.session
        return await self._database.run(
            lambda: DrillState(
                brief=session.brief,
                path=session.path,
                attempts=session.attempts,
                hints=session.hints,
                passed=session.passed,
                history=session.history(),
                steps_passed=session.steps_passed,
            )
        )

    # The file.

    @property
    def is_dirty(self) -> bool:
        """True if the editor holds text that is not saved."""
        return self._editor.text != self._agreed

    @property
    def moved(self) -> bool:
        """True if the file or one beside it was written or replaced since the last look."""
        return _stamps_of(self.session.path) != self._stamps

    async def look(self) -> FileChange:
        """Take in what another program wrote."""
        seen = await self._see()
        if seen.text is None:
            self._note(seen)
            return FileChange.UNREADABLE
        if seen.text == self._on_disk:
            same = seen.beside == self._beside
            self._note(seen)
            return FileChange.SAME if same else FileChange.BESIDE
        return await self._adopt(seen)

    async def save(self) -> FileChange:
        """Write what was written here, unless the file had changed meanwhile: that came first.

        Raises InputError when it cannot be written; the editor keeps the text. A file that is
        there and cannot be read is never overwritten.
        """
        seen = await self._see()
        if seen.text is not None and seen.text != self._on_disk:
            return await self._adopt(seen)
        if seen.text is None and seen.state is not FileState.MISSING:
            self._note(seen)
            if self.is_dirty:
                await self._database.run(self.session.code)  # raises, and says what to do
            return FileChange.UNREADABLE
        if self.is_dirty or seen.text is None:
            await self._database.run(self.session.save, self._to_write())
            self._agree(await self._see())
        return FileChange.SAME

    async def leave(self) -> InputError | None:
        """Save, or keep as a version what cannot be saved; why it could not be."""
        try:
            await self.save()
        except InputError as error:
            await self._database.run(self.session.keep, self._to_write())
            self._agreed = self._editor.text
            return error
        finally:
            await self.keep_draft()
        return None

    async def take_in(self) -> None:
        """Show what the session itself wrote."""
        seen = await self._see()
        self._editor.take(_drawable(seen.text or ""))
        self._agree(seen)

    async def _adopt(self, seen: _Seen) -> FileChange:
        unsaved = self._editor.text if self.is_dirty else None
        if unsaved is not None:
            await self._database.run(self.session.keep, unsaved)
        self._editor.take(_drawable(seen.text or ""))
        self._agree(seen)
        return FileChange.CHANGED if unsaved is None else FileChange.REPLACED

    def _to_write(self) -> str:
        """An editor that was not touched never spoils bytes that it cannot show."""
        untouched = self._on_disk is not None and not self.is_dirty
        return self._on_disk or "" if untouched else self._editor.text

    async def _see(self) -> _Seen:
        return await self._database.run(_see, self.session)

    def _note(self, seen: _Seen) -> None:
        self._stamps, self.file_state = seen.stamps, seen.state
        if seen.text is not None:
            self._on_disk, self._beside = seen.text, seen.beside

    def _agree(self, seen: _Seen) -> None:
        self._note(seen)
        self._agreed = self._editor.text


def _see(session: PracticeSession) -> _Seen:
    """The stamps are taken first, so that a change meanwhile is seen at the next look."""
    path = session.path
    stamps, state = _stamps_of(path), session.file_state
    text = session.file.text()
    return _Seen(stamps, state, text, files_beside(path, os.fsencode(text or "")))


def _stamps_of(path: Path) -> _Stamps:
    """Return what changes when the file or another Python file beside it is written or replaced."""
    stamps = {}
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if entry.name == path.name or entry.name.endswith(".py"):
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    stamps[entry.name] = status.st_mtime_ns, status.st_size, status.st_ino
    return stamps


def _drawable(text: str) -> str:
    """The text with bytes that are no UTF-8 as `�`, which an editor can draw."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def wanted_backend(code: str, brief: DrillBrief) -> str:
    """The backend whose workers will be wanted."""
    try:
        return choose(brief.id, os.fsencode(code), brief.entry, brief.backends).backend
    except InputError:  # grading will say so
        return brief.backends[0]
