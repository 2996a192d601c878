"""A worker that runs submissions, and a clock that a test moves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from studyattn.study.clock import FixedClock


@pytest.fixture(scope="package")
def runner() -> Iterator[Runner]:
    with Runner(Backend.NUMPY) as made:
        yield made


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
