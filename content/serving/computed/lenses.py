"""Computed cards on looking into a model."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def added(draw: Generator) -> Computed:
    def score(*parts: list[int]) -> int:
        return sum(x * c for part in parts for x, c in zip(part, column, strict=True))

    scores: list[int] = []
    while len(set(scores)) < 4:
        embedding, first, second = (
            [int(each) for each in draw.integers(-3, 4, size=2)] for _ in range(3)
        )
        column = [int(each) for each in draw.choice([-2, -1, 1, 2, 3], size=2, replace=False)]
        parts = (embedding, first), (embedding, first, second), (first,), (embedding,)
        scores = [score(*each) for each in parts]

    return Computed(
        question=(
            f"An embedding is ({embedding[0]}, {embedding[1]}). Layer 1 adds ({first[0]}, "
            f"{first[1]}) to it, layer 2 ({second[0]}, {second[1]}). A token's column of the "
            f"output matrix is ({column[0]}, {column[1]}). Without norms, what is its score in a "
            "logit lens after layer 1?"
        ),
        answer=scores[0],
        slips={
            "this is after layer 2": scores[1],
            "the embedding is part of the stream": scores[2],
            "layer 1 has added to it": scores[3],
        },
        explanation="The embedding and what layer 1 added, times the column.",
    )


def restored(draw: Generator) -> Computed:
    low = -int(draw.integers(1, 5))
    high = int(draw.integers(1, 6))
    share = float(draw.choice([0.25, 0.75]))
    patched = low + share * (high - low)
    shown = f"{patched:g}".replace("-", "−")
    return Computed(
        question=(
            f"The right token is ahead of the wrong one by {high} in the clean run, by "
            f"{str(low).replace('-', '−')} in the corrupted one, and by {shown} in the patched "
            "one. What share has the patch restored?"
        ),
        answer=share,
        tolerance=1e-6,
        slips={
            "count from the corrupted run": patched / high,
            "this is what is still missing": 1 - share,
            "divide by the whole way": patched - low,
        },
        explanation=f"({shown} + {-low}) / ({high} + {-low}).",
    )


def softened(draw: Generator) -> Computed:
    cap = int(draw.choice([10, 20, 30, 50]))
    ratio = float(draw.choice([0.5, 1.0, 2.0]))
    import math

    score = cap * ratio
    return Computed(
        question=(
            f"Scores are capped softly at {cap}. A score is {score:g}. What is it afterward, to "
            "one decimal place? (tanh 0.5 = 0.462, tanh 1 = 0.762, tanh 2 = 0.964)"
        ),
        answer=cap * math.tanh(ratio),
        tolerance=0.06,
        slips={
            "a soft cap changes smaller scores, too": min(score, cap),
            "multiply by the cap again": math.tanh(ratio),
        },
        explanation=f"{cap} · tanh({score:g}/{cap}).",
    )
