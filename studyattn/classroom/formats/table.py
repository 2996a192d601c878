"""A CSV table of the results, a row a student and drill, for spreadsheets and grade books."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from studyattn.classroom.results import Result

COLUMNS = (
    *("student", "name", "drill", "verdict", "passed", "score", "most", "cases", "of"),
    *("mistakes", "message", "line", "file"),
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(results: Iterable[Result]) -> str:
    """Return the table in RFC 4180's form, with a header."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for each in results:
        cells = {column: getattr(each, column) for column in COLUMNS}
        cells |= {"mistakes": " ".join(each.mistakes), "passed": int(each.passed)}
        writer.writerow([_cell(cells[column]) for column in COLUMNS])
    return written.getvalue()


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: a student chose some of the text."""
    if isinstance(value, str):
        text = " ".join(value.split())
        return f"'{text}" if text.startswith(_FORMULA) else text
    return "" if value is None else value
