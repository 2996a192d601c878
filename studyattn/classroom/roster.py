"""The roster of a class: a CSV file with a row a student."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from studyattn.errors import DocumentError, InputError

_NAMES = ("name", "full name", "student name")
_MOODLE = re.compile(r"(?P<student>.+?)_\d+_assignsubmission_file.*")
_CANVAS = re.compile(r"(?P<student>[^_]+)_(?:LATE_)?\d+_\d+_.+")


@dataclass(frozen=True, slots=True)
class Student:
    """One row. Any of its `cells` may be what a file or folder of the student is called."""

    id: str
    name: str = ""
    cells: frozenset[str] = frozenset()


def read_roster(path: Path) -> tuple[Student, ...]:
    """Read a roster: a header, then a row a student, whose first cell names the student.

    A column called "name" is shown in reports. InputError when the file cannot be read,
    DocumentError with its line for a row without a first cell, with one that is there already, or
    that is no CSV.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "this roster cannot be read", where=str(path), advice="Save it as CSV in UTF-8."
        ) from error
    rows = _rows(text, path)
    _, header = next(rows, ("", []))
    folded = [cell.casefold() for cell in header]
    column = next((folded.index(name) for name in _NAMES if name in folded), None)
    students: dict[str, Student] = {}
    for where, row in rows:
        if not any(row):
            continue
        if not row[0]:
            raise DocumentError("the first column of this row has no student name", where=where)
        if row[0] in students:
            raise DocumentError(f"{row[0]!r} is listed twice", where=where)
        name = row[column] if column is not None and column < len(row) else ""
        known = frozenset(cell.casefold() for cell in row if cell)
        students[row[0]] = Student(row[0], name, known)
    return tuple(students.values())


def _rows(text: str, path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each row with its place in the file, its cells without blanks around them."""
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for cells in reader:
            yield f"{path}:{reader.line_num}", [cell.strip() for cell in cells]
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
