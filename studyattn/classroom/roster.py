"""The roster of a class: a CSV file with a row a student."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
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
    DocumentError with its line for a row without a first cell, or with one that is there already.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "this roster cannot be read", where=str(path), advice="Save it as CSV in UTF-8."
        ) from error
    lines = csv.reader(text.splitlines())
    header = [cell.strip().casefold() for cell in next(lines, [])]
    column = next((header.index(name) for name in _NAMES if name in header), None)
    students: dict[str, Student] = {}
    for cells in lines:
        row = [cell.strip() for cell in cells]
        if not any(row):
            continue
        where = f"{path}:{lines.line_num}"
        if not row[0]:
            raise DocumentError("this row names no student in its first column", where=where)
        if row[0] in students:
            raise DocumentError(f"{row[0]!r} has a row already", where=where)
        name = row[column] if column is not None and column < len(row) else ""
        known = frozenset(cell.casefold() for cell in row if cell)
        students[row[0]] = Student(row[0], name, known)
    return tuple(students.values())


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
