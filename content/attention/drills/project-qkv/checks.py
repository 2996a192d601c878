"""The checks of `project-qkv`."""

from studyattn.attention import STEPS, project_qkv
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import BATCHES, SEQUENCE, TOKEN_VALUES, gradients_space, space
from ...misconceptions import behaviour, projecting, scores
from ...probes import entry, zeros
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    d: int,
    d_v: int,
    zeros: bool = False,
    uneven: bool = False,
) -> Call:
    """With `zeros`, the first token is zero. With `uneven`, the first are small, the last large."""
    x = draw.array(*batch, n, d_model, sharp=True)
    if zeros:
        x.values[..., 0, :] = 0.0
    if uneven:
        x = unevenly(x, axis=-2)
    w_q, w_k, w_v = draw.weight(d_model, d), draw.weight(d_model, d), draw.weight(d_model, d_v)
    return Call("project_qkv", (x, w_q, w_k, w_v))


drill = Drill(
    id="project-qkv",
    reference={"project_qkv": project_qkv},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            batch=BATCHES,
            tokens=SEQUENCE,
            widths={
                "all widths different": {"d_model": 5, "d": 6, "d_v": 7},
                "square weights": {"d_model": 4, "d": 4, "d_v": 4},
                "d > d_v": {"d_model": 4, "d": 3, "d_v": 2},
                "d_model > d": {"d_model": 7, "d": 3, "d_v": 5},
                "one feature": {"d_model": 1, "d": 1, "d_v": 1},
            },
            values=TOKEN_VALUES,
        ),
        gradients_space(
            {
                "one feature": {"batch": (2,), "n": 2, "d_model": 2, "d": 1, "d_v": 1},
                "square": {"n": 2, "d_model": 2, "d": 2, "d_v": 2},
            }
        ),
    ),
    cases=(case("the same call twice", twice=True, batch=(2,), n=4, d_model=3, d=5, d_v=2),),
    probes=(zeros("x"), entry("x", "above 1,000", lambda x: x > 1000)),
    small=(
        {"n": 1, "d_model": 2, "d": 2, "d_v": 2},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 1},
        {"n": 2, "d_model": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(
        projecting.projection_transposed,
        projecting.projection_shared,
        projecting.projections_in_wrong_order,
        projecting.projection_missing,
        projecting.values_not_projected,
        scores.query_key_swapped,
        scores.values_are_keys,
        *behaviour.of("projections"),
    ),
    axes=("token", "feature"),
    parts=("q", "k", "v"),
    forbidden=FORBIDDEN,
)
