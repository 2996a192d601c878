"""EDN, the notation of Clojure, and Transit's JSON: as plain dicts, lists, texts and numbers. Pure.

Keywords and symbols are texts; sets and lists are lists; of a tagged value only the value is kept.
"""

from __future__ import annotations

import re
from typing import Any, Final

_TOKEN = re.compile(
    r"""[\s,]*(?:;[^\n]*[\s,]*)*
    (?P<token>"(?:\\.|[^"\\])*"|\#\{|\#_|\#[A-Za-z][\w./-]*|\\(?:newline|space|tab|return|.)
    |[\[\](){}]|[^\s,\[\](){}";]+)""",
    re.VERBOSE | re.DOTALL,
)
_ENDS: Final = {"[": "]", "(": ")", "{": "}", "#{": "}"}
_WORDS: Final[dict[str, Any]] = {"nil": None, "true": True, "false": False}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}
_DEEPEST: Final = 100


def read_edn(text: str) -> Any:
    """Return the first value of a text. Raises ValueError."""
    tokens = [found["token"] for found in _TOKEN.finditer(text)]
    try:
        value, _ = _value(tokens, 0, 0)
    except IndexError:
        raise ValueError("it is cut off") from None
    return value


def _value(tokens: list[str], at: int, depth: int) -> tuple[Any, int]:
    """Return the value that begins at a token, and the place after it."""
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    token = tokens[at]
    if token in _ENDS:
        items: list[Any] = []
        at += 1
        while tokens[at] != _ENDS[token]:
            if tokens[at] == "#_":
                _, at = _value(tokens, at + 1, depth + 1)
                continue
            item, at = _value(tokens, at, depth + 1)
            items.append(item)
        if token == "{":  # noqa: S105 - a bracket
            return {
                str(key): each for key, each in zip(items[::2], items[1::2], strict=True)
            }, at + 1
        return items, at + 1
    if token == "#_":  # noqa: S105 - what follows is left out
        _, at = _value(tokens, at + 1, depth + 1)
        return _value(tokens, at, depth + 1)
    if token.startswith("#") and len(token) > 1:
        return _value(tokens, at + 1, depth + 1)
    return _atom(token), at + 1


def _atom(token: str) -> Any:
    if token.startswith('"'):
        return re.sub(
            r"\\(u[0-9a-fA-F]{4}|.)",
            lambda found: (
                chr(int(found[1][1:], 16))
                if len(found[1]) > 1
                else _ESCAPES.get(found[1], found[1])
            ),
            token[1:-1],
            flags=re.DOTALL,
        )
    if token in _WORDS:
        return _WORDS[token]
    if token.startswith(":"):
        return token[1:]
    if token in {")", "]", "}"}:
        raise ValueError(f"a {token} too many")
    try:
        return float(token.rstrip("NM")) if re.search(r"[.eE]", token) else int(token.rstrip("NM"))
    except ValueError:
        return token


# -- Transit ---------------------------------------------------------------------------------------

_CODES: Final = 44  # codes of the cache are numbers to this base
_FIRST: Final = 48
_CACHED: Final = 4  # characters from which a text is cached


class _Transit:
    """Reads Transit's JSON: keys and keywords that were written before are named by a code."""

    def __init__(self) -> None:
        self._cache: list[Any] = []

    def value(self, data: Any, *, key: bool = False, depth: int = 0) -> Any:  # noqa: PLR0911 - one return a form
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        if isinstance(data, str):
            return self._text(data, key=key)
        if isinstance(data, dict):  # the verbose form
            return {
                str(self.value(name, key=True, depth=depth + 1)): self.value(each, depth=depth + 1)
                for name, each in data.items()
            }
        if not isinstance(data, list):
            return data
        if data and data[0] == "^ ":
            found = {}
            for name, each in zip(data[1::2], data[2::2], strict=True):
                inner = self.value(name, key=True, depth=depth + 1)
                found[str(inner)] = self.value(each, depth=depth + 1)
            return found
        if len(data) == 2 and isinstance(data[0], str) and data[0].startswith(("~#", "^")):
            tag = self._text(data[0], key=False)
            inner = self.value(data[1], depth=depth + 1)
            if isinstance(tag, _Tag):
                return inner
            return [tag, inner]
        return [self.value(each, depth=depth + 1) for each in data]

    def _text(self, text: str, *, key: bool) -> Any:
        if text.startswith("^") and text != "^ ":
            return self._cache[_place(text)]
        value = _decoded(text)
        if len(text) >= _CACHED and (key or text.startswith(("~:", "~$", "~#"))):
            if len(self._cache) >= _CODES * _CODES:
                self._cache = []
            self._cache.append(value)
        return value


class _Tag(str):
    """The tag of a value."""

    __slots__ = ()


def _place(code: str) -> int:
    if len(code) == 2:
        return ord(code[1]) - _FIRST
    return (ord(code[1]) - _FIRST) * _CODES + ord(code[2]) - _FIRST


def _decoded(text: str) -> Any:
    if not text.startswith("~") or len(text) < 2:
        return text
    mark, rest = text[1], text[2:]
    if mark == "#":
        return _Tag(rest)
    if mark in "~^`":
        return text[1:]
    if mark in "inmdf":
        return float(rest) if mark in "df" else int(rest)
    if mark == "?":
        return rest == "t"
    return None if mark == "_" else rest


def read_transit(data: Any) -> Any:
    """Return the value of decoded JSON. Raises ValueError, IndexError for an unknown code."""
    return _Transit().value(data)
