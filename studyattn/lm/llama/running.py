"""A real model as its worker holds it: what `process` can ask of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
import torch
from tokenizers import Tokenizer
from tokenizers.decoders import DecodeStream
from torch import Tensor
from torch.nn import functional

from studyattn.lm.calls import Part, RefusedError, calling, checked, chosen_by
from studyattn.lm.llama import forward, heads
from studyattn.lm.llama.forward import Llama
from studyattn.lm.llama.places import (
    Draft,
    Drafter,
    Hooked,
    Places,
    accepted,
    certain,
    looked_up,
    rounded,
)
from studyattn.lm.model import PLAIN_PARTS, written
from studyattn.lm.records import (
    MODEL,
    TOKENIZER,
    WEIGHTS,
    Guess,
    HeadTables,
    HeadWeights,
    KeptModel,
    Patched,
    Patterns,
    Piece,
    Put,
    Share,
    Switched,
    TextScore,
)
from studyattn.lm.training import Writer, writer_of
from studyattn.lm.trial import of_llama, try_part

MOST_READ: Final = 2048
"""Tokens of a text that are read: the weights of all heads on more do not fit into memory."""

MOST_SHOWN: Final = 32
"""Tokens of a text whose patterns are looked at."""

_SCORED: Final = 2
"""Tokens of the shortest text that has a perplexity."""

_CHARACTERS: Final = 8
"""Characters that a GPT writes for each token that it drafts: most tokens are shorter."""


class RealModel:
    """A model, its tokenizer, and the text that it writes from one call to the next."""

    def __init__(self, folder: Path, parts: Mapping[str, Part], puts: Sequence[Put] = ()) -> None:
        """Map the weights of the model that is kept in a folder."""
        self._kept = msgspec.json.decode((folder / MODEL).read_bytes(), type=KeptModel)
        self._weights = weights = forward.mapped(self._kept, folder / WEIGHTS)
        every = {**PLAIN_PARTS, **parts}
        self._places = places = Places(puts, every)
        self._model = Llama(self._kept.config, every, weights, places.packed, places.store)
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))

    def try_part(self, name: str) -> None:
        """Use a part and compare it with the reference's."""
        try_part(name, self._model.parts[name], of_llama(name, self._kept.config))

    def prompt(self, text: str, count: int, temperature: float, seed: int, cached: bool) -> None:
        """Begin to write after a text, with kept keys and values or without.

        Any `count` of tokens can be asked for afterwards.
        """
        del count
        tokens = self._encoded(text)
        if "drafts" in self._places and cached:
            self._writing = self._drafted(tokens, temperature, seed)
        else:
            allowed, most = self._places.filtered, self._kept.config.context - len(tokens)
            how = (self._model, tokens, temperature, seed)
            self._writing = islice(written(*how, cached=cached, allowed=allowed), max(1, most))
        self._decoding = DecodeStream(skip_special_tokens=True)

    def write(self, count: int) -> Piece:
        """Return the next `count` tokens as text, fewer if the model ends its text."""
        began, made, text, surprise, is_over = time.perf_counter(), 0, "", 0.0, False
        for token, logits in islice(self._writing, count):
            made, surprise = made + 1, surprise - float(logits.log_softmax(-1)[token])
            if is_over := token in self._kept.ends:
                break
            text += self._decoding.step(self._tokenizer, token) or ""
        is_over = is_over or made < count
        seconds, measured = time.perf_counter() - began, self._places.measured
        return Piece(text, made, seconds, is_over, surprise, measured)

    def score(self, text: str) -> TextScore:
        """Return how well the model expects a text."""
        tokens = self._encoded(text)
        if len(tokens) < _SCORED:
            raise RefusedError(
                "this text is too short: its first token is not scored",
                "Use a text of several words.",
            )
        began = time.perf_counter()
        if "cache" in self._places or "pages" in self._places:  # the text goes through it
            kept, pieces = self._model.new(), torch.split(tokens, 1)
            logits = torch.cat([self._model(token, kept) for token in pieces])
        else:
            logits = self._model(tokens)  # (n, vocabulary)
        loss = float(functional.cross_entropy(logits[:-1], tokens[1:]))
        perplexity = math.exp(loss) if loss < 700 else None
        seconds, measured = time.perf_counter() - began, self._places.measured
        return TextScore(perplexity, len(tokens), seconds, measured)

    def drafter(
        self, shares: Callable[[Tensor], Tensor]
    ) -> Callable[[list[int], int, torch.Generator], Draft]:
        """Return what drafts tokens after a text: its own n-grams, or a smaller model.

        `shares` turns logits into the probabilities that tokens are drawn with.
        """
        n, layers, bits = (
            int(self._places.given("drafts", *each))
            for each in (("n", 2), ("layers", 0), ("bits", 0))
        )
        config = self._kept.config
        if saved := self._places.puts["drafts"].gpt:
            return self._written_by(writer_of(saved, self._model.parts))
        if layers or bits:
            model = self._model
            if bits:
                model = Llama(config, model.parts, self._weights, rounded(bits))
            return Drafter(model, layers or config.layers, shares)

        def repeated(text: list[int], most: int, _: torch.Generator) -> Draft:
            return certain(looked_up(text, n, most), config.tokens)

        return repeated

    def _written_by(self, writer: Writer) -> Callable[[list[int], int, torch.Generator], Draft]:
        """Return what drafts the text that a GPT of characters finds likeliest, cut into tokens."""
        context = writer.model.sizes.context

        def drafted(text: list[int], most: int, _: torch.Generator) -> Draft:
            characters = writer.write(self._tokenizer.decode(text[-context:]), 0.0, 0)
            found = self._tokenizer.encode("".join(islice(characters, _CHARACTERS * most))).ids
            return certain(found[:-1][:most], self._kept.config.tokens)  # the last may be cut

        return drafted

    def patch(self, clean: str, corrupted: str) -> Patched:
        """Return the likeliest next tokens of two prompts, patched where these differ last."""
        name, part = self._places.part("patch", 1)
        one, other = self._encoded(clean), self._encoded(corrupted)
        if len(one) != len(other) or bool((one == other).all()):
            raise RefusedError(
                "the two prompts need the same number of tokens, and must differ",
                "Exchange one word for another that is as common.",
            )
        position = int((one != other).nonzero()[-1])
        hooked = Hooked(name, self._model)
        ends = [self._model(tokens)[-1].softmax(-1) for tokens in (one, other)]
        answers = [int(shares.argmax()) for shares in ends]
        layers = []
        for layer in range(hooked.layers):
            logits = calling(name, part, hooked, one, other, layer, position)
            logits = checked(name, logits, ends[0])
            layers.append(logits.softmax(-1)[answers].tolist())
        (shown,) = self._pieces(one[position : position + 1])
        clean_shares, corrupted_shares = (shares[answers].tolist() for shares in ends)
        texts = self._pieces(one.new_tensor(answers))
        return Patched(texts, clean_shares, corrupted_shares, layers, shown)

    def heads(self, text: str) -> list[HeadWeights]:
        """Return what every head attends to in a text."""
        tokens = self._encoded(text)
        on_text = heads.patterns(self._model, tokens)
        return heads.measured(self._model, on_text, self._pieces(tokens))

    def patterns(self, text: str) -> Patterns:
        """Return the weights and the kind of every head on the first tokens of a text."""
        whole = self._all_tokens(text)
        pieces = self._pieces(whole[:MOST_SHOWN])
        found = heads.patterns(self._model, whole[:MOST_SHOWN])
        kinds = heads.measured(self._model, found, pieces)
        return Patterns(pieces, len(whole), kinds, heads.as_bytes(torch.cat(found)))

    def head(self, text: str, head: str, switched: Mapping[str, bool], count: int) -> HeadTables:
        """Return what one head, such as `18.6`, computes for a text's first tokens.

        With it, the `count` likeliest next ones, before and after what was switched off in it.
        """
        tokens = self._all_tokens(text)[:MOST_SHOWN]
        place = self._place(head)
        _, before = heads.one_head(self._model, tokens, *place, heads.RIGHT)
        tables, after = heads.one_head(self._model, tokens, *place, Switched(**switched))
        shares = [
            Share(self._tokenizer.decode([token]), float(before[token]), float(after[token]))
            for token in heads.likeliest(before, after, count)
        ]
        scores, met, weights, values = (each.tolist() for each in tables)
        # JSON has null where the mask hides a key.
        return HeadTables(self._pieces(tokens), scores, met, weights, values, shares)

    def guesses(self, text: str, count: int, off: str | None) -> list[list[Guess]]:
        """Return the likeliest next tokens by layer; the head `off` adds nothing."""
        place = None if off is None else self._place(off)
        found = heads.guesses(self._model, self._encoded(text), count, place)
        return [
            [Guess(self._tokenizer.decode([token]), share) for token, share in best]
            for best in found
        ]

    def cosines(self, one: str, other: str, word: str) -> list[float]:
        """Return how alike the last tokens of two texts are, by layer.

        With a word, those of its last occurrence in each text. What follows the word changes
        nothing: the model looks back only.
        """
        if word not in one or word not in other:
            raise RefusedError(
                f"one of the texts does not have {word!r}",
                "Name a word in both texts, or leave it out to compare their last tokens.",
            )
        cut = (text[: text.rfind(word) + len(word)] if word else text for text in (one, other))
        return heads.cosines(self._model, *map(self._encoded, cut))

    def _place(self, head: str) -> tuple[int, int]:
        """Return the layer and the place in it of a head such as `18.6`."""
        config, (layer, _, place) = self._kept.config, head.partition(".")
        if layer.isdecimal() and place.isdecimal():
            found = int(layer), int(place)
            if found[0] < config.layers and found[1] < config.heads:
                return found
        raise RefusedError(
            f"there is no head {head!r}",
            f"Give the layer, 0 to {config.layers - 1}, a dot, and the head, 0 to"
            f" {config.heads - 1}.",
        )

    # ── tokens ───────────────────────────────────────────────────────────────────────────────────

    def _pieces(self, tokens: Tensor) -> list[str]:
        """Return the texts of tokens `(n,)`."""
        return [self._tokenizer.decode([token]) for token in tokens.tolist()]

    def _encoded(self, text: str) -> Tensor:
        """Return the tokens of a text that are read, `(n,)`: at least one, of many the last."""
        return self._all_tokens(text)[-min(MOST_READ, self._kept.config.context) :]

    def _all_tokens(self, text: str) -> Tensor:
        """Return the tokens of a text, `(n,)`, at least one."""
        begin = [] if self._kept.begin is None else [self._kept.begin]
        found: list[int] = self._tokenizer.encode(text).ids
        return torch.tensor([*begin, *found] or list(self._kept.ends[:1]) or [0])

    def _drafted(
        self, tokens: Tensor, temperature: float, seed: int
    ) -> Iterator[tuple[int, Tensor]]:
        """Do as `written`, with drafts that a part accepts or corrects, until the context is full.

        What is accepted went through the layers with the token before it, in one pass.
        """
        name, part = self._places.part("drafts", -1)
        most = int(self._places.given("drafts", "drafted", 4))

        def shares(logits: Tensor) -> Tensor:
            if temperature > 0:
                return (logits / temperature).softmax(-1)
            likeliest = logits.argmax(-1)
            return functional.one_hot(likeliest, logits.shape[-1]).to(logits.dtype)

        drafted = self.drafter(shares)
        generator = torch.Generator().manual_seed(seed)
        text, kept, waiting = tokens.tolist(), self._model.new(), tokens
        self._places.measured.update(passes=0, written=0, drafted=0, accepted=0)
        while len(text) + most < self._kept.config.context:
            draft = drafted(text, most, generator)
            length = kept.length + len(waiting)
            logits = self._model(torch.cat((waiting, waiting.new_tensor(draft[0]))), kept)
            logits = logits[len(waiting) - 1 :]  # (drafted + 1, vocabulary)
            if not bool(logits.isfinite().all()):
                return
            uniforms = torch.rand(len(logits), generator=generator)
            if draft[0]:
                made = accepted(name, part, shares(logits), draft, uniforms)
            else:
                choose = self._model.parts["sample"]
                made = [chosen_by(choose, logits[0], float(uniforms[0]), temperature)]
            same = [a == b for a, b in zip(made, draft[0], strict=False)]
            right = (*same, False).index(False)
            kept.cut(length + min(right, len(made) - 1))
            waiting = waiting.new_tensor(made[min(right, len(made) - 1) :])
            self._places.count(passes=1, written=len(made), drafted=len(draft[0]), accepted=right)
            for place, token in enumerate(made):
                text.append(token)
                yield token, logits[place]
