"""Fresh numbers for the computed card."""

from numpy.random import Generator

from studyattn.packs.computed import Computed


def mean_of_four(draw: Generator) -> Computed:
    """Ask for the mean of four whole numbers."""
    numbers = [int(number) for number in draw.integers(-5, 10, size=4)]
    listed = ", ".join(map(str, numbers))
    return Computed(
        question=f"What is the mean of {listed}?",
        answer=sum(numbers) / 4,
        explanation=f"The sum is {sum(numbers)}, and there are 4 numbers.",
    )
