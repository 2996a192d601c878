"""Warm runners of both backends, and one of torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from tests.grading.asking import LIMITS


@pytest.fixture(scope="module", params=list(Backend))
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    with Runner(request.param, limits=LIMITS) as runner:
        yield runner


@pytest.fixture(scope="module")
def torch_runner() -> Iterator[Runner]:
    # More time than others have: to import flex_attention takes seconds on a busy machine.
    with Runner(limits=replace(LIMITS, seconds=30.0)) as runner:
        yield runner
