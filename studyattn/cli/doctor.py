"""`doctor`: a report on everything the program depends on."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from typing import Any

from studyattn import __version__, grading
from studyattn.bundled import content_dir
from studyattn.cli.common import Answer, Invocation, Rows
from studyattn.errors import StudyattnError
from studyattn.grading.sandbox import levels
from studyattn.study import review

_LIBRARIES = ("textual", "SQLAlchemy", "fsrs-rs-python", "numpy", "torch")


def doctor(invocation: Invocation) -> Answer:
    report = {
        "versions": _versions(),
        "paths": _paths(invocation),
        "database": _database(invocation),
        "devices": _devices(),
        "isolation": _isolation(),
        "terminal": _terminal(),
    }
    shown = [
        (part.capitalize(), Rows([(f"  {name}", str(value)) for name, value in values.items()]))
        for part, values in report.items()
    ]
    return Answer(report, shown)


def _versions() -> dict[str, str]:
    versions = {"studyattn": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            versions[library] = "missing"
    return versions


def _paths(invocation: Invocation) -> dict[str, str]:
    home = invocation.home
    return {
        "home": str(home.root),
        "database": home.database_shown,
        "backups": str(home.backups),
        "drills": str(home.drills),
        "content": str(content_dir()),
    }


def _database(invocation: Invocation) -> dict[str, str]:
    home = invocation.home
    if home.server is None and not home.database.exists():
        return {"kind": "SQLite", "state": "not created yet"}
    try:
        findings = review.rebuild.check_database(home)
    except StudyattnError as error:
        findings = [error.message]
    except OSError as error:
        findings = [f"it cannot be read ({error.strerror})"]
    state = "; ".join(findings) or "sound"
    if home.server is None:
        size = home.database.stat().st_size
        return {"kind": "SQLite", "size": f"{size / 1e6:.1f} MB", "state": state}
    return {"kind": "PostgreSQL", "schema": home.server.schema, "state": state}


def _devices() -> dict[str, Any]:
    """Ask in a process of its own, for this one never imports torch."""
    ask = "import torch; print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else '')"
    try:
        answer = subprocess.run(
            [sys.executable, "-c", ask], capture_output=True, text=True, timeout=120, check=True
        ).stdout.strip()
    except (subprocess.SubprocessError, OSError):
        return {"cpu": "numpy only: torch cannot be imported", "cuda": "none"}
    return {"cpu": "torch and numpy", "cuda": answer or "none"}


def _isolation() -> dict[str, str]:
    """Return the walls around a submission as the grader reports them, and those that lack."""
    try:
        with grading.Grader() as grader:
            walls = grader.isolation()
        lacking = {f"no {each.level}": each.detail for each in levels() if each.level not in walls}
        return {"layers": ", ".join(walls), **lacking}
    except (StudyattnError, OSError) as error:
        return {"layers": f"none: {error}"}


def _terminal() -> dict[str, str]:
    size = shutil.get_terminal_size()
    names = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "TMUX", "VISUAL", "EDITOR")
    told = {name: os.environ[name] for name in names if name in os.environ}
    return {
        "size": f"{size.columns}×{size.lines}",
        "encoding": sys.stdout.encoding or "unknown",
        "is a terminal": "yes" if sys.stdout.isatty() else "no",
        **told,
    }
