"""Computed cards that count: parameters, operations, bytes."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.attention import attention_parameters
from studyattn.packs.computed import Computed


def low_rank_parameters(draw: Generator) -> Computed:
    d_model = int(draw.choice([500, 1000, 2000, 4000]))
    rank = int(draw.choice([2, 5, 10, 20]))
    return Computed(
        question=(
            f"A head's value map is the product of two matrices: from width {d_model:,} down to "
            f"{rank} numbers, and from those up to {d_model:,} again. How many parameters do the "
            "two matrices have in total?"
        ),
        answer=2 * d_model * rank,
        slips={
            "this is one of the two matrices": d_model * rank,
            "this is one square matrix": d_model**2,
        },
        explanation=(
            f"{d_model:,} × {rank} and {rank} × {d_model:,}; one square matrix would have "
            f"{d_model**2:,}."
        ),
    )


def lora_parameters(draw: Generator) -> Computed:
    d_in, d_out = (int(size) for size in draw.choice([100, 200, 500, 1000, 2000], size=2))
    rank = int(draw.choice([1, 2, 4, 8, 10]))
    return Computed(
        question=(
            f"LoRA with rank {rank} on a {d_in} × {d_out} matrix. How many numbers are trained?"
        ),
        answer=rank * (d_in + d_out),
        slips={
            "this matrix stays frozen": d_in * d_out,
            "this is one of the two matrices": rank * d_in,
            "this is one of the two matrices too": rank * d_out,
        },
        explanation=f"{rank} · ({d_in} + {d_out}), of {d_in * d_out:,} that stay frozen.",
    )


def layer_parameters(draw: Generator) -> Computed:
    d_model = int(draw.choice([100, 200, 500, 1000]))
    heads = int(draw.choice([2, 4, 5, 10]))
    d_head = int(draw.choice([10, 20, 50]))
    return Computed(
        question=(
            f"One layer of attention: $d_{{model}}$ = {d_model}, {heads} heads of width {d_head}, "
            "no biases. How many parameters?"
        ),
        answer=attention_parameters(d_model, heads, d_head),
        slips={
            "the output matrix is missing": 3 * d_model * d_head * heads,
            "this is one head": 4 * d_model * d_head,
            "this is one of the four matrices": d_model * d_head * heads,
        },
        explanation=f"4 · {d_model} · {d_head} · {heads}: query, key, value and output.",
    )


def model_parameters(draw: Generator) -> Computed:
    d_model = int(draw.choice([100, 200, 1000]))
    layers = int(draw.choice([2, 6, 10, 12]))
    return Computed(
        question=(
            f"A model of width {d_model:,} has {layers} layers; heads divide the width evenly, and "
            "there are no biases. How many parameters does the attention of all layers have?"
        ),
        answer=attention_parameters(d_model, 10, d_model // 10, layers),
        slips={
            "this is one layer": 4 * d_model**2,
            "the output matrix is missing": 3 * d_model**2 * layers,
            "this is one of the four matrices": d_model**2 * layers,
        },
        explanation=(
            f"$4 d_{{model}}^2$ per layer, for any number of heads: {4 * d_model**2:,}, times "
            f"{layers}."
        ),
    )


def block_parameters(draw: Generator) -> Computed:
    width = int(draw.choice([10, 20, 100, 200, 1000, 2000]))
    attention, mlp = attention_parameters(width, 1, width), 2 * width * 4 * width
    return Computed(
        question=(
            f"A transformer block of width {width:,}: heads that divide the width evenly, and an "
            "MLP that widens each vector to four times its width and narrows it again. How many "
            "parameters do the matrices of both have?"
        ),
        answer=attention + mlp,
        slips={
            "this is the attention alone": attention,
            "this is the MLP alone": mlp,
            "attention has four matrices": attention * 3 // 4 + mlp,
        },
        explanation=(
            f"Four square matrices of attention, {attention:,}; the two of the MLP, {mlp:,}."
        ),
    )


def attention_multiplications(draw: Generator) -> Computed:
    n = int(draw.choice([10, 100, 1000, 2000]))
    d = int(draw.choice([10, 50, 100]))
    return Computed(
        question=(
            f"{n:,} tokens, width {d}. How many multiplications do scores and weighted sum take "
            "together? (such as 3e5)"
        ),
        answer=2 * n * n * d,
        slips={
            "this is one of the two": n * n * d,
            "each query meets every key: n², not n": 2 * n * d,
        },
        explanation=f"${n}^2 \\cdot {d}$ for each of the two.",
    )


def step_multiplications(draw: Generator) -> Computed:
    cached = int(draw.choice([9, 99, 999, 1999]))
    d = int(draw.choice([10, 50, 64, 100]))
    return Computed(
        question=(
            f"A cache holds {cached:,} tokens, keys and values of width {d}; one token "
            "arrives. How many multiplications do its scores and its weighted sum take together?"
        ),
        answer=2 * (cached + 1) * d,
        slips={
            "the new token meets its own key too": 2 * cached * d,
            "this is one of the two": (cached + 1) * d,
        },
        explanation=f"One query meets {cached + 1:,} keys, including its own: {d} each, twice.",
    )


def pattern_bytes(draw: Generator) -> Computed:
    n = int(draw.choice([1000, 2000, 4000, 10000]))
    heads = int(draw.choice([1, 8, 16]))
    size = int(draw.choice([2, 4]))
    return Computed(
        question=(
            f"{n:,} tokens, {heads} {'head' if heads == 1 else 'heads'}, {size} bytes per number. "
            "How many megabytes ($10^6$) do the patterns of one layer take?"
        ),
        answer=heads * n * n * size // 10**6,
        unit="MB",
        slips={
            "each head has a pattern": n * n * size // 10**6,
            "these are the numbers: each takes several bytes": heads * n * n // 10**6,
            "these are bytes": heads * n * n * size,
        },
        explanation=f"{heads} · {n:,}² · {size} bytes.",
    )


def mixed_keys(draw: Generator) -> Computed:
    tokens = int(draw.choice([1000, 2000, 4000, 10000]))
    mixed = int(draw.choice([50, 100, 200]))
    return Computed(
        question=(
            f"Linformer mixes the keys and values of {tokens:,} tokens down to {mixed}. How many "
            "times fewer entries does its attention pattern have than the plain one?"
        ),
        answer=tokens // mixed,
        slips={
            "only the keys become fewer, not the queries": (tokens // mixed) ** 2,
        },
        explanation=f"{tokens:,} × {mixed} in place of {tokens:,} × {tokens:,}.",
    )


def cache_bytes(draw: Generator) -> Computed:
    layers = int(draw.choice([10, 20, 40]))
    heads = int(draw.choice([1, 4, 8]))
    tokens = int(draw.choice([100, 1000, 2000]))
    return Computed(
        question=(
            f"{layers} layers, {_key_heads(heads)} of width 100, 2 bytes per number, {tokens:,} "
            "tokens. How many bytes is the cache?"
        ),
        answer=2 * layers * heads * 100 * tokens * 2,
        unit="bytes",
        slips={
            "2 is needed twice: keys and values, and bytes": layers * heads * 100 * tokens * 2,
            "each layer has a cache": 2 * heads * 100 * tokens * 2,
            "each head has a cache": 2 * layers * 100 * tokens * 2,
            "this is one token": 2 * layers * heads * 100 * 2,
        },
        explanation=f"2 (keys and values) · {layers} · {heads} · 100 · {tokens:,} · 2.",
    )


def cache_bytes_per_token(draw: Generator) -> Computed:
    layers = int(draw.choice([10, 30, 60]))
    heads = int(draw.choice([1, 2, 8, 10]))
    width = int(draw.choice([50, 100, 200]))
    return Computed(
        question=(
            f"{layers} layers, {_key_heads(heads)} of width {width}, 2 bytes per number. How many "
            "bytes does each token add to the cache?"
        ),
        answer=2 * layers * heads * width * 2,
        unit="bytes",
        slips={
            "2 is needed twice: keys and values, and bytes": layers * heads * width * 2,
            "each layer has a cache": 2 * heads * width * 2,
            "each head has a cache": 2 * layers * width * 2,
        },
        explanation=f"2 · {layers} · {heads} · {width} · 2: a key and a value in every layer.",
    )


def _key_heads(heads: int) -> str:
    return "one key and one value head" if heads == 1 else f"{heads} key and {heads} value heads"
