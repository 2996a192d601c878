"""The domain of a drill: what a brief says that inputs may be, and questions from all of it.

A brief declares its domain in its front matter:

    domain:
      m: 1 to 512, at most n
      n: 1 to 8192
      d, d_v: 1 to 4096
      axes: 0 to 5
      temperature: 0.01 to 100
      grad_output: may be all zero
      dtype: float32 or float64

The learner reads the same lines below the shapes. The grader asks at both ends of each range, with
every form of each argument, and anywhere in between: so nothing that the text allows is out of
reach, and one line is the whole declaration.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from studyattn.errors import DrillError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOATS = ("float64", "float32", "float16", "bfloat16")
HALVES = ("float16", "bfloat16")
USUAL = "float32"

LARGE = 128
"""Above this a size is large: at most two of a call are, and none in half precision."""

SMALL = 6
"""The largest of the sizes that are not looked at in a drawn question."""

FEW = 3
"""Sizes below this are not given to unusual inputs, which may have no meaning there."""

PLAIN_SHARE = 0.5
"""How often the sizes of a drawn question are others than those of a declared condition."""

MOST_AT_ONCE = 32_768
"""The product of two sizes that are large at once."""

FORM_SHARE = 0.25
"""How often a drawn question gives an argument one of its forms."""

AXES, DTYPE = "axes", "dtype"
"""Names of a domain that are no sizes: the axes in front, and the dtypes of all float arrays."""

Settings = Mapping[str, Any]
"""Arguments of a drill's `ask`, and fields of `Case`."""


def _filled(values: NDArray[Any], number: Any) -> NDArray[Any]:
    changed = values.copy("K")
    changed[...] = number
    return changed


def _a_finite(values: NDArray[Any]) -> Any:
    """An entry that is finite: a condition may have hidden others already."""
    return next((each for each in values.flat if math.isfinite(each)), 0)


def _partly_hidden(values: NDArray[Any]) -> NDArray[Any]:
    """Put −∞ in every second entry of a row but the first, and in all but one of the last row."""
    changed = values.copy()
    changed[..., 1::2] = -math.inf
    rows = changed.reshape(-1, values.shape[-1])
    rows[-1, :-1] = -math.inf
    rows[-1, -1] = _a_finite(values)
    return rows.reshape(values.shape)


FORMS: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "all zero": lambda values: _filled(values, 0),
    "all equal": lambda values: _filled(values, _a_finite(values)),
    "partly -inf": _partly_hidden,
    "tiny": lambda values: values * 1e-6,
    "huge": lambda values: values * 1e6,
}
"""What an argument may be, by the words of a brief, and how its drawn numbers become that."""

NOT_IN_HALF = ("tiny", "huge")
"""What float16 cannot hold, or not the products of."""

_RANGE = re.compile(r"(-?[\d.e+-]+) to (-?[\d.e+-]+)")
_CLAUSE = re.compile(
    r"at most (?P<most>.+)|a multiple of (?P<step>.+)|(?P<even>even)"
    r"|seldom above (?P<often>[\d.e+]+)|(?P<in_half>in half precision too)"
)
"""The clauses that may follow a range."""


Shapes = Mapping[str, tuple[str, ...]]
"""The names of the axes of each parameter, `x` or, of one entry, `entry.x`; `...` is any number."""


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers from `low` to `high`, whole or not.

    Args:
        most: the name of another span, above whose number this one does not go.
        step: whole numbers are multiples of it; it may be the name of another span.
        often: above this, an answer takes so long that only a deep pass asks.
        in_half: it may be large in half precision too.
        is_size: it is the extent of an axis, so that a question grows with it.
    """

    low: float
    high: float
    most: str = ""
    step: int | str = 1
    often: float = math.inf
    in_half: bool = False
    is_size: bool = False

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int)

    def highest(self, *, deep: bool) -> float:
        """Return the largest number that is asked at once, or in a deep pass."""
        return self.high if deep else min(self.high, self.often)

    def ends(self, *, deep: bool) -> list[float]:
        """Return the numbers at its ends, but small whole ones, which are asked anyway."""
        ends = dict.fromkeys((self.highest(deep=deep), self.low))
        return [each for each in ends if each > SMALL or not self.whole]

    def anywhere(self, generator: np.random.Generator, *, deep: bool) -> float:
        """Draw one of these numbers, each order of magnitude as often as another."""
        high = self.highest(deep=deep)
        low = self.low if self.low > 0 else min(1.0, high / 1000)
        drawn = math.exp(generator.uniform(math.log(low), math.log(high)))
        if not self.whole:
            return float(f"{drawn:.4g}")
        most = min(high, max(2 * self.low, drawn))
        return int(generator.integers(int(self.low), 1 + int(most)))


@dataclass(frozen=True, slots=True)
class Domain:
    """The inputs that a drill may have. `text` is what was declared, by its names."""

    text: Mapping[str, str]
    spans: Mapping[str, Span]
    forms: Mapping[str, tuple[str, ...]]
    dtypes: tuple[str, ...] = FLOATS

    def lines(self) -> list[str]:
        """The declaration as lines of Markdown."""
        return [
            f"- {', '.join(map(_called, _names(names)))}: {_grouped(said)}"
            for names, said in self.text.items()
        ]

    def corners(
        self, usual: Settings, *, deep: bool = False
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The ends of every range, with all else small, and every form of each argument."""
        small = self._small(usual)
        for name, span in self.spans.items():
            for end in span.ends(deep=deep):
                told, settings = self._at(small, name, end)
                yield told, settings
                for dtype in HALVES if span.in_half else ():
                    yield f"{told}, {dtype}", {**settings, "dtype": dtype}
        lowest = {name: span.low for name, span in self.spans.items() if span.is_size}
        if lowest:
            yield "everything smallest", self._fitted({**small, **_batch(lowest)})
        for name, words in self.forms.items():
            yield from ((f"{name} {form}", {**usual, "forms": {name: form}}) for form in words)

    def around(
        self, numbers: Iterable[float], usual: Settings
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what is at and beside each of these `numbers`, for every range that has it."""
        small = self._small(usual)
        for number in numbers:
            for name, span in self.spans.items():
                beside = (number - 1, number, number + 1) if span.whole else (number,)
                for each in beside:
                    if span.low <= each <= span.high:
                        yield self._at(small, name, each)

    def _at(self, small: Settings, name: str, number: float) -> tuple[str, dict[str, Any]]:
        """Return the question with one number among small sizes, with its words."""
        number = int(number) if self.spans[name].whole else number
        return f"{name} = {number:,.10g}", self._settled(small, name, number)

    def drawn(
        self,
        generator: np.random.Generator,
        usual: Settings,
        met: Settings,
        *,
        deep: bool = False,
    ) -> tuple[str, dict[str, Any]]:
        """Draw a question from anywhere in the domain: one number is as large as it may be.

        All else is as in the settings that are `met`; as is `usual` where the number is no size or
        hardly one. In a deep pass, a second size may be large, too.
        """
        name = [*self.spans][int(generator.integers(len(self.spans)))]
        span = self.spans[name]
        number = span.anywhere(generator, deep=deep)
        plain = not span.is_size or number < FEW
        settings = met
        if plain or generator.random() < PLAIN_SHARE:
            settings = self._any_sizes(generator, usual)
        small = self._small(settings) if number > LARGE else settings
        settings = self._settled(small, name, number)
        if deep:
            settings = self._with_second(generator, settings, name, number)
        dtypes = [each for each in self.dtypes if each not in HALVES or span.in_half]
        if plain:
            settings["dtype"] = dtypes[int(generator.integers(len(dtypes)))]
        settings["dtype"] = self._dtype(settings, span, number)
        settings["forms"] = self._drawn_forms(generator, settings["dtype"])
        return self._told(settings), settings

    def _dtype(self, settings: Settings, span: Span, number: float) -> str:
        """Return the dtype of the settings, or the usual one where this number is too large."""
        dtype: str = settings.get("dtype", USUAL if USUAL in self.dtypes else self.dtypes[0])
        return USUAL if dtype in HALVES and number > LARGE and not span.in_half else dtype

    def _told(self, settings: Settings) -> str:
        """The words for a question that was drawn."""
        numbers = {each: settings.get(each) for each in self.spans}
        told = [f"{each} = {its:,.10g}" for each, its in numbers.items() if its is not None]
        told += [f"{each} {form}" for each, form in settings["forms"].items()]
        return ", ".join(("drawn", settings["dtype"], *told))

    def _with_second(
        self, generator: np.random.Generator, settings: dict[str, Any], name: str, number: float
    ) -> dict[str, Any]:
        """Settings with a second size that may be large beside that of `name`."""
        others = self.spans.keys() - {name, AXES}
        sizes = [each for each, span in self.spans.items() if span.is_size and each in others]
        if not sizes:
            return settings
        second = sizes[int(generator.integers(len(sizes)))]
        span, room = self.spans[second], MOST_AT_ONCE // max(number, 1)
        beside = min(span.anywhere(generator, deep=True), LARGE, room)
        return self._settled(settings, second, int(max(beside, FEW, span.low)))

    def _drawn_forms(self, generator: np.random.Generator, dtype: str) -> dict[str, str]:
        """Draw a form for some arguments, of those that the dtype can have."""
        forms = {
            each: words[int(generator.integers(len(words)))]
            for each, words in self.forms.items()
            if generator.random() < FORM_SHARE
        }
        left_out = NOT_IN_HALF if dtype in HALVES else ()
        return {each: form for each, form in forms.items() if form not in left_out}

    @property
    def asked_as(self) -> list[str]:
        """The arguments of `ask` that its ranges set."""
        return ["batch" if name == AXES else name for name in self.spans]

    def _any_sizes(self, generator: np.random.Generator, usual: Settings) -> dict[str, Any]:
        """The usual settings with other small sizes."""
        sizes = {
            each: min(span.high, span.low + int(generator.integers(0, SMALL)))
            for each, span in self.spans.items()
            if span.is_size
        }
        for each, span in self.spans.items():
            if isinstance(span.step, str):
                sizes[each] = sizes[span.step] * sizes[each]
        return self._fitted({**usual, **_batch(sizes)})

    def _small(self, usual: Settings) -> dict[str, Any]:
        """The usual settings with every size of at most two."""
        sizes = {
            name: max(span.low, min(2, usual.get(name, 2)))
            for name, span in self.spans.items()
            if span.is_size and span.high > SMALL
        }
        batch = {"batch": (1,) if usual["batch"] else ()} if "batch" in usual else {}
        return self._fitted({**usual, **sizes, **batch})

    def _settled(self, settings: Settings, name: str, number: float) -> dict[str, Any]:
        """`settings` with one number, and what must be as large as it."""
        changed = {**settings, **_batch({name: number})}
        span = self.spans[name]
        if span.most and changed.get(span.most, 0) < number:
            changed[span.most] = number
        return self._fitted(changed)

    def _fitted(self, settings: Settings) -> dict[str, Any]:
        """`settings` in which no number is above another one that bounds it, or no multiple."""
        fitted = dict(settings)
        for name, span in self.spans.items():
            if fitted.get(name) is None:
                continue
            if span.most in fitted:
                fitted[name] = min(fitted[name], fitted[span.most])
            step = fitted[span.step] if isinstance(span.step, str) else span.step
            if step > 1:
                fitted[name] = max(step, fitted[name] // step * step)
        return fitted


def shapes_in(brief: str) -> Shapes:
    """The shapes that a brief gives: "`q`, `k`: `(..., n, d)`", or "`entry(x)`: `(n, d)`"."""
    section = brief.partition("## Shapes")[2].partition("\n## ")[0]
    found: dict[str, tuple[str, ...]] = {}
    pattern = r"((?:`[\w(), ]+`(?:,\s+)?)+|calling it):\s+(?:integers\s+)?`\(([^)`]*)\)`"
    for names, axes in re.findall(pattern, section):
        shape = tuple(each.strip() for each in axes.split(",") if each.strip())
        for name in re.findall(r"`([^`]*)`", names) or ["()(x)"]:
            entry, _, rest = name.rpartition("(")
            parameter = re.match(r"\w+", rest)
            if parameter and entry:
                found[f"{entry}.{parameter[0]}"] = shape
            elif name.isidentifier():
                found[name] = shape
    return found


def parse(declared: Mapping[str, str], brief: str, where: str) -> Domain:
    """Return the domain that a brief declares. DrillError where a line of it cannot be read."""
    axes = {AXES, *(axis for shape in shapes_in(brief).values() for axis in shape)}
    spans: dict[str, Span] = {}
    forms: dict[str, tuple[str, ...]] = {}
    dtypes: tuple[str, ...] = FLOATS
    for names, said in declared.items():
        if names == DTYPE:
            dtypes = tuple(said.split(" or "))
        elif said.startswith("may be "):
            words = tuple(said.removeprefix("may be ").split(" or "))
            _refuse_unknown(words, (*FORMS, "int32"), names, where)
            forms |= dict.fromkeys(_names(names), words)
        else:
            span = _span(said, names, where)
            spans |= {name: replace(span, is_size=name in axes) for name in _names(names)}
    if not spans:
        raise DrillError("the domain has no range", where=where, advice="Write n: LOW to HIGH.")
    for span in spans.values():
        step = span.step if isinstance(span.step, str) else ""
        _refuse_unknown(filter(None, (span.most, step)), spans, "domain", where)
    return Domain(dict(declared), spans, forms, dtypes)


def _names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def _span(said: str, name: str, where: str) -> Span:
    first, *rest = said.split(", ")
    found = _RANGE.fullmatch(first)
    if found is None:
        raise DrillError(
            f"the domain of {name} is {said!r}", where=where, advice="Write LOW to HIGH."
        )
    whole = "." not in first and "e" not in first
    low, high = ((int if whole else float)(each) for each in found.groups())
    clauses: dict[str, str] = {}
    for clause in rest:
        known = _CLAUSE.fullmatch(clause)
        if known is None:
            raise DrillError(f"the domain of {name} has {clause!r}", where=where)
        clauses |= {kind: said for kind, said in known.groupdict().items() if said}
    return Span(
        low,
        high,
        clauses.get("most", ""),
        2 if "even" in clauses else clauses.get("step", 1),
        float(clauses.get("often", math.inf)),
        "in_half" in clauses,
    )


def _refuse_unknown(names: Iterable[str], known: Iterable[str], of: str, where: str) -> None:
    for name in names:
        if name not in known:
            message = f"the domain of {of} names {name!r}"
            raise DrillError(message, where=where, advice=f"Known are {', '.join(known)}.")


def _batch(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """`numbers` with a number of axes in front as the extents of these axes."""
    settings = dict(numbers)
    axes = settings.pop(AXES, None)
    if axes is not None:
        settings["batch"] = tuple((2, 1, 3, 1, 2)[:axes])
    return settings


def _called(name: str) -> str:
    """A name as text: those of the code in its form."""
    if name == AXES:
        return "axes in front"
    return f"`{name}`" if name.isidentifier() and name != DTYPE else name


def _grouped(said: str) -> str:
    return re.sub(r"\b\d{4,}\b", lambda number: f"{int(number[0]):,}", said)
