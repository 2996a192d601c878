"""How `flash-attention` is checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.attention import STEPS, flash_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case

from ...misconceptions import behaviour, flash, scores, weights
from ...shared import FORBIDDEN, queries_keys_values, tokens, with_first_feature
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, block: int, rising: float = 0.0, named: bool = False, **sizes: Any) -> Call:
    """With `rising`, scores go up evenly by so much; `named`: the block size is given by name."""
    q, k, v = queries_keys_values(draw, **sizes)
    if rising:
        q = with_first_feature(q, np.sqrt(sizes["d"]))
        k = with_first_feature(k, np.linspace(0.0, rising, sizes["n"]))
    if named:
        return Call("flash_attention", (q, k, v), {"block_size": block})
    return Call("flash_attention", (q, k, v, block))


def largest_array(sizes: Mapping[str, Any]) -> int:
    """Twice the products of a block spelled out, or all keys beside all values; less than m × n."""
    block = sizes["m"] * sizes["block"] * max(sizes["d"], sizes["d_v"])
    keys_and_values = sizes["n"] * (sizes["d"] + sizes["d_v"])
    return int(min(2 * max(block, keys_and_values), sizes["m"] * sizes["n"] // 6))


SIZES = {"batch": (2, 3), "m": 4, "n": 7, "d": 6, "d_v": 5, "block": 2}

drill = Drill(
    id="flash-attention",
    reference={"flash_attention": flash_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("a last block that is not full", **SIZES),
        case("float64", dtype="float64", batch=(2,), m=5, n=9, d=4, d_v=3, block=4),
        case("as many queries as keys", batch=(2,), m=6, n=6, d=4, d_v=4, block=3),
        case("blocks that fit", batch=(2,), m=4, n=8, d=3, d_v=5, block=4),
        case("one block", m=4, n=5, d=3, d_v=2, block=5, named=True),
        case("a block larger than all", m=4, n=5, d=3, d_v=2, block=16),
        case("blocks of one key", m=3, n=4, d=3, d_v=2, block=1),
        case("one query", batch=(2,), m=1, n=7, d=3, d_v=4, block=3),
        case("one key", batch=(2,), m=3, n=1, d=3, d_v=4, block=2),
        case("more queries than keys", m=9, n=4, d=3, d_v=2, block=3),
        case("large scores", spread=100.0, batch=(2,), m=5, n=9, d=4, d_v=3, block=3),
        case(
            "large scores in many blocks", spread=100.0, batch=(8,), m=9, n=24, d=4, d_v=3, block=2
        ),
        case(
            "all blocks far below zero", dtype="float64", m=3, n=7, d=5, d_v=3, block=3, lowered=2e6
        ),
        case("many keys", m=3, n=131, d=66, d_v=70, block=16),
        case(
            "more than a hundred blocks, each with a new maximum",
            dtype="float64",
            spread=0.0,
            m=2,
            n=1030,
            d=3,
            d_v=2,
            block=8,
            rising=1e-5,
        ),
        case("three axes of batches", batch=(2, 1, 3), m=3, n=4, d=5, d_v=2, block=3),
        case("values large and small", dtype="float64", m=4, n=6, d=3, d_v=3, block=4, uneven=True),
        case("tiny weights", dtype="float64", spread=3.5, m=6, n=20, d=5, d_v=3, block=6),
        case("odd sizes", batch=(3,), m=13, n=17, d=11, d_v=9, block=5),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), m=3, n=5, d=4, d_v=2, block=2),
        case(
            "gradients",
            gradients=True,
            dtype="float64",
            batch=(2,),
            m=4,
            n=5,
            d=2,
            d_v=1,
            block=2,
        ),
        case("cost", costed=True, m=64, n=521, d=4, d_v=4, block=16),  # no block divides a prime
        case("cost, small blocks", costed=True, m=64, n=101, d=1, d_v=1, block=2),
        case("cost of more keys", costed=True, m=64, n=1321, d=4, d_v=4, block=48),
    ),
    small=(
        {"m": 1, "n": 2, "d": 1, "d_v": 1, "block": 1},
        {"m": 2, "n": 2, "d": 2, "d_v": 1, "block": 1},
        {"m": 2, "n": 3, "d": 2, "d_v": 2, "block": 2},
        {"m": 2, "n": 3, "d": 2, "d_v": 2, "block": 1},
    ),
    misconceptions=(
        *flash.FLASH,
        weights.softmax_unstable,
        *scores.SCALE[:3],
        scores.values_are_keys,
        scores.keys_are_values,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {**tokens(n), "block": 64},
        contrasts=(Contrast("plain attention", "attention"),),
    ),
    limit=Limit(
        flash.flash_materialises,
        largest_array=largest_array,
    ),
    forbidden=FORBIDDEN,
)
