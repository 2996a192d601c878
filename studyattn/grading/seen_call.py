"""A call as a submission sees it, and conditions on it: what probes are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Handed:
    """An array as a submission receives it: `values` lie in memory as its own array does."""

    values: NDArray[np.generic]
    dtype: str
    requires_grad: bool
    of: object  # the same one for arguments that are one array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def steps(self) -> tuple[int, ...]:
        """Strides in elements."""
        return tuple(stride // self.values.itemsize for stride in self.values.strides)


@dataclass(frozen=True, slots=True, eq=False)
class SeenCall:
    """One call as a submission sees it. `before` are the earlier ones on the same object."""

    function: str
    arguments: Mapping[str, Any]  # by parameter; arrays are `Handed`
    keywords: frozenset[str]
    before: tuple[SeenCall, ...] = ()

    def __getitem__(self, name: str) -> Any:
        """The argument of this name; None where it is left out or the call is another one."""
        return self.arguments.get(name)

    def arrays(self) -> list[Handed]:
        """The arrays of floating-point or other numbers, in order."""
        return [each for each in self.arguments.values() if isinstance(each, Handed)]


Condition = Callable[[SeenCall], bool]


@dataclass(frozen=True, slots=True)
class Probe:
    """A condition under which a submission may fail, in words and as a function of one call.

    `of_gradients`: it needs an array with a gradient, so that only torch can be asked.
    """

    name: str
    holds: Condition
    of_gradients: bool = False

    def and_(self, other: Probe) -> Probe:
        """Both at once."""
        return Probe(
            f"{self.name}, {other.name}", lambda call: self.holds(call) and other.holds(call)
        )
