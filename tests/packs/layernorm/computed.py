"""Fresh numbers for the computed card."""

import numpy as np
from numpy.random import Generator

from studyattn.packs.computed import Computed


def variance_of_four(draw: Generator) -> Computed:
    """Ask for the biased variance of four whole numbers."""
    numbers = draw.integers(-4, 5, size=4)
    listed = ", ".join(str(number) for number in numbers)
    squares = ", ".join(f"{(number - numbers.mean()) ** 2:g}" for number in numbers)
    return Computed(
        question=f"What is the variance of {listed}, divided by $d$?",
        answer=float(np.var(numbers)),
        tolerance=0.006,
        explanation=f"The mean is {numbers.mean():g}, the squared distances are {squares}.",
    )
