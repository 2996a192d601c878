"""The declaration of a drill: its reference, its cases, its misconceptions, its limits of cost.

A pack's `drills/<id>/checks.py` makes one `Drill` and calls it `drill`. The reference and its steps
belong to the pack: the grader knows no subject. Nothing is run here; `judge` draws the cases, has
them carried out and compares.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from studyattn.errors import DrillError
from studyattn.grading.call_plan import Argument, Call, Usage
from studyattn.grading.case import EXPANDABLE, Case, Draw, case, given, with_values
from studyattn.grading.domain import Domain
from studyattn.grading.misconception import Change, Misconception, Sign, change_of
from studyattn.grading.pack_errors import declared_at, naming_the_pack
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Space
from studyattn.grading.steps import DrillStep

__all__ = [
    "EXPANDABLE",
    "NO_CHANGE",
    "Asked",
    "Case",
    "Contrast",
    "Draw",
    "Drill",
    "Growth",
    "Limit",
    "Measured",
    "Variant",
    "arguments",
    "case",
    "given",
    "with_values",
]

Measured = Sequence[tuple[Mapping[str, Any], Usage]]
"""The sizes of each costed case, smallest first, with what its call used."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a call in the costed cases, which differ in size.

    Args:
        misconception: what it means to use more.
        flops: the most floating-point operations, given a case's sizes.
        largest_array: the most elements of one array, given a case's sizes.
        largest_product: the most elements of what one product of matrices makes, given them.
        most_held: the most bytes that it holds at a time, given them, in whatever form;
            None where it need not be followed, which takes most of such a call's time.
        kept: the most bytes that are still there after all calls, in whatever form, given them.
        kept_for: what these are kept for, such as "token", and how many there are, given them.
        grows_with: the size n with which cost grows, given a case's sizes.
        exponent: the most that operations may grow by from the smallest costed case to the
            largest, as a power of n. Code that is cheap where it is measured may not stay so.
        claim: whether what the misconception says was seen in the measurements; where it was not,
            the submission costs too much for another reason, which is not named.
    """

    misconception: Misconception
    flops: Callable[[Mapping[str, Any]], int] | None = None
    largest_array: Callable[[Mapping[str, Any]], int] | None = None
    largest_product: Callable[[Mapping[str, Any]], int] | None = None
    most_held: Callable[[Mapping[str, Any]], int | None] | None = None
    kept: Callable[[Mapping[str, Any]], int] | None = None
    kept_for: tuple[str, Callable[[Mapping[str, Any]], int]] | None = None
    grows_with: Callable[[Mapping[str, Any]], int] | None = None
    exponent: float = 1.7
    claim: Callable[[Measured], bool] | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """Another way to the answer, at another cost, to be measured beside the usual one.

    It is `contrast.py` in the drill's folder (`contrast_numpy.py` where the lines differ), or the
    solution of another `drill` of the pack that can grow too.
    """

    title: str
    drill: str | None = None


@dataclass(frozen=True, slots=True)
class Growth:
    """The inputs as a function of n, which show how the cost of the last call grows.

    Args:
        counts: what n counts, "tokens".
        sizes: the sizes for `ask` at n, alike but for n.
        contrasts: what is measured beside a right submission.
        at: the values of n, each by the same factor larger than the one before.
    """

    counts: str
    sizes: Callable[[int], Mapping[str, Any]]
    contrasts: tuple[Contrast, ...] = ()
    at: tuple[int, ...] = (64, 128, 256, 512, 1024, 2048)


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of the reference whose answers pass too, with a remark.

    Args:
        ways: each what differs in the reference, by name; a question may be answered in any of
            these ways.
        remark: sentences to the learner: what the code does, and what to write instead.
    """

    ways: tuple[Change, ...]
    remark: str


Asked = Call | Sequence[Call]

Steps = Any
"""What the functions of a reference share, such that one of them can be exchanged for another.

A frozen dataclass whose fields are functions; only its pack knows which.
"""

NO_CHANGE: Change = MappingProxyType({})


@dataclass(frozen=True)
class Drill:
    """One exercise.

    Args:
        reference: each entry's name and the reference's function or class for it.
        steps: what the reference's functions share and take as the argument `steps`, if they do.
            Misconceptions and variants change these steps by name, or entries as a whole.
        exponents: the step whose results are exponentiated, if there is one: e^s loses as many
            digits as s has before its point.
        ask: draws one question: the calls to make, given a `Draw` and a case's sizes.
        cases: under which conditions it is asked, beside those of `spaces`.
        small: sizes that fit on a screen, smallest first; a counterexample has one of them.
            They may set fields of `Case` too, such as the dtype.
        misconceptions: those that can be made here, the likeliest first.
        spaces: the conditions that it admits; cases that cover them are made.
        probes: conditions, beside those that follow from the brief, that some case must have.
        unasked: those that follow from the brief and are not asked, with the reason; `*` in a name
            is any text.
        variants: other forms of the reference that are accepted.
        axes: what the last axes of an answer count, `("query", "value")`.
        parts: names of the parts where an answer is a tuple.
        limit: of cost, judged in the costed cases.
        growth: how the question grows, where its cost is worth a look.
        slack: times the usual tolerance, where usual formulas cancel digits.
        exact_zeros: answers are shares of a whole: an entry whose right value is exactly 0 must be
            0, and small shares are held to as many digits as large ones.
        views: what is returned may lie in the memory of an input.
        told_as: what the brief calls a size that `ask` has another name for; empty where the brief
            has none, so that no fact about it is told.
        forbidden: functions that do the exercise by themselves, by name.
        backends: the array libraries in which it can be done.
        domain: what the brief says that inputs may be, from which further cases are made.
        rounded: the step that makes numbers of whole numbers, such as the speeds of positions, if
            there is one: each but 1 is rounded, to float32 at best.
        in_steps: what the brief says that it may be written in, one after the other.
        folder: where its brief and its solutions are.
        place: the `file:line` that declares it, found when it is made.

    DrillError when the reference and what changes it do not fit together.
    """

    id: str
    reference: Mapping[str, Callable[..., Any]]
    ask: Callable[..., Asked]
    small: tuple[Mapping[str, Any], ...]
    misconceptions: tuple[Misconception, ...]
    axes: tuple[str, ...]
    cases: tuple[Case, ...] = ()
    spaces: tuple[Space, ...] = ()
    probes: tuple[Probe, ...] = ()
    unasked: Mapping[str, str] = field(default_factory=dict)
    steps: Steps = None
    exponents: str | None = None
    variants: tuple[Variant, ...] = ()
    parts: tuple[str, ...] = ()
    limit: Limit | None = None
    growth: Growth | None = None
    slack: float = 1.0
    exact_zeros: bool = False
    rounded: str | None = None
    views: bool = False
    told_as: Mapping[str, str] = field(default_factory=dict)
    forbidden: tuple[str, ...] = ()
    backends: tuple[str, ...] = ("torch", "numpy")
    domain: Domain | None = field(default=None, kw_only=True)
    in_steps: tuple[DrillStep, ...] = field(default=(), kw_only=True)
    folder: Path = field(default=Path(), kw_only=True)
    place: str = field(default="", kw_only=True, compare=False, repr=False)
    asked: tuple[Case, ...] = field(init=False, repr=False)
    """All cases that do not change from attempt to attempt: those of the spaces first."""
    drawn_once: dict[tuple[str, str], Any] = field(default_factory=dict, init=False, repr=False)
    """The questions that every attempt is asked, by case and array library."""

    def __post_init__(self) -> None:
        if not self.place:
            object.__setattr__(self, "place", declared_at())
        self._check_types()
        made = [
            case(name, **settings)
            for space in self.spaces
            for name, settings in space.conditions.items()
        ]
        object.__setattr__(self, "asked", (*made, *self.cases, *self.corners()))
        self._check_reference()
        for misconception in self.misconceptions:
            self._check_misconception(misconception)
        for variant in self.variants:
            for way in variant.ways:
                self._check_names("a variant", way, self.place)

    def corners(self, *, deep: bool = False) -> list[Case]:
        """Return the cases at the ends of what the brief allows, or of what a deep pass asks."""
        if self.domain is None:
            return []
        parameters = inspect.signature(self.ask).parameters
        varies = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        for name in () if varies else self._as_asked(dict.fromkeys(self.domain.asked_as)):
            if name not in parameters:
                message = f"the brief of {self.id!r} has a domain for {name!r}"
                self._refuse(message, "Let `ask` take it.")
        return self._cases(self.domain.corners(self.usual, deep=deep), once=True)

    def _cases(self, found: Iterable[tuple[str, Mapping[str, Any]]], **given: Any) -> list[Case]:
        return [case(name, **given, **self._as_asked(settings)) for name, settings in found]

    def _as_asked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """`settings` by the names of `ask` where the brief has others."""
        names = {told: name for name, told in self.told_as.items() if told}
        return {names.get(name, name): value for name, value in settings.items()}

    @functools.cached_property
    def usual(self) -> Mapping[str, Any]:
        """Settings in which nothing is unusual, by the names of the brief."""
        return self._as_told(self.spaces[0].usual if self.spaces else self.small[-1])

    def _as_told(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """`settings` by the names of the brief, without gradients, which take too long."""
        told = {self.told_as.get(name) or name: value for name, value in settings.items()}
        return {name: value for name, value in told.items() if not name.startswith("gradients")}

    def around(self, numbers: Iterable[float]) -> list[Case]:
        """Return cases at and beside these numbers, as far as the brief allows them."""
        if self.domain is None:
            return []
        return self._cases(self.domain.around(numbers, self.usual))

    def case_anywhere(
        self, generator: np.random.Generator, *, deep: bool = False, near: Case | None = None
    ) -> Case:
        """Draw a case from all that the brief allows; with `near`, one that differs little."""
        if self.domain is None:
            raise LookupError(f"the brief of {self.id!r} declares no domain")
        met = self.usual
        if near is not None:
            fields = {entry.name: getattr(near, entry.name) for entry in dataclasses.fields(near)}
            del fields["name"], fields["sizes"]
            met = {**fields, **self._as_told(near.sizes)}
        elif self.spaces:
            met = self._as_told(self.spaces[0].anywhere(generator))
        name, settings = self.domain.drawn(generator, self.usual, met, deep=deep)
        return case(name, **self._as_asked(settings))

    @property
    def entries(self) -> tuple[str, ...]:
        """The names that a submission must define."""
        return tuple(self.reference)

    def parameters(self, call: Call) -> list[str]:
        """Return the names of the arguments of an entry, or of a method of the drill's class."""
        if call.on is None:
            function = self.reference[call.function]
        else:
            method = "__call__" if call.function == "()" else call.function
            function = getattr(next(iter(self.reference.values())), method)
        names = inspect.signature(function).parameters
        return [name for name in names if name not in {"self", "steps"}]

    def named_arguments(self, call: Call) -> list[tuple[str, Argument]]:
        """Return the arguments of `call` with those names."""
        return [*zip(self.parameters(call), call.args, strict=False), *call.kwargs.items()]

    def functions(self, change: Change = NO_CHANGE) -> dict[str, Callable[..., Any]]:
        """Return what a submission defines, done by the reference with this change."""
        entries = {name: change.get(name, whole) for name, whole in self.reference.items()}
        if self.steps is None:
            return entries
        exchanged = {name: step for name, step in change.items() if name not in self.reference}
        steps = dataclasses.replace(self.steps, **exchanged)
        return {
            name: functools.partial(whole, steps=steps) if _takes_steps(whole) else whole
            for name, whole in entries.items()
        }

    @property
    def step_names(self) -> frozenset[str]:
        """The names of the reference's steps; none where its functions share none."""
        if self.steps is None:
            return frozenset()
        return frozenset(entry.name for entry in dataclasses.fields(self.steps))

    def misconception_of(self, sign: Sign) -> Misconception | None:
        """The misconception that is known by this sign, if the drill has one."""
        return next((each for each in self.misconceptions if each.sign is sign), None)

    # ── whether the reference and what changes it fit together ──────────────────────────────────

    def _check_types(self) -> None:
        """Refuse what pack authors mistype, whose own errors would name no part of the drill."""
        parts: Sequence[tuple[str, Sequence[object], type]] = (
            ("cases", self.cases, Case),
            ("misconceptions", self.misconceptions, Misconception),
        )
        for name, declared, kind in parts:
            for each in declared:
                if not isinstance(each, kind):
                    self._refuse(f"one of the {name} is {each!r:.60}, not a {kind.__name__}")
        reference: object = self.reference
        if not isinstance(reference, Mapping):
            self._refuse(f"the reference is {reference!r:.60}, not a mapping of names to functions")
        for misconception in self.misconceptions:
            ways: Sequence[object] = misconception.ways
            for way in ways:
                if not isinstance(way, Mapping) and not callable(way):
                    message = f"a way of {misconception.id!r} is {way!r:.60}, not a mapping"
                    advice = "Write ways=({name: function},), with its comma."
                    self._refuse(message, advice, misconception.place)

    def _check_reference(self) -> None:
        if not self.reference:
            self._refuse(f"the drill {self.id!r} has no reference")
        if not self.asked:
            self._refuse(f"the drill {self.id!r} has no cases")
        declared: Mapping[str, object] = self.reference
        for name, whole in declared.items():
            if not callable(whole):
                message = f"the reference of {name!r} is {whole!r:.60}, not a function or a class"
                self._refuse(message)
        self._check_steps()

    def _check_steps(self) -> None:
        if self.steps is not None:
            if not dataclasses.is_dataclass(self.steps) or isinstance(self.steps, type):
                self._refuse(f"steps are a frozen dataclass of functions, not {self.steps!r:.60}")
            if not any(map(_takes_steps, self.reference.values())):
                names = " and ".join(self.reference)
                self._refuse(
                    f"the drill {self.id!r} has steps, but its reference does not take them",
                    f"Give {names} the keyword argument `steps`, or leave the steps out.",
                )
        for role in ("exponents", "rounded"):
            name = getattr(self, role)
            if name is not None and name not in self.step_names:
                self._refuse(f"`{role}` names {name!r}, which is not a step of the reference")

    def _check_misconception(self, misconception: Misconception) -> None:
        what = f"the misconception {misconception.id!r}"
        for way in misconception.ways:
            with naming_the_pack(misconception.place, f"{what} cannot be made"):
                change = change_of(way)
            self._check_names(what, change, misconception.place)

    def _check_names(self, what: str, change: Mapping[str, object], place: str) -> None:
        for name, replacement in change.items():
            if not callable(replacement):
                message = f"{what} replaces {name!r} with {replacement!r:.60}"
                self._refuse(message, "Put a function there.", place)
            if name in self.reference and name in self.step_names:
                message = f"{what} changes {name!r}, which is a step and an entry of {self.id!r}"
                self._refuse(message, "Rename the step.", place)
            if name not in self.reference and name not in self.step_names:
                known = "steps" if self.step_names else "no steps"
                self._refuse(
                    f"{what} changes {name!r}, which is neither a step nor an entry of"
                    f" {self.id!r}: it has {known} and the entries {', '.join(self.reference)}",
                    _nearest(name, self.step_names | set(self.reference)),
                    place,
                )

    def _refuse(self, message: str, advice: str = "", place: str = "") -> NoReturn:
        raise DrillError(message, where=place or self.place, advice=advice)


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"Did you mean {near[0]!r}?" if near else ""


@functools.lru_cache(maxsize=1024)
def _takes_steps(function: Callable[..., Any]) -> bool:
    try:
        return "steps" in inspect.signature(function).parameters
    except ValueError:  # a built-in function without a signature
        return False


def arguments(call: Call) -> tuple[Argument, ...]:
    """All arguments of a call, keyword arguments last: the order of its gradients."""
    return (*call.args, *call.kwargs.values())
