"""Frames between the judge and a worker: a JSON header and the raw bytes of arrays. Never a pickle.

The two ends do not trust each other equally. What the judge reads was written by a process that ran
foreign code, so every length, count, depth, dtype and name is checked before it is used, and
anything odd is a `MalformedError`: the attempt is then over. What the messages mean is `codec`'s.
"""

from __future__ import annotations

import json
import math
import os
import re
import struct
from dataclasses import dataclass
from typing import Annotated, Any, BinaryIO, Literal, get_args

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

Json = dict[str, Any]

PREFIX = struct.Struct(">IQ")  # bytes of the header, bytes of the body
MAX_HEADER = 1 << 20

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
"""Half of a character, which may stand without its other half."""

_PLAIN = re.compile(rb"[ -\[\]-~]*")
"""Printable ASCII without a backslash: a header in which no text can do harm."""

_INVISIBLE_BUT_HARMLESS = "\n\t\xa0\u200d"  # line feed, tab, no-break space, the joiner of emoji

Dtype = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64",
]  # fmt: skip
"""Every dtype that crosses; float16 and bfloat16 cross widened to float32."""

DTYPES = frozenset(get_args(Dtype))

Extent = Annotated[int, Meta(ge=0, lt=1 << 48)]
Shape = Annotated[list[Extent], Meta(max_length=32)]
Shapes = Annotated[list[tuple[Dtype, Shape]], Meta(max_length=4096)]
"""Dtype and shape of each array of a frame: the first half of a header. The other says the rest."""

_DTYPES = {name: np.dtype(name) for name in DTYPES}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}  # numpy takes longer to find a name

_ANY = msgspec.json.Decoder(tuple[Shapes, Json])


class MalformedError(Exception):
    """The bytes read are no frame that this program writes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. Its header is a JSON object, or a Struct of msgspec that is written as one."""

    header: Any
    arrays: tuple[NDArray[np.generic], ...] = ()


def pack(frame: Frame) -> bytes:
    """The bytes of `frame`: prefix, header, then each array's bytes in C order."""
    shapes = [(_NAMES.get(each.dtype) or each.dtype.name, each.shape) for each in frame.arrays]
    try:
        header = msgspec.json.encode((shapes, frame.header), enc_hook=_number)
    except UnicodeEncodeError:  # half a character, which only JSON's escapes can hold
        header = json.dumps(msgspec.to_builtins((shapes, frame.header))).encode()
    size = sum(each.nbytes for each in frame.arrays)
    bodies = (np.ascontiguousarray(each).data for each in frame.arrays)
    return b"".join((PREFIX.pack(len(header), size), header, *bodies))


def _number(value: Any) -> Any:
    """Return a scalar of numpy, which a drill may ask with, as Python's."""
    return value.item()


def measure(prefix: bytes, most: int) -> tuple[int, int]:
    """Bytes of header and body after `prefix`. MalformedError when either is too many."""
    header, body = PREFIX.unpack(prefix)
    if header > MAX_HEADER or body > most:
        raise MalformedError("a message larger than allowed")
    return header, body


def unpack(
    header: bytes, body: bytes, kinds: msgspec.json.Decoder[tuple[Any, Any]] = _ANY
) -> Frame:
    """The frame with these bytes, its arrays in `body`. MalformedError when it is none.

    `kinds` are what a stranger may write in a header; his text is made harmless. Half a character,
    which no file or terminal takes, becomes a `?`.
    """
    try:
        if _PLAIN.fullmatch(header):
            shapes, fields = kinds.decode(header)
        else:
            read = json.loads(header)
            if _SURROGATE.search(header):
                whole = json.dumps(read, ensure_ascii=False).encode("utf-8", "replace")
                read = json.loads(whole)
            shapes, fields = msgspec.convert(read if kinds is _ANY else harmless(read), kinds.type)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise MalformedError("a header of unknown form") from error
    return Frame(fields, _split(body, shapes))


def _split(body: bytes, shapes: list[tuple[str, list[int]]]) -> tuple[NDArray[np.generic], ...]:
    arrays = []
    offset = 0
    for name, shape in shapes:
        dtype = _DTYPES[name]
        count = math.prod(shape)
        if count * dtype.itemsize > len(body) - offset:
            raise MalformedError("an array longer than its message")
        arrays.append(np.frombuffer(body, dtype, count, offset).reshape(shape))
        offset += count * dtype.itemsize
    if offset != len(body):
        raise MalformedError("bytes that belong to no array")
    return tuple(arrays)


def harmless(told: Any) -> Any:
    """Return JSON of a worker with all of its text as a terminal, a page or a file may get it.

    Characters that control a terminal, turn a line or cannot be seen become U+FFFD.
    """
    match told:
        case str() if not told.isprintable():
            return "".join(
                each if each.isprintable() or each in _INVISIBLE_BUT_HARMLESS else "\ufffd"
                for each in told
            )
        case list():
            return [harmless(each) for each in told]
        case dict():
            return {harmless(name): harmless(each) for name, each in told.items()}
    return told


def send(descriptor: int, frame: Frame) -> None:
    """Write `frame` and block until it is written: the worker's side."""
    view = memoryview(pack(frame))
    while view:
        view = view[os.write(descriptor, view) :]


def receive(stream: BinaryIO) -> Frame | None:
    """Read one frame, or None when the other end has closed: the worker's side."""
    prefix = stream.read(PREFIX.size)
    if len(prefix) < PREFIX.size:
        return None
    header_size, body_size = PREFIX.unpack(prefix)
    header, body = stream.read(header_size), stream.read(body_size)
    return None if len(header) < header_size or len(body) < body_size else unpack(header, body)
