"""Render Markdown as one Rich text, wrapped to a width: the look of a card face or a note.

The result is plain styled text, so brackets in it are brackets: nothing is read as markup again.
No line is wider than the width, but for lines of code, which are shown as they were written, and
characters that are wider than the width themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from rich.cells import cell_len
from rich.text import Text

from studyattn.text.characters import without_controls
from studyattn.text.highlight import set_code
from studyattn.text.inline import Display, set_inline, set_text
from studyattn.text.lines import join, prefixed, wrap
from studyattn.text.links import Names
from studyattn.text.markdown import parse, walk
from studyattn.text.mathematics import render_math
from studyattn.text.palette import Palette
from studyattn.text.tables import Table, set_table

FORMULA_INDENT: Final = 4
"""Cells before a formula on its own lines, where there is room."""
CODE_INDENT: Final = 2
LEAST_ROOM: Final = 12
"""Cells that a nested block keeps for its text; deeper nesting is not indented further."""
LONGEST_RULE: Final = 72
BULLETS: Final = "•◦▪"

_TASKS: Final = {"[ ] ": "☐", "[x] ": "☑", "[X] ": "☑"}
_NUMBER = re.compile(r"[+\-−]?\d[\d.,]*\s?%?")
_DEFAULT: Final = Palette()


def render(
    markdown: str, *, width: int, palette: Palette = _DEFAULT, names: Names | None = None
) -> Text:
    """The Markdown as text that is `width` cells wide (at least 1). Never raises on any text.

    With `names`, a link to one of these concepts shows its words and is styled as a link, and one
    to any other is styled as a mark; without, `[[…]]` is a text like any other.
    """
    return join(render_lines(markdown, width=width, palette=palette, names=names))


def render_lines(
    markdown: str, *, width: int, palette: Palette = _DEFAULT, names: Names | None = None
) -> list[Text]:
    """The same, as one text a line."""
    tokens = parse(markdown)
    for token in walk(tokens) if names is not None else ():
        if token.type == "wikilink":
            found = names.find(token.meta["target"]) if names is not None else None
            token.meta["known"] = found is not None
            if found is not None and token.meta["text"] == token.meta["target"]:
                token.meta["text"] = found.title  # a link without words of its own
    tree = SyntaxTreeNode(tokens)
    return _BlockSetter(palette).blocks(tree.children, max(width, 1))


def plain(markdown: str) -> str:
    """The words of one line of Markdown, such as a title, without its marks."""
    lines = render_lines(markdown, width=10_000, palette=_DEFAULT)
    return " ".join(line.plain.strip() for line in lines if line.plain.strip())


class _BlockSetter:
    """Sets blocks of one document; how deep a list is decides its bullet."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.depth = 0

    def blocks(self, nodes: list[SyntaxTreeNode], width: int, *, tight: bool = False) -> list[Text]:
        """Blocks under one another, with a blank line between them unless the list is tight."""
        lines: list[Text] = []
        for node in nodes:
            block = self.block(node, width)
            if block and lines and not (tight and node.type != "math_block"):
                lines.append(Text())
            lines.extend(block)
        return lines

    def block(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        """The lines of one block. One that no rule knows is shown as its text, never as nothing."""
        rule = _RULES.get(node.type)
        if rule is not None:
            return rule(self, node, width)
        return wrap(Text(without_controls("" if node.is_nested else node.content)), width)

    def nothing(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        """Front matter is read, not shown."""
        del node, width
        return []

    def rule(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        del node
        return [Text("─" * min(width, LONGEST_RULE), self.palette.marker)]

    def html(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        return wrap(Text(without_controls(node.content).strip("\n"), self.palette.html), width)

    def formula(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        return self.display(node.content, width)

    def grid(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        return set_table(self.table(node), width, self.palette)

    def paragraph(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        lines: list[Text] = []
        for piece in set_inline(_inline(node), self.palette):
            if isinstance(piece, Display):
                lines.extend([Text(), *self.display(piece.latex, width), Text()])
            else:
                piece.style = self.palette.text
                lines.extend(wrap(_stripped(piece), width) if piece.plain.strip() else [])
        full = [index for index, line in enumerate(lines) if line.plain]
        return lines[full[0] : full[-1] + 1] if full else []

    def heading(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        title = set_text(_inline(node), self.palette)
        title.stylize_before(self.palette.heading)
        return wrap(title, width)

    def display(self, latex: str, width: int) -> list[Text]:
        indent = FORMULA_INDENT if width > 3 * FORMULA_INDENT else 0
        lines = render_math(latex.strip(), display=True, width=width - indent)
        if lines is None:
            return wrap(Text(without_controls(latex.strip()), self.palette.latex), width)
        return [Text(" " * indent + line if line else "", self.palette.maths) for line in lines]

    def code(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        del width
        language = node.info.split()[0] if node.type == "fence" and node.info.split() else ""
        lines = set_code(node.content, language, self.palette)
        indent = Text(" " * CODE_INDENT)
        return prefixed(lines, indent, indent)

    def quote(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        mark = Text("▌ ", self.palette.marker) if width > LEAST_ROOM + 2 else Text()
        lines = self.blocks(node.children, width - cell_len(mark.plain))
        for line in lines:
            line.stylize_before(self.palette.quote)
        return prefixed(lines, mark, mark)

    def items(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        tight = all(child.hidden for item in node.children for child in item.children[:1])
        self.depth += 1
        lines: list[Text] = []
        apart = not tight
        for item, mark in zip(node.children, self.marks(node), strict=True):
            if lines and apart:
                lines.append(Text())
            body = self.item(item, mark, width, tight=tight)
            apart = not tight or any(not line.plain for line in body)
            lines.extend(body)
        self.depth -= 1
        return lines

    def marks(self, node: SyntaxTreeNode) -> Iterator[str]:
        """The bullets or right-aligned numbers of a list, each with the space after it."""
        count = len(node.children)
        if node.type == "bullet_list":
            bullet = BULLETS[min(self.depth, len(BULLETS)) - 1]
            return iter([f"{bullet} "] * count)
        first = int(node.attrs.get("start", 1))
        numbers = [f"{number}." for number in range(first, first + count)]
        return iter([number.rjust(len(numbers[-1])) + " " for number in numbers])

    def item(self, node: SyntaxTreeNode, mark: str, width: int, *, tight: bool) -> list[Text]:
        task = _take_task(node)
        if task is not None:
            mark = f"{task} "
        first = Text(mark, self.palette.marker)
        indent = len(mark)
        if width - indent < LEAST_ROOM:
            lines = self.blocks(node.children, width, tight=tight)
            return [*wrap(first, width), *lines]
        lines = self.blocks(node.children, width - indent, tight=tight)
        return prefixed(lines or [Text()], first, Text(" " * indent))

    def table(self, node: SyntaxTreeNode) -> Table:
        rows = [row for row in node.walk() if row.type == "tr"]
        cells = [
            tuple(set_text(_inline(cell), self.palette) for cell in row.children) for row in rows
        ]
        head, body = None, tuple(cells)
        if rows and rows[0].children[0].type == "th":
            head, *others = cells
            body = tuple(others)
        alignments = (_alignment(cell, body, at) for at, cell in enumerate(rows[0].children))
        return Table(head, body, tuple(alignments))


_RULES: Final[dict[str, Callable[[_BlockSetter, SyntaxTreeNode, int], list[Text]]]] = {
    "front_matter": _BlockSetter.nothing,
    "paragraph": _BlockSetter.paragraph,
    "heading": _BlockSetter.heading,
    "bullet_list": _BlockSetter.items,
    "ordered_list": _BlockSetter.items,
    "blockquote": _BlockSetter.quote,
    "fence": _BlockSetter.code,
    "code_block": _BlockSetter.code,
    "math_block": _BlockSetter.formula,
    "table": _BlockSetter.grid,
    "hr": _BlockSetter.rule,
    "html_block": _BlockSetter.html,
}


def _inline(node: SyntaxTreeNode) -> list[Token]:
    """The inline tokens of a paragraph, heading or cell."""
    return next((child.token.children or [] for child in node.children if child.token), [])


def _take_task(node: SyntaxTreeNode) -> str | None:
    """The box of a task list's item, whose mark is taken from the item's text."""
    if not node.children or node.children[0].type != "paragraph":
        return None
    tokens = _inline(node.children[0])
    if not tokens or tokens[0].type != "text":
        return None
    box = _TASKS.get(tokens[0].content[:4])
    if box:
        tokens[0].content = tokens[0].content[4:]
    return box


def _alignment(cell: SyntaxTreeNode, rows: tuple[tuple[Text, ...], ...], column: int) -> str:
    """Return the side that the document says, else the right for numbers and the left for words."""
    said = str(cell.attrs.get("style", "")).removeprefix("text-align:")
    cells = [row[column].plain.strip() for row in rows]
    are_numbers = cells and all(map(_NUMBER.fullmatch, cells))
    return said or ("right" if are_numbers else "left")


def _stripped(run: Text) -> Text:
    """The run without the spaces at its ends, which were beside a formula."""
    start = len(run.plain) - len(run.plain.lstrip())
    kept = run[start:] if start else run
    kept.rstrip()
    return kept
