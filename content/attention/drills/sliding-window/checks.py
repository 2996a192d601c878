"""The checks of `sliding-window`."""

from studyattn.attention import STEPS, sliding_window_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import (
    GRADIENTS_OF_ATTENTION,
    LARGE_GRADIENTS,
    TOKENS,
    attention_space,
    by_keyword,
    gradients_space,
)
from ...misconceptions import behaviour, masks, scores, weights, windows
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, HUGE, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, window: int = 2, **sizes: int) -> Call:
    return Call("sliding_window_attention", (*queries_keys_values(draw, **sizes), window))


drill = Drill(
    id="sliding-window",
    reference={"sliding_window_attention": sliding_window_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, "many more keys than queries": {"m": 2, "n": 9}},
            windows={
                "a window of 2": {},
                "a window of 3": {"window": 3},
                "the query alone": {"window": 1},
                "a window longer than the text": {"window": 4000},
            },
            passed=by_keyword("window"),
        ),
        gradients_space(GRADIENTS_OF_ATTENTION, large=LARGE_GRADIENTS),
    ),
    cases=(
        case("huge scores, few keys", **HUGE, batch=(8, 8), m=3, n=3, d=4, d_v=3),
        case("a window of 290", window=290, m=2, n=300, d=3, d_v=2),
        case("the same call twice", twice=True, batch=(3, 2), m=4, n=5, d=6, d_v=3),
    ),
    probes=tuple(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("q longer")),
    unasked={"m > n": "the queries are the last positions of the keys"},
    small=(
        {"m": 1, "n": 2, "d": 1, "d_v": 1, "window": 1},
        {"m": 2, "n": 2, "d": 1, "d_v": 1, "window": 1},
        {"m": 3, "n": 3, "d": 1, "d_v": 1},
        {"m": 2, "n": 3, "d": 2, "d_v": 1},
    ),
    misconceptions=(
        *windows.OF_WINDOWS,
        masks.mask_missing,
        masks.mask_inverted,
        masks.mask_after_softmax,
        masks.mask_multiplied,
        masks.mask_added_raw,
        masks.mask_fill_too_small,
        masks.mask_hidden_in_softmax,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("sliding-window"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
