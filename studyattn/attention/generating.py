"""Writing on after a prompt with a model that keeps what it was fed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from array_api_compat import array_namespace, device

from studyattn.attention.sampling import choose
from studyattn.attention.scaled import causal_attention
from studyattn.attention.steps import Array, normalise


class CachedModel:
    """A language model of one head of attention, which keeps keys and values of all it was fed."""

    def __init__(
        self, embedding: Array, positions: Array, w_k: Array, w_v: Array, w_out: Array
    ) -> None:
        """embedding `(v, d)`, positions `(longest, d)`, w_k and w_v `(d, d)`, w_out `(d, v)`."""
        self._embedding, self._positions = embedding, positions
        self._w_k, self._w_v, self._w_out = w_k, w_v, w_out
        self._keys, self._values = embedding[:0, :], embedding[:0, :]
        self._lengths: list[int] = []

    def __call__(self, tokens: Array, start: int) -> Array:
        """Return the logits after each of the new tokens `(t,)`, the first at `start`: `(t, v)`."""
        xp = array_namespace(self._embedding)
        t = tokens.shape[0]
        x = xp.take(self._embedding, tokens, axis=0) + self._positions[start : start + t, :]
        self._keys = xp.concat((self._keys, x @ self._w_k))
        self._values = xp.concat((self._values, x @ self._w_v))
        self._lengths.append(t)
        return (x + causal_attention(x, self._keys, self._values)) @ self._w_out

    def fed(self) -> Array:
        """Return how many tokens each call was given: `(calls,)`."""
        xp = array_namespace(self._embedding)
        return xp.asarray(self._lengths, dtype=xp.int64, device=device(self._embedding))


def begin(model: CachedModel, prompt: Array) -> Array:
    """Feed the prompt: the logits after each of its tokens `(n, v)`."""
    return model(prompt, 0)


def last(logits: Array) -> Array:
    """Return the logits after the last token, `(v,)`."""
    return logits[-1, :]


def next_token(logits: Array, uniform: float | None) -> int:
    """Return the likeliest token, or the one that a uniform number chooses by their shares."""
    if uniform is None:
        return int(array_namespace(logits).argmax(logits))
    return choose(normalise(logits), uniform)


def is_over(made: Sequence[int], count: int, end: int | None) -> bool:
    """Tell whether no further token is made after these."""
    return len(made) == count or made[-1] == end


def go_on(model: CachedModel, prompt: Array, made: Sequence[int]) -> Array:
    """Feed the token that was made last, at its own position: its logits `(1, v)`."""
    return model(as_tokens(made[-1:], prompt), prompt.shape[0] + len(made) - 1)


def told(model: CachedModel, prompt: Array, made: Sequence[int]) -> Array:
    """Return the tokens that were made; the last one is not fed."""
    return as_tokens(made, prompt)


def as_tokens(numbers: Sequence[int], like: Array) -> Array:
    """Return whole numbers as an array beside `like`."""
    xp = array_namespace(like)
    return xp.asarray(list(numbers), dtype=xp.int64, device=device(like))


@dataclass(frozen=True, slots=True)
class GenerationSteps:
    """The steps of writing on, in order."""

    begin: Callable[[CachedModel, Array], Array] = begin
    last: Callable[[Array], Array] = last
    next_token: Callable[[Array, float | None], int] = next_token
    is_over: Callable[[Sequence[int], int, int | None], bool] = is_over
    go_on: Callable[[CachedModel, Array, Sequence[int]], Array] = go_on
    told: Callable[[CachedModel, Array, Sequence[int]], Array] = told


GENERATION_STEPS = GenerationSteps()


def generate(
    model: CachedModel,
    prompt: Array,
    count: int,
    uniforms: Array | None = None,
    end: int | None = None,
    *,
    steps: GenerationSteps = GENERATION_STEPS,
) -> Array:
    """Return up to `count` tokens that a fresh model writes after a prompt `(n,)`: `(k,)`.

    The likeliest each time, or those that the uniform numbers `(count,)` choose; `end` is the last.
    """
    logits = steps.begin(model, prompt)
    made: list[int] = []
    while True:
        uniform = None if uniforms is None else float(uniforms[len(made)])
        made.append(steps.next_token(steps.last(logits), uniform))
        if steps.is_over(made, count, end):
            return steps.told(model, prompt, made)
        logits = steps.go_on(model, prompt, made)
