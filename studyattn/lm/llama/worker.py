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
from typing import Final

import msgspec
import torch
from tokenizers import Tokenizer
from tokenizers.decoders import DecodeStream
from torch import Tensor
from torch.nn import functional

from studyattn.lm.answers import answering, own_part, read
from studyattn.lm.llama import forward, heads, one_head
from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.parts import PARTS, SAMPLE
from studyattn.lm.llama.records import (
    MODEL,
    TOKENIZER,
    WEIGHTS,
    Cosines,
    Guesses,
    Heads,
    HeadTables,
    KeptModel,
    LlamaOrder,
    NamedGuess,
    Patterns,
    Piece,
    Score,
    Share,
    Switched,
)
from studyattn.lm.llama.trial import try_one
from studyattn.lm.model import Part, chosen_by

MOST_READ: Final = 2048
"""Tokens of a text that are read: the weights of all heads on more do not fit into memory."""


class _State:
    """What one worker has."""

    kept: KeptModel
    model: Llama
    tokenizer: Tokenizer
    writing: Iterator[tuple[int, float]]
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
    _State.model = Llama(kept.config, {**forward.PLAIN_PARTS, **parts}, weights)
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
    began, made, text, total = time.perf_counter(), 0, "", 0.0
    for token, surprise in _State.writing:
        made, total = made + 1, total + surprise
        if token in _State.kept.ends:
            return Piece(text, made, total, time.perf_counter() - began, over=True)
        text += _State.decoding.step(_State.tokenizer, token) or ""
        if made == count:
            break
    return Piece(text, made, total, time.perf_counter() - began, over=made < count)


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
    pieces = _pieces(tokens)
    on_text = heads.patterns(_State.model, tokens)
    return Heads(pieces, heads.measured(_State.model, on_text, pieces))


@answering
@torch.no_grad()
def all_patterns(text: Tensor, most: int) -> Patterns:
    """Return the weights and the kind of every head on the first `most` tokens of a text."""
    whole = _all_tokens(read(text).decode("utf-8"))
    pieces = _pieces(whole[:most])
    found = heads.patterns(_State.model, whole[:most])
    kinds = heads.measured(_State.model, found, pieces)
    return Patterns(pieces, len(whole), kinds, one_head.as_bytes(torch.cat(found)))


@answering
@torch.no_grad()
def look_at_head(  # noqa: PLR0917 - what a worker is asked with has no names
    text: Tensor,
    most: int,
    layer: int,
    head: int,
    masked: bool,
    scaled: bool,
    adds: bool,
    count: int,
) -> HeadTables:
    """Return what one head computes for a text's first tokens, and the `count` likeliest next."""
    tokens = _all_tokens(read(text).decode("utf-8"))[:most]
    before = one_head.one_head(_State.model, tokens, layer, head, one_head.RIGHT).after
    found = one_head.one_head(_State.model, tokens, layer, head, Switched(masked, scaled, adds))
    shares = [
        Share(_State.tokenizer.decode([token]), float(before[token]), float(found.after[token]))
        for token in one_head.likeliest(before, found.after, count)
    ]
    met = [[None if x == -math.inf else x for x in row] for row in found.met.tolist()]
    tables = (each.tolist() for each in (found.scores, found.weights, found.values))
    scores, weights, values = tables
    return HeadTables(_pieces(tokens), scores, met, weights, values, shares)


@answering
@torch.no_grad()
def guess(text: Tensor, count: int, layer: int, head: int) -> Guesses:
    """Return the likeliest next tokens by layer; the head adds nothing unless it is -1."""
    tokens = _encoded(read(text).decode("utf-8"))
    off = None if head < 0 else (layer, head)
    return Guesses(
        [
            [NamedGuess(_State.tokenizer.decode([each.token]), each.probability) for each in best]
            for best in heads.guesses(_State.model, tokens, count, off)
        ]
    )


@answering
@torch.no_grad()
def compare(one: Tensor, other: Tensor, word: Tensor) -> Cosines:
    """Return how alike the last tokens of two texts are, by layer.

    With a word, those of its last occurrence in each text; none where a text does not have it.
    """
    wanted = read(word).decode("utf-8")
    texts = [read(text).decode("utf-8") for text in (one, other)]
    cut = [found for text in texts if (found := _up_to(text, wanted)) is not None]
    if len(cut) < len(texts):
        return Cosines([])
    return Cosines(heads.cosines(_State.model, *map(_encoded, cut)))


def _up_to(text: str, word: str) -> str | None:
    """Return the text up to the end of the last occurrence of a word; None without one.

    What follows changes nothing before it: the model looks back only.
    """
    found = text.rfind(word) if word else len(text)
    return None if found < 0 else text[: found + len(word)]


def _pieces(tokens: Tensor) -> list[str]:
    """Return the texts of tokens `(n,)`."""
    return [_State.tokenizer.decode([token]) for token in tokens.tolist()]


def _encoded(text: str) -> Tensor:
    """Return the tokens of a text that are read, `(n,)`: at least one, of many the last ones."""
    return _all_tokens(text)[-min(MOST_READ, _State.kept.config.context) :]


def _all_tokens(text: str) -> Tensor:
    """Return the tokens of a text, `(n,)`, at least one."""
    begin = [] if _State.kept.begin is None else [_State.kept.begin]
    found: list[int] = _State.tokenizer.encode(text).ids
    tokens = [*begin, *found] or list(_State.kept.ends[:1]) or [0]
    return torch.tensor(tokens)


def _chosen(
    follow: Callable[[Tensor, list[int]], Iterator[Tensor]],
    tokens: Tensor,
    temperature: float,
    seed: int,
) -> Iterator[tuple[int, float]]:
    """Yield tokens with their −ln p, until the context is full or no logits are numbers."""
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
        yield made[-1], -float(logits.log_softmax(-1)[made[-1]])
        if len(tokens) + len(made) >= _State.kept.config.context:
            return


def _with_cache(tokens: Tensor, made: list[int]) -> Iterator[Tensor]:
    """Yield the logits `(vocabulary,)` after the tokens and after each one that was made."""
    sequence = _State.model.cached()
    yield sequence(tokens)
    while True:
        yield sequence(torch.tensor(made[-1:]))


def _without_cache(tokens: Tensor, made: list[int]) -> Iterator[Tensor]:
    """Do the same, with the whole sequence recomputed for each token."""
    model = _State.model
    while True:
        stream = model.stream(torch.cat((tokens, torch.tensor(made, dtype=torch.int64))))[-1]
        yield model.unembed(stream[-1:])[0]
