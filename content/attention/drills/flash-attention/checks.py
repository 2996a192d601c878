"""The checks of `flash-attention`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.attention import STEPS, flash_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case

from ...conditions import (
    GRADIENTS_OF_ATTENTION,
    MORE_QUERIES,
    TOKENS,
    attention_space,
    by_keyword,
    gradients_space,
)
from ...misconceptions import behaviour, flash, scores, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, queries_keys_values, tokens, with_first_feature
from ...variants import ROUNDED_ROOT

LONG = TOKENS["more than 2,048 keys"]


def ask(draw: Draw, *, block: int, rising: float = 0.0, named: bool = False, **sizes: Any) -> Call:
    """With `rising`, scores go up evenly by so much; `named`: the block size is given by name."""
    q, k, v = queries_keys_values(draw, **sizes)
    if rising:
        q = with_first_feature(q, np.sqrt(sizes["d"]))
        k = with_first_feature(k, np.linspace(0.0, rising, sizes["n"]))
    if named:
        return Call("flash_attention", (q, k, v), {"block_size": block})
    return Call("flash_attention", (q, k, v, block))


def of_batch(sizes: Mapping[str, Any], each: int) -> int:
    return int(np.prod(sizes.get("batch", ())) * each)


def largest_array(sizes: Mapping[str, Any]) -> int:
    """Twice the products of a block spelled out, or all keys beside all values; less than m × n."""
    block = sizes["m"] * sizes["block"] * max(sizes["d"], sizes["d_v"])
    keys_and_values = sizes["n"] * (sizes["d"] + sizes["d_v"])
    most = min(2 * max(block, keys_and_values), sizes["m"] * sizes["n"] // 6)
    return of_batch(sizes, most)


def largest_product(sizes: Mapping[str, Any]) -> int:
    """The scores of one block, or what it adds to the result."""
    return of_batch(sizes, sizes["m"] * max(sizes["block"], sizes["d_v"]))


def most_held(sizes: Mapping[str, Any]) -> int | None:
    """The bytes of half of the table of scores, beside those for each query and for Python.

    None where the whole table takes no more: following Python's memory takes most of the time.
    """
    enough = of_batch(sizes, 8 * sizes["m"] * (sizes["n"] // 2 + 16)) + 150_000
    return enough if of_batch(sizes, 8 * sizes["m"] * sizes["n"]) > enough else None


SIZES = {"batch": (2, 3), "m": 4, "n": 7, "d": 6, "d_v": 5, "block": 2}

drill = Drill(
    id="flash-attention",
    reference={"flash_attention": flash_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, **MORE_QUERIES, "more than 2,048 keys": {**LONG, "block": 64}},
            blocks={
                "blocks of two keys": {"block": 2},
                "blocks of one key": {"block": 1},
                "blocks of five keys": {"block": 5},
                "one block larger than all": {"block": 64},
            },
            passed=by_keyword("block_size"),
        ),
        gradients_space(
            {name: {**sizes, "block": 2} for name, sizes in GRADIENTS_OF_ATTENTION.items()},
            large={"batch": (2,), "m": 2, "n": 5, "d": 2, "d_v": 1, "block": 2},
        ),
    ),
    cases=(
        case(
            "large scores in many blocks", spread=100.0, batch=(8,), m=9, n=24, d=4, d_v=3, block=2
        ),
        case(
            "more than a hundred blocks, each with a new maximum",
            dtype="float64",
            spread=0.0,
            m=2,
            n=1030,
            d=3,
            d_v=2,
            block=10,
            rising=1e-5,
        ),
        case("the same call twice", twice=True, batch=(2,), m=3, n=5, d=4, d_v=2, block=2),
        # In float64 a score takes 8 bytes, or it has too few digits. No block divides a prime.
        case("cost", costed=True, dtype="float64", m=32, n=521, d=2, d_v=2, block=32),
        case(
            "cost, small blocks",
            costed=True,
            dtype="float64",
            batch=(8,),
            m=64,
            n=41,
            d=1,
            d_v=1,
            block=2,
        ),
        case(
            "cost, a few queries",
            costed=True,
            dtype="float64",
            batch=(16,),
            m=16,
            n=107,
            d=1,
            d_v=1,
            block=5,
        ),
        case("cost of few keys", costed=True, dtype="float64", m=16, n=16, d=1, d_v=1, block=2),
        case("cost of more keys", costed=True, dtype="float64", m=64, n=1321, d=2, d_v=2, block=96),
    ),
    probes=QUERIES_KEYS_VALUES,
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
        *behaviour.of("flash-attention"),
    ),
    variants=(ROUNDED_ROOT,),
    told_as={"block": "block_size"},
    axes=("batch", "head", "query", "value"),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {**tokens(n), "block": 64},
        contrasts=(Contrast("plain attention", "attention"),),
    ),
    limit=Limit(
        flash.flash_materialises,
        largest_array=largest_array,
        largest_product=largest_product,
        most_held=most_held,
    ),
    forbidden=FORBIDDEN,
)
