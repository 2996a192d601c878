"""Computed cards on numbers in few bits."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def _weights(draw: Generator, top: float) -> list[float]:
    """Four weights, of which one has the absolute value `top`, below 0."""
    others = draw.choice([-0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8], size=3, replace=False)
    listed = [round(float(each) * top, 3) for each in others]
    listed.insert(int(draw.integers(4)), -top)
    return listed


def _listed(weights: list[float]) -> str:
    return ", ".join(f"{each:g}" for each in weights).replace("-", "−")


def scale(draw: Generator) -> Computed:
    unit = float(draw.choice([0.01, 0.02, 0.05, 0.1]))
    weights = _weights(draw, round(127 * unit, 2))
    largest = max(weights)
    return Computed(
        question=(
            f"The numbers {_listed(weights)} are quantized by absmax to int8, with whole numbers "
            "from −127 to 127. What is the scale?"
        ),
        answer=unit,
        tolerance=unit * 1e-3,
        slips={
            "the absolute value counts": largest / 127,
            "this is the largest value, not a step": 127 * unit,
            "this is the whole range over 255": (largest + 127 * unit) / 255,
        },
        explanation=f"{127 * unit:g} / 127.",
    )


def whole_number(draw: Generator) -> Computed:
    unit = float(draw.choice([0.02, 0.05, 0.1, 0.2]))
    whole = int(draw.integers(5, 100))
    value = round((whole + 0.7) * unit, 4)
    return Computed(
        question=f"In int8, a scale is {unit:g}. Which whole number stands for {value:g}?",
        answer=whole + 1,
        slips={
            "it is rounded, not cut off": whole,
            "divide by the scale": value * unit,
        },
        explanation=f"{value:g} / {unit:g} = {whole + 0.7:g}, rounded.",
    )


def bits_per_weight(draw: Generator) -> Computed:
    bits = int(draw.choice([2, 3, 4, 8]))
    group = int(draw.choice([16, 32, 64, 128]))
    of_zero = int(draw.choice([0, bits]))
    beside = f" and a zero point of {bits} bits" if of_zero else ""
    return Computed(
        question=(
            f"Weights have {bits} bits, and each group of {group} has a scale of 16 bits{beside}. "
            "How many bits does a weight take on average?"
        ),
        answer=bits + (16 + of_zero) / group,
        tolerance=1e-4,
        unit="bits",
        slips={
            "the scales take bits, too": bits,
            "a group shares them": bits + 16 + of_zero,
            "the zero points take bits, too": bits + 16 / group,
        },
        explanation=f"{bits} + {16 + of_zero} / {group}.",
    )


def zero_point(draw: Generator) -> Computed:
    step = float(draw.choice([0.1, 0.2, 0.5]))
    below = int(draw.integers(1, 8))
    low, high = -below * step, (15 - below) * step
    return Computed(
        question=(
            f"Numbers from {f'{low:g}'.replace('-', '−')} to {high:g} are quantized to the whole "
            "numbers 0 to 15. What are the scale and the zero point?"
        ),
        answer=(step, below),
        tolerance=1e-6,
        slips={
            "15 steps lie between 16 whole numbers": (15 * step / 16, below),
            "this is the whole number of the negative of the smallest, with a sign": (step, -below),
            "this is absmax": (max(high, -low) / 15, 0),
        },
        explanation=(
            f"The range {15 * step:g} has 15 steps of {step:g}; 0 is {below} steps above the "
            "smallest number."
        ),
    )


def smoothed(draw: Generator) -> Computed:
    factor = int(draw.choice([4, 5, 8, 10]))
    small = int(draw.choice([2, 4, 5]))
    weight = float(draw.choice([0.1, 0.2, 0.3]))
    return Computed(
        question=(
            f"A channel of the activations is {factor * small} at most. SmoothQuant divides it by "
            f"{factor}; its largest weight is {weight:g}. What are the largest activation and the "
            "largest weight of the channel afterwards?"
        ),
        answer=(small, factor * weight),
        tolerance=1e-6,
        slips={
            "the weights take up the factor": (small, weight),
            "the weights are multiplied, not divided": (small, weight / factor),
            "the activations are divided, the weights multiplied": (
                factor * factor * small,
                weight / factor,
            ),
        },
        explanation=f"{factor * small} / {factor} and {weight:g} · {factor}.",
    )


def cache_bytes(draw: Generator) -> Computed:
    heads = int(draw.choice([2, 4, 8]))
    width = int(draw.choice([50, 100, 200]))
    of_scale = int(draw.choice([2, 4]))
    entries = heads * width
    return Computed(
        question=(
            f"{heads} key heads of width {width} are cached in int8, with a scale of {of_scale} "
            "bytes per token and head, for keys and for values. How many bytes does a token take "
            "in a layer?"
        ),
        answer=2 * heads * (width + of_scale),
        unit="bytes",
        slips={
            "the scales take bytes, too": 2 * entries,
            "keys and values are both kept": heads * (width + of_scale),
            "values have scales of their own": 2 * entries + heads * of_scale,
            "each head has its own scales": 2 * (entries + of_scale),
        },
        explanation=f"2 · {heads} · ({width} + {of_scale}).",
    )


def scaled_score(draw: Generator) -> Computed:
    key = [int(each) for each in draw.choice([-127, -60, -20, 10, 40, 90], size=4, replace=False)]
    query = [int(each) for each in draw.choice([-1, 1, 2], size=4)]
    unit = float(draw.choice([0.01, 0.02, 0.05]))
    product = sum(a * b for a, b in zip(key, query, strict=True))
    if product == 0:
        query[0] += 1
        product += key[0]
    return Computed(
        question=(
            f"A key of width 4 is kept as ({', '.join(map(str, key))}) with the scale {unit:g}. "
            f"What is its scaled score with the query ({', '.join(map(str, query))})?"
        ),
        answer=product * unit / 2,
        tolerance=1e-4,
        slips={
            "the key's scale is missing": product / 2,
            "the score is divided by √d": product * unit,
            "it is divided by √4": product * unit / 4,
        },
        explanation=f"The product is {product}; times {unit:g}, divided by √4.",
    )
