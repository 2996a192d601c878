"""Cards of org-drill, in files of Emacs' Org mode: headings with the tag `:drill:`.

orgparse reads the outline; what a heading asks and answers depends on its DRILL_CARD_TYPE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import LearnedBefore, NoteDraft, Reading
from studyattn.exchange.documents.rows import has_gap, with_gaps
from studyattn.extras import how_to_install

if TYPE_CHECKING:
    from orgparse.node import OrgNode, OrgRootNode

_GAP = re.compile(
    r"(?<!\[)\[(?!\[|fn:|[ X-]\]|\d{4}-\d\d-\d\d)(?P<text>[^\[\]|]+)"
    r"(?:\|\|?(?P<hint>[^\[\]]+))?\](?![\](])"
)
_LINK = re.compile(r"\[\[(?P<address>[^\[\]]+)\](?:\[(?P<text>[^\[\]]+)\])?\]")
_EMPHASIS: Final = (
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"**\1**"),
    (re.compile(r"(?<![\w/:])/(?=\S)([^/\n]+?)(?<=\S)/(?![\w/])"), r"*\1*"),
    (re.compile(r"(?<![\w=~])([=~])(?=\S)([^\n]+?)(?<=\S)\1(?![\w=~])"), r"`\2`"),
)
_TITLE = re.compile(r"^#\+TITLE:[ \t]*(\S.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BLOCK = re.compile(r"^\s*#\+begin_(?P<kind>\w+)[ \t]*(?P<rest>.*)$", re.IGNORECASE)
_BLOCK_END = re.compile(r"^\s*#\+end_\w+\s*$", re.IGNORECASE)
_KEYWORD = re.compile(r"^\s*(?:#(?:\s|\+\w+:)|#$)")
_ONE_AT_A_TIME: Final = frozenset({"hide1cloze", "hide1_firstmore", "hide1_firstless"})
_TWO: Final = frozenset({"twosided", "multisided"})
_PLAIN: Final = frozenset({"", "simple"})
_MOST_DAYS = 36_500.0


def _read(text: str, name: str) -> Reading:
    try:
        from orgparse import loads
    except ImportError as error:
        raise InputError(
            "Org mode files need orgparse, which is not installed",
            where=name,
            advice=how_to_install("formats"),
        ) from error
    try:
        root = loads(text, filename=name)
    except Exception as error:  # it raises what its parsers raise
        raise DocumentError(f"the outline cannot be read: {error}", where=f"{name}:1") from error
    found = Collected()
    said = _TITLE.search(text)
    stem = said[1] if said else PurePath(name).stem
    scheduled = 0
    for node in root[1:]:
        if "drill" not in node.shallow_tags:
            continue
        above = node.parent.get_heading() if not node.parent.is_root() else ""
        places = _card(found, node, above or stem)
        scheduled += found.learn(places, [_memory(node)] * len(places))
    if scheduled:
        found.kinds["with a memory"] = scheduled
    reading = found.reading(stem)
    notes = () if reading.questions else tuple(_notes(root))
    return Reading(reading.questions, reading.unread, reading.kinds, reading.remarks, stem, notes)


def _card(found: Collected, node: OrgNode, topic: str) -> list[int]:
    kind = str(node.get_property("DRILL_CARD_TYPE") or "").strip()
    body, line = _markdown(node.get_body(format="raw")), node.linenumber
    own = [each for each in node.children if "drill" not in each.shallow_tags]
    sides = [(each.get_heading(), _below(each)) for each in own]
    sides = [(title, text) for title, text in sides if text]
    tags = tuple(sorted(node.shallow_tags - {"drill", "leech"}))
    if kind in _TWO:
        return _sided(found, body, sides if kind == "multisided" else sides[:2], line, topic, tags)
    if kind not in _PLAIN | _ONE_AT_A_TIME:
        found.leave(line, f"the card type {kind} is not read")
        return []
    if has_gap(_GAP, body):
        text = _gapped(body, each=kind in _ONE_AT_A_TIME)
        return found.gaps(text, line, topic, tags=tags, below=_listed(sides))
    if not sides:
        found.leave(line, "neither a gap in [brackets] nor a heading with the answer below it")
        return []
    heading = _inline(node.get_heading())
    front = f"{heading}\n\n{body}" if body and heading.endswith("?") else body or heading
    first, *rest = sides
    back = "\n\n".join(part for part in (first[1], _listed(rest)) if part)
    return found.basic(front, back, line, topic, tags=tags)


def _sided(  # noqa: PLR0917 - the parts of a card
    found: Collected,
    body: str,
    sides: Sequence[tuple[str, str]],
    line: int,
    topic: str,
    tags: tuple[str, ...],
) -> list[int]:
    """Ask from each side for the others."""
    if len(sides) < 2:
        found.leave(line, "a two-sided card with fewer than two headings below it")
        return []
    places: list[int] = []
    for at, (title, text) in enumerate(sides):
        others = [each for place, each in enumerate(sides) if place != at]
        front = f"{body}\n\n**{_inline(title)}:** {text}".strip()
        back = others[0][1] if len(others) == 1 else _listed(others)
        places += found.basic(front, back, line, topic, tags=tags)
    found.kinds["reversed"] += len(sides) - 1
    return places


def _listed(sides: Sequence[tuple[str, str]]) -> str:
    return "\n\n".join(f"**{_inline(title)}:** {text}" for title, text in sides)


def _below(node: OrgNode) -> str:
    """Return the text of a heading with what is below it, except cards of their own."""
    parts = [_markdown(node.get_body(format="raw"))]
    parts += [
        f"**{_inline(each.get_heading())}**\n\n{_below(each)}".strip()
        for each in node.children
        if "drill" not in each.shallow_tags
    ]
    return "\n\n".join(part for part in parts if part)


def _gapped(text: str, *, each: bool) -> str:
    """Return a text with our gaps: org-drill hides all at once, or one at a time."""
    number = 0

    def gap(found: Mapping[str, str]) -> str:
        nonlocal number
        number += 1
        hint = f"::{found['hint'].strip()}" if found["hint"] else ""
        return f"=={number if each else 1}|{' '.join(found['text'].split())}{hint}=="

    return with_gaps(_GAP, text, gap)


def _memory(node: OrgNode) -> LearnedBefore | None:
    """Return the memory that a heading's properties state; None for a new card."""
    try:
        interval = float(str(node.get_property("DRILL_LAST_INTERVAL")))
        ease = float(str(node.get_property("DRILL_EASE")))
        last = re.search(r"\d{4}-\d\d-\d\d", str(node.get_property("DRILL_LAST_REVIEWED")))
        reviewed = date.fromisoformat(last[0]) if last is not None else None
    except ValueError:
        return None
    if not 1 <= interval <= _MOST_DAYS or not 1 <= ease <= 10:
        return None
    due = _date(node.scheduled.start) if node.scheduled else None
    if due is None and reviewed is not None:
        last_day = date.max.toordinal() - round(interval)
        due = min(reviewed, date.fromordinal(last_day)) + timedelta(round(interval))
    return None if due is None else LearnedBefore(due, interval, ease * 1000)


def _date(at: Any) -> date | None:
    return date(at.year, at.month, at.day) if isinstance(at, date) else None


def _notes(root: OrgRootNode) -> Iterator[NoteDraft]:
    preamble = _markdown(root.get_body(format="raw"))
    if preamble:
        yield NoteDraft("Untitled", preamble, 1)
    for node in root[1:]:
        body = _markdown(node.get_body(format="raw"))
        if body:
            yield NoteDraft(_inline(node.get_heading()) or "Untitled", body, node.linenumber)


def _markdown(org: str) -> str:
    """Return a text of Org mode as Markdown: emphasis, links, code."""
    rows: list[str] = []
    block = ""
    for row in org.split("\n"):
        begins = None if block else _BLOCK.match(row)
        if begins:
            block = begins["kind"].casefold()
            if block != "quote":
                words = begins["rest"].split()
                rows.append(f"```{words[0] if block == 'src' and words else ''}".rstrip())
        elif block and _BLOCK_END.match(row):
            if block != "quote":
                rows.append("```")
            block = ""
        elif block:
            rows.append(f"> {row.strip()}" if block == "quote" else row)
        elif not _KEYWORD.match(row):
            rows.append(_inline(row.strip() if not row.lstrip().startswith(("-", "+")) else row))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rows)).strip()


def _inline(row: str) -> str:
    row = _LINK.sub(lambda found: f"[{found['text'] or found['address']}]({found['address']})", row)
    for pattern, replacement in _EMPHASIS:
        row = pattern.sub(replacement, row)
    return row


def _recognises(name: str, _text: str) -> bool:
    return PurePath(name).suffix.lower() == ".org"


ORG = Dialect(
    name="org",
    title="org-drill's cards",
    about="headings with :drill:, [gaps||hint], DRILL_CARD_TYPE",
    recognises=_recognises,
    read=_read,
    suffixes=frozenset({".org"}),
)
