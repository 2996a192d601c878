"""Grade code that a learner wrote, and say which mistake it makes.

A library of its own: it knows no subject and nothing of the program around it. A *drill* declares
what is asked, the *reference* that is right by definition, and the mistakes that are known; a pack
is a folder of drills. A `Grader` runs submissions in a sandbox and returns a `Report`.

Example:
    ```python
    from studyattn.grading import Grader

    code = '''
    # backend: numpy
    import numpy as np

    def softmax(x):
        e = np.exp(x)
        return e / e.sum()
    '''

    with Grader() as grader:
        report = grader.grade("softmax", code)
        print(report.verdict, [each.title for each in report.diagnosis])
    ```

    Many submissions at once, in any executor of `concurrent.futures`:

    ```python
    with Grader() as grader, ProcessPoolExecutor() as executor:
        for number, report in grader.grade_each(submissions, executor=executor):
            print(number, report)
    ```

A pack of your own is a folder with `drills/ID/checks.py`, each of which makes a `Drill`:
`Grader([Path("my-pack")])`. Names are imported when they are first used, so importing this package
costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studyattn.grading.call_plan import ArrayInput, Call, Layout
    from studyattn.grading.drill import (
        Case,
        Contrast,
        Draw,
        Drill,
        Growth,
        Limit,
        Variant,
        case,
        given,
        with_values,
    )
    from studyattn.grading.drill_loader import drill_folders, load_drill
    from studyattn.grading.grader import Grader, StoppedError, shipped_packs
    from studyattn.grading.limits import ResourceLimits
    from studyattn.grading.misconception import Misconception, Sign
    from studyattn.grading.report_text import format_report
    from studyattn.grading.seen_call import Probe
    from studyattn.grading.space import Excluded, Space
    from studyattn.grading.submission import Backend, Submission
    from studyattn.grading.verdict import (
        CaseResult,
        Cost,
        Counterexample,
        Diagnosis,
        NamedMistake,
        Report,
        Verdict,
    )

__all__ = [
    "ArrayInput",
    "Backend",
    "Call",
    "Case",
    "CaseResult",
    "Contrast",
    "Cost",
    "Counterexample",
    "Diagnosis",
    "Draw",
    "Drill",
    "Excluded",
    "Grader",
    "Growth",
    "Layout",
    "Limit",
    "Misconception",
    "NamedMistake",
    "Probe",
    "Report",
    "ResourceLimits",
    "Sign",
    "Space",
    "StoppedError",
    "Submission",
    "Variant",
    "Verdict",
    "case",
    "drill_folders",
    "format_report",
    "given",
    "load_drill",
    "shipped_packs",
    "with_values",
]

_PLACES = {
    "call_plan": "ArrayInput Call Layout",
    "drill": "Case Contrast Draw Drill Growth Limit Variant case given with_values",
    "drill_loader": "drill_folders load_drill",
    "grader": "Grader StoppedError shipped_packs",
    "limits": "ResourceLimits",
    "misconception": "Misconception Sign",
    "report_text": "format_report",
    "seen_call": "Probe",
    "space": "Excluded Space",
    "submission": "Backend Submission",
    "verdict": "CaseResult Cost Counterexample Diagnosis NamedMistake Report Verdict",
}
_HOMES = {name: module for module, names in _PLACES.items() for name in names.split()}


def _imported(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # a type checker would take any name for a public one
    __getattr__ = _imported


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
