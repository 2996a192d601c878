"""A class's roster with a column of points for each drill, as Moodle and Canvas import it.

Both import what they export, with points written into it; the roster is that file. Canvas:
https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807;
Moodle: https://docs.moodle.org/en/Grade_import.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from studyattn.classroom.hand_ins import POINTS, Student, roster_rows
from studyattn.classroom.results import MISSING, Result

_AROUND = re.compile(r"^[^:]*:\s*|\s*\([^()]*\)$")
"""The text around a name in a header: `Assignment: NAME (Real)` (Moodle), `NAME (17)` (Canvas)."""


def fill(
    roster: Path,
    students: Iterable[Student],
    results: Iterable[Result],
    title: Callable[[str], str],
) -> str:
    """Return the roster as CSV; of a student who handed in nothing, cells stay as they are.

    Points go into the column that has the title of the drill or its id as its name; one is added
    where there is none.
    """
    rows = [cells for _, cells in roster_rows(roster)]
    of_student = {each.id: rows[each.row] for each in students}
    header, *others = rows
    possible = [row for row in others if row and row[0].casefold() == POINTS]
    for result in results:
        column = _column(header, title(result.drill), result.drill)
        for row in rows:
            row.extend([""] * (len(header) - len(row)))
        for row in possible:
            row[column] = row[column] or f"{result.most:g}"
        if result.verdict != MISSING and result.student in of_student:
            of_student[result.student][column] = f"{round(result.score, 2):g}"
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def _column(header: list[str], title: str, drill: str) -> int:
    """Return the place of a drill's column, which is added at the end where there is none."""
    for at, cell in enumerate(header):
        if _AROUND.sub("", cell).casefold() in {title.casefold(), drill.casefold()}:
            return at
    header.append(title)
    return len(header) - 1
