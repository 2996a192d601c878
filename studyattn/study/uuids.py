"""UUIDs that sort in the order in which they were made (version 7 of RFC 9562).

Two reviews of one item may carry the same instant: a history kept by days, say. The log orders
them by UUID, so a UUID has to remember which of them came first.
"""

from __future__ import annotations

import os
from datetime import datetime
from itertools import count
from threading import Lock
from uuid import UUID

_COUNTER_BITS = 32  # after the millisecond; reviews of one batch share that millisecond


class OrderedUuids:
    """Makes UUIDs that only ever grow, also when the clock is set back while the program runs."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._millisecond = 0
        self._count = count()

    def next(self, now: datetime) -> str:
        """The next UUID, made at `now` (aware)."""
        millisecond = int(now.timestamp() * 1000)
        with self._lock:
            if millisecond > self._millisecond:
                self._millisecond = millisecond
                self._count = count()
            counter = next(self._count)
            millisecond = self._millisecond
        random = int.from_bytes(os.urandom(8)) >> _COUNTER_BITS - 10  # 42 bits
        tail = (counter % (1 << _COUNTER_BITS)) << (74 - _COUNTER_BITS) | random  # 74 bits
        value = (
            (millisecond & (1 << 48) - 1) << 80
            | 7 << 76
            | (tail >> 62) << 64
            | 0b10 << 62
            | tail & (1 << 62) - 1
        )
        return str(UUID(int=value))


new_uuid = OrderedUuids().next
