"""Places in a real model where the code of a drill can be put that the model does without.

A pack names the place in the front matter of a drill's brief (`model: weights`). Here is what each
place gives to the entries of such a drill, in the order in which the brief lists them:

    weights   two functions: a matrix becomes packed arrays, and rows are multiplied by these
    cache     a class that appends keys and values and attends, a token at a time
    pages     a class that appends and gathers the tokens of several sequences
    drafts    a function whose last entry accepts drafted tokens or corrects them; what drafts is
              the text so far (`n`), the model itself with fewer `layers` or `bits`, or a GPT
    logits    a function that turns logits into probabilities, without unlikely tokens
    patch     a function of a model with hooks: two prompts, a layer and a position

What is put there is told what it costs: `measured` has bytes, or how many drafts were accepted.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from studyattn.lm.calls import Part, PartError, calling, checked
from studyattn.lm.llama.forward import Llama, Store
from studyattn.lm.records import Put

_FLOAT: Final = 4
"""Bytes of a weight, and of a number in the cache, where nothing is put."""


class Places:
    """The code that is put into a model: the parts of each place, and what they came to."""

    def __init__(self, puts: Sequence[Put], parts: Mapping[str, Part]) -> None:
        self.puts = {put.place: put for put in puts}
        self._parts = parts
        self.measured: dict[str, float] = {}

    def __contains__(self, place: str) -> bool:
        return place in self.puts

    def part(self, place: str, number: int = 0) -> tuple[str, Part]:
        """Return an entry of the drill at a place: its name, and the code."""
        name = self.puts[place].entries[number]
        return name, self._parts[name]

    def given(self, place: str, name: str, usual: float) -> float:
        """Return a number that was given for a place, or the usual one."""
        return self.puts[place].given.get(name, usual)

    def count(self, **numbers: float) -> None:
        """Add to what is measured."""
        for name, number in numbers.items():
            self.measured[name] = self.measured.get(name, 0) + number

    # ── weights ──────────────────────────────────────────────────────────────────────────────────

    def packed(self, matrix: Tensor) -> Any:
        """Return a matrix `(d_in, d_out)`, or what multiplies by its packed form."""
        if "weights" not in self.puts:
            return matrix
        name, pack = self.part("weights")
        other, multiply = self.part("weights", 1)
        group, bits = (int(self.given("weights", *each)) for each in (("group", 64), ("bits", 8)))
        if len(matrix) % group:
            raise PartError(name, f"groups of {group} do not divide {len(matrix)} inputs")
        whole = calling(name, pack, matrix, group, bits)
        if not isinstance(whole, tuple) or not all(isinstance(each, Tensor) for each in whole):
            raise PartError(name, "it did not return two tensors")
        q, scales = whole
        self.count(
            weight_bytes=matrix.numel() * bits / 8 + _FLOAT * scales.numel(),
            plain_weight_bytes=_FLOAT * matrix.numel(),
        )

        def product(x: Tensor) -> Tensor:
            like = x.new_empty((*x.shape[:-1], matrix.shape[-1]))
            return checked(other, calling(other, multiply, x, q, scales), like)

        return product

    # ── keys and values ──────────────────────────────────────────────────────────────────────────

    def store(self) -> Store:
        """Return where a sequence keeps its keys and values."""
        if "cache" in self.puts:
            return _Cache(self)
        return _Pages(self) if "pages" in self.puts else Store()

    # ── choosing ─────────────────────────────────────────────────────────────────────────────────

    def filtered(self, logits: Tensor) -> Tensor:
        """Return the logits `(vocabulary,)`, -inf where a token is left out."""
        if "logits" not in self.puts:
            return logits
        name, part = self.part("logits")
        shares = calling(name, part, logits, self.given("logits", "p", 0.1))
        return checked(name, shares, logits).log()


class _Cache(Store):
    """A learner's cache that attends by itself; one for each layer."""

    one_by_one = True

    def __init__(self, places: Places) -> None:
        self._name, self._make = places.part("cache")
        self._places = places
        self._caches: dict[int, Any] = {}

    def attended(
        self, layer: int, q: Tensor, k: Tensor, v: Tensor, _attend: Callable[..., Tensor]
    ) -> Tensor:
        if layer not in self._caches:
            self._caches[layer] = calling(self._name, self._make)
        cache = self._caches[layer]
        calling(self._name, cache.append, k, v)
        grouped = q.reshape(*k.shape[:2], -1, q.shape[-1])  # those that share a key head
        found = calling(self._name, cache.attend, grouped)
        kept = calling(self._name, cache.stored)
        sizes = [each.numel() * each.element_size() for each in kept]
        if layer == 0:
            self._places.measured.update(cache_bytes=0.0, plain_cache_bytes=0.0)
        plain = 2 * _FLOAT * kept[0].numel()
        self._places.count(cache_bytes=sum(sizes), plain_cache_bytes=plain)
        return checked(self._name, found, grouped).reshape(q.shape)


class _Pages(Store):
    """A learner's paged cache; one for each layer, with two sequences that share the prompt.

    The text is sequence 0. Beside it, sequence 1 goes on with other tokens, as a second answer to
    the same prompt would: a block that is not copied before it is changed spoils the text.
    """

    def __init__(self, places: Places) -> None:
        self._name, self._make = places.part("pages")
        self._places = places
        self._size = int(places.given("pages", "block", 16))
        self._blocks = int(places.given("pages", "blocks", 256))
        self._caches: dict[int, Any] = {}

    def attended(
        self, layer: int, q: Tensor, k: Tensor, v: Tensor, attend: Callable[..., Tensor]
    ) -> Tensor:
        rows, back = k.shape[2], (1, -1, k.shape[1], k.shape[3])
        keys, values = (each.transpose(1, 2).reshape(rows, -1) for each in (k, v))
        is_new = layer not in self._caches
        if is_new:
            made = calling(self._name, self._make, self._blocks, self._size, keys.shape[1])
            self._caches[layer] = made
        cache = self._caches[layer]
        calling(self._name, cache.append, 0, keys, values)
        if is_new:
            calling(self._name, cache.share, 0, 1)
        else:
            calling(self._name, cache.append, 1, -keys, -values)
        k, v = (each.reshape(back).transpose(1, 2) for each in calling(self._name, cache.gather, 0))
        used = self._blocks - calling(self._name, cache.free_blocks)
        if layer == 0:
            self._places.measured.update(page_bytes=0.0, unshared_page_bytes=0.0)
        page = 2 * _FLOAT * self._size * keys.shape[1]
        alone = 2 * -(-k.shape[2] // self._size)
        self._places.count(page_bytes=used * page, unshared_page_bytes=alone * page)
        return attend(q, k, v)


# ── drafts ───────────────────────────────────────────────────────────────────────────────────────


Draft = tuple[list[int], Tensor]
"""Drafted tokens, and the probabilities that they were drawn with, `(drafted, vocabulary)`."""


def looked_up(tokens: Sequence[int], n: int, most: int) -> list[int]:
    """Return up to `most` tokens that followed the last `n` where these occurred before."""
    last = list(tokens[-n:])
    for at in range(len(tokens) - n - 1, -1, -1):
        if list(tokens[at : at + n]) == last:
            return list(tokens[at + n : at + n + most])
    return []


def certain(tokens: Sequence[int], vocabulary: int) -> Draft:
    """Return tokens with a probability of 1 each, as they have that were not drawn."""
    whole = torch.tensor(tokens, dtype=torch.int64)
    return list(tokens), torch.nn.functional.one_hot(whole, vocabulary).to(torch.float32)


def rounded(bits: int, group: int = 32) -> Callable[[Tensor], Tensor]:
    """Return what rounds a matrix `(d_in, d_out)` to so many bits, with a scale for each group."""
    top = 2 ** (bits - 1) - 1

    def of(matrix: Tensor) -> Tensor:
        rows = matrix.reshape(-1, group if len(matrix) % group == 0 else 1, matrix.shape[-1])
        scales = rows.abs().amax(1, keepdim=True).clamp(min=1e-30) / top
        near: Tensor = (rows / scales).round() * scales
        return near.reshape(matrix.shape)

    return of


class Drafter:
    """A model that drafts: the first layers of one, whose cache follows the text."""

    def __init__(self, model: Llama, layers: int, shares: Callable[[Tensor], Tensor]) -> None:
        """`shares` turns logits into the probabilities that tokens are drawn with."""
        self._model = copy.copy(model)
        self._model.sizes = dataclasses.replace(model.sizes, layers=layers)
        self._kept = Store()
        self._shares = shares
        self._fed: list[int] = []

    def __call__(self, text: Sequence[int], most: int, generator: torch.Generator) -> Draft:
        """Draw `most` tokens after a text, one by one."""
        pairs = enumerate(zip(self._fed, text, strict=False))
        same = next((at for at, (one, other) in pairs if one != other), len(self._fed))
        self._kept.cut(min(same, len(text) - 1))
        tokens, rows = list(text), []
        for _ in range(most):
            logits = self._model(torch.tensor(tokens[self._kept.length :]), self._kept)
            rows.append(self._shares(logits[-1]))
            tokens.append(int(torch.multinomial(rows[-1], 1, generator=generator)))
        self._fed = tokens[:-1]
        return tokens[len(text) :], torch.stack(rows)


def accepted(name: str, part: Part, target: Tensor, draft: Draft, uniforms: Tensor) -> list[int]:
    """Have a part accept drafted tokens. `target` are probabilities `(drafted + 1, vocabulary)`.

    Raises PartError for what are no tokens.
    """
    tokens, shares = draft
    made = calling(name, part, shares, target, torch.tensor(tokens), uniforms)
    found = made.tolist() if isinstance(made, Tensor) and made.ndim == 1 else []
    is_whole = all(isinstance(each, int) and 0 <= each < target.shape[-1] for each in found)
    if not is_whole or not 1 <= len(found) <= len(tokens) + 1:
        raise PartError(name, f"it returned {made!r:.80}, not 1 to {len(tokens) + 1} tokens")
    return found


# ── patches ──────────────────────────────────────────────────────────────────────────────────────


class Hooked:
    """A model as the drill's `Stack` is: `run` calls a hook before each layer."""

    def __init__(self, name: str, model: Llama) -> None:
        self._name, self._model = name, model
        self.layers = model.sizes.layers

    def run(self, tokens: Tensor, hook: Callable[[int, Tensor], Tensor]) -> Tensor:
        """Return the logits after the last token, `(vocabulary,)`."""
        x = self._model.embedded(tokens, 0)
        for layer in range(self.layers):
            x = self._model.after(layer, checked(self._name, hook(layer, x.clone()), x))
        return self._model.scored(x[-1:])[0]
