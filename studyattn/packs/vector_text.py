"""The vectors of computed cards as text, and sizes that cannot be taken for one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray


def plain(row: NDArray[np.float64]) -> str:
    """Numbers as short as they are exact: `1, 0.5, -2`."""
    return ", ".join(f"{value:g}" for value in row)


def rounded(row: NDArray[np.float64]) -> str:
    """Numbers to three places."""
    return ", ".join(f"{value:.3f}" for value in row)


def signed(value: float) -> str:
    """A factor of a product: a negative one in brackets."""
    return f"({value:g})" if value < 0 else f"{value:g}"


def numbers(row: NDArray[np.float64]) -> tuple[float, ...]:
    """A row as an answer."""
    return tuple(float(value) for value in row)


def different(draw: Generator, sizes: tuple[int, ...], count: int) -> list[int]:
    """Sizes that all differ, so that axes cannot be mistaken for each other."""
    return [int(size) for size in draw.choice(sizes, size=count, replace=False)]
