"""Mistakes with a cache of keys and values."""

import dataclasses

import numpy as np

from studyattn.attention import STEPS, CachedAttention, Memory
from studyattn.grading.misconception import Misconception, Sign


def _joined(past, new, axis=-2):
    return np.concatenate((past, new), axis=axis)


def _prepended(past, new):
    if past is None:
        return new
    return _joined(new[0], past[0]), _joined(new[1], past[1])


def _on_axis(axis):
    def extend(past, new):
        if past is None:
            return new
        return _joined(past[0], new[0], axis), _joined(past[1], new[1], axis)

    return extend


def _only_keys(past, new):
    return new if past is None else (_joined(past[0], new[0]), new[1])


def _only_values(past, new):
    return new if past is None else (new[0], _joined(past[1], new[1]))


def _everything(m, n, like):
    return np.ones((m, n), bool)


def _last_token(seen, new):
    return new[0][..., -1:, :], new[1][..., -1:, :]


def _shared():
    """One memory for all instances."""
    memory = Memory()
    return {"memory": lambda: memory}


def _shared_and_cleared():
    """One memory for all instances, emptied whenever one of them is made."""
    memory = Memory()

    def made():
        memory.seen = None
        return memory

    return {"memory": made}


def _in_heads(tokens, like):
    """Tokens with their heads side by side, cut into the heads of `like`."""
    return np.moveaxis(tokens.reshape(*tokens.shape[:-1], like.shape[-3], -1), -2, -3)


def _joined_before_splitting(past, new):
    """A past in any number of heads joins in, as long as its features are as many."""
    if past is None:
        return new
    sides = []
    for seen, fresh in zip(past, new, strict=True):
        flat = [np.moveaxis(part, -3, -2) for part in (seen, fresh)]
        flat = [part.reshape(*part.shape[:-2], -1) for part in flat]
        sides.append(_in_heads(np.concatenate(flat, axis=-2), fresh))
    return tuple(sides)


def _shared_before_splitting():
    """One memory for all instances, of keys and values that are not split into heads yet."""
    return {**_shared(), "extend": _joined_before_splitting}


def _last_always_seen(m, n, like):
    """Causal over all but the last place, which every query sees."""
    key = np.arange(n)
    return (key <= np.arange(m)[:, None] + (n - 1 - m)) | (key == n - 1)


def _keep(memory):
    return None


cache_not_updated = Misconception(
    id="cache-not-updated",
    title="Nothing is cached: each call sees only its own tokens.",
    formula=r"K_{1:n} = [K_{1:n-t};\, K_{new}]",
    concept="kv-cache",
    ways=({"keep": lambda seen, new: None}, {"extend": lambda past, new: new}),
)

cache_keeps_last_only = Misconception(
    id="cache-keeps-last-only",
    title="Only the newest keys and values are cached; earlier ones are lost.",
    formula=r"K_{1:n} = [K_{1:n-t};\, K_{new}]",
    concept="kv-cache",
    ways=({"keep": lambda seen, new: new}, {"keep": _last_token}),
)

cache_keeps_first_only = Misconception(
    id="cache-keeps-first-only",
    title="Only the first call is cached; later tokens are not added.",
    formula=r"K_{1:n} = [K_{1:n-t};\, K_{new}]",
    concept="kv-cache",
    ways=(
        {
            "keep": lambda seen, new: (
                seen
                if seen[0].shape[-2] == new[0].shape[-2]
                else tuple(part[..., : part.shape[-2] - new[0].shape[-2], :] for part in seen)
            )
        },
    ),
)

cache_wrong_axis = Misconception(
    id="cache-wrong-axis",
    title="New keys are concatenated along the wrong axis; tokens are on the second-to-last axis.",
    formula=r"K: (b, h, n, d_{head})",
    concept="kv-cache",
    ways=tuple({"extend": _on_axis(axis)} for axis in (1, 0, -1)),
)

cache_prepends = Misconception(
    id="cache-prepends",
    title="New keys and values are placed before the old ones; they should come after.",
    formula=r"K_{1:n} = [K_{1:n-t};\, K_{new}]",
    concept="kv-cache",
    ways=({"extend": _prepended},),
)

cache_values_not_cached = Misconception(
    id="cache-values-not-cached",
    title="Only the keys or only the values are cached; both should be.",
    formula=r"V_{1:n} = [V_{1:n-t};\, V_{new}]",
    concept="kv-cache",
    ways=({"extend": _only_keys}, {"extend": _only_values}),
)

cache_chunk_leaks_future = Misconception(
    id="cache-chunk-leaks-future",
    title="There is no mask among the new tokens: a token sees later ones.",
    formula=r"A_{ij} = 1 \text{ where } j \le i + (n - t)",
    concept="kv-cache",
    ways=({"causal": _everything},),
)

cache_shared_between_instances = Misconception(
    id="cache-shared-between-instances",
    title="Two caches share their memory; each instance needs one of its own.",
    formula=r"K^{(a)} \ne K^{(b)}",
    concept="kv-cache",
    ways=(_shared, _shared_and_cleared, _shared_before_splitting),
    sign=Sign.STATE_KEPT,
)

cache_reset_ignored = Misconception(
    id="cache-reset-ignored",
    title="reset() clears nothing: the next sequence still sees the previous one.",
    formula=r"n = 0 \text{ after reset}",
    concept="kv-cache",
    ways=({"forget": _keep},),
)


def _values_lost(past, new):
    if past is None:
        return new
    return _joined(past[0], new[0]), _joined(np.zeros_like(past[1]), new[1])


cache_values_zeroed = Misconception(
    id="cache-values-zeroed",
    title="The old keys are cached, but the old values are replaced with zeros.",
    formula=r"V_{1:n} = [V_{1:n-t};\, V_{new}]",
    concept="kv-cache",
    ways=({"extend": _values_lost},),
)


class _PositionKept(CachedAttention):
    """Counts its tokens, and goes on counting after a reset."""

    def __init__(self, *given, steps=STEPS):
        super().__init__(*given, steps=steps)
        self.position = 0

    def __call__(self, x):
        before, after = self.position, self.position + x.shape[-2]
        self.position = after

        def causal(m, n, like):
            return np.arange(n) <= np.arange(before, after)[:, None]

        self.steps = dataclasses.replace(self.steps, causal=causal)
        return super().__call__(x)


cache_position_not_reset = Misconception(
    id="cache-position-not-reset",
    title="reset() clears the tokens but not their count: new tokens see later ones.",
    formula=r"n = 0 \text{ after reset}",
    concept="kv-cache",
    ways=({"CachedAttention": _PositionKept},),
)


def _one_empty_place(past, new):
    """A buffer that is read one place too far: the place is all zeros."""
    seen = STEPS.extend(past, new)
    return tuple(np.concatenate((part, 0.0 * part[..., :1, :]), axis=-2) for part in seen)


def _without_empty_place(seen, new):
    return tuple(part[..., :-1, :] for part in seen)


cache_one_too_far = Misconception(
    id="cache-one-too-far",
    title="It reads one position past the last token, whose zeros take some of the weight.",
    formula=r"K_{1:n} = [K_{1:n-t};\, K_{new}]",
    concept="kv-cache",
    ways=(
        {"extend": _one_empty_place, "keep": _without_empty_place, "causal": _last_always_seen},
        {"extend": _one_empty_place, "keep": _without_empty_place},
    ),
)

cache_recomputes = Misconception(
    id="cache-recomputes",
    title="A call takes far more operations than its new tokens need.",
    formula=r"O(n) \text{ a token, not } O(n \, d_{model}^2)",
    concept="kv-cache",
    sign=Sign.COST,
)

CACHE = (
    cache_not_updated,
    cache_keeps_last_only,
    cache_keeps_first_only,
    cache_prepends,
    cache_values_not_cached,
    cache_chunk_leaks_future,
    cache_reset_ignored,
    cache_shared_between_instances,
    cache_wrong_axis,
    cache_values_zeroed,
    cache_position_not_reset,
    cache_one_too_far,
    cache_recomputes,
)
