"""Fresh numbers for the computed card."""

import numpy as np
from numpy.random import Generator

from studyattn.packs.computed import Computed


def one_logit(draw: Generator) -> Computed:
    x, w = draw.integers(-3, 4, size=(2, 2))
    b = int(draw.integers(-3, 4))
    return Computed(
        question=f"Input $({x[0]}, {x[1]})$, weights $({w[0]}, {w[1]})$, bias {b}. The logit?",
        answer=int(np.dot(x, w)) + b,
        explanation="The products summed, and the bias added.",
    )
