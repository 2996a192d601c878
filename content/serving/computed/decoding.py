"""Computed cards on the arithmetic of decoding: times, intensities, bytes."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def step_time(draw: Generator) -> Computed:
    billions = int(draw.choice([2, 3, 5, 8, 10, 20]))
    size = int(draw.choice([1, 2]))
    bandwidth = int(draw.choice([1, 2, 4]))
    return Computed(
        question=(
            f"A model of {billions} billion parameters, {size} byte{'s' * (size > 1)} each, "
            f"decodes one sequence on a chip that reads {bandwidth} TB/s. What is the least time "
            "of a decoding step, in ms? (the cache is still empty)"
        ),
        answer=billions * size / bandwidth,
        tolerance=0.005,
        unit="ms",
        slips={
            f"each parameter takes {size} byte{'s' * (size > 1)}": billions
            * (3 - size)
            / bandwidth,
            "a TB is 1,000 GB: this is in seconds": billions * size / bandwidth / 1000,
        },
        explanation=(
            f"{billions * size} GB of weights are read once; {bandwidth} TB/s are {bandwidth} GB "
            "per ms."
        ),
    )


def latency(draw: Generator) -> Computed:
    first = int(draw.choice([200, 300, 500, 800]))
    token = int(draw.choice([10, 20, 30, 50]))
    new = 1 + 10 * int(draw.integers(2, 11))
    return Computed(
        question=(
            f"The first token of an answer comes after {first} ms, each further one {token} ms "
            f"after the one before it. After how many ms is an answer of {new} tokens complete?"
        ),
        answer=first + (new - 1) * token,
        unit="ms",
        slips={
            "the first token is already there": first + new * token,
            "this leaves out the wait for the first token": (new - 1) * token,
        },
        explanation=f"{first} + {new - 1} · {token}.",
    )


def roofline(draw: Generator) -> Computed:
    compute = int(draw.choice([100, 200, 400]))
    ridge = int(draw.choice([50, 100, 200]))
    intensity = int(draw.choice([5, 10, 20, 40, 300]))
    bandwidth = compute / ridge
    return Computed(
        question=(
            f"A chip computes {compute} TFLOP/s and reads {bandwidth:g} TB/s. How many TFLOP/s "
            f"can a kernel reach at most, with an intensity of {intensity} operations per byte?"
        ),
        answer=min(compute, intensity * bandwidth),
        tolerance=0.005,
        unit="TFLOP/s",
        slips={
            "this is the other side of the roof": max(compute, intensity * bandwidth),
            "this divides by the intensity": compute / intensity,
        },
        explanation=(
            f"The ridge point is at {compute} / {bandwidth:g} = {ridge} operations per byte; "
            f"{intensity} · {bandwidth:g} = {intensity * bandwidth:g}."
        ),
    )


def matmul_intensity(draw: Generator) -> Computed:
    tokens = int(draw.choice([10, 20, 50]))
    width = int(draw.choice([100, 200, 500]))
    operations = 2 * tokens * width * width
    moved = 2 * (width * width + 2 * tokens * width)
    return Computed(
        question=(
            f"{tokens} tokens of width {width} are multiplied by a {width} × {width} matrix, all "
            "in 2-byte numbers. Inputs, weights and outputs are moved once. What is the "
            "arithmetic intensity? (one decimal place)"
        ),
        answer=operations / moved,
        tolerance=0.06,
        slips={
            "this counts the weights' bytes alone": float(tokens),
            "this counts numbers, not bytes": 2 * operations / moved,
            "the outputs are moved, too": operations / (2 * (width * width + tokens * width)),
        },
        explanation=f"{operations:,} operations over {moved:,} bytes.",
    )


def step_bytes(draw: Generator) -> Computed:
    weights = int(draw.choice([4, 8, 16]))
    per_token = int(draw.choice([50, 100, 200]))
    context = int(draw.choice([1000, 2000, 5000]))
    batch = int(draw.choice([2, 4, 8, 10]))
    cache = batch * context * per_token / 1e6
    return Computed(
        question=(
            f"Weights take {weights} GB, and the cache {per_token} kB per token. {batch} sequences "
            f"of {context:,} tokens each are decoded together. How many GB does a step read?"
        ),
        answer=weights + cache,
        tolerance=0.006,
        unit="GB",
        slips={
            "this reads the cache of one sequence only": weights + cache / batch,
            "the weights are read once for all": batch * weights + cache,
            "the weights are missing": cache,
        },
        explanation=(
            f"{weights} GB of weights, once, and {batch} · {context:,} · {per_token} kB = "
            f"{cache:g} GB of caches."
        ),
    )


def even_context(draw: Generator) -> Computed:
    weights = int(draw.choice([4, 8, 16]))
    per_token = int(draw.choice([50, 100, 200]))
    batch = int(draw.choice([1, 2, 4, 8]))
    answer = weights * 1_000_000 // per_token // batch
    return Computed(
        question=(
            f"Weights take {weights} GB, the cache {per_token} kB per token. With how many tokens "
            f"per sequence does a step of {batch} sequence{'s' * (batch > 1)} read as many bytes "
            "of cache as of weights?"
        ),
        answer=answer,
        unit="tokens",
        slips={
            "these are the tokens of all sequences together": answer * batch,
            "a GB is a million kB": answer / 1000,
        },
        explanation=f"{weights},000,000 kB / {per_token} kB / {batch}.",
    )


def sequences_that_fit(draw: Generator) -> Computed:
    memory = int(draw.choice([24, 40, 80]))
    weights = int(draw.choice([4, 8, 16]))
    per_token = int(draw.choice([100, 200, 400]))
    context = int(draw.choice([1000, 2000, 5000]))
    each = per_token * context / 1e6
    answer = int((memory - weights) / each + 1e-9)
    return Computed(
        question=(
            f"A chip has {memory} GB; the weights take {weights} GB and the cache {per_token} kB "
            f"per token. How many whole sequences of {context:,} tokens fit at most?"
        ),
        answer=answer,
        unit="sequences",
        slips={"the weights take room, too": int(memory / each + 1e-9)},
        explanation=(
            f"{memory - weights} GB are left; each sequence takes {context:,} · {per_token} kB = "
            f"{each:g} GB."
        ),
    )


def grouped_numbers(draw: Generator) -> Computed:
    heads = int(draw.choice([16, 32, 64]))
    share = int(draw.choice([4, 8]))
    width = int(draw.choice([50, 100, 200]))
    groups = heads // share
    return Computed(
        question=(
            f"{heads} query heads share {groups} key heads, all {width} wide. How many numbers "
            "does one token leave in the cache of a layer?"
        ),
        answer=2 * groups * width,
        slips={
            "this is without sharing": 2 * heads * width,
            "keys and values are both kept": groups * width,
            "queries are not kept": (heads + 2 * groups) * width,
        },
        explanation=f"2 · {groups} · {width}: a key and a value per key head.",
    )


def latent_ratio(draw: Generator) -> Computed:
    heads = int(draw.choice([20, 40, 80]))
    width = int(draw.choice([50, 100]))
    latent = int(draw.choice([150, 200, 350]))
    turned = 50
    plain = 2 * heads * width
    return Computed(
        question=(
            f"{heads} heads of width {width} keep either their own keys and values, or one latent "
            f"of {latent} numbers beside a rotated key of {turned} for all heads. By what factor "
            "is the second cache smaller?"
        ),
        answer=plain / (latent + turned),
        tolerance=0.006,
        slips={
            "the rotated key is kept, too": plain / latent,
            "keys and values are both kept": plain / 2 / (latent + turned),
            "the latent stands for keys and values": plain / (2 * latent + turned),
        },
        explanation=f"{plain:,} numbers instead of {latent} + {turned}.",
    )
