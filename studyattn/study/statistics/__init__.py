"""Figures about studying: today, totals, and the simulated workload of a newcomer."""

from typing import TYPE_CHECKING

from studyattn.lazy import lazy_modules

__all__ = ["newcomer", "today", "totals"]

if TYPE_CHECKING:
    from studyattn.study.statistics import newcomer, today, totals
else:
    __getattr__ = lazy_modules(__name__, __all__)
