"""Mistakes with a decoding step of latent attention."""

import math

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from ..reference import latent as right
from ..shared import softmax

CONCEPT = "mla-decoding"
SCORE = r"s_{h j} = \frac{q_h^\top W_h^{UK \top} c_j + q_h^{r \top} k_j^r}{\sqrt{d + d_r}}"
OUTPUT = r"o_h = W_h^{UV \top} \sum_j a_{h j} c_j"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _first_head(w):
    return np.broadcast_to(w[:1], w.shape)


def _rows(weights):
    return softmax(weights.swapaxes(-1, -2)).swapaxes(-1, -2)


mla_materialized = Misconception(
    id="mla-materialized",
    title="Keys or values of every head are made of all latents; put the matrices at the query.",
    formula=r"q^\top (W^{UK \top} c_j) = (W^{UK} q)^\top c_j",
    concept=CONCEPT,
    sign=Sign.COST,
)

OF_LATENTS = (
    _named(
        "mla-scale-without-rotated",
        "The scores are divided by √d alone; a whole key is d + d_r wide.",
        SCORE,
        {"scale": lambda scores, d, d_r: scores / math.sqrt(d)},
    ),
    _named(
        "mla-scale-missing",
        "The scores are not divided by √(d + d_r).",
        SCORE,
        {"scale": lambda scores, d, d_r: scores},
        {"scale": lambda scores, d, d_r: scores / (d + d_r)},
        {"scale": lambda scores, d, d_r: scores / math.sqrt(d_r)},
    ),
    _named(
        "mla-rotated-missing",
        "The rotated part is missing from the scores: it carries the positions.",
        SCORE,
        {"turned": lambda q_r, k_r: np.zeros((len(q_r), len(k_r)))},
    ),
    _named(
        "mla-rotated-alone",
        "The scores consist of the rotated part alone.",
        SCORE,
        {"content": lambda q, c, w_uk: np.zeros((len(q), len(c)))},
    ),
    _named(
        "mla-one-head",
        "All heads use a matrix of the first; each has its own.",
        SCORE,
        {"content": lambda q, c, w_uk: right.content(q, c, _first_head(w_uk))},
        {"mix": lambda weights, c, w_uv: right.mix(weights, c, _first_head(w_uv))},
        {
            "content": lambda q, c, w_uk: right.content(q, c, _first_head(w_uk)),
            "mix": lambda weights, c, w_uv: right.mix(weights, c, _first_head(w_uv)),
        },
    ),
    _named(
        "mla-rotated-of-one-head",
        "All heads use the same rotated query; the key is shared, queries are not.",
        SCORE,
        {"turned": lambda q_r, k_r: right.turned(_first_head(q_r), k_r)},
        {"turned": lambda q_r, k_r: right.turned(q_r.mean(axis=0, keepdims=True), k_r)},
    ),
    _named(
        "mla-heads-summed",
        "The heads are summed; each has its own output.",
        OUTPUT,
        {
            "mix": lambda weights, c, w_uv: np.broadcast_to(
                right.mix(weights, c, w_uv).sum(axis=0), (len(weights), w_uv.shape[-1])
            )
        },
    ),
    _named(
        "mla-softmax-over-heads",
        "The weights should sum to 1 over the tokens; here they do over the heads.",
        SCORE,
        {"softmax": _rows},
    ),
    _named(
        "mla-softmax-missing",
        "The scores are used as weights without a softmax.",
        SCORE,
        {"softmax": lambda scores: scores},
    ),
    _named(
        "mla-softmax-unstable",
        "Large scores overflow; subtract the maximum first.",
        SCORE,
        {"softmax": lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)},
    ),
    mla_materialized,
)
