"""Reviewing: the queue of a day, a session, recording answers, what a card shows."""

from typing import TYPE_CHECKING

from studyattn.lazy import lazy_modules

__all__ = ["batch", "browse", "queue", "rebuild", "recorder", "redate"]

if TYPE_CHECKING:
    from studyattn.study.review import batch, browse, queue, rebuild, recorder, redate
else:
    __getattr__ = lazy_modules(__name__, __all__)
