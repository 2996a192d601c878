"""The law of what is written with drafts, of the model's first layers or of a GPT."""

from __future__ import annotations

import runpy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from studyattn.bundled import content_dir
from studyattn.lm.calls import Part
from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.kept import Models
from studyattn.lm.llama.places import Draft, Drafter, accepted, certain, rounded
from studyattn.lm.llama.running import RealModel
from studyattn.lm.records import Put
from tests.own_gpt import PARTS, checkpoint

from .test_forward import loaded

DRAWN = 600
TEXT = [90, 91, 17, 90]
FOLDER = content_dir() / "serving"
STEP = "speculative_step"


def shares(logits: Tensor) -> Tensor:
    return (2 * logits).softmax(-1)


def redrawn_from_target(draft: Tensor, target: Tensor, tokens: Tensor, uniforms: Tensor) -> Tensor:
    """Make the mistake `spec-redrawn-from-target` at the first token."""
    row, stays = target[0], bool(uniforms[0] < target[0, tokens[0]] / draft[0, tokens[0]])
    return tokens[:1] if stays else (row.cumsum(0) <= uniforms[-1]).sum()[None]


def too_often(draft: Tensor, target: Tensor, tokens: Tensor, uniforms: Tensor) -> Tensor:
    """Accept what was not drawn as often as what was drawn with the probability 0.1."""
    row, stays = target[0], bool(uniforms[0] < target[0, tokens[0]] / (draft[0, tokens[0]] / 10))
    rest = row.index_fill(0, tokens[:1], 0.0)
    return tokens[:1] if stays else ((rest / rest.sum()).cumsum(0) <= uniforms[-1]).sum()[None]


def off(
    model: Llama, step: Part, drafter: Callable[[list[int], int, torch.Generator], Draft]
) -> float:
    """Return χ² of the first tokens beside the law of the model, in deviations from its mean."""
    draw = torch.Generator().manual_seed(8)
    counts = torch.zeros(model.sizes.tokens)
    for _ in range(DRAWN):
        draft = drafter(TEXT, 1, draw)
        target = shares(model(torch.tensor([*TEXT, *draft[0]]))[-2:])
        uniforms = torch.rand(2, generator=draw)
        counts[accepted(STEP, step, target, draft, uniforms)[0]] += 1
    law = shares(model(torch.tensor(TEXT)))[-1]
    often = law * DRAWN >= 5
    wanted, found = (
        torch.cat([each[often], each[~often].sum()[None]]) for each in (law * DRAWN, counts)
    )
    chi_squared = float(((found - wanted) ** 2 / wanted).sum())
    bins = len(wanted) - 1
    return (chi_squared - bins) / float((2 * bins) ** 0.5)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("right", [True, False])
def test_tokens_have_the_law_of_the_model_whatever_drafts(
    models: Models, right: bool, own: bool
) -> None:
    kept = models.in_use()
    model, _ = loaded(kept, models.place(kept))
    put = Put("drafts", (STEP,), gpt=checkpoint())
    with_gpt = RealModel(models.place(kept), {STEP: certain, **PARTS}, [put])
    drafter = with_gpt.drafter(shares) if own else Drafter(model, 1, shares)
    solution = FOLDER / "drills" / "speculative-step" / "solution.py"
    mistake = too_often if own else redrawn_from_target
    step = runpy.run_path(str(solution))[STEP] if right else mistake
    with torch.no_grad():
        assert (off(model, step, drafter) < 4) == right


def test_a_rounded_matrix_is_off_by_at_most_half_a_step() -> None:
    matrix = torch.randn(64, 3, generator=torch.Generator().manual_seed(1))
    near = rounded(8)(matrix)
    steps = matrix.view(2, 32, 3).abs().amax(1, keepdim=True) / 127
    assert bool(((near - matrix).view(2, 32, 3).abs() <= steps * 0.5001).all())
    tokens, probabilities = certain([1, 0], 3)
    assert (tokens, probabilities.tolist()) == ([1, 0], [[0, 1, 0], [1, 0, 0]])
