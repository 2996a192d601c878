"""How `kv-cache` is checked."""

from collections.abc import Mapping
from typing import Any

from studyattn.attention import STEPS, CachedAttention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, Measured, case

from ...misconceptions import behaviour, cache, heads, masks, scores, weights
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
    chunks: tuple[int, ...],
    second: tuple[int, ...] = (),
    after_reset: tuple[int, ...] = (),
    more: int = 1,
) -> list[Call]:
    """Feeds `chunks` of tokens, those of a `second` cache in between, and `after_reset`.

    After a reset the batch has so many entries `more`.
    """

    def made(name: str) -> Call:
        weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v)
        return Call("CachedAttention", (*weights, h), into=name)

    def fed(name: str, title: str, length: int, batch: int = b) -> Call:
        return Call("()", (draw.array(batch, length, d_model, sharp=True),), on=name, into=title)

    calls = [made("_cache")]
    if second:
        calls.append(made("_other"))
    for i, length in enumerate(chunks):
        calls.append(fed("_cache", f"call {i + 1}", length))
        if i < len(second):
            calls.append(fed("_other", f"other cache, call {i + 1}", second[i]))
    if after_reset:
        calls.append(Call("reset", on="_cache", into="_reset"))
        calls += [
            fed("_cache", f"after reset, call {i + 1}", length, b + more)
            for i, length in enumerate(after_reset)
        ]
    return calls


def few_operations(sizes: Mapping[str, Any]) -> int:
    """Four times what projecting the last tokens and attending to everything seen takes."""
    new, seen = sizes["chunks"][-1], sum(sizes["chunks"])
    width = sizes["h"] * (sizes["d"] + sizes["d_v"])
    return int(4 * sizes["b"] * new * 2 * width * (2 * sizes["d_model"] + seen))


SIZES = {"b": 2, "d_model": 6, "h": 3, "d": 4, "d_v": 5}
SQUARE = {"b": 2, "d_model": 6, "h": 3, "d": 2, "d_v": 2}
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
    cases=(
        case("a token at a time", chunks=(1, 1, 1, 1), **SIZES),
        case("all at once", chunks=(6,), **SIZES),
        case("float64", dtype="float64", chunks=(3, 1, 2), b=2, d_model=6, h=2, d=3, d_v=5),
        case("float64, tiny weights", dtype="float64", spread=3.5, chunks=(20, 3), **SQUARE),
        case("a prompt, then tokens", chunks=(4, 1, 1), **SQUARE),
        case("a token, then many", chunks=(1, 5), **SQUARE),
        case("chunks of all lengths", chunks=(2, 3, 1, 4), **SQUARE),
        case("batch = heads", chunks=(2, 2), b=3, d_model=6, h=3, d=2, d_v=2),
        case("two caches in turn", chunks=(2, 1, 1), second=(1, 3, 1), **SQUARE),
        case("reset, then another batch", chunks=(2, 2), after_reset=(3, 1), **SQUARE),
        case("reset, then as large a batch", chunks=(2, 1), after_reset=(1, 2), more=0, **SQUARE),
        case("reset before anything", chunks=(), after_reset=(2, 1), more=0, **SQUARE),
        case("a long sequence", chunks=(90, 1, 40), **SQUARE),
        case("one head", chunks=(2, 1), b=1, d_model=4, h=1, d=4, d_v=4),
        case("large scores", spread=100.0, chunks=(3, 2), **SQUARE),
        case("odd sizes", chunks=(7, 1, 5), b=3, d_model=9, h=5, d=3, d_v=7),
        case("transposed in memory", layout=Layout.TRANSPOSED, chunks=(3, 2), **SIZES),
        case("strided in memory", layout=Layout.STRIDED, chunks=(3, 2), **SIZES),
        case("the same calls twice", twice=True, chunks=(2, 1), **SQUARE),
        case(
            "gradients",
            gradients=True,
            dtype="float64",
            chunks=(3,),
            b=1,
            d_model=2,
            h=2,
            d=1,
            d_v=1,
        ),
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
            "one more token after a thousand",
            costed=True,
            chunks=(1000, 1),
            b=1,
            d_model=32,
            h=1,
            d=4,
            d_v=4,
        ),
    ),
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
        heads.projection_transposed,
        heads.projection_shared,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
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
