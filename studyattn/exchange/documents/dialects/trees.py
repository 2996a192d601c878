"""Cards in data: Mochi's files, CrowdAnki and other JSON, YAML, Mnemosyne's XML, LaTeX.

A file is a tree of plain values. A card is whatever in it has fields named as question and answer,
a list of `fields`, or a `content` with two sides; its deck is the nearest name above it.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, Final
from xml.etree import ElementTree as ET

import yaml

from studyattn.archives import BROKEN
from studyattn.errors import DocumentError
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.documents.dialects.columns import Grid, is_html
from studyattn.exchange.documents.dialects.dialect import (
    ANKI_GAP,
    Reading,
)
from studyattn.exchange.documents.names import field_of, names, plain, values_of
from studyattn.exchange.documents.rows import gapped
from studyattn.exchange.memories import LearnedBefore, learned_before
from studyattn.text.front_matter import PlainLoader

_SIDES = re.compile(r"^[ \t]*---[ \t]*$", re.MULTILINE)
_GAP = re.compile(r"\{\{(?!c\d+::)(?:(?P<group>\d+)::)?(?P<text>[^{}\n]+?)\}\}")
_COUNTED = re.compile(r"\{\{\d+::")
_LARGEST: Final = 64 * 1024 * 1024  # bytes
_EASE: Final = 2500.0  # Mochi keeps none; SM-2 begins with it
_MEDIA: Final = "@media"
_INNER: Final = ("data.json", "cards.xml")
"""What Mochi's and Mnemosyne's archives contain."""
_DEEPEST: Final = 100
_CODES: Final = 44  # codes of Transit are numbers to this base
_SECONDS: Final = 24 * 60 * 60  # of a day
_LATEX = re.compile(
    r"\\(?:begin\{(?P<name>\w+\*?)\}(?:\[[^\]]*\])?|(?:flash)?card(?=\s*\{))", re.IGNORECASE
)
_LOWER = re.compile(r"\\tcblower\b")
"""It parts the two sides of a box."""
_WORDS = re.compile(r"[^\W\d_lcrpmbX]")
"""A letter that says more than how a column of a table is set."""
_ENTITY = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def load(path: Path) -> str:
    """Return the data in an archive of Mochi or Mnemosyne. Raises DocumentError."""
    try:
        with zipfile.ZipFile(path) as file:
            inner = next((each for each in _INNER if each in file.namelist()), None)
            why = "" if inner else "it contains no data.json"
            if inner and file.getinfo(inner).file_size > _LARGEST:
                why = f"its data is larger than {_LARGEST // 1024 // 1024} MB"
            elif inner:
                return file.read(inner).decode("utf-8")
    except (OSError, *BROKEN) as error:
        raise DocumentError(f"it is not a Mochi file: {error}", where=str(path)) from error
    advice = "" if inner else "Export it from Mochi again; EDN is not read"
    raise DocumentError(why, where=str(path), advice=advice)


@dataclass(frozen=True, slots=True)
class _Record:
    """One card of a tree: its fields by their names in lower case."""

    fields: Mapping[str, Any]
    deck: str

    def sides(self) -> Sequence[str]:
        """Return the texts of its sides, the question first."""
        fields = self.fields.get("fields")
        if content := plain(self.fields.get("content")):
            return [*filter(None, map(str.strip, _SIDES.split(content)))]
        if isinstance(fields, list):
            texts = [plain(each) for each in fields]
            return next(([each] for each in texts if ANKI_GAP.search(each)), texts[:2])
        if isinstance(fields, dict):  # a card that is made by a template: its name comes first
            inner = [fields[key] for key in sorted(fields, key=lambda key: key != "name")]
            texts = [plain(each.get("value") if isinstance(each, dict) else each) for each in inner]
            front, *rest = [*filter(None, texts), ""]
            return [front, "\n\n".join(filter(None, rest))]
        return _with_options(self.fields)

    def tags(self) -> tuple[str, ...]:
        """Return its tags, written as a list or as one text."""
        found = next(values_of(self.fields, "tags"), None)
        listed = found if isinstance(found, list) else re.split(r"[\s,;]+", plain(found))
        return tuple(text.replace(" ", "-") for each in listed if (text := plain(each)))


def _with_options(fields: Mapping[str, Any]) -> Sequence[str]:
    """Return the two sides of a card by their names; options stand below the question."""
    front, back = field_of(fields, "front"), field_of(fields, "back")
    listed = next(values_of(fields, "options"), None)
    options = listed if isinstance(listed, list) else []
    flagged = [each for each in options if isinstance(each, dict)]
    right = [field_of(each, "front") for each in flagged if any(values_of(each, "right"))]
    texts = [field_of(each, "front") for each in flagged] or options
    shown = plain(texts) if len(texts) > 1 and all(texts) else ""
    return ["\n\n".join(filter(None, each)) for each in ((front, shown), (*right, back))]


def _records(
    tree: Any, deck: str, decks: Mapping[str, str], inside: str = "", depth: int = 0
) -> Iterator[_Record]:
    """Yield the cards of a tree in their order; `inside` is the name of what contains it."""
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if isinstance(tree, list):
        for each in tree:
            yield from _records(each, deck, decks, inside, depth + 1)
    elif isinstance(tree, dict):
        fields = {str(key).casefold(): value for key, value in tree.items()}
        if _is_card(fields, inside):
            yield _Record(fields, decks.get(str(fields.get("deck-id")), deck))
            return
        inner = field_of(fields, "holder") or deck
        for key, value in fields.items():
            if key not in {"note_models", "templates", "deck_configurations"}:
                yield from _records(value, inner, decks, key, depth + 1)


def _is_card(fields: Mapping[str, Any], inside: str) -> bool:
    if "content" in fields and inside == "cards":
        return True
    inner = fields.get("fields")
    if isinstance(inner, list | dict) and inner:
        return not any(isinstance(each, dict) for each in inner)
    asked, answered = _with_options(fields)
    # A card whose answer is missing is told by its names.
    named = fields.keys() & set(names()["sure"]) and fields.keys() & set(names()["back"])
    return bool((asked and answered) or named)


def read(text: str, name: str) -> Reading:
    try:
        tree = _tree(text, name)
        found = cards_of(tree, PurePath(name).stem)
    except RecursionError as error:
        raise DocumentError("its data is nested too deeply", where=name) from error
    except (ValueError, IndexError, ET.ParseError, yaml.YAMLError) as error:
        told = " ".join(str(error).split())
        raise DocumentError(f"its data cannot be read: {told}", where=name) from error
    if PurePath(name).suffix.lower() == ".mochi" and not isinstance(tree, dict):
        raise DocumentError("its data is not a map of decks", where=name)
    found.remarks.append("Numbers count the cards in the file")
    return found


def cards_of(tree: Any, stem: str) -> Reading:
    """Return the cards in a tree."""
    records = list(_records(tree, "", _decks(tree)))
    decks = {each.deck for each in records} - {""}
    found = Reading(title=decks.pop() if len(decks) == 1 else stem)
    html = is_html(chain.from_iterable(map(_Record.sides, records)))
    start = tree.get("@time_of_start") if isinstance(tree, dict) else None
    media = sum(_MEDIA in str(each.fields.get("content")) for each in records)
    for number, record in enumerate(records, start=1):
        if record.fields.get("trashed?") or record.fields.get("archived?"):
            found.leave(number, "the card is archived or in the trash")
            continue
        places = _card(found, record, number, stem, html=html)
        memory = _memory(record.fields) or _of_mnemosyne(record.fields, start)
        found.learn(places, [memory] * len(places))
    if media:
        found.remarks.append(f"Pictures and sounds of {media} cards are not imported")
    return found


def grid_of(text: str, name: str) -> Grid:
    """Return the longest list of objects of one form, or of texts by their names."""
    found = max(_grids(_tree(text, name)), key=lambda grid: len(grid.rows), default=Grid((), ()))
    return replace(found, topic=PurePath(name).stem)


def _grids(tree: Any) -> Iterator[Grid]:
    if isinstance(tree, dict) and _are_all(str, tree.values()):
        yield Grid((), [*enumerate(tree.items(), start=1)])
    elif isinstance(tree, list) and _are_all(dict, tree):
        rows = [[plain(each.get(key)) for key in tree[0]] for each in tree]
        yield Grid(tuple(tree[0]), [*enumerate(rows, start=1)])
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from _grids(each)


def _are_all(kind: type, values: Collection[Any]) -> bool:
    return bool(values) and all(isinstance(each, kind) for each in values)


def _card(found: Reading, record: _Record, number: int, stem: str, *, html: bool) -> list[int]:
    """Add one card."""
    topic, tags = record.deck or stem, record.tags()
    sides = [markdown(each) for each in record.sides()] if html else record.sides()
    front, back = (sides[0], "\n\n".join(filter(None, sides[1:]))) if sides else ("", "")
    if text := gapped(_GAP, front, together=not _COUNTED.search(front)):
        return found.gaps(text, number, topic, tags=tags, below=back)
    if "content" in record.fields and not back:
        words = " ".join(front.split())[:40]
        found.leave(number, f"a card with one side is a note in Mochi: “{words}”")
        return []
    return found.basic(front, back, number, topic, tags=tags)


def _decks(tree: Any) -> Mapping[str, str]:
    """Return the names of decks that cards refer to by an id."""
    decks = tree.get("decks") if isinstance(tree, dict) else None
    listed = decks if isinstance(decks, list) else ()
    return {
        str(each.get("id")): str(each.get("name") or "")
        for each in listed
        if isinstance(each, dict)
    }


# -- from a text to a tree -------------------------------------------------------------------------


def _tree(text: str, name: str) -> Any:
    suffix = PurePath(name).suffix.lower()
    if suffix in {".yaml", ".yml"}:
        return yaml.load(text, PlainLoader)  # noqa: S506 - a SafeLoader
    if suffix == ".tex":
        return list(_latex(text))
    if text.lstrip()[:1] == "<":
        if _ENTITY.search(text):
            raise ValueError("it declares entities")
        return _element(ET.fromstring(text))  # noqa: S314 - as said above
    data = json.loads(text)
    return read_transit(data, []) if suffix == ".mochi" else data


def read_transit(data: Any, cache: list[str], *, key: bool = False) -> Any:
    """Return the plain value of Transit's JSON, the notation of Clojure: of a tagged value its own.

    Keys, keywords and tags that were written before are named by a code, their place in `cache`.
    Raises ValueError, IndexError for an unknown code.
    """
    if isinstance(data, str):
        return _transit_text(_written_out(data, cache, key=key))
    if isinstance(data, dict):
        data = ["^ ", *(part for pair in data.items() for part in pair)]
    if not isinstance(data, list):
        return data
    if data[:1] == ["^ "]:
        return {
            str(read_transit(name, cache, key=True)): read_transit(each, cache)
            for name, each in zip(data[1::2], data[2::2], strict=True)
        }
    if len(data) == 2 and isinstance(data[0], str) and data[0].startswith(("~#", "^")):
        if (tag := _written_out(data[0], cache)).startswith("~#"):
            return read_transit(data[1], cache)
        return [_transit_text(tag), read_transit(data[1], cache)]
    return [read_transit(each, cache) for each in data]


def _written_out(text: str, cache: list[str], *, key: bool = False) -> str:
    """Return a text in full: a code stands for one that was written before."""
    if text.startswith("^") and text != "^ ":
        code = [ord(sign) - ord("0") for sign in text[1:]]
        return cache[code[0] if len(code) == 1 else code[0] * _CODES + code[1]]
    if len(text) > 3 and (key or text.startswith(("~:", "~$", "~#"))):
        if len(cache) == _CODES * _CODES:
            cache.clear()
        cache.append(text)
    return text


def _transit_text(text: str) -> Any:
    """Return what a text is by its first two characters: a number, a word, the text itself."""
    mark, rest = text[1:2], text[2:]
    if not text.startswith("~") or mark in "~^`":
        return text[1:] if mark and text.startswith("~") else text
    if mark in "inmdf":
        return float(rest) if mark in "df" else int(rest)
    return {"?": rest == "t", "_": None}.get(mark, rest)


def _element(element: ET.Element) -> Any:
    """Return an element: its text, or what is within it by name; several of a name as a list.

    Its attributes have an @ before their name.
    """
    if len(element) == 0:
        return element.text or ""
    fields: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    for child in element:
        value = _element(child)
        if child.tag not in fields:
            fields[child.tag] = value
        elif isinstance(fields[child.tag], list):
            fields[child.tag].append(value)
        else:
            fields[child.tag] = [fields[child.tag], value]
    return fields


def _latex(text: str) -> Iterator[Mapping[str, str]]:
    r"""Yield the cards of a LaTeX document: `\card{…}{…}`, or `\begin{anything}{front} back`."""
    text = re.sub(r"(?<!\\)%.*", "", text.split("\\begin{document}", 1)[-1])
    for found in _LATEX.finditer(text):
        front, after = _braced(text, found.end())
        if name := found["name"]:
            end = text.find(f"\\end{{{name}}}", after)
            back = text[after : end if end >= 0 else len(text)]
            if len(sides := _LOWER.split(back, maxsplit=1)) == 2:
                front, back = sides
        else:
            back, _ = _braced(text, after)
        if _WORDS.search(re.sub(r"\\[A-Za-z]+|#\d", "", front)):  # no macro
            yield {"front": _plain_latex(front), "back": _plain_latex(back)}


def _braced(text: str, at: int) -> tuple[str, int]:
    """Return what the next braces contain, and the place after them; empty without braces."""
    begin = re.compile(r"\s*\{").match(text, at)
    if begin is None:
        return "", at
    depth = 1
    for found in re.compile(r"\\.|[{}]").finditer(text, begin.end()):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return text[begin.end() : found.start()], found.end()
    return text[begin.end() :], len(text)


def _plain_latex(text: str) -> str:
    text = re.sub(r"\\(?:text)?(?:bf|bold)\{([^{}]*)\}", r"**\1**", text)
    text = re.sub(r"\\(?:emph|textit)\{([^{}]*)\}", r"*\1*", text)
    text = re.sub(r"\\(?:begin|end)\{(?:itemize|enumerate|center)\}", "", text)
    text = re.sub(r"^\s*\\item\s*", "- ", text, flags=re.MULTILINE)
    return re.sub(r"\\\\(?:\[[^\]]*\])?\s*\n", "\n\n", text).strip()


# -- memories --------------------------------------------------------------------------------------


def _memory(card: Mapping[str, Any]) -> LearnedBefore | None:
    """Return the memory that the last review of a card left; None for a new card."""
    reviews = card.get("reviews")
    for review in reversed(reviews if isinstance(reviews, list) else []):
        interval = review.get("interval") if isinstance(review, dict) else None
        if isinstance(interval, int | float) and interval >= 1:
            memory = learned_before(review.get("due"), float(interval), _EASE)
            if memory is not None:
                return memory
    return None


def _of_mnemosyne(card: Mapping[str, Any], start: Any) -> LearnedBefore | None:
    """Return the memory that Mnemosyne's XML states: days are counted from when it was begun."""
    try:
        begun, last, due, ease = (
            float(each) for each in (start, card["@l_rp"], card["@n_rp"], card["@e"])
        )
    except (KeyError, TypeError, ValueError):
        return None
    moment = (begun + due * _SECONDS) * 1000
    return learned_before(moment, due - last, ease * 1000) if due > last else None
