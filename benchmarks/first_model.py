"""Train the first model (`studyattn/lm/first.py`) and write its weights into the pack.

    python -m benchmarks.first_model [--steps N] [--seed N] [-o FILE]

It reads the stories of `first_model.txt`. Half of the steps have all parts, each other one those of
a day on the path: so the weights are of use with the first part, and better with each further one.
"""

from __future__ import annotations

import argparse,os
import random
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from studyattn.lm.first import CONTEXT, LAYERS, OF_BLOCK, FirstModel
from studyattn.lm.parts import FIRST

WIDTH: Final = 64
HIDDEN: Final = 4 * WIDTH
BATCH: Final = 24
RATE: Final = 3e-3
DECAY: Final = 0.05
SCORED: Final = 256
"""Windows of held-out text on which the loss is measured."""

STORIES: Final = Path(__file__).with_suffix(".txt")
ROOT: Final = Path(__file__).resolve().parents[1]
PACK: Final = ROOT / "content" / "attention"


def read_stories() -> tuple[dict[str, list[str]], list[str]]:
    """Return the words of each slot, and the stories."""
    lines = [line for line in STORIES.read_text("utf-8").splitlines() if line[:1] not in ("", "#")]
    slots = [line.split(": ") for line in lines if line[0] != "{"]
    return {name: words.split() for name, words in slots}, [line for line in lines if line[0] == "{"]


def told(rng: random.Random, slots: dict[str, list[str]], stories: list[str]) -> list[str]:
    """Return the words of a story, after the mark of its begin."""
    drawn: dict[str, str] = {}
    for name, words in slots.items():
        for number, word in enumerate(rng.sample(words, min(3, len(words)))):
            drawn[f"{name}{number + 1 if number else ''}"] = word
    first, second = rng.sample([*slots["girl"], *slots["boy"]], 2)
    she = "she" if first in slots["girl"] else "he"
    return ["¶", *rng.choice(stories).format(**drawn, A=first, B=second, she=she).split()]


def text(seed: int, count: int) -> list[str]:
    """Return the words of so many stories."""
    rng, known = random.Random(seed), read_stories()  # noqa: S311 - nothing is secret
    return [word for _ in range(count) for word in told(rng, *known)]


def parts_of(drills: list[str]) -> dict[str, Any]:
    """Return the functions of the pack's solutions, in torch."""
    found = {}
    for drill in drills:
        file = PACK / "drills" / drill / "solution.py"
        spec = spec_from_file_location(drill, file)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        found.update(vars(module))
    return found


def drawn_weights(words: int) -> dict[str, Tensor]:
    shapes: dict[str, tuple[int, ...]] = {"words": (words, WIDTH), "places": (CONTEXT, WIDTH)}
    for layer in range(LAYERS):
        for name in OF_BLOCK:
            shape: tuple[int, ...] = (WIDTH, WIDTH) if name.startswith("w_") else (WIDTH,)
            shape = {"w_1": (WIDTH, HIDDEN), "w_2": (HIDDEN, WIDTH), "b_1": (HIDDEN,)}.get(name, shape)
            shapes[f"{layer}.{name}"] = shape
    shapes |= {"next": (WIDTH, words), "gain": (WIDTH,), "bias": (WIDTH,)}
    return {name: first_weight(name, shape).requires_grad_() for name, shape in shapes.items()}


def first_weight(name: str, shape: tuple[int, ...]) -> Tensor:
    if "gain" in name:
        return torch.ones(shape)
    if len(shape) == 1:
        return torch.zeros(shape)
    return torch.randn(shape) * (float(os.environ["STD"]) if name == "words" else 0.05 if name=="places" else shape[0] ** -0.5)


def days() -> list[list[str]]:
    """Return the drills after each pass on the path, none first."""
    drills = list(dict.fromkeys(FIRST.drills.values()))
    return [drills[:count] for count in range(len(drills) + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--full", type=float, default=0.6)
    parser.add_argument("-o", type=Path, default=PACK / "first_model.npz")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    rng = random.Random(given.seed)  # noqa: S311 - nothing is secret
    trained, held_out = text(given.seed, 20_000), text(given.seed + 1, 300)
    names = sorted(set(trained))
    place = {name: number for number, name in enumerate(names)}
    tokens = torch.tensor([place[word] for word in trained])
    scored = windows(torch.tensor([place[word] for word in held_out]), SCORED, torch.Generator().manual_seed(1))
    blanked = scored.clone()[:, :-1]
    blanked[:, 25:] = place["¶"]
    weights = drawn_weights(len(names))
    print(len(names), "words", sum(w.numel() for w in weights.values()), "weights")
    stages = days()
    parts = [parts_of(each) for each in stages]
    decayed = [w for w in weights.values() if w.ndim > 1]
    rest = [w for w in weights.values() if w.ndim == 1]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": DECAY}, {"params": rest, "weight_decay": 0.0}], lr=RATE, betas=(0.9, 0.98))
    import os
    W = {"-": .5, "dot-product": .6, "softmax": 1.2, "single-query": 1, "attention": float(os.environ["ATT"]), "masked-attention": 1, "project-qkv": 1, "split-heads": 1.3, "output-projection": 1, "gelu-mlp": 1, "layer-norm": 1}
    chances = [W.get(s[-1] if s else "-", 0) for s in stages]
    began = time.time()
    for step in range(given.steps):
        rate = RATE * min(1.0, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * step / given.steps)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        at = len(stages) - 1 if rng.random() < given.full else rng.choices(range(len(stages)), chances)[0]
        causal = "masked-attention" in stages[at]
        batch = windows(tokens, BATCH if causal else 2 * BATCH)
        if not causal:
            last = rng.randrange(3, CONTEXT)
            target = batch[:, last + 1].clone()
            batch[:, last + 1 :] = place["¶"]
        logits = FirstModel(torch, weights, parts[at])(batch[:, :-1], CONTEXT - 1 if causal else last)
        if causal:
            loss = functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        else:
            loss = functional.cross_entropy(logits[:, last], target)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
        optimiser.step()
        if step % 250 == 0 or step == given.steps - 1:
            print(step, at, f"{loss.item():.3f}", f"{time.time() - began:.0f} s", flush=True)
            if step % 1000 == 0 or step == given.steps - 1:
                with torch.no_grad():
                    print({(s[-1] if s else "-"): round(float(functional.cross_entropy(FirstModel(torch, weights, p)(blanked, 24)[:, 24], scored[:, 25])), 3) for s, p in zip(stages, parts)}, flush=True)
    kept = {name: w.detach().numpy().astype(np.float16) for name, w in weights.items()}
    np.savez(given.o, names=np.array(names), scored=scored[:64, :-1].numpy().astype(np.uint8), **kept)


def windows(tokens: Tensor, count: int, generator: torch.Generator | None = None) -> Tensor:
    """Return pieces of a text, `(count, CONTEXT + 1)`."""
    starts = torch.randint(len(tokens) - CONTEXT - 1, (count, 1), generator=generator)
    return tokens[starts + torch.arange(CONTEXT + 1)]


if __name__ == "__main__":
    main()
