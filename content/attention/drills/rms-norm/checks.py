"""The checks of `rms-norm`."""

from studyattn.attention import STEPS, rms_norm
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import LAYOUTS, OF_NORMS, gradients_space, norm_space
from ...misconceptions import behaviour, normalisation
from ...probes import OF_NORMS as PROBES
from ...probes import zeros
from ...shared import FORBIDDEN, rows_to_normalise


def ask(draw: Draw, *, eps: float | None = None, **sizes: int) -> Call:
    x = rows_to_normalise(draw, **sizes)
    gain = draw.array(sizes["d"])
    return Call("rms_norm", (x, gain) if eps is None else (x, gain, eps))


drill = Drill(
    id="rms-norm",
    reference={"rms_norm": rms_norm},
    steps=STEPS,
    ask=ask,
    spaces=(
        norm_space({**OF_NORMS, "a row of zeros": {"zeros": True}}),
        gradients_space(
            {
                "a batch": {"batch": (2,), "n": 2, "d": 3},
                "a row of zeros": {"n": 2, "d": 3, "zeros": True, "eps": 0.1},
            },
            LAYOUTS,
        ),
    ),
    cases=(
        case("eps by keyword", keywords=("eps",), eps=0.5, n=4, d=5),
        case("the same call twice", twice=True, n=4, d=5),
    ),
    probes=(*PROBES, zeros("x")),
    small=(
        {"n": 1, "d": 2, "eps": 1.0},
        {"n": 2, "d": 2, "eps": 1.0},
        {"n": 1, "d": 3},
        {"n": 2, "d": 3},
    ),
    misconceptions=(*normalisation.OF_RMS_NORM, *behaviour.of("llama-block")),
    axes=("row", "feature"),
    forbidden=(*FORBIDDEN, *normalisation.READY_MADE),
)
