"""Both models of the parts in `tests/learner`, written as a learner writes: the same answers.

The grader's verdict on these files, and the models assembled of them, are in `docs/gpt.md` and
`docs/model.md`.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest
import torch

from studyattn.bundled import content_dir
from studyattn.lm.calls import Part
from studyattn.lm.llama.forward import Llama, mapped
from studyattn.lm.llama.kept import Models
from studyattn.lm.parts import GPT, LLAMA
from studyattn.lm.records import WEIGHTS
from studyattn.lm.training import Training
from tests.llama_models import models
from tests.lm.test_model import SMALL, TEXT
from tests.torch_parts import PLAIN_PARTS

__all__ = ["models"]

LEARNER = Path(__file__).parents[1] / "learner"
SOLUTIONS = content_dir() / "attention" / "drills"


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> dict[str, Part]:
    """Every part, by its entry, with what it takes from `mine`."""
    mine = ModuleType("mine")
    monkeypatch.setitem(sys.modules, "mine", mine)
    drills = {**LLAMA.drills, **GPT.all_drills}  # the composed ones last: they import others
    for entry, drill in drills.items():
        setattr(mine, entry, runpy.run_path(str(LEARNER / f"{drill}.py"))[entry])
    return {entry: getattr(mine, entry) for entry in drills}


def solutions(drills: Mapping[str, str]) -> dict[str, Part]:
    return {
        entry: runpy.run_path(str(SOLUTIONS / drill / "solution.py"))[entry]
        for entry, drill in drills.items()
    }


def test_a_gpt_of_a_learners_parts_trains_and_writes_as_one_of_the_packs(
    own: dict[str, Part],
) -> None:
    assert {path.stem for path in LEARNER.glob("*.py")} == {
        *GPT.all_drills.values(), *LLAMA.drills.values()
    }  # fmt: skip
    pack = {
        "multi_head_attention": GPT.drills["multi_head_attention"],
        "CachedAttention": GPT.drills["CachedAttention"],
    }
    theirs = Training(TEXT, SMALL, {**PLAIN_PARTS, **solutions(pack)}, seed=4)
    ours = Training(TEXT, SMALL, {**PLAIN_PARTS, **own}, seed=4)
    for _ in range(3):
        assert ours.step() == pytest.approx(theirs.step(), abs=1e-5)
    assert ours.check_cache().same
    texts = ours.writer.generate("The", 30, 0.8, 1), theirs.writer.write("The", 0.8, 1)
    assert [*texts[0]] == [*islice(texts[1], 30)]


def test_a_llama_of_a_learners_parts_says_what_one_of_the_packs_says(
    own: dict[str, Part], models: Models
) -> None:
    kept = models.in_use()
    weights = mapped(kept, models.place(kept) / WEIGHTS)
    tokens = torch.tensor([5, 90, 33, 12, 5, 90, 33])
    with torch.no_grad():
        ours, theirs = (
            Llama(kept.config, {**PLAIN_PARTS, **parts}, weights)
            for parts in ({entry: own[entry] for entry in LLAMA.drills}, solutions(LLAMA.drills))
        )
        torch.testing.assert_close(ours(tokens), theirs(tokens), atol=1e-4, rtol=1e-4)
        store = ours.new()
        for token in tokens:
            last = ours(token[None], store)
        torch.testing.assert_close(last[0], theirs(tokens)[-1], atol=1e-4, rtol=1e-4)
