"""Concepts: the board, the page of one concept, suggestions and their evidence."""

from typing import TYPE_CHECKING

from studyattn.lazy import lazy_modules

__all__ = ["board", "concept_page", "explaining", "goals", "path", "placement", "suggestions"]

if TYPE_CHECKING:
    from studyattn.study.concepts import (
        board,
        concept_page,
        explaining,
        goals,
        path,
        placement,
        suggestions,
    )
else:
    __getattr__ = lazy_modules(__name__, __all__)
