r"""The one Markdown reader: CommonMark with tables, front matter, mathematics and cloze deletions.

Every room that reads Markdown reads it through `parse` or `parse_blocks`, so that what is a
formula, a code span or a deletion is decided in one place. This module makes tokens; `document`
makes outlines of them and `render` makes lines.

What is added to CommonMark, and the tokens it becomes:

    $…$  \(…\)                    math_inline
    $$…$$  \[…\] in a paragraph    math_display, among the inline tokens
    $$…$$  \[…\] on own lines      math_block; may interrupt a paragraph
    ==…==  ==2|…==  ==…::hint==    cloze_open, …, cloze_close; meta of both has `group`, `text`,
                                   `hint`, `start`, `end`
    [[name]]  [[name|words]]       wikilink; meta has `target` and `text`
    rows of tab-separated cells    table, as slides and spreadsheets paste them
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

GAP: Final = "[…]"
"""Stands for a deletion that is not shown."""

DISPLAY: Final = {"$$": "$$", "\\[": "\\]"}
"""What opens display mathematics, with what closes it."""

INTERRUPTS: Final[RuleOptionsType] = {"alt": ["paragraph", "reference", "blockquote", "list"]}

LONGEST_FORMULA: Final = 400
"""Lines a display formula may run over. A bound, so that a stray `$$` costs no quadratic search."""

_WIKILINK = re.compile(r"\[\[([^\[\]|`$\\\n]+)(?:\|([^\[\]`$\\\n]+))?\]\](?!\()")
_GROUP = re.compile(r"(\d{1,3})\|")
_NUMBER_CELL = re.compile(r"[+\-−]?[\d.,\s%\[\]()]*\d[\d.,\s%\[\]()+\-−]*")


def parse(text: str, *, inline: bool = False) -> list[Token]:
    """Return all tokens of a document; each `inline` token carries its children.

    With `inline` the text is one paragraph, and its only token is an `inline` one.
    """
    return _reader().parseInline(text) if inline else _reader().parse(text)


def parse_blocks(text: str) -> list[Token]:
    """The block tokens alone: `inline` tokens keep their text in `content` and have no children.

    An outline needs no more, and it is several times quicker on a long document.
    """
    return _reader(without="inline").parse(text)


def parse_inline(text: str) -> list[Token]:
    """The inline tokens of one run of text, with each escaped character as a `text_special`."""
    return _reader(without="text_join").parseInline(text)[0].children or []


def walk(tokens: list[Token]) -> Iterator[Token]:
    """Yield every token, children after their parent."""
    for token in tokens:
        yield token
        if token.children:
            yield from walk(token.children)


@cache
def _reader(without: str = "") -> MarkdownIt:
    """Return the reader, without the core rule of this name; it is made once."""
    # Late: many a command names a card and reads no Markdown.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    reader = MarkdownIt("commonmark", {"maxNesting": 40})
    reader.enable(["table", "strikethrough"])
    reader.use(front_matter_plugin)
    reader.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    # The plugin's block rule cannot be asked silently, so it cannot end a paragraph; ours can.
    reader.block.ruler.at("math_block", _math_block, INTERRUPTS)
    reader.block.ruler.before("code", "tab_table", _tab_table, INTERRUPTS)
    reader.inline.ruler.before("escape", "bracket_math", _bracket_math)
    reader.inline.ruler.before("emphasis", "cloze", _cloze)
    reader.inline.ruler.before("link", "wikilink", _wikilink)
    reader.core.ruler.push("math_names", _name_display_math)
    if without:
        reader.core.ruler.disable(without)
    return reader


def _name_display_math(state: Any) -> None:
    """Call the plugin's `$$…$$` in a paragraph what its bracket form is called there."""
    for token in walk(state.tokens):
        if token.type == "math_inline_double":
            token.type = "math_display"


def _bracket_math(state: StateInline, silent: bool) -> bool:
    """Bracketed mathematics inside a paragraph."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in {"\\(", "\\["}:
        return False
    closing = "\\)" if opening == "\\(" else "\\]"
    end = state.src.find(closing, state.pos + 2, state.posMax)
    if end < 0:
        return False
    latex = state.src[state.pos + 2 : end]
    if not latex.strip():
        return False
    if not silent:
        kind = "math_inline" if opening == "\\(" else "math_display"
        token = state.push(kind, "math", 0)
        token.content = latex
        token.markup = opening
    state.pos = end + 2
    return True


def _wikilink(state: StateInline, silent: bool) -> bool:
    """`[[name]]`, a link to a concept. A row of numbers is none, nor is the text of a web link.

    It holds nothing that could be code or mathematics, so neither is ever cut by a link.
    """
    match = _WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None or not any(character.isalpha() for character in match[1]):
        return False
    if not silent:
        token = state.push("wikilink", "a", 0)
        token.content, token.markup = match[0], "[["
        token.meta = {"target": match[1].strip(), "text": (match[2] or match[1]).strip()}
    state.pos = match.end()
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Display mathematics on lines of its own; blank lines inside are allowed."""
    first = _line(state, start)
    opening = first[:2]
    if opening not in DISPLAY or state.is_code_block(start):
        return False
    found = _display_body(state, DISPLAY[opening], start, end)
    if found is None:
        return False
    body, last = found
    if silent:
        return True
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = "\n".join(line for line in body if line.strip())
    token.markup = opening
    token.map = [start, last + 1]
    state.line = last + 1
    return True


def _display_body(
    state: StateBlock, closing: str, start: int, end: int
) -> tuple[list[str], int] | None:
    """Return the lines of display mathematics, and the last one; None if it is not closed so."""
    rest = _line(state, start)[2:].rstrip()
    if closing in rest:
        alone = rest.endswith(closing) and rest.count(closing) == 1 and rest != closing
        return ([rest[: -len(closing)]], start) if alone else None
    last = _find_closing(state, closing, start + 1, min(end, start + LONGEST_FORMULA))
    if last is None:
        return None
    between = (_line(state, line) for line in range(start + 1, last))
    return [rest, *between, _line(state, last).rstrip()[: -len(closing)]], last


def _find_closing(state: StateBlock, closing: str, line: int, end: int) -> int | None:
    while line < end:
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return None
        if closing in (text := _line(state, line)):
            return line if text.rstrip().endswith(closing) else None
        line += 1
    return None


def _cloze(state: StateInline, silent: bool) -> bool:
    """`==text==`, `==2|text==`, `==text::hint==`. Code and mathematics inside count as a whole."""
    source, start = state.src, state.pos
    if not source.startswith("==", start) or not _opens(source, start, state.posMax):
        return False
    found = _cloze_end(state, start + 2)
    if found is None:
        return False
    end, colons = found
    if not silent:
        group = _GROUP.match(source, start + 2, end)
        begin = group.end() if group else start + 2
        text_end = end
        if colons is not None and begin < colons and source[colons + 2 : end].strip():
            text_end = colons
        meta = {
            "group": int(group[1]) if group else 1,
            "text": source[begin:text_end],
            "hint": source[text_end + 2 : end].strip(),
            "start": start,
            "end": end + 2,
        }
        opening = state.push("cloze_open", "mark", 1)
        opening.markup, opening.meta = "==", meta
        last = state.posMax
        state.pos, state.posMax = begin, text_end
        state.md.inline.tokenize(state)
        state.posMax = last
        closing = state.push("cloze_close", "mark", -1)
        closing.markup, closing.meta = "==", meta
    state.pos = end + 2
    return True


def _opens(source: str, start: int, end: int) -> bool:
    """`a==b` and `x == y` are comparisons, not deletions."""
    before = source[start - 1] if start else " "
    after = source[start + 2] if start + 2 < end else " "
    return not (before.isalnum() or before in "=\\" or after.isspace() or after == "=")


def _cloze_end(state: StateInline, position: int) -> tuple[int, int | None] | None:
    """Return where the deletion ends, and where the `::` before its hint is, if it has one."""
    source, limit, kept = state.src, state.posMax, state.pos
    # Where no end was found before this limit, later openings find none either. The cache is for
    # ends of tokens by their beginnings, so a number below zero is free for that.
    hopeless = -1 - limit
    if position >= state.cache.get(hopeless, limit):
        return None
    state.pos = position
    colons: int | None = None
    try:
        while state.pos < limit:
            here = state.pos
            if colons is None and here > position and source.startswith("::", here):
                colons = here
            if source.startswith("==", here) and not source[here - 1].isspace() and here > position:
                after = source[here + 2] if here + 2 < limit else " "
                if not (after.isalnum() or after == "="):
                    return here, colons
                state.pos += 2
            elif source[here] == "=":
                state.pos += 1
            else:  # anything but another deletion, which may not nest in this one
                state.md.inline.skipToken(state)
        state.cache[hopeless] = position
        return None
    finally:
        state.pos = kept


def _tab_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Two or more lines of tab-separated cells. The first may begin with a tab: an empty corner."""
    rows = _tab_rows(state, start, end)
    if len(rows) < 2 or len({*map(len, rows)}) > 2:
        return False
    if silent:
        return True
    columns = max(map(len, rows))
    headed = not any(map(_NUMBER_CELL.fullmatch, rows[0]))
    _push(state, "table", 1, [start, start + len(rows)])
    for index, row in enumerate(rows, start):
        cell_kind = "th" if headed and index == start else "td"
        _push(state, "tr", 1, [index, index + 1])
        for cell in [*row, *[""] * (columns - len(row))]:
            _push(state, cell_kind, 1, None)
            token = state.push("inline", "", 0)
            token.content, token.children = cell, []
            token.map = [index, index + 1]
            _push(state, cell_kind, -1, None)
        _push(state, "tr", -1, None)
    _push(state, "table", -1, None)
    state.line = start + len(rows)
    return True


def _tab_rows(state: StateBlock, start: int, end: int) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in range(start, end):
        raw = state.src[state.bMarks[line] : state.eMarks[line]]
        if "\t" not in raw.rstrip() or (raw.startswith("\t") and rows):
            break
        cells = [cell.strip() for cell in raw.rstrip().split("\t")]
        if raw.startswith("\t") and len(cells) < 3:
            break  # one tab and a text: indented code
        if re.match(r"\s*([-*+>#|]|\d+[.)])\s", raw):
            break  # a list item, a quote or a heading whose text is set off with a tab
        rows.append(cells)
    return rows


def _push(state: StateBlock, tag: str, nesting: int, lines: list[int] | None) -> None:
    token = state.push(f"{tag}_{'open' if nesting > 0 else 'close'}", tag, nesting)  # type: ignore[arg-type]  # nesting is a Literal there
    token.map = lines


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
