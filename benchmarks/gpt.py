"""A training step of the learner's GPT beside the same model from modules of `torch.nn`.

The parts are the pack's solutions, written as a learner would. Both make a step in turns, on one
thread, and processor time is compared, so that a busy machine changes little.
"""

from __future__ import annotations

import runpy
import statistics
import time
from collections.abc import Callable, Iterator, Mapping

import torch
from torch import Tensor, nn

from benchmarks._measure import Figure
from studyattn.bundled import content_dir
from studyattn.lm.model import PLAIN_PARTS
from studyattn.lm.parts import GPT
from studyattn.lm.records import Sizes
from studyattn.lm.training import RATE, Training
from studyattn.study.practice.gpt import default_text

_STEPS = 60


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    torch.set_num_threads(1)
    folder = content_dir() / "attention" / "drills"
    parts = dict(PLAIN_PARTS)
    for entry, drill in GPT.drills.items():
        parts[entry] = runpy.run_path(str(folder / drill / "solution.py"))[entry]
    sizes = Sizes()
    training = Training(default_text(), sizes, parts, seed=0)
    twin = Twin(training.model.weights, sizes, len(training.writer.characters))
    optimizer = torch.optim.AdamW(twin.parameters(), lr=RATE, betas=(0.9, 0.99))
    draw = torch.Generator().manual_seed(0)

    def step_of_twin() -> None:
        batch = training._batch(training._trained, draw)  # noqa: SLF001 - the same batches
        logits = twin(batch)[:, :-1]
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types here
        optimizer.step()

    ours, theirs = _medians(training.step, step_of_twin)
    yield Figure("a training step of own parts", ours * 1000, "ms")
    yield Figure("the same model from torch.nn", theirs * 1000, "ms")
    yield Figure("own parts ÷ torch.nn", ours / theirs, most=1.25)


def _medians(*works: Callable[[], object]) -> list[float]:
    """Return the median processor time of each, in seconds, taken in turns."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(_STEPS):
        for work, times in zip(works, taken, strict=True):
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
    return [statistics.median(times) for times in taken]


class Attention(nn.Module):
    """Causal self-attention of `torch.nn`, its weights transposed and without biases."""

    def __init__(self, weights: Mapping[str, Tensor], layer: int, sizes: Sizes) -> None:
        super().__init__()
        self.attend = nn.MultiheadAttention(sizes.width, sizes.heads, bias=False, batch_first=True)
        rows = [weights[f"{layer}.{name}"].T for name in ("w_q", "w_k", "w_v")]
        self.attend.in_proj_weight = nn.Parameter(torch.cat(rows).clone())
        self.attend.out_proj.weight = nn.Parameter(weights[f"{layer}.w_o"].T.clone())

    def forward(self, x: Tensor) -> Tensor:
        n = x.shape[1]
        hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
        attended: Tensor = self.attend(x, x, x, attn_mask=hidden, need_weights=False)[0]
        return attended


class Twin(nn.Module):
    """The same model from modules of `torch.nn`, with the same weights."""

    def __init__(self, weights: Mapping[str, Tensor], sizes: Sizes, characters: int) -> None:
        super().__init__()
        w = {name: weight.detach().clone() for name, weight in weights.items()}
        self.tokens = nn.Embedding(characters, sizes.width, _weight=w["tokens"])
        self.positions = nn.Parameter(w["positions"])
        blocks = []
        for layer in range(sizes.layers):
            wide, narrow = (
                nn.Linear(sizes.width, 4 * sizes.width),
                nn.Linear(4 * sizes.width, sizes.width),
            )
            wide.weight, wide.bias = (
                nn.Parameter(w[f"{layer}.w_1"].T.clone()),
                nn.Parameter(w[f"{layer}.b_1"]),
            )
            narrow.weight, narrow.bias = (
                nn.Parameter(w[f"{layer}.w_2"].T.clone()),
                nn.Parameter(w[f"{layer}.b_2"]),
            )
            blocks += [
                nn.Sequential(nn.LayerNorm(sizes.width), Attention(w, layer, sizes)),
                nn.Sequential(nn.LayerNorm(sizes.width), wide, nn.GELU("tanh"), narrow),
            ]
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(sizes.width)
        self.characters = characters

    def forward(self, tokens: Tensor) -> Tensor:
        x: Tensor = self.tokens(tokens) + self.positions[: tokens.shape[1]]
        for block in self.blocks:
            x = x + block(x)
        scores: Tensor = self.norm(x) @ self.tokens.weight.T
        return scores
