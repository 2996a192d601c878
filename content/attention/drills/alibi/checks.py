"""The checks of `alibi`."""

from studyattn.attention import STEPS, alibi_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded

from ...conditions import TOKENS, attention_space, gradients_space
from ...misconceptions import behaviour, biases, masks, scores, weights
from ...probes import QUERIES_KEYS_VALUES
from ...shared import FORBIDDEN, HUGE, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, *, h: int, batch: tuple[int, ...], **sizes: int) -> Call:
    return Call("alibi_attention", queries_keys_values(draw, batch=(*batch, h), **sizes))


drill = Drill(
    id="alibi",
    reference={"alibi_attention": alibi_attention},
    steps=STEPS,
    exponents="lower",
    ask=ask,
    spaces=(
        attention_space(
            {**TOKENS, "many more keys than queries": {"m": 2, "n": 9}},
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                heads="one head",
            ),
            batch={
                "a batch": {"batch": (3,)},
                "no batch": {"batch": ()},
                "two batch axes": {"batch": (2, 1)},
                "three batch axes": {"batch": (2, 1, 3)},
                "four batch axes": {"batch": (1, 2, 1, 3)},
                "five batch axes": {"batch": (2, 1, 1, 2, 1)},
            },
            heads={
                "two heads": {"h": 2},
                "three heads": {"h": 3},
                "one head": {"h": 1},
                "eight heads": {"h": 8},
                "twelve heads": {"h": 12},
            },
        ),
        gradients_space(
            {
                "two heads": {"batch": (), "h": 2, "m": 2, "n": 3, "d": 2, "d_v": 1},
                "a batch": {"batch": (2,), "h": 1, "m": 2, "n": 2, "d": 2, "d_v": 2},
            },
            large={"batch": (2,), "h": 3, "m": 4, "n": 4, "d": 2, "d_v": 1},
        ),
    ),
    cases=(
        case("huge scores, few keys", **HUGE, batch=(8,), h=8, m=3, n=3, d=4, d_v=3),
        case("the same call twice", twice=True, batch=(3,), h=2, m=4, n=5, d=6, d_v=3),
    ),
    probes=tuple(each for each in QUERIES_KEYS_VALUES if not each.name.startswith("q longer")),
    unasked={"m > n": "the queries are the last positions of the keys"},
    small=(
        {"batch": (), "h": 1, "m": 1, "n": 2, "d": 1, "d_v": 1},
        {"batch": (), "h": 2, "m": 1, "n": 2, "d": 1, "d_v": 1},
        {"batch": (), "h": 3, "m": 1, "n": 2, "d": 1, "d_v": 1},
        {"batch": (), "h": 1, "m": 2, "n": 3, "d": 1, "d_v": 1},
        {"batch": (), "h": 2, "m": 2, "n": 2, "d": 2, "d_v": 1},
    ),
    misconceptions=(
        *biases.OF_ALIBI,
        masks.mask_missing,
        masks.mask_top_left,
        masks.mask_excludes_self,
        masks.mask_sees_next,
        masks.mask_future_only,
        masks.mask_after_softmax,
        masks.mask_multiplied,
        masks.mask_fill_too_small,
        masks.mask_hidden_in_softmax,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("alibi"),
    ),
    variants=(ROUNDED_ROOT,),
    axes=("batch", "head", "query", "value"),
    forbidden=FORBIDDEN,
)
