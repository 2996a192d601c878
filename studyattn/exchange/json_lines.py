"""Everything as JSON Lines: one object a line, readable, complete.

The format is described in docs/exchange-format.md. The first line names the format and its schema;
every other line is one record of `store.snapshot`, which declares its fields and their limits.
Nothing is guessed: a line that does not fit is refused with its number and the path of the value.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from sys import intern
from tempfile import TemporaryFile
from typing import Annotated, Any, Final, NoReturn, TypeVar, Union

import msgspec
from msgspec.structs import force_setattr, replace

from studyattn.errors import DocumentError
from studyattn.exchange.format import ExportInput, Incoming, Written
from studyattn.exchange.merge.decided import record_name
from studyattn.exchange.recognition import EVERYTHING
from studyattn.packs.card_kinds import KINDS
from studyattn.store.decisions import DECIDED
from studyattn.store.log_values import LogRow
from studyattn.store.queries.snapshot import log_row
from studyattn.store.snapshot import (
    LISTS,
    AttemptRecord,
    ConceptChangeRecord,
    DecisionRecord,
    ItemRecord,
    MemoryStartRecord,
    NoteRecord,
    PracticeStepRecord,
    Record,
    ReviewRecord,
    Snapshot,
    WordingRecord,
)
from studyattn.text.counting import count
from studyattn.text.media import PREFIX, named_media

SCHEMA: Final = 2
LONGEST_LINE: Final = 64 * 1024 * 1024
"""Bytes. A line is one record; the longest is a source with its whole text."""

_LISTS: Final[Mapping[type[Record], str]] = {each.record: name for name, each in LISTS.items()}
"""The list of a snapshot for each record, in the order of the file."""


class ExportHead(msgspec.Struct, frozen=True, tag_field="type", tag=EVERYTHING):
    """The first line. Later schemas may add fields to it."""

    schema: Annotated[int, msgspec.Meta(ge=0)]


HEAD: Final = json.dumps({"type": EVERYTHING, "schema": SCHEMA})
_HEAD: Final = msgspec.json.Decoder(ExportHead)
_LINE: Final[msgspec.json.Decoder[Record]] = msgspec.json.Decoder(Union[tuple(_LISTS)])  # noqa: UP007 - of as many as there are


LOGGED: Final = (
    ConceptChangeRecord,
    WordingRecord,
    ReviewRecord,
    AttemptRecord,
    PracticeStepRecord,
)
"""Records that are only added; the others can change under their name."""


def write_lines(snapshot: Snapshot) -> Iterator[str]:
    """Yield the lines, without their ends. The same snapshot gives the same lines."""
    yield HEAD
    yield from map(write_line, records(snapshot))


def records(snapshot: Snapshot, log: Iterable[ReviewRecord] = ()) -> Iterator[Record]:
    """Yield all records in the order of a file: what others name comes first.

    `log` are the reviews, by time, if the snapshot has none.
    """
    ordered = snapshot.ordered()
    for kind, name in _LISTS.items():
        yield from getattr(ordered, name)
        if kind is ReviewRecord:
            yield from log


def write_line(record: Record) -> str:
    """Return the line of a record, without its end."""
    fields = msgspec.to_builtins(record, builtin_types=(datetime, date))
    return json.dumps(fields, ensure_ascii=False, default=_iso)


def _iso(at: datetime | date) -> str:
    return (at.astimezone(UTC) if isinstance(at, datetime) else at).isoformat()


def read_lines(
    lines: Iterable[bytes],
    name: str,
    *,
    repeated: bool = False,
    take_review: Callable[[ReviewRecord, str], object] | None = None,
) -> Snapshot:
    """Read the records of a file called `name`; of `repeated` ones the last holds.

    With `take_review` that gets each review, with its `name:line`, and the snapshot has none.
    Raises DocumentError, with `name:line`, for a newer schema and for whatever does not fit.
    """
    found: defaultdict[str, dict[object, Record]] = defaultdict(dict)
    for number, record in _numbered(lines, name):
        if take_review is not None and isinstance(record, ReviewRecord):
            take_review(record, f"{name}:{number}")
            continue
        records_there = found[_LISTS[type(record)]]
        key = record_name(record) or (record if repeated else number)
        if key in records_there and not repeated:
            _refuse_two(record, f"{name}:{number}")
        records_there[key] = record
    return _snapshot(found)


def snapshot_of(records: Iterable[Record]) -> Snapshot:
    """Return records as a snapshot; of several of one name the last holds."""
    found: defaultdict[str, dict[object, Record]] = defaultdict(dict)
    for each in records:
        found[_LISTS[type(each)]][record_name(each) or each] = each
    return _snapshot(found)


def _snapshot(found: Mapping[str, Mapping[object, Record]]) -> Snapshot:
    return Snapshot(**{field: tuple(them.values()) for field, them in found.items()}).ordered()  # type: ignore[arg-type]  # by the table above


def _numbered(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file, checked, with their lines' numbers. Raises DocumentError."""
    numbered = enumerate(lines, start=1)
    _check_head(next(numbered, (1, b""))[1], f"{name}:1")
    for number, raw in numbered:
        if raw.strip():
            where = f"{name}:{number}"
            record = _decode(raw, where)
            _check(record, where)
            _share_names(record)
            yield number, in_utc(record, "$", where)


def _share_names(record: Record) -> None:
    """Keep a text that many items have once: 100,000 of them take 20 MB less."""
    if isinstance(record, ItemRecord):
        force_setattr(record, "concept", intern(record.concept))
        if record.source is not None:
            force_setattr(record, "source", intern(record.source))
        if record.card is not None:
            force_setattr(record.card, "kind", intern(record.card.kind))


def _refuse_two(record: Record, where: str) -> NoReturn:
    _refuse(f"there are two of {record.__struct_config__.tag} {record_name(record)!r}", where)


S = TypeVar("S", bound=msgspec.Struct)


def _decode(raw: bytes, where: str) -> Record:
    if len(raw) > LONGEST_LINE:
        _refuse("the line is too long", where)
    try:
        return _LINE.decode(raw)
    except msgspec.ValidationError as error:
        _refuse(problem_of(error), where)
    except UnicodeDecodeError:
        _refuse("the line is not UTF-8", where)
    except msgspec.DecodeError as error:
        _refuse(f"the line is not JSON ({error})", where)
    except RecursionError:
        _refuse("the line is nested too deeply", where)


_UNKNOWN: Final = "is not one of the known values"


def problem_of(error: msgspec.ValidationError) -> str:
    """Return what does not fit, and the path of the value."""
    problem = str(error).replace(" - at ", " at ")
    problem = re.sub("Invalid enum value (.+) at ", rf"\1 {_UNKNOWN} at ", problem)
    return problem[:1].lower() + problem[1:]


def _check_head(raw: bytes, where: str) -> None:
    try:
        schema = _HEAD.decode(raw).schema
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        _refuse('the first line is not {"type": "studyattn", "schema": …}', where)
    if schema > SCHEMA:
        raise DocumentError(
            f"it has schema {schema}; this version of studyattn reads up to {SCHEMA}",
            where=where,
            advice="Use a newer version of studyattn",
        )


def _check(record: Record, where: str) -> None:
    """Refuse fields that contradict each other."""
    if isinstance(record, DecisionRecord):
        _check_decision(record, where)
    contradicts, problem = _RULES.get(type(record), (None, ""))
    if contradicts is not None and contradicts(record):
        _refuse(problem, where)
    if isinstance(record, ItemRecord) and record.card and record.card.kind not in KINDS:
        _refuse(f"'{record.card.kind}' {_UNKNOWN} at `$.card.kind`", where)


_RULES: Final[Mapping[type[Record], tuple[Callable[[Any], bool], str]]] = {
    ReviewRecord: (
        lambda each: (each.rating is None) == (each.withdraws is None),
        "a review either rates or withdraws",
    ),
    MemoryStartRecord: (
        lambda each: (each.interval is None) != (each.ease is None),
        "a start has both an interval and an ease, or neither",
    ),
    ItemRecord: (
        lambda each: (each.card is None) != (each.kind == "drill"),
        "a card needs a text; a drill must not have one",
    ),
}
"""Contradictions in a record of each type, with the words for them."""


def _check_decision(record: DecisionRecord, where: str) -> None:
    try:
        expected = DECIDED[record.kind, record.field]
    except KeyError:
        _refuse(f"a {record.kind} has no decisions on {record.field!r}", where)
    try:
        msgspec.convert(record.value, expected)
    except msgspec.ValidationError as error:
        _refuse(f"{problem_of(error).partition(' at `')[0]} at `$.value`", where)


def in_utc(record: S, path: str, where: str) -> S:
    """Return a record with its instants in UTC. Refuses those before 1970 and after 9000."""
    changes: dict[str, Any] = {}
    for field in record.__struct_fields__:
        value = getattr(record, field)
        if isinstance(value, datetime):
            if not 1970 <= value.year <= 9000:
                _refuse(f"expected a time from 1970 to 9000 at `{path}.{field}`", where)
            if value.tzinfo is not UTC:
                changes[field] = value.astimezone(UTC)
        elif isinstance(value, msgspec.Struct):
            changes[field] = in_utc(value, f"{path}.{field}", where)
    return replace(record, **changes) if changes else record


def _refuse(problem: str, where: str) -> NoReturn:
    raise DocumentError(problem, where=where, advice="See docs/exchange-format.md")


# -- the format ------------------------------------------------------------------------------------


def read_file(path: Path) -> Snapshot:
    """Read a file. Raises DocumentError (file:line), and OSError."""
    return read_lines(_lines_of(path), str(path))


def _lines_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):  # a longer one is refused, not read
            yield line


@dataclass(frozen=True, slots=True)
class _LogOfFile:
    """The reviews of a file, read as they are taken: a million of them would fill the memory."""

    path: Path

    def __iter__(self) -> Iterator[LogRow]:
        for _, record in _numbered(_lines_of(self.path), str(self.path)):
            if isinstance(record, ReviewRecord):
                yield log_row(record)


def read(path: Path, _at: datetime) -> Incoming:
    """Read a file. Raises DocumentError (file:line), and OSError."""
    # Eight bytes a review are kept, to notice two of one name.
    hashes = array("q")
    snapshot = read_lines(
        _lines_of(path), str(path), take_review=lambda each, _: hashes.append(hash(each.uuid))
    )
    ordered = sorted(hashes)
    twice = {one for one, other in pairwise(ordered) if one == other}
    if twice:
        seen: set[str] = set()

        def take(review: ReviewRecord, where: str) -> None:
            if hash(review.uuid) in twice:
                if review.uuid in seen:
                    _refuse_two(review, where)
                seen.add(review.uuid)

        read_lines(_lines_of(path), str(path), take_review=take)
    return Incoming(snapshot, log=_LogOfFile(path))


def write(source: ExportInput) -> Written:
    """Write everything into a file that is gone when it is closed."""
    numbers = Counter[type[Record]]()
    media: set[str] = set()
    file = TemporaryFile()  # noqa: SIM115 - the caller reads it, and it is gone when it is closed
    try:
        file.write(f"{HEAD}\n".encode())
        for record in records(source.snapshot, source.log):
            line = write_line(record)
            numbers[type(record)] += 1
            if PREFIX in line:
                media.update(named_media(line))
            file.write(f"{line}\n".encode())
        file.seek(0)
    except BaseException:  # a full disk, or ^C: nobody gets the file
        file.close()
        raise
    kinds = ((ItemRecord, "item"), (NoteRecord, "note"), (ReviewRecord, "review"))
    summary = ", ".join(count(numbers[record], kind) for record, kind in kinds)
    paths = (source.home.media / name for name in sorted(media))
    return Written(file, summary, tuple(path for path in paths if path.is_file()))
