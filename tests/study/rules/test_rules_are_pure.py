"""Importing the rules loads no database, so that they can be tested and reused without one."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from studyattn.study import rules


def test_no_rule_loads_sqlalchemy() -> None:
    names = [f"{rules.__name__}.{each.name}" for each in pkgutil.iter_modules(rules.__path__)]
    assert names
    program = f"import sys, {', '.join(names)}; print('sqlalchemy' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "False"
