"""The learner's own texts: notes with versions and links, sources, own cards, search."""

from typing import TYPE_CHECKING

from studyattn.lazy import lazy_modules

__all__ = [
    "edit_session",
    "note_links",
    "notes",
    "own_cards",
    "search",
]

if TYPE_CHECKING:
    from studyattn.study.notes import edit_session, note_links, notes, own_cards, search
else:
    __getattr__ = lazy_modules(__name__, __all__)
