"""How `causal-linear-attention` is checked."""

from studyattn.attention import STEPS, causal_linear_attention
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case

from ...misconceptions import behaviour, linear, masks, scores
from ...shared import FORBIDDEN, queries_keys_values_for_features
from ...variants import EPSILON_ADDED


def ask(draw: Draw, *, n: int, **sizes: int) -> Call:
    inputs = queries_keys_values_for_features(draw, m=n, n=n, **sizes)
    return Call("causal_linear_attention", inputs)


SIZES = {"batch": (2, 3), "n": 5, "d": 4, "d_v": 6}

drill = Drill(
    id="causal-linear-attention",
    reference={"causal_linear_attention": causal_linear_attention},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(2,), n=7, d=3, d_v=4),
        case("all sizes the same", batch=(4,), n=4, d=4, d_v=4),
        case("no batch", n=6, d=3, d_v=2),
        case("one position", batch=(2,), n=1, d=3, d_v=2),
        case("one feature", batch=(2,), n=4, d=1, d_v=1),
        case("tiny features", dtype="float64", n=3, d=2, d_v=3, tiny=True),
        case("wide features", dtype="float64", spread=1e3, n=6, d=4, d_v=2, wide=True),
        case("values large and small", dtype="float64", n=6, d=3, d_v=3, uneven=True),
        case("three axes of batches", batch=(2, 1, 3), n=4, d=3, d_v=2),
        case("many positions", n=131, d=3, d_v=2),
        case("many features", n=4, d=66, d_v=70),
        case("odd sizes", batch=(3,), n=17, d=7, d_v=5),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), n=5, d=3, d_v=2),
        case("gradients", gradients=True, dtype="float64", n=3, d=2, d_v=2),
        case("cost", costed=True, n=520, d=4, d_v=4),
        case("cost of more tokens", costed=True, n=1040, d=4, d_v=4),
    ),
    small=(
        {"n": 2, "d": 1, "d_v": 1},
        {"n": 2, "d": 2, "d_v": 1},
        {"n": 3, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        masks.mask_missing,
        masks.mask_excludes_self,
        masks.mask_sees_next,
        masks.mask_future_only,
        *linear.LINEAR,
        linear.linear_normaliser_not_causal,
        linear.linear_divided_by_position,
        linear.linear_state_excludes_self,
        linear.linear_chunk_seen,
        linear.linear_chunk_unseen,
        scores.values_are_keys,
        scores.query_key_swapped,
        *behaviour.BEHAVIOUR,
    ),
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {"n": n, "d": 8, "d_v": 8},
        contrasts=(Contrast("softmax attention", "causal-attention"),),
    ),
    slack=8.0,  # elu(x) + 1 cancels digits where x is negative
    variants=(EPSILON_ADDED,),
    axes=("batch", "head", "position", "value"),
    limit=Limit(
        linear.linear_quadratic,
        # Chunks of a hundred tokens are linear too; the triangle of all pairs takes more.
        flops=lambda sizes: 160 * sizes["n"] * sizes["d"] * sizes["d_v"],
        largest_array=lambda sizes: sizes["n"] ** 2 // 4,
        grows_with=lambda sizes: int(sizes["n"]),
    ),
    forbidden=FORBIDDEN,
)
