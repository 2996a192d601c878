"""The results of a class as other programs take them.

A CSV table for spreadsheets and grade books; Gradescope's results.json, described at
https://gradescope-autograders.readthedocs.io/en/latest/specs/; for GitHub a summary, and the points
that `classroom-resources/autograding-grading-reporter` reads: JSON in Base64 with a status, the
most points, and a test each with its own.
"""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence

from studyattn.classroom.results import Result
from studyattn.grading import Report, format_report

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
        writer.writerow([_csv_cell(cells[column]) for column in COLUMNS])
    return written.getvalue()


def _csv_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: a student chose some of the text."""
    if isinstance(value, str):
        text = " ".join(value.split())
        return f"'{text}" if text.startswith(_FORMULA) else text
    return "" if value is None else value


def to_gradescope(
    results: Sequence[tuple[Result, Report | None]], title: Callable[[str], str]
) -> str:
    """Return the results of one student, a test a drill, each with its report as the output."""
    tests = [
        {
            "name": title(result.drill),
            "name_format": "text",
            "number": str(number),
            "score": result.score,
            "max_score": result.most,
            "status": "passed" if result.passed else "failed",
            "output": _output(result, report),
            "output_format": "text",
            "tags": list(result.mistakes),
            "visibility": "visible",
            "extra_data": {"drill": result.drill, "verdict": result.verdict},
        }
        for number, (result, report) in enumerate(results, 1)
    ]
    seconds = sum(report.seconds for _, report in results if report is not None)
    value = {"execution_time": round(seconds, 3), "visibility": "visible", "tests": tests}
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _output(result: Result, report: Report | None) -> str:
    if report is None:
        return result.message or "Nothing was handed in for this drill."
    return "\n".join(line.text for line in format_report(report))


def to_markdown(results: Sequence[Result], title: Callable[[str], str]) -> str:
    """Return a table for the summary of a workflow's run."""
    lines = ["| drill | verdict | cases | points | |", "| --- | --- | --- | --- | --- |"]
    for each in results:
        cells = (
            title(each.drill),
            f"{'✅' if each.passed else '❌'} {each.verdict}",
            f"{each.cases}/{each.of}",
            f"{each.score:g}/{each.most:g}",
            _told(each),
        )
        lines.append(f"| {' | '.join(map(_markdown_cell, cells))} |")
    return "\n".join(lines) + "\n"


def to_output(results: Sequence[Result], title: Callable[[str], str]) -> str:
    """Return the line `result=…` for the file that `GITHUB_OUTPUT` names."""
    passed = all(each.passed for each in results)
    value = {
        "version": 1,
        "status": "pass" if passed else "fail",
        "max_score": sum(each.most for each in results),
        "tests": [
            {
                "name": title(each.drill),
                "status": "pass" if each.passed else "fail",
                "score": each.score,
                "message": _told(each),
                "test_code": f"studyattn drill grade {each.drill} {each.file}",
                "filename": each.file,
                "line_no": each.line or 0,
                "execution_time": "",
            }
            for each in results
        ],
    }
    return f"result={base64.b64encode(json.dumps(value).encode()).decode()}\n"


def _told(result: Result) -> str:
    """Return the mistake that explains a result best, and its message where no name says all."""
    if not result.diagnosis:
        return result.message
    best = result.diagnosis[0]
    is_left = not best.explained  # what a change leaves or mends
    return " ".join(filter(None, (best.title, result.message if is_left else "")))


def _markdown_cell(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
    return plain.replace("<", "&lt;").replace("`", "'")
