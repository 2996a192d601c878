"""Mistakes with an induction head that is put together by hand."""

import itertools
import math

import numpy as np

from studyattn.attention import STEPS, induction_weights
from studyattn.grading.misconception import Misconception

FIRST = r"\text{layer 1: } p \to p - 1"
SECOND = r"\text{layer 2: } p \to j \text{ where } t_{j-1} = t_p"
LAYER = r"X \leftarrow X + \text{softmax}(X W_{QK} X^T + M)\, X W_{OV}"


def _blocks(x, vocabulary):
    """Return the columns of the token, of the position, of the token before, of the prediction."""
    edges = np.cumsum([0, vocabulary, x.shape[0], vocabulary, vocabulary])
    return [slice(int(begin), int(end)) for begin, end in itertools.pairwise(edges)]


def _changed(change):
    """The weights of the reference after `change(blocks, qk_1, ov_1, qk_2, ov_2)`, in place."""

    def build(x, vocabulary):
        weights = induction_weights(x, vocabulary)
        change(_blocks(x, vocabulary), *weights)
        return weights

    return {"induction_weights": build}


def _to_itself(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_1[blocks[1], blocks[1]] = np.diag(np.full(blocks[1].stop - blocks[1].start, 100.0))


def _to_the_next(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_1[:] = qk_1.T.copy()


def _to_the_next_with(score):
    """All positions share the weight, and what comes of that depends on the `score` of a match."""

    def change(blocks, qk_1, ov_1, qk_2, ov_2):
        _to_the_next(blocks, qk_1, ov_1, qk_2, ov_2)
        qk_2 *= score / 100.0

    return _changed(change)


def _match_swapped(blocks, qk_1, ov_1, qk_2, ov_2):
    sink = qk_2[blocks[0], blocks[1]].copy()
    qk_2[blocks[0], blocks[1]] = 0.0
    qk_2[:] = qk_2.T.copy()
    qk_2[blocks[0], blocks[1]] = sink


def _all_swapped(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_2[:] = qk_2.T.copy()


def _same_token(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_2[blocks[0], blocks[0]] = qk_2[blocks[0], blocks[2]]
    qk_2[blocks[0], blocks[2]] = 0.0


def _copies_the_match(blocks, qk_1, ov_1, qk_2, ov_2):
    ov_2[blocks[2], blocks[3]] = ov_2[blocks[0], blocks[3]]
    ov_2[blocks[0], blocks[3]] = 0.0


def _without_sink(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_2[blocks[0], blocks[1]] = 0.0


def _as_strong_as_a_match(blocks, qk_1, ov_1, qk_2, ov_2):
    qk_2[blocks[0], blocks[1]] *= 2.0


def _softly(first, second):
    """Scores of `first` and `second` for a match, half of it for the first position."""

    def change(blocks, qk_1, ov_1, qk_2, ov_2):
        qk_1 *= first / 100.0
        qk_2 *= second / 100.0

    return _changed(change)


def _layers(step):
    """Two layers, each of which is `step(x, first x, weights, qk, ov, attend)`."""

    def run(x, qk_1, ov_1, qk_2, ov_2, *, steps=STEPS):
        allowed = steps.causal(len(x), len(x), x)

        def pattern(rows, qk, factor=1.0):
            scores = steps.scores(rows @ qk, rows) * factor
            return steps.normalise(steps.mask(scores, allowed))

        stream = x
        for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
            stream = step(stream, x, qk, ov, pattern)
        return stream

    return {"two_layers": run}


induction_own_position = Misconception(
    id="induction-own-position",
    title="The first layer attends to the token itself, not to the one before.",
    formula=FIRST,
    concept="induction-heads",
    ways=(_changed(_to_itself),),
)

induction_roles_swapped = Misconception(
    id="induction-roles-swapped",
    title="A W_QK has queries and keys swapped, or no match: its rows belong to the query.",
    formula=r"S_{pj} = x_p W_{QK} x_j^T",
    concept="induction-heads",
    ways=(
        *(_to_the_next_with(score) for score in (100.0, 10.0, 20.0, 50.0, 1e3, 1e4)),
        _changed(_match_swapped),
        _changed(_all_swapped),
        _changed(lambda *given: (_to_the_next(*given), _match_swapped(*given))),
        _changed(lambda *given: (_to_the_next(*given), _all_swapped(*given))),
    ),
)

induction_same_token = Misconception(
    id="induction-same-token",
    title="The second layer finds the same token; it should find the token after it.",
    formula=SECOND,
    concept="induction-heads",
    ways=(_changed(_same_token),),
)

induction_copies_the_match = Misconception(
    id="induction-copies-the-match",
    title="The prediction is copied from the token before the match, not from the match.",
    formula=r"\text{prediction} = t_j",
    concept="induction-heads",
    ways=(_changed(_copies_the_match),),
)

induction_without_sink = Misconception(
    id="induction-without-sink",
    title="The first position's score is 0 or that of a match; it should be between the two.",
    formula=r"t_{j-1} \ne t_p \text{ for all } j \Rightarrow p \to 0",
    concept="limits",
    ways=(_changed(_without_sink), _changed(_as_strong_as_a_match)),
)

induction_not_sharp = Misconception(
    id="induction-not-sharp",
    title="The scores are too small: other positions keep some of the weight.",
    formula=r"e^{-s} \approx 0 \text{ only for large } s",
    concept="induction-heads",
    ways=(
        *(_softly(score, score) for score in (1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0)),
        *(_softly(score, 100.0) for score in (1.0, 5.0, 10.0)),
        *(_softly(100.0, score) for score in (1.0, 2.0, 5.0, 10.0)),
    ),
)

layers_without_residual = Misconception(
    id="layers-without-residual",
    title="A layer returns only attention's result; it should be added to the layer's input.",
    formula=LAYER,
    concept="residual-update",
    ways=(_layers(lambda x, first, qk, ov, pattern: pattern(x, qk) @ (x @ ov)),),
)

layers_side_by_side = Misconception(
    id="layers-side-by-side",
    title="The second layer's pattern is made of the input, not of the first layer's output.",
    formula=LAYER,
    concept="induction-heads",
    ways=(
        _layers(lambda x, first, qk, ov, pattern: x + pattern(first, qk) @ (first @ ov)),
        _layers(lambda x, first, qk, ov, pattern: x + pattern(first, qk) @ (x @ ov)),
    ),
)

layers_scaled = Misconception(
    id="layers-scaled",
    title="The scores are divided by √d; here W_QK already includes the scale.",
    formula=LAYER,
    concept="induction-heads",
    ways=(
        _layers(
            lambda x, first, qk, ov, pattern: (
                x + pattern(x, qk, 1 / math.sqrt(x.shape[-1])) @ (x @ ov)
            )
        ),
    ),
)

OF_INDUCTION = (
    induction_own_position,
    induction_same_token,
    induction_copies_the_match,
    induction_without_sink,
    induction_roles_swapped,
    induction_not_sharp,
    layers_without_residual,
    layers_side_by_side,
    layers_scaled,
)
