"""The checks of `next-token-loss`."""

import dataclasses

import numpy as np

from studyattn.attention import LOSS_STEPS, next_token_loss
from studyattn.grading.call_plan import ArrayInput, Call, Layout
from studyattn.grading.drill import EXPANDABLE, Draw, Drill, case, given
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, by_keyword, gradients_space, space
from ...misconceptions import behaviour, losses
from ...probes import entry, gradient_beside_large
from ...shared import FORBIDDEN


def ask(
    draw: Draw,
    *,
    n: int,
    v: int,
    batch: tuple[int, ...] = (),
    counted: str = "some",
    lowered: float = 0.0,
) -> Call:
    """Logits `lowered` below what was drawn, tokens, and which of them count.

    `counted`: "some" of each text, "beginning" of each text, "others" of which the first of several
    texts has none, "all", or "absent" where nothing is said.
    """
    logits = draw.array(*batch, n, v, sharp=True)
    logits.values[...] -= lowered
    shape = (*batch, n)
    drawn = _independent(draw, shape)
    tokens = _handed(draw, draw.generator.integers(0, v, drawn), shape)
    if counted == "absent":
        return Call("next_token_loss", (logits, tokens))
    counts = draw.generator.random(drawn) < 0.6
    one = draw.generator.integers(1, n, (*drawn[:-1], 1))
    counts |= np.arange(n) == one  # a target that counts in each text
    if n > 2:
        counts &= np.arange(n) != 1 + one % (n - 1)  # and one that does not
    if counted == "beginning":
        counts = np.broadcast_to(np.arange(n) <= one, drawn).copy()
    if counted == "all":
        counts[...] = True
    if counted == "others" and counts.size > n:
        counts.reshape(-1, n)[0] = False
    return Call("next_token_loss", (logits, tokens, _handed(draw, counts, shape)))


def _independent(draw: Draw, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of what is drawn for an array of this shape, of which the rest are copies."""
    expanded = draw.case.layout is Layout.EXPANDED and len(shape) >= EXPANDABLE
    return (1, *shape[1:]) if expanded else shape


def _handed(draw: Draw, drawn: np.ndarray, shape: tuple[int, ...]) -> ArrayInput:
    """These whole numbers or truth values, as large and laid out as the case has its arrays."""
    array = given(np.broadcast_to(drawn, shape).copy())
    return dataclasses.replace(array, layout=draw.case.layout)


drill = Drill(
    id="next-token-loss",
    reference={"next_token_loss": next_token_loss},
    steps=LOSS_STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "a batch of tokens has two axes and no leading one",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch="one batch axis",
            ),
            Excluded(
                "the axes that would be swapped have size 1",
                layout="permuted as by split_heads",
                batch="three batch axes",
            ),
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                vocabulary="a vocabulary of one token",
            ),
            Excluded(
                "without a batch, the tokens are a vector",
                layout="transposed in memory",
                batch="no batch",
            ),
            Excluded(
                "an array that is left out has no layout",
                layout=(
                    "transposed in memory",
                    "strided in memory",
                    "permuted as by split_heads",
                    "expanded along the first axis",
                ),
                counted="without counts",
            ),
            Excluded(
                "an argument that is left out is not passed",
                passed="counts by keyword",
                counted="without counts",
            ),
            Excluded(
                "all texts would equal the first one",
                layout="expanded along the first axis",
                counted="none of the first text",
            ),
            Excluded(
                "a single text has a target that counts",
                batch=("no batch", "a batch of one"),
                counted="none of the first text",
            ),
            batch=BATCHES,
            texts={
                "several tokens": {"n": 5},
                "n = v": {"n": 4},
                "two tokens": {"n": 2},
            },
            vocabulary={
                "four tokens to choose from": {"v": 4},
                "two to choose from": {"v": 2},
                "many to choose from": {"v": 7},
                "a vocabulary of one token": {"v": 1},
            },
            counted={
                "some count": {},
                "without counts": {"counted": "absent"},
                "beginnings count": {"counted": "beginning"},
                "all count": {"counted": "all"},
                "none of the first text": {"counted": "others"},
            },
            values={
                "drawn": {},
                "large numbers": {"spread": 3e3},
                "huge numbers": {"dtype": "float64", "spread": 1e5},
                "rows far below zero": {"dtype": "float64", "spread": 2.0, "lowered": 2e6},
            },
            passed=by_keyword("counts"),
        ),
        gradients_space(
            {"a batch": {"batch": (2,), "n": 3, "v": 2}, "no batch": {"n": 3, "v": 3}},
            of={"all inputs": {"gradients": True}},
            large={"batch": (2,), "n": 3, "v": 3},
        ),
    ),
    cases=(
        case("a vocabulary of more than 2,048", n=30, v=2311),
        case("the same call twice", twice=True, batch=(2,), n=5, v=4),
        case("gradients, without counts", gradients=True, n=3, v=3, counted="absent"),
    ),
    probes=(
        gradient_beside_large("logits"),
        entry("logits", "above 1,000", lambda z: z > 1e3),
        entry("logits", "below -1,000,000", lambda z: z < -1e6),
        entry("tokens", "above 1,000", lambda x: x > 1000),
        entry("tokens", "of the last token", lambda x: x == 3),
        Probe("counts absent", lambda call: call["counts"] is None),
        Probe("counts by keyword", lambda call: "counts" in call.keywords),
        entry("counts", "that is False", lambda counts: ~counts),
        Probe(
            "nothing counts in one of the texts",
            lambda call: (
                call["counts"] is not None and not call["counts"].values[..., 1:].any(-1).all()
            ),
        ),
        Probe(
            "the first token counts or not",
            lambda call: (
                call["counts"] is not None
                and bool(call["counts"].values[..., 0].any())
                and not call["counts"].values[..., 0].all()
            ),
        ),
    ),
    unasked={
        "*n = 1*": "a text of one token has no next token",
        "*gradient of tokens*": "integers have no gradient",
        "*gradient of counts*": "booleans have no gradient",
        "no gradient of logits, but of another input": "no other argument has a gradient",
    },
    small=(
        {"n": 2, "v": 2, "counted": "absent"},
        {"n": 3, "v": 2, "counted": "absent"},
        {"n": 3, "v": 2},
        {"n": 3, "v": 3},
        {"batch": (2,), "n": 2, "v": 2},
    ),
    misconceptions=(*losses.OF_LOSSES, *behaviour.of("next-token-loss")),
    axes=(),
    told_as={"lowered": "", "counted": ""},
    forbidden=(*FORBIDDEN, "cross_entropy", "nll_loss", "kl_div"),
)
