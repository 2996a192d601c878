"""Gradescope's results.json, of one student's hand-in.

The format is described at https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from studyattn.classroom.results import Result
from studyattn.grading import Report, format_report


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
