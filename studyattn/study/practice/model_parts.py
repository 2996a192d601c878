"""The parts that a model is made of, and whose they are.

A part is the learner's passed code in torch; what has not passed is lent by the pack. A mistake
takes the place of some of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from studyattn.lm.parts import ATTENTION, BLOCK, LLAMA, Kind
from studyattn.study.practice.mine import MyPackage, lent_package, my_package
from studyattn.study.practice.model_mistakes import OF_LLAMA, ModelMistake, find_mistake

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.study.profile import Profile

MINE: Final = "mine"
REFERENCE: Final = "reference"

WHOSE: Final = {
    "yours": "yours",
    "lent": "from the pack until you pass its drill",
    "torch": "of torch",
}
"""Words for the origins of parts that are the learner's or could be."""


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A part of a model and where it comes from: `yours`, `lent`, `torch` or `mistaken`."""

    entry: str
    drill: str | None
    origin: str
    passed_on: date | None = None


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The parts to run: the learner's package in torch with what is lent, or the reference's.

    Attributes:
        package: where their code is.
        right: the parts without the mistake.
        mistake: what takes the place of some of them.
    """

    package: MyPackage
    right: tuple[ModelPart, ...]
    mistake: ModelMistake | None = None

    def making(self, mistake: ModelMistake | None) -> OwnParts:
        """Return them with a mistake, or with none."""
        return OwnParts(self.package, self.right, mistake)

    @property
    def parts(self) -> tuple[ModelPart, ...]:
        """All parts. With a mistaken attention, the program puts the blocks together."""
        if self.mistake is None:
            return self.right
        origins = dict.fromkeys(self.mistake.parts, "mistaken")
        if ATTENTION in origins:
            origins[BLOCK] = "torch"
        return tuple(
            ModelPart(part.entry, part.drill, origins[part.entry])
            if part.entry in origins
            else part
            for part in self.right
        )

    @property
    def wrong(self) -> str | None:
        """The id of the mistake."""
        return None if self.mistake is None else self.mistake.id

    @property
    def title(self) -> str:
        """The mistake as a sentence, or nothing."""
        return "" if self.mistake is None else self.mistake.title


def own_parts(profile: Profile, kind: Kind) -> OwnParts:
    """Return the parts of a kind of model as they are now, with those that no drill asks for.

    What has not passed is lent, unless it is made of other parts: then the program does it.
    """
    package = my_package(profile, "torch", lend=kind.drills.values())
    modules = {module.drill: module for module in package.modules}
    parts = []
    for entry, drill in kind.all_drills.items():
        passed_on = modules[drill].passed_on if drill in modules else None
        lent = "torch" if entry in kind.composed else "lent"
        parts.append(ModelPart(entry, drill, "yours" if passed_on else lent, passed_on))
    return OwnParts(package, (*parts, *(ModelPart(entry, None, "torch") for entry in kind.plain)))


def wanted_parts(profile: Profile, name: str) -> OwnParts:
    """Return the parts of a real model: `mine`, `reference` or the id of a misconception.

    Raises NotFoundError if no model can make that mistake.
    """
    if name == MINE:
        return own_parts(profile, LLAMA)
    return lent_parts(profile.home, name)


def lent_parts(home: Home, name: str = REFERENCE) -> OwnParts:
    """Return the parts of the reference, with a mistake if `name` is the id of one."""
    parts = tuple(ModelPart(entry, drill, "lent") for entry, drill in LLAMA.drills.items())
    mistake = None if name == REFERENCE else find_mistake(home, name, OF_LLAMA)
    return OwnParts(lent_package(home, LLAMA.drills.values()), parts, mistake)


def whose(parts: Iterable[ModelPart], words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the word of each origin, and its parts, if it has any."""
    known = tuple(parts)
    for origin, word in words.items():
        named = [part.entry for part in known if part.origin == origin]
        if named:
            yield word, ", ".join(named)


def summary(parts: Sequence[ModelPart]) -> str:
    """Return how many of the parts are whose: `2 parts yours, 8 of torch`."""
    words = {"yours": "yours", "lent": "lent", "mistaken": "with the mistake", "torch": "of torch"}
    counts = {word: sum(part.origin == origin for part in parts) for origin, word in words.items()}
    first, *rest = ((number, word) for word, number in counts.items() if number)
    begun = f"{first[0]} part{'' if first[0] == 1 else 's'} {first[1]}"
    return ", ".join([begun, *(f"{number} {word}" for number, word in rest)])
