"""Write a student's results as GitHub takes them: a summary, and the points of GitHub Classroom.

The points are what `classroom-resources/autograding-grading-reporter` reads: JSON in Base64 with a
status, the most points, and a test each with its own.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence

from studyattn.classroom.results import Result


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
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
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
    """Return the mistake that explains a result best, or else its message."""
    return result.diagnosis[0].title if result.diagnosis else result.message


def _cell(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
    return plain.replace("<", "&lt;").replace("`", "'")
