"""Reviewing: the queue of a day, a session, recording answers, what a card shows."""

from studyattn.lazy import lazy_modules

TYPE_CHECKING = False  # as type checkers know it, without importing typing for `due --count`
__all__ = [
    "backlog",
    "batch",
    "browse",
    "card_list",
    "due_count",
    "more",
    "queue",
    "rebuild",
    "recorder",
    "redate",
]

if TYPE_CHECKING:
    from studyattn.study.review import (
        backlog,
        batch,
        browse,
        card_list,
        due_count,
        more,
        queue,
        rebuild,
        recorder,
        redate,
    )
else:
    __getattr__ = lazy_modules(__name__, __all__)
