"""The model beside the same one from `torch.nn`, its caches, and attention with mistakes."""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from benchmarks.gpt import Twin
from studyattn.attention import (
    STEPS,
    CachedAttention,
    adamw_step,
    block,
    embed,
    gelu_mlp,
    generate,
    layer_norm,
    multi_head_attention,
    next_token_loss,
    sample,
)
from studyattn.grading.misconception import change_of
from studyattn.home import Home
from studyattn.lm import model as gpt
from studyattn.lm.broken import broken_parts
from studyattn.lm.calls import Part, PartError
from studyattn.lm.records import Sizes
from studyattn.lm.training import Training
from studyattn.study.practice.model_parts import (
    OF_GPT,
    OF_WRITING,
    ModelMistake,
    answers_of_gpt,
    mistakes,
)
from tests.torch_parts import PLAIN_PARTS

SMALL = Sizes(width=16, heads=4, layers=2, context=12, batch=6)
TEXT = "The quick brown fox jumps over the lazy dog, and the dog sleeps on. " * 30
PARTS: dict[str, Part] = {
    **PLAIN_PARTS,
    "multi_head_attention": multi_head_attention,
    "CachedAttention": CachedAttention,
}


def test_a_training_step_is_that_of_torchs_own_modules() -> None:
    training = Training(TEXT, SMALL, PARTS, seed=3)
    characters = len(training.writer.characters)
    twin = Twin(training.model.weights, SMALL, characters)
    assert sum(each.numel() for each in twin.parameters()) == training.parameters
    optimizer = torch.optim.AdamW(twin.parameters(), lr=1.0, betas=(0.9, 0.99), weight_decay=0.01)
    batches = torch.Generator()
    for step in range(1, 5):
        batches.set_state(training._generator.get_state())
        batch = training._batch(training._trained, batches)
        loss = nn.functional.cross_entropy(
            twin(batch)[:, :-1].flatten(0, 1), batch[:, 1:].flatten()
        )
        assert training.step() == pytest.approx(float(loss.detach()), abs=1e-5)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types here
        optimizer.param_groups[0]["lr"] = 3e-3 * step / 50
        optimizer.step()


def test_its_size_is_the_one_that_it_says() -> None:
    assert sum(map(math.prod, gpt.shapes(Sizes(), 88).values())) == 349_152


def test_caches_say_what_the_whole_says_and_a_missing_mask_shows() -> None:
    right = Training(TEXT, SMALL, PARTS, seed=1)
    assert right.check_cache().same
    shown = Training(
        TEXT, SMALL, {**PARTS, "multi_head_attention": _unmasked}, seed=1
    ).check_cache()
    assert not shown.same
    assert shown.difference is not None
    assert shown.difference > 0.01


def _unmasked(x: Tensor, *rest: object) -> Tensor:
    return multi_head_attention(x, *rest[:-1])  # type: ignore[arg-type, no-any-return]  # the mask left out


def test_writing_goes_on_when_the_context_is_full() -> None:
    training = Training(TEXT, SMALL, PARTS, seed=1)
    assert len(training.sample()) == len("The ") + 120


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (
            lambda x, *_: x[..., :-1],
            r"shape \(6, 12, 15\); expected torch.float32 of shape \(6, 12, 16\)",
        ),
        (lambda x, *_: x.double(), "torch.float64"),
        (lambda *_: None, "it returned NoneType, not a tensor"),
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_part_that_cannot_be_used_is_named(part: Part, told: str) -> None:
    training = Training(TEXT, SMALL, {**PARTS, "multi_head_attention": part}, seed=1)
    with pytest.raises(PartError, match=told) as caught:
        training.step()
    assert caught.value.part == "multi_head_attention"


# ── mistakes ─────────────────────────────────────────────────────────────────────────────────────

Mistakes = Mapping[str, ModelMistake]


@pytest.fixture(scope="module")
def known() -> Mistakes:
    return mistakes(Home(Path("nowhere")), OF_GPT)


@pytest.fixture(scope="module")
def writing() -> Mistakes:
    return mistakes(Home(Path("nowhere")), OF_WRITING)


def in_attention(known: Mistakes) -> list[str]:
    return [name for name, each in known.items() if each.parts != ("block",)]


def in_blocks(known: Mistakes) -> list[str]:
    return [name for name, each in known.items() if each.parts == ("block",)]


def test_what_the_drills_warn_of_can_be_made(known: Mistakes, writing: Mistakes) -> None:
    assert {
        "mask-missing", "scale-missing", "scale-by-d", "mask-after-softmax", "softmax-wrong-axis",
        "heads-ignored", "mask-excludes-self", "cache-not-updated",
    } <= known.keys()  # fmt: skip
    assert "mask-nan-rows" not in known  # no row of a causal mask is empty
    assert {"block-post-norm", "block-residual-missing", "block-norm-missing"} <= {
        *in_blocks(known)
    }
    assert {"generate-wrong-position", "generate-nothing-new-fed"} <= writing.keys()
    assert "generate-last-fed" not in writing  # it writes the same


def test_each_mistake_written_for_numpy_is_the_same_in_torch(known: Mistakes) -> None:
    for name in in_attention(known):
        _is_the_same_in_torch(name, known[name])


def _is_the_same_in_torch(name: str, mistake: ModelMistake) -> None:
    run = mistake.run._replace(module=_imported(mistake))
    found = next(
        each for each in vars(sys.modules[run.module]).values() if getattr(each, "id", "") == name
    )
    steps = dataclasses.replace(STEPS, **change_of(found.ways[run.way]))
    with np.errstate(all="ignore"):
        (_, expected), (_, cached), *_ = answers_of_gpt(steps)
    generator = np.random.default_rng(7)
    shapes = [(2, 5, 8), *[(8, 8)] * 4]
    x, *weights = (torch.tensor(generator.standard_normal(shape)).float() for shape in shapes)
    weights = [weight.div(3).requires_grad_() for weight in weights]
    parts = broken_parts(run)
    out = parts["multi_head_attention"](x, *weights, 2, parts["causal_mask"](5, 5, x))
    cache = parts["CachedAttention"](*weights, 2)
    pieces = torch.cat([cache(x[:, :3]), cache(x[:, 3:])], dim=1)
    for got, right in ((out, expected), (pieces, cached)):
        assert type(got) is Tensor
        np.testing.assert_allclose(got.detach().numpy(), right, rtol=2e-4, atol=2e-5, err_msg=name)
    out.sum().backward()


def test_each_mistake_in_the_block_is_made_in_training_and_in_writing(known: Mistakes) -> None:
    for name in in_blocks(known):
        run = known[name].run._replace(module=_imported(known[name]))
        broken = broken_parts(run)
        assert broken.keys() == {"together"}, name
        right, wrong = (Training(TEXT, SMALL, PARTS | own, seed=2) for own in ({}, broken))
        losses = [(right.step(), wrong.step()) for _ in range(3)]  # all norms begin alike
        assert any(one != pytest.approx(other, abs=1e-7, rel=0) for one, other in losses), name
        assert wrong.check_cache().same, name


def test_the_block_of_the_drill_trains_as_its_parts_do() -> None:
    plain, ours = (Training(TEXT, SMALL, PARTS | own, seed=2) for own in ({}, {"block": block}))
    for _ in range(3):
        assert ours.step() == pytest.approx(plain.step(), abs=1e-5)
    assert ours.check_cache().same
    wrong = Training(TEXT, SMALL, {**PARTS, "block": lambda x, *_: x[..., :-1]}, seed=2)
    with pytest.raises(PartError, match="of shape") as caught:
        wrong.step()
    assert caught.value.part == "block"


def written(temperature: float, **parts: Part) -> str:
    """What a model writes after a prompt: more than its context has room for."""
    writer = Training(TEXT, SMALL, {**PARTS, **parts}, seed=2).writer
    with torch.no_grad():
        for weight in writer.model.weights.values():
            weight.mul_(20.0)  # a new model hardly looks at what it was fed
    if "generate" in parts:
        return "".join(writer.generate("The fox", 40, temperature, 5))
    return "".join(itertools.islice(writer.write("The fox", temperature, 5), 40))


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_the_generate_of_the_drill_writes_what_the_program_does(temperature: float) -> None:
    assert written(temperature, generate=generate) == written(temperature)


def test_each_mistake_in_writing_writes_something_else(writing: Mistakes) -> None:
    right = written(0.8)
    for name, mistake in writing.items():
        run = mistake.run._replace(module=_imported(mistake))
        wrong = written(0.8, **broken_parts(run))
        assert len(wrong) == 40, name
        assert wrong != right, name


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (lambda *_: [1, 2], "it returned list, not a tensor"),
        (lambda *_: torch.zeros(2), "torch.float32 of shape"),
        (lambda *_: torch.tensor([99]), "it returned 99, but there are"),
        (lambda *_: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_generate_that_cannot_be_used_is_named(part: Part, told: str) -> None:
    with pytest.raises(PartError, match=told) as caught:
        written(0.8, generate=part)
    assert caught.value.part == "generate"


def test_a_mistake_that_its_module_does_not_have_is_a_lookup_error(known: Mistakes) -> None:
    mistake = known[in_attention(known)[0]]
    run = mistake.run._replace(module=_imported(mistake), id="no-such-mistake")
    with pytest.raises(LookupError, match="no-such-mistake"):
        broken_parts(run)


def _imported(mistake: ModelMistake) -> str:
    """Return the module of the mistake's pack, as the loader of drills imports it."""
    end = mistake.run.module.removeprefix("pack")
    return next(
        each for each in sys.modules if each.startswith("studyattn_pack") and each.endswith(end)
    )


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        (lambda _logits, _tokens: 0.7, "it returned float, not a tensor"),
        (
            lambda logits, _tokens: logits.sum(-1),
            r"of shape \(6, 12\); expected .* of shape \(\)",
        ),
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_loss_that_cannot_be_used_is_named(loss: Part, told: str) -> None:
    training = Training(TEXT, SMALL, {**PARTS, "next_token_loss": loss}, seed=1)
    with pytest.raises(PartError, match=told) as caught:
        training.step()
    assert caught.value.part == "next_token_loss"


def test_the_reference_of_the_drill_trains_as_the_plain_loss_does() -> None:
    plain, ours = (
        Training(TEXT, SMALL, {**PARTS, "next_token_loss": loss}, seed=2)
        for loss in (PLAIN_PARTS["next_token_loss"], next_token_loss)
    )
    for _ in range(3):
        assert ours.step() == pytest.approx(plain.step(), abs=1e-5)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [(lambda *_: 99, "it returned 99, but there are"), (lambda *_: 1.0, "float, not an int")],
)
def test_a_choice_that_is_no_character_is_named(chosen: Part, told: str) -> None:
    training = Training(TEXT, SMALL, {**PARTS, "sample": chosen}, seed=1)
    with pytest.raises(PartError, match=told) as caught:
        training.sample()
    assert caught.value.part == "sample"


def test_the_sampling_of_the_drill_writes_what_the_plain_one_does() -> None:
    ours, plain = (
        Training(TEXT, SMALL, {**PARTS, "sample": part}, seed=2).sample()
        for part in (sample, PLAIN_PARTS["sample"])
    )
    assert ours == plain


def test_the_optimiser_of_the_drill_trains_as_the_plain_one_does() -> None:
    plain, ours = (
        Training(TEXT, SMALL, {**PARTS, "adamw_step": step}, seed=2)
        for step in (PLAIN_PARTS["adamw_step"], adamw_step)
    )
    for _ in range(4):
        assert ours.step() == pytest.approx(plain.step(), abs=1e-5)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (lambda weights, *_: weights, "it returned Tensor, not a tuple of three"),
        (lambda weights, *_: (weights, None, weights), "NoneType, not a tensor"),
        (lambda weights, *_: (weights, weights, weights[:-1]), "expected torch.float32 of shape"),
    ],
)
def test_a_step_that_cannot_be_used_is_named(step: Part, told: str) -> None:
    training = Training(TEXT, SMALL, {**PARTS, "adamw_step": step}, seed=1)
    with pytest.raises(PartError, match=told) as caught:
        training.step()
    assert caught.value.part == "adamw_step"


@pytest.mark.parametrize("name", ["embed", "layer_norm", "gelu_mlp"])
def test_a_part_of_the_wrong_shape_is_named(name: str) -> None:
    def wrong(*given: Tensor) -> Tensor:
        whole: Tensor = PLAIN_PARTS[name](*given)
        return whole[..., :-1]

    training = Training(TEXT, SMALL, {**PARTS, name: wrong}, seed=1)
    with pytest.raises(PartError, match="of shape") as caught:
        training.step()
    assert caught.value.part == name


def test_the_references_of_the_drills_train_as_the_plain_parts_do() -> None:
    references: dict[str, Part] = {"embed": embed, "layer_norm": layer_norm, "gelu_mlp": gelu_mlp}
    plain, ours = (Training(TEXT, SMALL, PARTS | own, seed=2) for own in ({}, references))
    for _ in range(3):
        assert ours.step() == pytest.approx(plain.step(), abs=1e-5)
    assert ours.check_cache().same
