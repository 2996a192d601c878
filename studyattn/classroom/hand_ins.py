"""Find what each student handed in for each drill: in folders, files, archives and notebooks.

The first level of the folder is the students: a folder, a file or an archive each. A file answers
a drill if it has the drill's name, or else if it defines what the drill asks for. Nothing is run
here, links are not followed, and of archives only regular Python files and notebooks are unpacked.
The roster of a class is a CSV file with a row a student.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import math
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from studyattn.archives import BROKEN
from studyattn.classroom.notebooks import code_of
from studyattn.classroom.unpacking import (
    MAX_FILE,
    MAX_UNPACKED,
    Member,
    Room,
    TooLargeError,
    members,
)
from studyattn.errors import DocumentError, InputError, NotFoundError
from studyattn.grading.submission import module_name
from studyattn.text.characters import writable

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
CODE = (".py", ".ipynb")

MAX_DEPTH = 50
"""Folders in one another."""

_IGNORED = ("__MACOSX", "__pycache__", ".ipynb_checkpoints")
_COPY = re.compile(r"[-_ ]?\(?\d+\)?$")
_NAMES = ("name", "full name", "student name")
_MOODLE = re.compile(r"(?P<student>.+?)_\d+_assignsubmission_file.*")
_CANVAS = re.compile(r"(?P<student>[^_]+)_(?:LATE_)?\d+_\d+_.+")
_CANVAS_FILE = re.compile(r"[^_]+_(?:LATE_)?\d+_\d+_.+")


@dataclass(frozen=True, slots=True)
class Student:
    """One row of the roster. Any of its `cells` may be what a file of the student is called."""

    id: str
    name: str = ""
    cells: frozenset[str] = frozenset()
    row: int = 0  # from 0, the header's


@dataclass(frozen=True, slots=True)
class AskedDrill:
    """A drill that is handed in: its id and the names that a submission defines."""

    drill: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandIn:
    """One student's file for one drill. `path` may lie in a scratch folder; `file` is shown."""

    student: str
    drill: str
    file: str
    path: Path


@dataclass(frozen=True, slots=True)
class HandIns:
    """Everything that was found, and what a teacher should know of it."""

    files: tuple[HandIn, ...]
    students: tuple[Student, ...]
    problems: tuple[str, ...] = ()


@contextlib.contextmanager
def hand_ins(
    folder: Path, asked: Sequence[AskedDrill], *, student: str = "", roster: Sequence[Student] = ()
) -> Iterator[HandIns]:
    """Give the hand-ins in a folder or an archive; what was unpacked is there until the end.

    With `student`, all of it is of this one. NotFoundError when there is no such folder.
    """
    with TemporaryDirectory(prefix="studyattn-class-") as scratch:
        reader = _Reader(Path(scratch))
        found: dict[str, dict[PurePosixPath, Path]] = defaultdict(dict)
        for place, path in reader.read(folder):
            first = place.parts[0]
            own = student or student_of(_stem(first) if len(place.parts) == 1 else first, roster)
            found[writable(own)][place] = path
        files = [
            each
            for own in sorted(found, key=_in_order)
            for each in _of_student(own, found[own], asked, reader)
        ]
        listed = {each.id: each for each in roster}
        if student:
            students = [listed.get(student, Student(writable(student)))]
        else:
            strangers = found.keys() - listed.keys()
            students = [*listed.values(), *map(Student, strangers)]
            students.sort(key=lambda each: _in_order(each.id))
            reader.problems += _not_listed(strangers) if roster else []
        yield HandIns(tuple(files), tuple(students), tuple(map(writable, reader.problems)))


def _not_listed(strangers: Iterable[str]) -> list[str]:
    return [f"{each} is not in the roster" for each in sorted(strangers, key=_in_order)]


def _of_student(
    student: str, files: Mapping[PurePosixPath, Path], asked: Sequence[AskedDrill], reader: _Reader
) -> Iterator[HandIn]:
    readable = {place: code for place in files if (code := reader.python(place, files[place]))}
    named = {each.drill: [place for place in readable if _is_named(place, each)] for each in asked}
    taken = set(itertools.chain(*named.values()))
    others = {place: path for place, path in readable.items() if place not in taken}
    for each in asked:
        fitting = named[each.drill] or _defining(each, others, only=len(asked) == 1)
        if not fitting:
            continue
        newest = max(fitting, key=lambda place: (files[place].stat().st_mtime, str(place)))
        if len(fitting) > 1:
            reader.problems.append(
                f"{student} has {len(fitting)} files for {each.drill}: the newest, {newest}, counts"
            )
        yield HandIn(student, each.drill, writable(str(newest)), readable[newest])


def _is_named(place: PurePosixPath, asked: AskedDrill) -> bool:
    """Tell whether a file has the drill's name, or is a copy or a student's version of it."""
    name = _COPY.sub("", module_name(place.name))
    wanted = module_name(asked.drill)
    return name == wanted or bool(_CANVAS_FILE.fullmatch(name) and name.endswith(f"_{wanted}"))


def _defining(
    asked: AskedDrill, files: Mapping[PurePosixPath, Path], *, only: bool
) -> list[PurePosixPath]:
    """Return the files that define what a drill asks for; else, with `only`, the only file."""
    names = "|".join(map(re.escape, asked.entries))
    defines = re.compile(rf"^(?:def|class)[ \t]+(?:{names})\b".encode(), re.MULTILINE)
    defining = [place for place, path in files.items() if defines.search(path.read_bytes())]
    return defining or (list(files) if only and len(files) == 1 else [])


class _Reader:
    """Walks folders and archives; remembers what could not be read."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._numbers = itertools.count()
        self.problems: list[str] = []

    def read(self, root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
        """Yield the place and path of each Python file and notebook."""
        if root.is_dir():
            yield from self._walk(root, PurePosixPath())
        elif root.is_file() and _is_archive(root.name):
            unpacked = list(self._unpack(root, PurePosixPath(), Room(math.inf)))
            tops = {place.parts[0] for place, _ in unpacked}
            # An archive often has all of it in one folder, which is no student.
            is_wrapped = len(tops) == 1 and all(len(place.parts) > 2 for place, _ in unpacked)
            for place, path in unpacked:
                yield (PurePosixPath(*place.parts[1:]) if is_wrapped else place), path
        else:
            is_file = root.exists()
            raise NotFoundError(
                f"{'this is not a' if is_file else 'there is no such'} folder or archive",
                where=str(root),
                advice="Name a folder with one file or folder per student.",
            )

    def python(self, place: PurePosixPath, path: Path) -> Path | None:
        """Return the file as Python: itself, or a notebook's code cells in the scratch folder."""
        try:
            if path.suffix.lower() == ".py":
                path.open("rb").close()  # the file may be another user's
                return path
            code = code_of(path.read_text("utf-8"), str(place))
        except InputError as error:
            self.problems.append(str(error))
            return None
        except (OSError, UnicodeDecodeError):
            self.problems.append(f"{place}: it cannot be read")
            return None
        made = self._fresh() / f"{path.stem}.py"
        made.write_text(code, "utf-8")
        return made

    def _walk(self, folder: Path, at: PurePosixPath) -> Iterator[tuple[PurePosixPath, Path]]:
        if len(at.parts) > MAX_DEPTH:
            self.problems.append(f"{at}: folders nested too deeply, skipped")
            return
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            self.problems.append(f"{at}: it cannot be read ({error.strerror})")
            return
        for entry in entries:
            place = at / entry.name
            if _is_ignored(entry.name):
                continue
            if entry.is_symlink():
                self.problems.append(f"{place}: symbolic links are not followed")
            elif entry.is_dir():
                yield from self._walk(entry, place)
            elif entry.is_file():
                yield from self._file(entry, place)

    def _file(self, path: Path, place: PurePosixPath) -> Iterator[tuple[PurePosixPath, Path]]:
        """Yield a file of code, or those in an archive."""
        if _is_archive(path.name):
            yield from self._unpack(path, place.parent / _stem(path.name), Room(MAX_UNPACKED))
        elif path.suffix.lower() in CODE:
            if path.stat().st_size <= MAX_FILE:
                yield place, path
            else:
                self.problems.append(f"{place}: more than 16 MiB, skipped")

    def _unpack(
        self, archive: Path, at: PurePosixPath, room: Room
    ) -> Iterator[tuple[PurePosixPath, Path]]:
        target = self._fresh()
        try:
            for member in members(archive, room):
                place = PurePosixPath(member.name)
                if not _is_looked_at(place):
                    continue
                path = self._keep(member, place, target, at)
                if path is None:
                    continue
                is_archive = _is_archive(place.name)
                if is_archive and archive.parent.is_relative_to(self._scratch):
                    self.problems.append(f"{at / place}: archives nested too deeply")
                elif is_archive:
                    own = room if room.left < math.inf else Room(MAX_UNPACKED)
                    yield from self._unpack(path, at / place.parent / _stem(place.name), own)
                else:
                    yield at / place, path
        except TooLargeError:
            self.problems.append(f"{at / archive.name}: too large, the rest is skipped")
        except (OSError, *BROKEN):
            self.problems.append(f"{at / archive.name}: this archive cannot be read")

    def _keep(
        self, member: Member, place: PurePosixPath, target: Path, at: PurePosixPath
    ) -> Path | None:
        """Write a file of an archive below `target`; None if it cannot be had."""
        if len(place.parts) > MAX_DEPTH:
            self.problems.append(f"{at / place.name}: folders nested too deeply, skipped")
            return None
        try:
            content = member.read()
            if len(content) > MAX_FILE:
                self.problems.append(f"{at / place}: too large, skipped")
                return None
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except (OSError, *BROKEN):
            self.problems.append(f"{at / place}: it cannot be read")
            return None
        with contextlib.suppress(OSError, OverflowError, ValueError):
            os.utime(path, (member.time, member.time))
        return path

    def _fresh(self) -> Path:
        folder = self._scratch / str(next(self._numbers))
        folder.mkdir()
        return folder


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return what sorts names as people do: student2 before student10."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return [(int(part), "") if number % 2 else (0, part) for number, part in enumerate(parts)]


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def _is_looked_at(place: PurePosixPath) -> bool:
    """Return whether a member of an archive is one to read, and to be written below a folder."""
    is_wanted = place.suffix.lower() in CODE or _is_archive(place.name)
    return is_wanted and not place.is_absolute() and not any(map(_is_ignored, place.parts))


def _is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)


def _stem(name: str) -> str:
    """Return the name without the suffix of an archive or of code."""
    for suffix in sorted((*ARCHIVES, *CODE), key=len, reverse=True):
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def missing(found: HandIns, asked: Iterable[AskedDrill]) -> Iterator[tuple[str, str]]:
    """Yield each student and drill without a hand-in."""
    there = {(each.student, each.drill) for each in found.files}
    for student in found.students:
        for each in asked:
            if (student.id, each.drill) not in there:
                yield student.id, each.drill


# ── the roster ───────────────────────────────────────────────────────────────────────────────────


def read_roster(path: Path) -> tuple[Student, ...]:
    """Read a roster: a header, then a row a student.

    The first column in which every cell is filled and there once names the student; the grade books
    that Moodle and Canvas export are rosters. A column called "name" is shown in reports.
    InputError when the file cannot be read, DocumentError with its line where no column names the
    students and the first one has an empty cell or one twice, or for what is no CSV.
    """
    (_, header), *rows = roster_rows(path) or [("", [])]
    titles = [cell.casefold() for cell in header]
    named = next((titles.index(name) for name in _NAMES if name in titles), len(titles))
    columns = zip(*(row for _, row in rows if _is_student(row)), strict=False)
    own = next((at for at, cells in enumerate(columns) if _identifies(cells)), 0)
    students: dict[str, Student] = {}
    for number, (where, row) in enumerate(rows, start=1):
        if not _is_student(row):
            continue
        student = row[own]
        if not student:
            raise DocumentError("the first column of this row has no student name", where=where)
        if student in students:
            raise DocumentError(f"{student!r} is listed twice", where=where)
        name = "".join(row[named : named + 1])
        students[student] = Student(student, name, _known_as(row), number)
    return tuple(students.values())


POINTS = "points possible"
"""Begins the row of a grade book of Canvas that has the points of each assignment."""


def _is_student(row: Sequence[str]) -> bool:
    return any(row) and row[0].casefold() != POINTS


def _identifies(cells: Sequence[str]) -> bool:
    """Return whether a column tells its rows apart."""
    return all(cells) and len(set(cells)) == len(cells)


def _known_as(row: Sequence[str]) -> frozenset[str]:
    """Return a student's cells, and the names that Moodle and Canvas make of them for files."""
    letters = "".join(filter(str.isalnum, row[0]))
    return frozenset(filter(None, map(str.casefold, (*row, " ".join(row[:2]), letters))))


def roster_rows(path: Path) -> list[tuple[str, list[str]]]:
    """Return each row with its place in the file, its cells without blanks around them.

    InputError when the file cannot be read, DocumentError for what is no CSV.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "this roster cannot be read", where=str(path), advice="Save it as CSV in UTF-8."
        ) from error
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        return [(f"{path}:{reader.line_num}", [*map(str.strip, cells)]) for cells in reader]
    except csv.Error as error:
        raise DocumentError(
            f"this is not CSV ({error})", where=f"{path}:{reader.line_num}"
        ) from error


def student_of(name: str, roster: Sequence[Student]) -> str:
    """Return whose hand-in a file, folder or archive of this name is, without its suffix.

    Of the names that Moodle and Canvas give, the part that names the student counts; of those of
    GitHub Classroom (`assignment-login`) the end, where the roster has it.
    """
    found = _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name)
    own = found["student"] if found else name
    folded = own.casefold()
    for student in roster:
        if folded in student.cells:
            return student.id
    for student in roster:
        if any(folded.endswith(f"-{cell}") for cell in student.cells):
            return student.id
    return own
