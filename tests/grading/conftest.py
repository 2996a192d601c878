"""Questions are drawn once for each drill, library and seed: they are the same each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from studyattn.grading.drawn_case import DrawnCase, draw_cases
from studyattn.grading.drill import Drill

KEPT = 8


@pytest.fixture(autouse=True, scope="session")
def _drawn_once() -> Iterator[None]:
    kept: dict[tuple[int, str, str, int], tuple[Drill, tuple[DrawnCase, ...]]] = {}

    def drawn(drill: Drill, backend: str, device: str, seed: int) -> tuple[DrawnCase, ...]:
        key = id(drill), backend, device, seed  # the drill is kept too, so its identity is its own
        _, cases = kept.pop(key, (drill, ()))
        kept[key] = drill, cases or draw_cases(drill, backend, device, seed)
        for old in list(kept)[:-KEPT]:
            del kept[old]
        return kept[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studyattn.grading.judge.draw_cases", drawn)
        yield
