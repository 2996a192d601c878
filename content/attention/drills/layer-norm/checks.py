"""The checks of `layer-norm`."""

from studyattn.attention import STEPS, layer_norm
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import LAYOUTS, OF_NORMS, gradients_space, norm_space
from ...misconceptions import behaviour, normalisation
from ...probes import OF_NORMS as PROBES
from ...shared import FORBIDDEN, rows_to_normalise


def ask(draw: Draw, *, eps: float | None = None, **sizes: int) -> Call:
    x = rows_to_normalise(draw, **sizes)
    gain, bias = draw.array(sizes["d"]), draw.array(sizes["d"])
    return Call("layer_norm", (x, gain, bias) if eps is None else (x, gain, bias, eps))


drill = Drill(
    id="layer-norm",
    reference={"layer_norm": layer_norm},
    steps=STEPS,
    ask=ask,
    spaces=(
        norm_space({**OF_NORMS, "rows far below zero": {"lowered": 1e6}}),
        gradients_space(
            {
                "a batch": {"batch": (2,), "n": 2, "d": 3},
                "equal entries": {"n": 2, "d": 3, "flat": True, "eps": 0.1},
            },
            LAYOUTS,
        ),
    ),
    cases=(
        case("eps by keyword", keywords=("eps",), eps=0.5, n=4, d=5),
        case("the same call twice", twice=True, n=4, d=5),
    ),
    probes=PROBES,
    small=(
        {"n": 1, "d": 2, "eps": 1.0},
        {"n": 2, "d": 2, "eps": 1.0},
        {"n": 1, "d": 3},
        {"n": 2, "d": 3},
    ),
    misconceptions=(*normalisation.OF_LAYER_NORM, *behaviour.of("block-parts")),
    axes=("row", "feature"),
    told_as={"lowered": ""},
    forbidden=(*FORBIDDEN, *normalisation.READY_MADE),
)
