"""The checks of `kv-cache`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.attention import STEPS, CachedAttention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, Measured, case
from studyattn.grading.misconception import Sign
from studyattn.grading.space import Excluded

from ...conditions import OF_STEPS, by_keyword, gradients_space, space
from ...misconceptions import behaviour, cache, heads, masks, projecting, scores, weights
from ...probes import OF_CACHES, OF_HEADS, gradient_beside_large
from ...shared import FORBIDDEN, projections
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    b: int,
    d_model: int,
    h: int,
    d: int,
    d_v: int,
    chunks: tuple[int, ...] = (),
    tokens: int = 0,
    calls: int = 0,
    second: tuple[int, ...] = (),
    after_reset: tuple[int, ...] = (),
    more: int = 1,
) -> list[Call]:
    """Feeds `chunks` of tokens, those of a `second` cache in between, and `after_reset`.

    After a reset the batch has so many entries `more`. With `tokens`, so many are
    cut into `calls`, or into one for each fifty.
    """
    if tokens > LONG:
        b = h = 1
    if tokens:
        cuts = draw.generator.permutation(tokens - 1)[: (calls or 1 + tokens // 50) - 1] + 1
        chunks = tuple(int(length) for length in np.diff([0, *np.sort(cuts), tokens]))

    def made(name: str) -> Call:
        weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v)
        return Call("CachedAttention", (*weights, h), into=name)

    def fed(name: str, title: str, length: int, batch: int = b) -> Call:
        return Call("()", (draw.array(batch, length, d_model, sharp=True),), on=name, into=title)

    made_calls = [made("_cache")]
    if second:
        made_calls.append(made("_other"))
    for i, length in enumerate(chunks):
        made_calls.append(fed("_cache", f"call {i + 1}", length))
        if i < len(second):
            made_calls.append(fed("_other", f"other cache, call {i + 1}", second[i]))
    if after_reset:
        made_calls.append(Call("reset", on="_cache", into="_reset"))
        made_calls += [
            fed("_cache", f"after reset, call {i + 1}", length, b + more)
            for i, length in enumerate(after_reset)
        ]
    return made_calls


def few_operations(sizes: Mapping[str, Any]) -> int:
    """Four times what projecting the last tokens and attending to everything seen takes."""
    new, seen = sizes["chunks"][-1], sum(sizes["chunks"])
    width = sizes["h"] * (sizes["d"] + sizes["d_v"])
    return int(4 * sizes["b"] * new * 2 * width * (2 * sizes["d_model"] + seen))


SQUARE = {"b": 2, "d_model": 6, "h": 3, "d": 2, "d_v": 2}
LONG = 300
"""A longer text has one batch entry and one head: its scores take time enough."""
ONE_SEQUENCE = {"b": 1, "d_model": 8, "h": 2, "d": 4, "d_v": 4}


def is_projecting_the_past(measured: Measured) -> bool:
    """Return whether each token seen adds half of what projecting it takes, or more.

    Attending to one more token takes a tenth of that.
    """
    (small, used), *_, (large, used_more) = measured
    more = sum(large["chunks"]) - sum(small["chunks"])
    projecting = 2 * large["b"] * large["d_model"] * large["h"] * (large["d"] + large["d_v"])
    return used_more.flops - used.flops >= more * projecting / 2


drill = Drill(
    id="kv-cache",
    reference={"CachedAttention": CachedAttention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                stream="a stream of one",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch="one batch entry",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "permuted as by split_heads"),
                chunks="one token at a time",
            ),
            batch={
                "several batch entries": {"b": 2},
                "one batch entry": {"b": 1},
                "batch = heads": {"b": 3},
            },
            chunks={
                "chunks of all lengths": {"chunks": (2, 3, 1)},
                "one token at a time": {"chunks": (1, 1, 1, 1)},
                "all at once": {"chunks": (5,)},
                "a prompt, then tokens": {"chunks": (4, 1)},
                "a token, then many": {"chunks": (1, 4)},
            },
            caches={
                "one cache": {},
                "two caches in turn": {"second": (1, 2)},
                "reset, then another batch": {"after_reset": (2, 1)},
                "reset, then as large a batch": {"after_reset": (1, 2), "more": 0},
            },
            stream={
                "a stream of six": {"d_model": 6},
                "a stream of one": {"d_model": 1},
            },
            heads={
                "several heads": {"h": 3, "d": 4, "d_v": 7},
                "d = d_v": {"h": 2, "d": 3, "d_v": 3},
                "one head": {"h": 1, "d": 4, "d_v": 4},
                "an odd number of heads": {"h": 5, "d": 3, "d_v": 2},
                "one feature per head": {"h": 2, "d": 1, "d_v": 1},
            },
            values=OF_STEPS,
            passed=by_keyword("num_heads"),
        ),
        gradients_space(
            {
                "one chunk": {"chunks": (2,), "b": 2, "d_model": 2, "h": 1, "d": 1, "d_v": 1},
                "two heads": {"chunks": (2,), "b": 1, "d_model": 1, "h": 2, "d": 1, "d_v": 1},
            },
            of={"all inputs": {"gradients": True}},  # of a call, and it has one
            large={"chunks": (4,), "b": 6, "d_model": 2, "h": 1, "d": 2, "d_v": 1},
        ),
    ),
    cases=(
        case("reset before anything", chunks=(), after_reset=(2, 1), more=0, **SQUARE),
        case("float64, tiny weights", dtype="float64", spread=3.5, chunks=(20, 3), **SQUARE),
        case("the same calls twice", twice=True, chunks=(2, 1), **SQUARE),
        case(
            "one more token after five hundred",
            costed=True,
            chunks=(520, 1),
            b=1,
            d_model=32,
            h=1,
            d=4,
            d_v=4,
        ),
        case(
            "three more tokens after three hundred",
            costed=True,
            chunks=(300, 3),
            b=1,
            d_model=32,
            h=1,
            d=4,
            d_v=4,
        ),
        case(
            "one more token after a thousand",
            costed=True,
            chunks=(1024, 1),
            b=1,
            d_model=32,
            h=1,
            d=4,
            d_v=4,
        ),
    ),
    probes=(gradient_beside_large("x"), *OF_HEADS, *OF_CACHES),
    small=(
        {"b": 1, "d_model": 2, "h": 1, "d": 2, "d_v": 2, "chunks": (1, 1)},
        {"b": 1, "d_model": 2, "h": 1, "d": 2, "d_v": 2, "chunks": (2,)},
        {"b": 1, "d_model": 2, "h": 2, "d": 1, "d_v": 1, "chunks": (2, 1)},
        {"b": 1, "d_model": 2, "h": 2, "d": 1, "d_v": 1, "chunks": (1, 1, 1)},
        {
            "b": 1,
            "d_model": 2,
            "h": 1,
            "d": 2,
            "d_v": 2,
            "chunks": (1,),
            "after_reset": (1,),
            "more": 0,
        },
        {"b": 1, "d_model": 2, "h": 1, "d": 2, "d_v": 2, "chunks": (1, 1), "second": (1,)},
    ),
    misconceptions=(
        *cache.CACHE,
        masks.mask_top_left,
        masks.mask_sees_next,
        masks.mask_excludes_self,
        masks.mask_future_only,
        masks.mask_square_only,
        masks.mask_after_softmax,
        scores.scale_missing,
        scores.scale_by_d,
        scores.scale_by_d_model,
        scores.scale_by_keys,
        weights.softmax_wrong_axis,
        weights.softmax_missing,
        weights.softmax_unstable,
        scores.values_are_keys,
        scores.query_key_swapped,
        *heads.HEADS,
        projecting.projection_transposed,
        projecting.projection_shared,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        *(each for each in behaviour.of("kv-cache") if each.sign is not Sign.STATE_KEPT),
    ),
    variants=(ROUNDED_ROOT,),
    told_as={"h": "num_heads", "d": "d_head", "more": ""},
    axes=("batch", "token", "feature"),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {**ONE_SEQUENCE, "chunks": (n - 1, 1)},
        contrasts=(Contrast("without a cache"),),
        at=(32, 64, 128, 256, 512, 1024),
    ),
    limit=Limit(
        cache.cache_recomputes,
        flops=few_operations,
        grows_with=lambda sizes: sum(sizes["chunks"]),
        claim=is_projecting_the_past,
    ),
    forbidden=FORBIDDEN,
)
