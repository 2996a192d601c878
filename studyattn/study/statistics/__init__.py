"""Figures about studying: today, totals, pages of figures, a newcomer's simulated workload."""

from typing import TYPE_CHECKING

from studyattn.lazy import lazy_modules

__all__ = ["ahead", "day", "newcomer", "pages", "planned", "today", "totals"]

if TYPE_CHECKING:
    from studyattn.study.statistics import ahead, day, newcomer, pages, planned, today, totals
else:
    __getattr__ = lazy_modules(__name__, __all__)
