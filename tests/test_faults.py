"""The list of deliberate faults fits the code: each can still be made."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from benchmarks.faults import Fault, faults

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.file)
def test_a_fault_can_be_made(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert fault.tests
    assert all((ROOT / shlex.split(each)[0]).exists() for each in fault.tests)
