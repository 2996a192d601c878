"""Read LaTeX into a formula: the part of LaTeX's mathematics that study notes are written in.

Anything outside it raises `UnreadableError`; then the LaTeX itself is shown. Nothing is guessed
and nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from studyattn.text.mathematics import symbols
from studyattn.text.mathematics.formula import (
    Accent,
    Bar,
    Fenced,
    Formula,
    FormulaRow,
    Fraction,
    Grid,
    NodeKind,
    Root,
    Scripts,
    Symbol,
    map_symbols,
)

DEEPEST: Final = 40
"""Levels of nesting; deeper than any formula, shallower than Python's stack."""

_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_SKIPPED = re.compile(r"(?:\s+|(?<!\\)%[^\n]*(?:\n|$))+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.\- ]*")
_NEW_ROW = frozenset({"\\\\", "\\newline", "\\cr"})
_CELL_ENDS = _NEW_ROW | {"&", "\\end"}


class UnreadableError(ValueError):
    """This LaTeX is not of the part that is known here."""


def read(latex: str) -> Formula:
    """The formula that the LaTeX says.

    Raises UnreadableError for an unknown command or environment, and for braces that do not match.
    """
    return _LatexReader(latex).whole()


class _LatexReader:
    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.position = 0
        self.depth = 0

    # -- the stream ----------------------------------------------------------------------------

    def peek(self) -> str:
        """The next command or character, '' at the end. White space and comments are nothing."""
        if skipped := _SKIPPED.match(self.latex, self.position):
            self.position = skipped.end()
        if self.position >= len(self.latex):
            return ""
        if self.latex[self.position] != "\\":
            return self.latex[self.position]
        if command := _COMMAND.match(self.latex, self.position):
            piece = command[0]
            starred = piece == "\\operatorname*"
            return piece if starred else piece.removesuffix("*") or piece
        raise UnreadableError("a backslash at the end")

    def next(self) -> str:
        piece = self.peek()
        self.position += len(piece)
        return piece

    def expect(self, piece: str) -> None:
        if self.next() != piece:
            raise UnreadableError(f"{piece} is missing")

    def raw_group(self) -> str:
        """Return the text between the braces that come next, as it is written."""
        self.expect("{")
        start, depth = self.position, 1
        while self.position < len(self.latex):
            char = self.latex[self.position]
            depth += {"{": 1, "}": -1}.get(char, 0)
            self.position += 2 if char == "\\" else 1
            if depth == 0:
                return self.latex[start : self.position - 1]
        raise UnreadableError("} is missing")

    # -- rows ----------------------------------------------------------------------------------

    def whole(self) -> Formula:
        rows = self.cells(ends=frozenset({""}))
        if len(rows) == 1 and len(rows[0]) == 1:
            return rows[0][0]
        return Grid(rows, "rl" if any(len(row) > 1 for row in rows) else "l", equations=True)

    def row(self, ends: frozenset[str]) -> FormulaRow:
        """Parts until one of `ends`, which is left where it is."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableError("nested too deeply")
        items: list[Formula] = []
        while (piece := self.peek()) not in ends:
            if piece == "":
                raise UnreadableError(f"one of {sorted(ends)} is missing")
            self.part(piece, items)
        self.depth -= 1
        return FormulaRow(tuple(items))

    def part(self, piece: str, items: list[Formula]) -> None:
        """One more part of the row, or a script of the last one."""
        if piece in {"^", "_", "'"}:
            self.script(items)
        elif piece in {"\\limits", "\\nolimits"}:
            self.next()
            if items:
                items[-1] = _scripted(items[-1], limits=piece == "\\limits")
        elif piece in {"\\over", "\\choose"}:
            raise UnreadableError(f"{piece} takes the terms around it")
        elif (atom := self.atom()) != FormulaRow(()):
            items.append(atom)

    def script(self, items: list[Formula]) -> None:
        base = items.pop() if items and not _is_space(items[-1]) else FormulaRow(())
        mark = self.next()
        if mark == "_":
            items.append(_scripted(base, lower=self.argument()))
            return
        upper: list[Formula] = [Symbol("′")] if mark == "'" else [self.argument()]
        while mark == "'" and self.peek() in {"'", "^"}:
            mark = self.next()
            upper.append(Symbol("′") if mark == "'" else self.argument())
        items.append(
            _scripted(base, upper=upper[0] if len(upper) == 1 else FormulaRow(tuple(upper)))
        )

    def argument(self) -> Formula:
        """The argument of a command or a script: a group in braces or the next single part."""
        if self.peek() == "{":
            return self.group()
        if self.peek() in {"", "}", "&", "^", "_"}:
            raise UnreadableError("an argument is missing")
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableError("nested too deeply")
        atom = self.atom()
        self.depth -= 1
        return atom

    def group(self) -> FormulaRow:
        self.expect("{")
        row = self.row(frozenset({"}"}))
        self.expect("}")
        return row

    def optional(self) -> Formula | None:
        """An argument in square brackets, when there is one."""
        if self.peek() != "[":
            return None
        self.next()
        row = self.row(frozenset({"]"}))
        self.expect("]")
        return row

    # -- parts ---------------------------------------------------------------------------------

    def atom(self) -> Formula:
        piece = self.peek()
        if piece == "{":
            return self.group()
        self.next()
        if piece.startswith("\\") and len(piece) > 1:
            return self.command(piece[1:])
        if piece in {"}", "&", "$"} or not (piece.isprintable() and piece):
            raise UnreadableError(f"{piece!r} cannot begin a formula")
        around = self.latex[max(self.position - 2, 0) : self.position + 4]
        if piece == "," and re.match(r"\d,\d{3}(?!\d)", around):
            return Symbol(",")  # which parts groups of digits, not members of a list
        return symbols.character(piece)

    def command(self, name: str) -> Formula:
        if (symbol := symbols.command(name)) is not None:
            return symbol
        try:
            rule, given = symbols.rule_of(name)
        except KeyError:
            raise UnreadableError(f"\\{name} is not supported") from None
        read: Callable[[str], Formula] = getattr(self, rule)
        return read(given)

    def limited(self, text: str) -> Formula:
        function = Symbol(text.replace("~", " "), NodeKind.FUNCTION, words=True)
        return Scripts(function, limits=True)

    def integral(self, sign: str) -> Formula:
        return Scripts(Symbol(sign, NodeKind.OPERATOR), limits=False)

    def nothing(self, _: str) -> Formula:
        return FormulaRow(())

    def dropped(self, _: str) -> Formula:
        self.raw_group()
        return FormulaRow(())

    def fraction(self, kind: str) -> Formula:
        numerator = self.argument()
        fraction = Fraction(numerator, self.argument(), ruled=kind == "ruled")
        return fraction if fraction.ruled else Fenced("(", fraction, ")")

    def root(self, _: str) -> Formula:
        degree = self.optional()
        return Root(self.argument(), degree)

    def accent(self, code: str) -> Formula:
        return Accent(self.argument(), chr(int(code, 16)))

    def bar(self, kind: str) -> Formula:
        brace = kind.endswith("brace")
        bar = Bar(self.argument(), over=kind.startswith("over"), brace=brace)
        return Scripts(bar, limits=True) if brace else bar

    def font(self, style: str) -> Formula:
        start = self.position
        if style == "name" and self.peek() == "{":
            raw = self.raw_group().strip()
            if len(raw) > 1 and _NAME.fullmatch(raw):
                return Symbol(raw.replace(" ", ""), NodeKind.FUNCTION, words=True)
            self.position = start
        changes = symbols.alphabet(style) if style.isupper() else {}
        return map_symbols(self.argument(), changes)

    def text(self, kind: str) -> Formula:
        raw = self.raw_group()
        if kind == "words":
            return _words(raw)
        name = _letters(_LatexReader(raw).whole()) or raw.strip()
        function = Symbol(name, NodeKind.FUNCTION, words=True)
        return Scripts(function, limits=True) if kind == "limited" else function

    def wrapper(self, _: str) -> Formula:
        return self.argument()

    def of_kind(self, kind: str) -> Formula:
        letters = _letters(self.argument())
        if not letters:
            raise UnreadableError(f"a {kind} that is not a symbol")
        return Symbol(letters, NodeKind[kind.upper()])

    def coloured(self, kind: str) -> Formula:
        self.raw_group()
        return self.argument() if kind == "argument" else FormulaRow(())

    def stacked(self, corner: str) -> Formula:
        mark, base = self.argument(), self.argument()
        if corner == "lower":
            return Scripts(base, lower=mark, limits=True)
        return Scripts(base, upper=mark, limits=True)

    def arrow(self, sign: str) -> Formula:
        below = self.optional()
        return Scripts(Symbol(sign, NodeKind.RELATION), below, self.argument(), limits=True)

    def modulo(self, bracket: str) -> Formula:
        body = FormulaRow((Symbol("mod", NodeKind.FUNCTION, words=True), self.argument()))
        return FormulaRow(
            (Symbol(" ", NodeKind.SPACE), Fenced("(", body, ")") if bracket == "(" else body)
        )

    def substack(self, _: str) -> Formula:
        self.expect("{")
        rows = self.cells(ends=frozenset({"}"}))
        self.expect("}")
        return Grid(rows, "c")

    def negated(self, _: str) -> Formula:
        symbol = self.argument()
        if not isinstance(symbol, Symbol) or len(symbol.text) != 1:
            raise UnreadableError("\\not before more than one sign")
        return symbol._replace(text={"=": "≠", "∈": "∉"}.get(symbol.text, symbol.text + "\u0338"))

    def sized(self, kind: str) -> Formula:
        """A delimiter of a given size: it grows with what it holds, as every delimiter here."""
        text = self.delimiter()
        symbol = symbols.character(text)
        if symbol.kind in {NodeKind.OPEN, NodeKind.CLOSE} or not text:
            return symbol
        if kind != "same":
            return Symbol(text, NodeKind[kind.upper()])
        return Symbol(text, NodeKind.ORDINARY if text in "|‖/" else symbol.kind)

    def delimiter(self) -> str:
        piece = self.next()
        if piece == ".":
            return ""
        symbol = symbols.command(piece[1:]) if piece.startswith("\\") else None
        text = symbol.text if symbol else {"<": "⟨", ">": "⟩"}.get(piece, piece)
        if len(text) != 1:
            raise UnreadableError(f"{piece} is not a delimiter")
        return text

    def fenced(self, _: str) -> Formula:
        left = self.delimiter()
        parts = [self.row(frozenset({"\\right", "\\middle"}))]
        while self.next() == "\\middle":
            parts.append(FormulaRow((Symbol(self.delimiter(), NodeKind.RELATION),)))
            parts.append(self.row(frozenset({"\\right", "\\middle"})))
        items = tuple(item for part in parts for item in part.items)
        return Fenced(left, FormulaRow(items), self.delimiter())

    def environment(self, _: str) -> Formula:
        matrices, equations = map(symbols.environments, ("matrix", "equations"))
        name = self.raw_group().rstrip("*")
        columns = self.columns(name)
        rows = self.cells(ends=frozenset({"\\end"}))
        self.expect("\\end")
        if self.raw_group().rstrip("*") != name:
            raise UnreadableError(f"{name} is closed by a different \\end")
        if name in matrices:
            left, right = (sign.strip(".") for sign in matrices[name])
            return Grid(rows, "l" if name.endswith("cases") else "c", left, right)
        if name in {"array", "tabular"}:
            return Grid(rows, columns or "c")
        if name in equations:
            return Grid(rows, equations[name], equations=True)
        raise UnreadableError(f"the environment {name} is not supported")

    def columns(self, name: str) -> str:
        """Read what may come before the cells: the sides of columns, or nothing of use."""
        if name in {"array", "alignat", "tabular"}:
            return re.sub(r"[^lcr]", "", self.raw_group())
        if name.endswith("matrix") or name == "aligned":
            self.optional()
        return ""

    def cells(self, ends: frozenset[str]) -> tuple[tuple[Formula, ...], ...]:
        """Rows of cells until one of `ends`; a last row that is empty is none."""
        rows: list[list[Formula]] = [[]]
        stops = (_CELL_ENDS | ends) if "\\end" in ends else (_NEW_ROW | {"&"} | ends)
        while True:
            rows[-1].append(self.row(stops))
            if self.peek() in ends:
                break
            if self.next() != "&":
                self.row_gap()
                rows.append([])
        if len(rows) > 1 and all(
            not cell.items for cell in rows[-1] if isinstance(cell, FormulaRow)
        ):
            rows.pop()
        return tuple(tuple(row) for row in rows)

    def row_gap(self) -> None:
        r"""The `[4pt]` that may follow `\\`."""
        if gap := re.compile(r"\s*\[[\d.\s]*[a-z]{2}\]").match(self.latex, self.position):
            self.position = gap.end()


def _scripted(
    base: Formula,
    *,
    lower: Formula | None = None,
    upper: Formula | None = None,
    limits: bool | None = None,
) -> Scripts:
    """The base with one more script. Raises UnreadableError when it has that one already."""
    known = base if isinstance(base, Scripts) else Scripts(base)
    if (lower and known.lower) or (upper and known.upper):
        raise UnreadableError("two scripts at the same corner")
    return Scripts(
        known.base,
        lower or known.lower,
        upper or known.upper,
        known.limits if limits is None else limits,
    )


def _is_space(formula: Formula) -> bool:
    return isinstance(formula, Symbol) and formula.kind is NodeKind.SPACE


def _letters(formula: Formula) -> str:
    """The text of a formula that is nothing but signs; '' for any other."""
    if isinstance(formula, Symbol):
        return formula.text
    if isinstance(formula, FormulaRow):
        parts = [_letters(item) for item in formula.items]
        return "".join(parts) if all(parts) else ""
    return ""


def _words(raw: str) -> Formula:
    r"""The content of `\text`: words, in which `$…$` is mathematics again."""
    items: list[Formula] = []
    for index, part in enumerate(re.split(r"(?<!\\)\$", raw)):
        if index % 2:
            items.append(read(part))
        elif part:
            plain = re.sub(r"\\([%$#&_{} ])", r"\1", re.sub(r"\s+", " ", part))
            if "\\" in plain:
                raise UnreadableError("a command inside \\text")
            items.append(Symbol(plain.replace("~", " "), words=True))
    return items[0] if len(items) == 1 else FormulaRow(tuple(items))
