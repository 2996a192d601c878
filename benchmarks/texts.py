"""Every text that a person reads here, and some of them drawn at random.

    python -m benchmarks.texts --draw 20 --seed 7

prints twenty, each with where it is written. `docs/style.md` says how texts are written, and
`tests/test_wording.py` looks in all of them for wording that may not come back.

Collected are string literals of `studyattn` and of the built-in pack that hold at least three
words and are not docstrings (keys, help, errors, labels, mistakes, hints), the help of commands,
and the paragraphs of the README, the documentation, the changelog and the pack's Markdown.
Code, tables, formulas alone, SQL, lists of keys and style sheets are left out, and so are the
decisions, which are records of their day.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_MARKDOWN = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "content")
_PYTHON = ("studyattn", "content")
_WORD = re.compile(r"[A-Za-z][a-z’']+")
_WORDS = 3
"""A literal of fewer words is a name, a label or a unit."""

_SQL = re.compile(
    r"\b(SELECT|INSERT INTO|CREATE (TABLE|TEMP|FUNCTION|TRIGGER|INDEX)|PRAGMA|DELETE FROM|WHERE"
    r"|JOIN|UPDATE \w+ SET|SET \w+ TO|PRIMARY KEY|IN \('|AND|LIKE|CASE|CAST)\b|:until|setweight\("
    r"|substr\(|review\.at|item\.kind|content_rowid|tokenize=|VALUES|^\w+\.\w+ = "
    r"|remove_diacritics|buried_until|alembic_version|#>"
)
_NAMES = re.compile(
    r"^[\w.]+(, [\w.]+){2,}$|^[a-z]+ [^\x00-\x7f…] [a-z]+ [^\x00-\x7f…]|-src '"
    r"|\b(textstyle|hspace|textrm|mathop|arcsin)\b|_\w+ shift\+|^\w+ \| \w+$|^\|"
    r"|ctrl\+\w+ ctrl\+|^_\w+ = |^#\{|^#\w+:|^#\w+ column|^```\s"
)
"""Lists of keys, columns, types, LaTeX commands and sources of a page."""
_MARKUP = re.compile(r"^\s*(<|@|\.[a-z]|\{|import |from |def )|[;{]\s*$|\{ \w+: |\w\(self|\\[\w(]")
_ATTRIBUTES = re.compile(r"\s*\{[#.].*\}")
"""What the pack's Markdown says of a heading: `{#id concept=…}`."""

_NO_PROSE = re.compile(
    r"\A---\n.*?\n---\n|^(```|~~~).*?^\1`*$|^\$\$.*?\$\$$|^[|<!].*?$", re.MULTILINE | re.DOTALL
)
"""Front matter, code, formulas on lines of their own, tables, pictures and HTML."""

_BEGINS = re.compile(r"#|[-*] |\d+\. ")


@dataclass(frozen=True)
class Text:
    """One text, its white space made single, and the file (below the root) and line it is in."""

    where: str
    line: int
    words: str


def _single(text: str) -> str:
    return " ".join(text.split())


def _is_prose(text: str) -> bool:
    return (
        len(_WORD.findall(text)) >= _WORDS
        and " " in text.strip()
        and not _SQL.search(text)
        and not _NAMES.search(_single(text))
        and not _MARKUP.search(text)
    )


def _of_literal(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text of a literal; what an f-string fills in is “…”."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
    )


def _is_command(node: ast.FunctionDef) -> bool:
    """Whether a function is a command, whose docstring is its help."""
    names = (ast.unparse(each) for each in node.decorator_list)
    return any(".command(" in name or ".group(" in name for name in names)


def _left_out(tree: ast.AST) -> set[ast.AST]:
    """Return the literals of a module that nobody reads: docstrings, but not help of commands."""
    left: set[ast.AST] = set()
    kept: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left.add(node.value)
        if isinstance(node, ast.JoinedStr):
            left.update(inner for inner in ast.walk(node) if inner is not node)
        if isinstance(node, ast.FunctionDef) and _is_command(node):
            kept.update(ast.iter_child_nodes(node.body[0]))
    return left - kept


def of_python(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """Yield the texts of a module: its literals, and the docstrings that are help of commands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = _left_out(tree)
    where = path.relative_to(root).as_posix()
    for node in ast.walk(tree):
        if node in left_out or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            continue
        for paragraph in _of_literal(node).split("\n\n"):
            if _is_prose(paragraph):
                yield Text(where, node.lineno, _single(paragraph))


def of_markdown(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """Yield the paragraphs, headings and list items of a document, without code and tables."""
    text = _NO_PROSE.sub(lambda cut: "\n" * cut.group().count("\n"), path.read_text("utf-8"))
    where, block, first = path.relative_to(root).as_posix(), list[str](), 1
    for number, written in enumerate([*text.splitlines(), ""], 1):
        line = _ATTRIBUTES.sub("", written).strip()
        if block and (not line or _BEGINS.match(line) or block[0].startswith("#")):
            if _is_prose(" ".join(block)):
                yield Text(where, first, _single(" ".join(block)))
            block = []
        if line:
            first = first if block else number
            block.append(line.lstrip("#").strip() if block else line)


def of_table(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """Yield the cells of a table of text that hold words, and its headings."""
    where = path.relative_to(root).as_posix()
    for line, row in enumerate(path.read_text("utf-8").splitlines(), start=1):
        for cell in map(str.strip, row.strip("[]").split("|")):
            if " " in cell and not row.startswith("#"):
                yield Text(where, line, cell)


def of_commands(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """Yield the help of commands and of their options."""
    where = path.relative_to(root).as_posix()
    for line, row in enumerate(path.read_text("utf-8").splitlines(), start=1):
        told = row[2:].partition("  ")[2] if row.startswith("  ") else row
        if " " in told and not row.startswith(("#", "[", "  $")):
            yield Text(where, line, told)


def collected(root: Path = ROOT) -> list[Text]:
    """Return every text below `root`, in the order of files and lines."""
    texts: list[Text] = []
    for name in _PYTHON:
        for path in sorted((root / name).rglob("*.py")):
            texts += of_python(path, root)
        for path in sorted((root / name).rglob("actions.txt")):
            texts += of_table(path, root)
        for path in sorted((root / name).rglob("commands.txt")):
            texts += of_commands(path, root)
    for name in _MARKDOWN:
        at = root / name
        for path in sorted(at.rglob("*.md")) if at.is_dir() else [at]:
            if "decisions" in path.parts:
                continue
            texts += of_markdown(path, root)
    return texts


def main() -> None:
    """Print some texts, drawn at random."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--draw", type=int, default=20, help="how many texts to print")
    options.add_argument("--seed", type=int, default=None, help="draw the same texts again")
    options.add_argument("--all", action="store_true", help="print every text")
    options.add_argument("--under", default="", help="only files whose path begins like this")
    chosen = options.parse_args()
    texts = [text for text in collected() if text.where.startswith(chosen.under)]
    if not chosen.all:
        texts = random.Random(chosen.seed).sample(texts, min(chosen.draw, len(texts)))
    for text in texts:
        print(f"{text.where}:{text.line}: {text.words}")


if __name__ == "__main__":
    main()
