"""The few bytes in which the review log keeps a UUID, an instant and a day.

A log has a million rows, and each is in three indexes besides. Bytes and numbers compare as what
they are kept for does, so statements order and compare them as they are. The other tables keep
text. Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Final, NamedTuple, TypeAlias

_UUID: Final = 16  # bytes
_OTHER: Final = bytes(_UUID + 1)
"""Begins what is not a UUID in its usual spelling, such as another program's name; so it has
another length."""
_NAME: Final = re.compile(rb"[\w-]*")

_BEGAN: Final = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_DAY: Final = _BEGAN.toordinal()
_MICROSECOND: Final = timedelta(microseconds=1)
_SECOND: Final = 1_000_000  # microseconds
_DAY: Final = 86_400 * _SECOND


def stored_uuid(uuid: str) -> bytes:
    """Return the 16 bytes of a UUID; of another name its text, marked as such."""
    if len(uuid) == 36 and uuid[8] == uuid[13] == uuid[18] == uuid[23] == "-":
        digits = uuid.replace("-", "")
        try:
            stored = bytes.fromhex(digits)
        except ValueError:
            stored = b""
        if len(stored) == _UUID and stored.hex() == digits:  # no capitals, which would be lost
            return stored
    return _OTHER + uuid.encode()


def read_uuid(stored: bytes) -> str:
    """Return the name that `stored_uuid` was given. Raises ValueError for other bytes."""
    if len(stored) == _UUID:
        digits = stored.hex()
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    if not stored.startswith(_OTHER):
        raise ValueError(f"{stored!r} is not a UUID")
    return stored[len(_OTHER) :].decode()


def stored_instant(at: datetime) -> int:
    """Return the microseconds since 1970 of an aware instant. Raises ValueError for a naive one."""
    if at.tzinfo is None:
        raise ValueError(f"{at!r} has no time zone: give a UTC offset")
    since = at - _BEGAN
    return since.days * _DAY + since.seconds * _SECOND + since.microseconds


def read_stored_instant(stored: int) -> datetime:
    """Return the instant, aware, in UTC."""
    return _BEGAN + stored * _MICROSECOND


def stored_day(day: date) -> int:
    """Return the number of a day; that of 1970-01-01 is 0."""
    return day.toordinal() - FIRST_DAY


@lru_cache(maxsize=4096)  # many reviews share a day
def read_stored_day(stored: int) -> date:
    """Return the day with this number."""
    return date.fromordinal(stored + FIRST_DAY)


class LogRow(NamedTuple):
    """A row of the log as it is stored, in which many move from a file or database to another."""

    uuid: bytes
    item_guid: str
    rating: int | None
    withdraws: bytes | None
    at: int
    utc_offset: int
    learner_day: int
    seconds: float
    origin: str


LogUuid: TypeAlias = Annotated[str, read_uuid]
LogInstant: TypeAlias = Annotated[datetime, read_stored_instant]
LogDay: TypeAlias = Annotated[date, read_stored_day]
"""What rows of the log that are read hold (`sql`)."""


# -- rows from before ------------------------------------------------------------------------------
# Up to the schema 0011 all three were text. Damaged files and backups may still have such rows.


def uuid_as_stored(value: object) -> bytes:
    """Return a UUID as it is stored now. Raises ValueError or TypeError for what is none."""
    if isinstance(value, str):
        return stored_uuid(value)
    if not isinstance(value, bytes):
        raise TypeError(f"{value!r} is not a UUID")
    # Text may come as bytes, too; no UUID that a program makes has sixteen letters and digits.
    if not value.startswith(_OTHER) and (len(value) != _UUID or _NAME.fullmatch(value)):
        value = stored_uuid(value.decode())
    read_uuid(value)
    return value


def instant_as_stored(value: object) -> int:
    """Return an instant as it is stored now. Raises ValueError or TypeError for what is none."""
    if isinstance(value, bytes | str):
        text = value.decode() if isinstance(value, bytes) else value
        return stored_instant(datetime.fromisoformat(text).replace(tzinfo=UTC))
    return _checked(read_stored_instant, value)


def day_as_stored(value: object) -> int:
    """Return a day as it is stored now. Raises ValueError or TypeError for what is none."""
    if isinstance(value, bytes | str):
        return stored_day(date.fromisoformat(value.decode() if isinstance(value, bytes) else value))
    return _checked(read_stored_day, value)


def _checked(read: Callable[[int], object], value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    try:
        read(value)
    except OverflowError as error:
        raise ValueError(str(error)) from error
    return value
