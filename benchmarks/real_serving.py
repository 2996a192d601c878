"""Parts of the course on serving in a real model: perplexity, bytes, drafts and speed.

    python -m benchmarks real_serving

It needs `studyattn model get`, and prints a table in Markdown. The parts are the pack's solutions.
Each row writes the same tokens in turn with the plain model, on one thread, and processor time is
compared. The perplexity is that of `SCORED` tokens of the text that a GPT is trained on. The last
rows draft with such a GPT, trained here first: its text becomes tokens of the real model.
"""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from studyattn.bundled import content_dir
from studyattn.lm.calls import Part
from studyattn.lm.llama.kept import Models, model_cache
from studyattn.lm.llama.running import RealModel
from studyattn.lm.model import PLAIN_PARTS
from studyattn.lm.parts import GPT, LLAMA
from studyattn.lm.records import Piece, Put, Sizes
from studyattn.lm.training import OwnGpt
from studyattn.packs.read import load_pack
from studyattn.study.practice.gpt import default_text

SCORED = 300
"""Tokens, about: letters of a text are counted, four for a token."""

PROMPTS = (
    "The cat sat on the mat. The dog sat on the mat. The cat sat on the",
    "1 apple, 2 pears. 3 apple, 4 pears. 5 apple, 6 pears. 7 apple, 8",
    "Attention in a transformer is a way to",
    "Class instances are created by calling a class object. The",
)
WRITTEN = 32
STEPS = 900
"""Of the training of a GPT, as in `docs/gpt.md`."""

STEP = "speculative-step"
ROWS: Sequence[tuple[str, Mapping[str, Mapping[str, float]]]] = (
    ("nothing", {}),
    ("weights in 8 bits, groups of 64", {"quantized-linear": {}}),
    ("weights in 4 bits, groups of 32", {"quantized-linear": {"bits": 4, "group": 32}}),
    ("cache in int8", {"int8-cache": {}}),
    ("paged cache", {"paged-cache": {}}),
    ("drafts by n-grams", {STEP: {}}),
    ("drafts by 28 of 30 layers", {STEP: {"layers": 28}}),
    ("drafts by 15 of 30 layers", {STEP: {"layers": 15}}),
    ("drafts by weights in 8 bits", {STEP: {"bits": 8}}),
    ("drafts by weights in 4 bits", {STEP: {"bits": 4}}),
)


def main() -> int:
    """Print the table. 1 when a cache or a draft changes what is written."""
    torch.set_num_threads(1)
    models = Models(model_cache())
    folder = models.place(models.in_use())
    plain = RealModel(folder, _parts({}))
    scored = default_text()[: 4 * SCORED]
    texts = [_written(plain, prompt)[0].text for prompt in PROMPTS]
    print("| | perplexity | bytes | instead of | drafted | accepted | tokens a pass | time |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    changed = False
    with torch.no_grad():
        for title, model in _models(folder):
            score = model.score(scored)
            found = dict(score.measured)
            ours = theirs = 0.0
            for prompt, text in zip(PROMPTS, texts, strict=True):
                said, taken = _written(model, prompt)
                ours, theirs = ours + taken, theirs + _written(plain, prompt)[1]
                changed |= said.text != text and "weights in" not in title.partition("drafts")[0]
                for name, number in said.measured.items():
                    if name in _OF_DRAFTS:
                        found[name] = found.get(name, 0) + number
            print(_row(title, score.perplexity, found, ours / theirs), flush=True)
    return int(changed)


_OF_DRAFTS = ("drafted", "accepted", "written", "passes")


def _row(title: str, perplexity: float | None, found: Mapping[str, float], times: float) -> str:
    def number(name: str) -> str:
        return f"{found[name]:,.0f}" if name in found else ""

    sizes = next((each for each in ("weight", "cache", "page") if f"{each}_bytes" in found), "")
    other = "unshared_page_bytes" if sizes == "page" else f"plain_{sizes}_bytes"
    a_pass = f"{found['written'] / found['passes']:.2f}" if "passes" in found else ""
    cells = (
        title, f"{perplexity:.2f}", number(f"{sizes}_bytes"), number(other),
        number("drafted"), number("accepted"), a_pass, f"{times:.2f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _models(folder: Path) -> Iterator[tuple[str, RealModel]]:
    """Yield each row's title and model; a GPT of characters drafts for the last ones."""
    briefs = load_pack(content_dir() / "serving").drills
    own = _trained()
    by_gpt = [(f"drafts of {n} by a GPT of characters", {STEP: {"drafted": n}}) for n in (4, 1)]
    for title, put in (*ROWS, *by_gpt):
        gpt = own if "GPT" in title else b""
        puts = [
            Put(str(briefs[drill].model), briefs[drill].entry, dict(given), gpt)
            for drill, given in put.items()
        ]
        yield title, RealModel(folder, _parts(put), puts)


def _parts(put: Iterable[str]) -> dict[str, Part]:
    of_gpt = [drill for entry, drill in GPT.drills.items() if entry not in PLAIN_PARTS]
    of_attention = _solutions("attention", (*LLAMA.drills.values(), *of_gpt))
    return {**PLAIN_PARTS, **of_attention, **_solutions("serving", put)}


def _solutions(pack: str, drills: Iterable[str]) -> dict[str, Part]:
    found: dict[str, Any] = {}
    for drill in drills:
        found |= runpy.run_path(str(content_dir() / pack / "drills" / drill / "solution.py"))
    return found


def _written(model: RealModel, prompt: str) -> tuple[Piece, float]:
    """Return what a model writes, greedily, and the processor seconds."""
    began = time.process_time()
    model.prompt(prompt, WRITTEN, 0.0, 0, cached=True)
    return model.write(WRITTEN), time.process_time() - began


def _trained() -> bytes:
    """Return the checkpoint of a GPT that is trained here, as `gpt train` does it."""
    model = OwnGpt(Sizes(), 0, _solutions("attention", GPT.drills.values()), {})
    with torch.enable_grad():
        model.begin(default_text())
        while model.training.steps < STEPS:
            model.training.step()
    return model.checkpoint()


if __name__ == "__main__":
    sys.exit(main())
