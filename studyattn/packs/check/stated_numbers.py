"""The numbers that a text states, each with how exactly it says it.

`57{,}982{,}058{,}496`, `3.4 · 10³⁸` in LaTeX, `151 million` and `90%` are read. Whether a number
is right is for `figures` to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

LISTINGS: Final = re.compile(r"^(`{3,}) *(?:python|output).*?^\1", re.DOTALL | re.MULTILINE)
"""Programs and what they print, in Markdown."""

_ADDRESSES = re.compile(r"<https?:[^>]*>|\]\([^)]*\)")
_STATED = re.compile(
    r"(?<![\w.,^\\/])"
    r"(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?:\s*\\(?:cdot|times)\s*10\^\{?(?P<power>-?\d+)\}?)?"
    r"(?:[ \n](?P<scale>thousand|million|billion|%))?"
)
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "%": 1e-2, None: 1.0}


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as a text writes it."""

    written: str
    value: float
    half_unit: float
    """Half of the last place that is written: a value this far away is rounded to the same."""

    def agrees_with(self, value: float) -> bool:
        """Tell whether `value`, rounded alike, is this number; a share may be in percent."""
        slack = 1e-9 * max(1.0, abs(self.value))
        return abs(self.value - value) <= self.half_unit + slack


def numbers_in(text: str) -> Iterator[Stated]:
    """The numbers of Markdown `text`, its listings and addresses left aside."""
    prose = _ADDRESSES.sub("", LISTINGS.sub("", text))
    prose = prose.replace("{,}", ",").replace("\\,", "").replace("**", "")
    for found in _STATED.finditer(prose):
        digits = found["digits"].rstrip(",")
        unit = _SCALES[found["scale"]] * 10.0 ** int(found["power"] or 0)
        places = len(digits.partition(".")[2])
        yield Stated(
            written=" ".join(found[0].rstrip(",").split()),
            value=float(digits.replace(",", "")) * unit,
            half_unit=0.5 * 10.0**-places * unit,
        )


def is_stated_by(number: Stated, values: Iterable[float]) -> bool:
    """Tell whether one of `values` is that number."""
    return any(number.agrees_with(value) for value in values)
