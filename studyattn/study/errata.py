"""What sources get wrong about a concept, as the installed packs know it."""

from __future__ import annotations

from studyattn.packs.errata import installed_errata
from studyattn.packs.model import Erratum
from studyattn.study.learner import Learner


def errata_on(learner: Learner, slug: str) -> tuple[Erratum, ...]:
    """The errata about the concept `slug`, in the packs' order."""
    return tuple(each for each in installed_errata(learner.home) if each.concept == slug)
