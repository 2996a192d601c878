"""The JSON schema of a report, for those who read reports with other programs.

python -m docs.report_schema [FILE]       writes docs/report.schema.json, or FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from studyattn.grading.verdict import SCHEMA, Report

FILE = Path("docs/report.schema.json")


def report_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema 2020-12) of what `Report.to_json` returns."""
    import msgspec

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"studyattn-report-{SCHEMA}",
        **msgspec.json.schema(Report),
    }


def schema_text() -> str:
    """Return the schema as it is written to a file."""
    return json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    target.write_text(schema_text(), "utf-8")
    print(target)
