"""Everything as JSON Lines: one object a line, readable, complete. Pure.

The format is described in docs/exchange-format.md. The first line says what the file is and by
which schema; every other line is one thing, whose fields are those of its class in `holdings`.
Nothing is guessed: a line that is not exactly right is refused with its number.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime
from enum import IntEnum
from typing import (
    Annotated,
    Any,
    Final,
    NoReturn,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from studyattn.errors import DocumentError
from studyattn.exchange.merge.snapshot import (
    AttemptRecord,
    BroughtBackRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    OneOf,
    PracticeStepRecord,
    SettingRecord,
    Snapshot,
    SourceRecord,
    Within,
    WordingRecord,
)
from studyattn.memory import LoggedReview

SCHEMA: Final = 1
FORMAT: Final = "studyattn"
LONGEST_LINE: Final = 64 * 1024 * 1024
"""Bytes. A line holds one thing; the longest is a source with its whole text."""
_LARGEST_NUMBER: Final = 2**63

_KINDS: Final[Mapping[str, tuple[str, type[Any]]]] = {
    "source": ("sources", SourceRecord),
    "concept": ("concepts", ConceptRecord),
    "change": ("changes", ConceptChangeRecord),
    "item": ("items", ItemRecord),
    "note": ("notes", NoteRecord),
    "wording": ("wordings", WordingRecord),
    "review": ("reviews", LoggedReview),
    "attempt": ("attempts", AttemptRecord),
    "step": ("steps", PracticeStepRecord),
    "brought-back": ("brought_back", BroughtBackRecord),
    "setting": ("settings", SettingRecord),
}


def is_everything(first_line: str) -> bool:
    """Whether a file with this first line is one of ours, of whatever schema."""
    try:
        head = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("type") == FORMAT


def write_lines(snapshot: Snapshot) -> Iterator[str]:
    """The lines, without their ends. The same holdings give the same lines."""
    yield json.dumps({"type": FORMAT, "schema": SCHEMA})
    ordered = snapshot.ordered()
    for kind, (name, _) in _KINDS.items():
        for thing in getattr(ordered, name):
            yield json.dumps({"type": kind, **_encode(thing)}, ensure_ascii=False)


def read_lines(lines: Iterable[bytes], name: str) -> Snapshot:
    """What the lines hold; `name` stands in messages.

    Raises DocumentError, with `name:line`, for a newer schema and for whatever does not fit.
    """
    found: dict[str, list[Any]] = {field: [] for field, _ in _KINDS.values()}
    named: set[tuple[str, str]] = set()
    numbered = enumerate(lines, start=1)
    _check_head(next(numbered, (1, b""))[1], f"{name}:1")
    for number, raw in numbered:
        if not raw.strip():
            continue
        where = f"{name}:{number}"
        told = _object(raw, where)
        kind = told.pop("type", None)
        if kind not in _KINDS:
            _refuse(f"there is no kind of line {kind!r}", where)
        field, record = _KINDS[kind]
        thing = _decode(record, told, kind, where)
        _check_once(kind, thing, named, where)
        found[field].append(thing)
    return Snapshot(**{field: tuple(things) for field, things in found.items()}).ordered()


def _check_head(raw: bytes, where: str) -> None:
    head = _object(raw, where)
    schema = head.get("schema")
    if head.get("type") != FORMAT or not isinstance(schema, int) or isinstance(schema, bool):
        _refuse('the first line is not {"type": "studyattn", "schema": …}', where)
    if schema > SCHEMA:
        raise DocumentError(
            f"it has schema {schema}; this studyattn reads up to {SCHEMA}",
            where=where,
            advice="Use a newer studyattn",
        )


def _check_once(kind: str, thing: Any, named: set[tuple[str, str]], where: str) -> None:
    """Things that have a name come once; a rating and a withdrawal are not both."""
    if kind in {"change", "wording"}:
        return
    keys = ("uuid", "guid", "slug", "key")
    name = next(getattr(thing, key) for key in keys if hasattr(thing, key))
    if (kind, name) in named:
        _refuse(f"there are two of {kind} {name!r}", where)
    named.add((kind, name))
    if isinstance(thing, LoggedReview) and (thing.rating is None) == (thing.withdraws is None):
        _refuse("a review either rates or withdraws", where)
    if isinstance(thing, ItemRecord) and (thing.card is None) != (thing.kind == "drill"):
        _refuse("a card has a text, and a drill has none", where)


def _object(raw: bytes, where: str) -> dict[str, Any]:
    if len(raw) > LONGEST_LINE:
        _refuse("the line is too long", where)
    try:
        told = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        _refuse("the line is not UTF-8", where)
    except (ValueError, RecursionError):
        _refuse("the line is not JSON", where)
    if not isinstance(told, dict):
        _refuse("the line is no JSON object", where)
    return cast(dict[str, Any], told)


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _refuse(problem: str, where: str) -> NoReturn:
    raise DocumentError(problem, where=where, advice="See docs/exchange-format.md")


# -- values ----------------------------------------------------------------------------------------


def _encode(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, tuple):
        return [_encode(each) for each in value]
    return value


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands, for messages."""

    field: str
    where: str

    def refuse(self, wanted: str) -> NoReturn:
        _refuse(f"{self.field} is not {wanted}", self.where)


def _decode(record: type[Any], told: Any, named: str, where: str) -> Any:
    """A dataclass from an object that has exactly its fields."""
    if not isinstance(told, dict):
        _refuse(f"{named} is no object", where)
    hints = _hints(record)
    missing = sorted(set(hints) - set(told))
    if missing:
        _refuse(f"{named} lacks {missing[0]!r}", where)
    unknown = sorted(set(told) - set(hints))
    if unknown:
        _refuse(f"{named} has an unknown field {unknown[0]!r}", where)
    values = {
        key: _value(hint, told[key], _Place(f"{named}.{key}", where)) for key, hint in hints.items()
    }
    return record(**values)


def _hints(record: type[Any]) -> Mapping[str, Any]:
    """The fields of a dataclass with their types; worked out once, for there are many lines."""
    if record not in _KNOWN_HINTS:
        _KNOWN_HINTS[record] = get_type_hints(record, include_extras=True)
    return _KNOWN_HINTS[record]


_KNOWN_HINTS: Final[dict[type[Any], Mapping[str, Any]]] = {}


def _value(hint: Any, told: Any, place: _Place) -> Any:
    """The value that `told` says for a field of this type."""
    origin = get_origin(hint)
    if origin is Annotated:
        base, bound = get_args(hint)[:2]
        return _bounded(bound, _value(base, told, place), place)
    if origin in {Union, types.UnionType}:
        inner = next(each for each in get_args(hint) if each is not type(None))
        return None if told is None else _value(inner, told, place)
    if origin is tuple:
        if not isinstance(told, list):
            place.refuse("a list")
        return tuple(_value(get_args(hint)[0], each, place) for each in told)
    if is_dataclass(hint):
        return _decode(cast(type[Any], hint), told, place.field, place.where)
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        names = {each.name.lower(): each for each in hint}
        if not isinstance(told, str) or told not in names:
            place.refuse(f"one of {', '.join(names)}")
        return names[told]
    return _plain(hint, told, place)


def _plain(hint: Any, told: Any, place: _Place) -> Any:
    readers: Mapping[Any, Callable[[Any, _Place], Any]] = {
        str: _text,
        bool: _truth,
        int: _whole,
        float: _number,
        datetime: _instant,
        date: _day,
        Any: _json,
    }
    if get_origin(hint) is not None:  # a mapping, whose values are free
        if not isinstance(told, dict):
            place.refuse("an object")
        return _json(told, place)
    return readers[hint](told, place)


def _bounded(bound: Any, value: Any, place: _Place) -> Any:
    if isinstance(bound, OneOf) and value not in bound.choices:
        place.refuse(f"one of {', '.join(bound.choices)}")
    if isinstance(bound, Within) and not bound.least <= value <= bound.most:
        place.refuse(f"between {bound.least:g} and {bound.most:g}")
    return value


def _text(told: Any, place: _Place) -> str:
    if not isinstance(told, str):
        place.refuse("a text")
    try:
        told.encode()
    except UnicodeEncodeError:
        place.refuse("whole characters")
    return told


def _truth(told: Any, place: _Place) -> bool:
    if not isinstance(told, bool):
        place.refuse("true or false")
    return told


def _whole(told: Any, place: _Place) -> int:
    if not isinstance(told, int) or isinstance(told, bool) or abs(told) >= _LARGEST_NUMBER:
        place.refuse("a whole number")
    return told


def _number(told: Any, place: _Place) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float) or not math.isfinite(told):
        place.refuse("a number")
    return float(told)


def _instant(told: Any, place: _Place) -> datetime:
    try:
        at = datetime.fromisoformat(_text(told, place))
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or not 1970 <= at.year <= 9000:
        place.refuse("a time with its offset, from 1970 to 9000")
    return at.astimezone(UTC)


def _day(told: Any, place: _Place) -> date:
    try:
        return date.fromisoformat(_text(told, place))
    except ValueError:
        place.refuse("a day")


def _json(told: Any, place: _Place) -> Any:
    """Any JSON value, with texts that can be stored."""
    if isinstance(told, str):
        return _text(told, place)
    if isinstance(told, dict):
        return {_text(key, place): _json(each, place) for key, each in told.items()}
    if isinstance(told, list):
        return [_json(each, place) for each in told]
    if isinstance(told, float):
        return _number(told, place)
    return told
