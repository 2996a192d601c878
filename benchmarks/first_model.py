"""Train the first model (`studyattn/lm/first.py`) and write its weights into the pack.

    python -m benchmarks.first_model [--steps N] [--seed N] [-o FILE]

Its text is made from the stories of `first_model.txt`. A third of the steps have all parts, each
other one those of a day on the path, all with the pack's solutions: so the weights are of use with
few parts, and better with each further one. It takes a few minutes on one core.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm.first import BEGIN, CONTEXT, LAYERS, SCORED_AT, FirstModel
from studyattn.lm.parts import FIRST, OF_BLOCK

WIDTH: Final = 64
HIDDEN: Final = 4 * WIDTH
BATCH: Final = 24
RATE: Final = 3e-3
WARM_UP: Final = 100
DECAY: Final = 0.05
TOLD: Final = 400
"""Steps from one line of losses to the next."""

WHOLE: Final = 0.35
"""The share of steps with all parts."""

OFTEN: Final = {
    "dot-product": 0.25,
    "softmax": 2.0,
    "single-query": 2.2,
    "attention": 0.6,
    "masked-attention": 1.0,
    "project-qkv": 1.0,
    "split-heads": 1.3,
    "output-projection": 1.0,
    "gelu-mlp": 1.0,
    "layer-norm": 1.0,
}
"""How often the other steps stop at this drill of the path; others change nothing in the text."""

SCORED: Final = 256
STORIES: Final = Path(__file__).with_suffix(".txt")
PACK: Final = Path(__file__).resolve().parents[1] / "content" / "attention"


def told(rng: random.Random, slots: dict[str, list[str]], stories: list[str]) -> list[str]:
    """Return the words of a story, after the mark of its beginning."""
    drawn: dict[str, str] = {}
    for name, words in slots.items():
        for number, word in enumerate(rng.sample(words, 3), 1):
            drawn[name if number == 1 else f"{name}{number}"] = word
    first, second = rng.sample([*slots["girl"], *slots["boy"]], 2)
    she = "she" if first in slots["girl"] else "he"
    story = rng.choice(stories).format(**drawn, A=first, B=second, she=she)
    return [BEGIN, *story.split()]


def text(seed: int, count: int) -> list[str]:
    """Return the words of so many stories."""
    rng = random.Random(seed)
    lines = [line for line in STORIES.read_text("utf-8").splitlines() if line[:1] not in {"", "#"}]
    stories = [line for line in lines if line.startswith("{")]
    named = (line.split(": ") for line in lines if not line.startswith("{"))
    slots = {name: words.split() for name, words in named}
    return [word for _ in range(count) for word in told(rng, slots, stories)]


def parts_of(drills: list[str]) -> dict[str, Any]:
    """Return the functions of the pack's solutions, in torch."""
    found: dict[str, Any] = {}
    for drill in drills:
        spec = spec_from_file_location("solution", PACK / "drills" / drill / "solution.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        found.update({name: getattr(module, name) for name in FIRST.drills if name in vars(module)})
    return found


def drawn_weights(words: int) -> dict[str, Tensor]:
    """Return new weights by their names."""
    matrix, row = (WIDTH, WIDTH), (WIDTH,)
    of_mlp = {"w_1": (WIDTH, HIDDEN), "b_1": (HIDDEN,), "w_2": (HIDDEN, WIDTH)}
    of_block = {name: of_mlp.get(name, matrix if name[0] == "w" else row) for name in OF_BLOCK}
    shapes: dict[str, tuple[int, ...]] = {"words": (words, WIDTH), "places": (CONTEXT, WIDTH)}
    for layer in range(LAYERS):
        shapes |= {f"{layer}.{name}": shape for name, shape in of_block.items()}
    shapes |= {"next": (WIDTH, words), "gain": row, "bias": row}
    spread = {"words": 0.12, "places": 0.05}
    weights = {}
    for name, shape in shapes.items():
        if len(shape) == 1:
            weight = torch.ones(shape) if "gain" in name else torch.zeros(shape)
        else:
            weight = torch.randn(shape) * spread.get(name, shape[0] ** -0.5)
        weights[name] = weight.requires_grad_()
    return weights


def windows(tokens: Tensor, count: int, generator: torch.Generator | None = None) -> Tensor:
    """Return pieces of a text, `(count, CONTEXT + 1)`."""
    starts = torch.randint(len(tokens) - CONTEXT - 1, (count, 1), generator=generator)
    return tokens[starts + torch.arange(CONTEXT + 1)]


def loss_of(model: FirstModel, pieces: Tensor, last: int, empty: int) -> Tensor:
    """Return the loss of the word after the place `last`; the places after it are empty."""
    given = pieces[:, :-1].clone()
    given[:, last + 1 :] = empty
    return functional.cross_entropy(model(given, last)[:, last], pieces[:, last + 1])


def main() -> None:
    """Train, and write the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", type=Path, default=PACK / "model" / "weights.npz")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    rng = random.Random(given.seed)
    trained, held_out = text(given.seed, 20_000), text(given.seed + 1, 300)
    names = sorted(set(trained))
    places = {name: place for place, name in enumerate(names)}
    tokens, empty = torch.tensor([places[word] for word in trained]), places[BEGIN]
    unseen = torch.tensor([places[word] for word in held_out])
    scored = windows(unseen, SCORED, torch.Generator().manual_seed(1))
    weights = drawn_weights(len(names))
    drills = list(dict.fromkeys(FIRST.drills.values()))
    days = {name: parts_of(drills[: place + 1]) for place, name in enumerate(drills)}
    days[""] = {}
    models = {name: FirstModel(torch, weights, parts) for name, parts in days.items()}
    matrices = [each for each in weights.values() if each.ndim > 1]
    rows = [each for each in weights.values() if each.ndim == 1]
    groups: list[dict[str, Any]] = [{"params": matrices}, {"params": rows, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98), weight_decay=DECAY)
    began = time.monotonic()
    for step in range(given.steps + 1):
        if step % TOLD == 0:
            with torch.no_grad():
                losses = [
                    f"{name} {float(loss_of(model, scored, SCORED_AT, empty)):.3f}"
                    for name, model in models.items()
                ]
            print(f"{step}, {time.monotonic() - began:.0f} s:{', '.join(losses)}", flush=True)
        slower = 0.01 + 0.99 * (1 + math.cos(math.pi * step / given.steps)) / 2
        for group in optimiser.param_groups:
            group["lr"] = RATE * slower * min(1.0, (step + 1) / WARM_UP)
        day = (
            drills[-1]
            if rng.random() < WHOLE
            else rng.choices(*zip(*OFTEN.items(), strict=True))[0]
        )
        if drills.index(day) < drills.index("masked-attention"):
            pieces = windows(tokens, 2 * BATCH)
            loss = loss_of(models[day], pieces, rng.randrange(3, CONTEXT), empty)
        else:  # no word looks ahead: each one has a loss
            pieces = windows(tokens, BATCH)
            logits = models[day](pieces[:, :-1])
            loss = functional.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types here
        torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
        optimiser.step()
    kept: dict[str, Any] = {
        name: each.detach().numpy().astype(np.float16) for name, each in weights.items()
    }
    whole: dict[str, Any] = {"names": np.array(names), "scored": scored.numpy().astype(np.uint8)}
    np.savez(given.o, **whole, **kept)


if __name__ == "__main__":
    main()
