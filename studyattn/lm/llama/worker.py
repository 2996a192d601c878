"""What the worker of a real model does when it is asked: assemble, try parts, write, score.

These are the entries that `process` calls. The learner's package `mine` lies beside this code, in
the same worker, behind the same walls as a submission; the model's folder is what it may read
besides.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import torch
from tokenizers import Tokenizer
from tokenizers.decoders import DecodeStream
from torch import Tensor
from torch.nn import functional

from studyattn.lm.answers import answering, own_part, read
from studyattn.lm.llama import forward, heads
from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.parts import PARTS, SAMPLE
from studyattn.lm.llama.records import (
    Cosines,
    Guesses,
    Heads,
    KeptModel,
    LlamaOrder,
    NamedGuess,
    Piece,
    Score,
)
from studyattn.lm.llama.trial import try_one
from studyattn.lm.model import Part, chosen_by

MODEL, TOKENIZER, WEIGHTS = "model.json", "tokenizer.json", "weights.f32"


class _State:
    """What one worker has."""

    kept: KeptModel
    model: Llama
    tokenizer: Tokenizer
    writing: Iterator[int]
    decoding: DecodeStream


@answering
@torch.no_grad()
def assemble(order: Tensor) -> None:
    """Import the parts of a model and map its weights."""
    wanted = msgspec.json.decode(read(order), type=LlamaOrder)
    torch.set_num_threads(wanted.threads)
    parts: dict[str, Part] = {name: own_part(name) for name in wanted.own}
    if wanted.mistake is not None:
        from studyattn.lm.broken import broken_parts  # late: only here is the reference at hand

        parts |= broken_parts(wanted.mistake)
    folder = Path(wanted.folder)
    kept = msgspec.json.decode((folder / MODEL).read_bytes(), type=KeptModel)
    _State.kept = kept
    weights = forward.mapped(kept, folder / WEIGHTS)
    _State.model = Llama(kept.config, forward.usable(parts), weights)
    _State.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))


@answering
@torch.no_grad()
def try_part(number: int) -> None:
    """Use a part once and compare it with PyTorch's own."""
    try_one(PARTS[number], _State.model)


@answering
@torch.no_grad()
def prompt(text: Tensor, cached: bool, temperature: float, seed: int) -> None:
    """Begin to write after a text, with keys and values that are kept or without."""
    tokens = _encoded(read(text).decode("utf-8"))
    follow = _with_cache if cached else _without_cache
    _State.writing = _chosen(follow, tokens, temperature, seed)
    _State.decoding = DecodeStream(skip_special_tokens=True)


@answering
@torch.no_grad()
def write(count: int) -> Piece:
    """Return the next `count` tokens as text, fewer if the model ends its text."""
    began, made, text = time.perf_counter(), 0, ""
    for token in _State.writing:
        made += 1
        if token in _State.kept.ends:
            return Piece(text, made, time.perf_counter() - began, over=True)
        text += _State.decoding.step(_State.tokenizer, token) or ""
        if made == count:
            break
    return Piece(text, made, time.perf_counter() - began, over=made < count)


@answering
@torch.no_grad()
def score(text: Tensor) -> Score:
    """Return how well the model expects a text."""
    tokens = _encoded(read(text).decode("utf-8"))
    began = time.perf_counter()
    logits = _State.model(tokens)  # (n, vocabulary)
    loss = float(functional.cross_entropy(logits[:-1], tokens[1:]))
    seconds = time.perf_counter() - began
    perplexity = math.exp(loss) if loss < 700 else math.inf
    return Score(perplexity if math.isfinite(perplexity) else None, len(tokens), seconds)


@answering
@torch.no_grad()
def look_at_heads(text: Tensor) -> Heads:
    """Return what every head attends to in a text."""
    tokens = _encoded(read(text).decode("utf-8"))
    pieces = [_State.tokenizer.decode([token]) for token in tokens.tolist()]
    return Heads(pieces, heads.measured(_State.model, tokens, pieces))


@answering
@torch.no_grad()
def guess(text: Tensor, count: int, layer: int, head: int) -> Guesses:
    """Return the likeliest next tokens by layer; the head adds nothing unless it is -1."""
    tokens = _encoded(read(text).decode("utf-8"))
    off = frozenset() if head < 0 else frozenset({(layer, head)})
    return Guesses(
        [
            [NamedGuess(_State.tokenizer.decode([each.token]), each.probability) for each in best]
            for best in heads.guesses(_State.model, tokens, count, off)
        ]
    )


@answering
@torch.no_grad()
def compare(one: Tensor, other: Tensor) -> Cosines:
    """Return how alike the last tokens of two texts are, by layer."""
    texts = (_encoded(read(text).decode("utf-8")) for text in (one, other))
    return Cosines(heads.cosines(_State.model, *texts))


def _encoded(text: str) -> Tensor:
    """Return the tokens of a text, `(n,)`, at least one."""
    begin = [] if _State.kept.begin is None else [_State.kept.begin]
    found: list[int] = _State.tokenizer.encode(text).ids
    tokens = [*begin, *found] or list(_State.kept.ends[:1]) or [0]
    return torch.tensor(tokens[-_State.kept.config.context :])


def _chosen(
    follow: Callable[[Tensor, list[int]], Iterator[Tensor]],
    tokens: Tensor,
    temperature: float,
    seed: int,
) -> Iterator[int]:
    """Yield token after token, until the context is full or no logits are numbers."""
    generator = torch.Generator().manual_seed(seed)
    made: list[int] = []
    for logits in follow(tokens, made):
        if not bool(logits.isfinite().all()):
            return  # a mistake can make them so
        uniform = float(torch.rand((), generator=generator))
        part = _State.model.parts[SAMPLE]
        greedy = temperature == 0
        chosen = logits.argmax() if greedy else chosen_by(part, logits, uniform, temperature)
        made.append(int(chosen))
        yield made[-1]
        if len(tokens) + len(made) >= _State.kept.config.context:
            return


def _with_cache(tokens: Tensor, made: list[int]) -> Iterator[Tensor]:
    """Yield the logits `(vocabulary,)` after the tokens and after each one that was made."""
    sequence = _State.model.cached()
    yield sequence(tokens)
    while True:
        yield sequence(torch.tensor(made[-1:]))


def _without_cache(tokens: Tensor, made: list[int]) -> Iterator[Tensor]:
    """Do the same, with the whole sequence computed anew for each token."""
    model = _State.model
    while True:
        stream = model.stream(torch.cat((tokens, torch.tensor(made, dtype=torch.int64))))[-1]
        yield model.unembed(stream[-1:])[0]
