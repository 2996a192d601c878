"""The items that a session has still to ask, in order.

Which item comes next is decided by the session.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable

from studyattn.study.review.views import QueuePart


class ItemQueue:
    """Guids in the order in which they are asked, counted by part.

    The counts are kept rather than taken, as they are read after every answer and a queue may hold
    ten thousand items.
    """

    def __init__(self, items: Iterable[tuple[str, QueuePart]]) -> None:
        self._parts = OrderedDict(items)
        self.left = Counter(self._parts.values())

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, guid: str) -> bool:
        return guid in self._parts

    @property
    def first(self) -> str | None:
        """The item that is asked next; None in an empty queue."""
        return next(iter(self._parts), None)

    def put_first(self, guid: str, part: QueuePart) -> None:
        """Ask this item before all others. It may not be in the queue yet."""
        self._parts[guid] = part
        self._parts.move_to_end(guid, last=False)
        self.left[part] += 1

    def take_first(self) -> str:
        """Remove and return the item that is asked next. Raises KeyError for an empty queue."""
        guid, part = self._parts.popitem(last=False)
        self.left[part] -= 1
        return guid

    def discard(self, guid: str) -> None:
        """Remove an item, if it is there."""
        part = self._parts.pop(guid, None)
        if part is not None:
            self.left[part] -= 1
