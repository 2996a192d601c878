"""Mistakes with a state that is written by the gated delta rule."""

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from ..reference import recurrent as right

CONCEPT = "delta-rule"
RULE = r"S_t = \alpha_t S_{t-1} + \beta_t \, k_t \left(v_t - \alpha_t S_{t-1}^\top k_t\right)^\top"
READ = r"o_t = S_t^\top q_t"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _at_once(q, k, v, gates, rates, state=None, *, steps=right.STEPS):
    """All tokens are corrected by the state before the first."""
    if state is None:
        state = np.zeros((*k.shape[:-2], k.shape[-1], v.shape[-1]), v.dtype)
    first = state
    found = {"find": lambda key, old, kept: right.find(key, old, first)}
    plain = right.DeltaSteps(**found)
    return right.delta_rule(q, k, v, gates, rates, state, steps=plain)


def _fresh(q, k, v, gates, rates, state=None, *, steps=right.STEPS):
    return right.delta_rule(q, k, v, gates, rates, None)


def _before(query, _key, old, _new):
    return (query[..., None, :] @ old)[..., 0, :]


def _scaled(query, key, old, new):
    return right.read(query, key, old, new) / np.sqrt(query.shape[-1])


def _of_key(_query, key, _old, new):
    return (key[..., None, :] @ new)[..., 0, :]


def _turned(q, k, v, gates, rates, state=None, *, steps=right.STEPS):
    read, last = right.delta_rule(q, k, v, gates, rates, state)
    return read, last.swapaxes(-1, -2)


delta_quadratic = Misconception(
    id="delta-quadratic",
    title="The work for a token grows with the number of tokens before it; the state has them all.",
    formula=RULE,
    concept=CONCEPT,
    sign=Sign.COST,
)

OF_DELTA = (
    _named(
        "delta-not-removed",
        "What the key gave before is not taken away, so values under a key pile up.",
        RULE,
        {"correction": lambda value, found, rate: rate[..., None] * value},
    ),
    _named(
        "delta-rate-missing",
        "The correction is not multiplied by the rate β as a whole.",
        RULE,
        {"correction": lambda value, found, rate: value - found},
        {"correction": lambda value, found, rate: rate[..., None] * value - found},
        {"correction": lambda value, found, rate: value - rate[..., None] * found},
    ),
    _named(
        "delta-gate-missing",
        "The old state is not multiplied by the gate α.",
        RULE,
        {"decay": lambda state, gate: state},
    ),
    _named(
        "delta-gate-late",
        "The key asks the state before the gate; it should ask the decayed one.",
        RULE,
        {"find": lambda key, old, kept: right.find(key, old, old)},
    ),
    _named(
        "delta-gate-on-new",
        "The gate also multiplies what is written now; only the old state decays.",
        RULE,
        {
            "decay": lambda state, gate: state,
            "settle": lambda new, gate: gate[..., None, None] * new,
        },
        {"settle": lambda new, gate: gate[..., None, None] * new},
    ),
    _named(
        "delta-gate-swapped",
        "Gate and rate are swapped: α multiplies the old state, β what is written.",
        RULE,
        {
            "delta_rule": lambda q, k, v, gates, rates, state=None: right.delta_rule(
                q, k, v, rates, gates, state
            )
        },
    ),
    _named(
        "delta-read-before",
        "A token reads the state before its own value is in it.",
        READ,
        {"read": _before},
    ),
    _named(
        "delta-state-ignored",
        "The state that is given is not used: each call begins with zeros.",
        RULE,
        {"delta_rule": _fresh},
    ),
    _named(
        "delta-at-once",
        "All tokens are corrected by the state before the first; each needs that of its own time.",
        RULE,
        {"delta_rule": _at_once},
    ),
    _named(
        "delta-read-scaled",
        "The reading is divided by √d; there is no softmax here that would need it.",
        READ,
        {"read": _scaled},
    ),
    _named(
        "delta-reads-by-key",
        "The state is read with the key; the query asks.",
        READ,
        {"read": _of_key},
    ),
    _named(
        "delta-transposed",
        "The state that is returned is transposed: its rows belong to the entries of a key.",
        r"S \in \mathbb{R}^{d_k \times d_v}",
        {"delta_rule": _turned},
    ),
)
