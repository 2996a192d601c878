"""How `project-qkv` is checked."""

from studyattn.attention import STEPS, project_qkv
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import behaviour, heads, scores
from ...shared import FORBIDDEN


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    d: int,
    d_v: int,
    zeros: bool = False,
) -> Call:
    """With `zeros`, the first token is nothing but zeros."""
    x = draw.array(*batch, n, d_model, sharp=True)
    if zeros:
        x.values[..., 0, :] = 0.0
    w_q, w_k, w_v = draw.weight(d_model, d), draw.weight(d_model, d), draw.weight(d_model, d_v)
    return Call("project_qkv", (x, w_q, w_k, w_v))


SIZES = {"batch": (2, 3), "n": 4, "d_model": 5, "d": 6, "d_v": 7}

drill = Drill(
    id="project-qkv",
    reference={"project_qkv": project_qkv},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), n=5, d_model=4, d=3, d_v=2),
        case("square weights", batch=(2,), n=3, d_model=4, d=4, d_v=4),
        case("as many tokens as their width", n=4, d_model=4, d=4, d_v=4),
        case("no batch", n=3, d_model=4, d=5, d_v=2),
        case("one token", n=1, d_model=3, d=2, d_v=4),
        case("odd sizes", batch=(2, 1, 3), n=13, d_model=11, d=7, d_v=3),
        case("many tokens", n=131, d_model=3, d=2, d_v=4),
        case("wide tokens", n=3, d_model=130, d=67, d_v=5),
        case("large numbers", spread=1e4, n=3, d_model=4, d=5, d_v=2),
        case("a token of zeros", n=3, d_model=4, d=5, d_v=2, zeros=True),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), n=4, d_model=3, d=5, d_v=2),
        case("gradients", gradients=True, dtype="float64", n=3, d_model=2, d=3, d_v=2),
    ),
    small=(
        {"n": 1, "d_model": 2, "d": 2, "d_v": 2},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        heads.projection_transposed,
        heads.projection_shared,
        heads.projections_in_wrong_order,
        heads.projection_missing,
        heads.values_not_projected,
        scores.query_key_swapped,
        scores.values_are_keys,
        *behaviour.BEHAVIOUR,
    ),
    axes=("token", "feature"),
    parts=("q", "k", "v"),
    forbidden=FORBIDDEN,
)
