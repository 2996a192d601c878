"""The common parts of commands: arguments, opening the home, examples in help, printing."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from studyattn.home import Home
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

_USUAL = ("less", "more")
_LESS = "FRX"  # stay on the screen, show colours, end at once with what fits


class _Kept(io.TextIOWrapper):
    """A terminal's stand-in: what is printed in it has the terminal's width and colours."""

    def isatty(self) -> bool:
        return True


@contextlib.contextmanager
def paged() -> Iterator[None]:
    """Show what is printed inside in the pager if the screen is too small for it.

    That is `$PAGER`, else less or more; an empty `$PAGER` is none. Nothing changes where standard
    output is no terminal.
    """
    pager = _pager() if sys.stdout.isatty() else []
    if not pager:
        yield
        return
    terminal = sys.stdout
    kept = _Kept(io.BytesIO(), encoding=terminal.encoding, errors=terminal.errors, newline="")
    sys.stdout = kept
    try:
        yield
    finally:
        sys.stdout = terminal
        kept.flush()
        text = kept.buffer.getvalue()  # type: ignore[attr-defined]  # it is the BytesIO above
        if text.count(b"\n") < terminal_size().lines or not _is_paged(pager, text):
            terminal.buffer.write(text)
            terminal.flush()


def _pager() -> list[str]:
    """Return the command line of the pager, or nothing."""
    named = os.environ.get("PAGER")
    if named is not None:
        import shlex  # late, as below: output that goes straight out does without

        try:
            return shlex.split(named)
        except ValueError:  # a quote that is not closed
            return []
    if os.environ.get("TERM", "dumb") == "dumb":
        return []
    import shutil

    return next(([name] for name in _USUAL if shutil.which(name)), [])


def _is_paged(pager: list[str], text: bytes) -> bool:
    """Show text in the pager until it ends. False when it cannot be started."""
    import signal
    import subprocess

    try:
        reader = subprocess.Popen(pager, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ})
    except OSError:
        return False
    # Ctrl-C is the pager's while it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with contextlib.suppress(BrokenPipeError):  # it was left before its end
            reader.communicate(text)
    finally:
        signal.signal(signal.SIGINT, before)
    return True


class Invocation(NamedTuple):
    """The home, and the start of the app: the root of the command line gives it to commands."""

    home: Home
    start_app: Callable[[Home], int] | None = None  # what happens without a command


class Rows(NamedTuple):
    """A table for a person, as `table` prints it."""

    rows: Iterable[Sequence[str]]
    last: Callable[[str], str] = lambda cell: cell


Shown = str | Rows | Callable[[], object] | Iterable["Shown"] | None
"""The form in which a person gets an answer; a generator runs for a person alone."""


class Answer(NamedTuple):
    """The result of a command: a value for JSON, and what is shown to a person."""

    value: Any
    shown: Shown = None
    failed: bool = False
    """The answer is no: exit status 1."""


def show(shown: Shown, most: int = 0) -> None:
    """Print for a person; of rows at most so many, or all of them for 0."""
    if isinstance(shown, str):
        say(shown)
    elif isinstance(shown, Rows):
        rows = list(shown.rows)
        table(rows[: most or None], shown.last)
        if 0 < most < len(rows):
            told = f"These are the first {most:,}. `--limit 0` lists all."
            say(told, err=not sys.stdout.isatty())
    elif callable(shown):
        shown()
    else:
        for each in shown or ():
            show(each)


def warned(text: str) -> Callable[[], None]:
    """Return what prints a line on standard error."""
    return partial(say, text, err=True)


class Whole(click.IntRange):
    """A whole number in a range. Its error messages name no Python type."""

    name = "whole number"


class Amount(click.FloatRange):
    """A number in a range: `nan`, which is in every range for click, is in none."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number. Raises UsageError for text that is not one."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Day(click.ParamType[date]):
    """A calendar day in ISO 8601."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return the day. Raises UsageError for text that is not one."""
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day. Write it like 2026-11-21.", param, ctx)


def examples(*commands: str) -> str:
    """Return the end of a command's help: command lines that can be typed as they are."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


@contextmanager
def opened(invocation: Invocation) -> Iterator[Profile]:
    """Open the learner's home. Problems that do not stop the command go to standard error.

    That nothing can be changed is told last, and by the error of a command that would.
    """
    # Late: help and completion do without it.
    from studyattn.study.profile import open_profile

    with open_profile(invocation.home) as profile:
        hindrance = profile.database.hindrance
        for problem in profile.problems:
            if problem is not hindrance:
                say(f"studyattn: {problem}", err=True)
        yield profile
    if hindrance is not None:
        say(f"studyattn: {hindrance}", err=True)


def emit(value: Any) -> None:
    """Print a value as JSON: instants as ISO 8601 in UTC, dataclasses as objects."""
    click.echo(json.dumps(plain(value), ensure_ascii=False))


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    for names in ("__dataclass_fields__", "__struct_fields__", "_fields"):  # of msgspec, of a tuple
        if hasattr(type(value), names):
            return {name: plain(getattr(value, name)) for name in getattr(value, names)}
    for kind, change in _AS_JSON.items():
        if isinstance(value, kind):
            return change(value)
    return value


_AS_JSON: Final[Mapping[type, Callable[[Any], Any]]] = {
    dict: lambda value: {str(plain(key)): plain(each) for key, each in value.items()},
    **dict.fromkeys((list, tuple, set, frozenset), lambda value: [*map(plain, value)]),
    datetime: lambda value: value.astimezone(UTC).isoformat(),
    IntEnum: lambda value: value.name.lower(),
    Enum: attrgetter("value"),
    **dict.fromkeys((date, Path), str),
}


def say(text: str, *, err: bool = False, hang: int = 0) -> None:
    """Print lines for a person, without characters that control a terminal.

    A line wider than the terminal is wrapped and indented by `hang` columns; a file or a pipe gets
    it whole.
    """
    width = _terminal_width(err=err)
    for line in printable(text).split("\n"):
        click.echo("\n".join(_folded(line, width, hang)), err=err)


def table(rows: Sequence[Sequence[str]], last: Callable[[str], str] = lambda cell: cell) -> None:
    """Print rows in columns, measured in a terminal's cells; the last is as wide as it needs.

    `last` turns the last cell into what is shown, as each row is printed. If the terminal is too
    narrow, the last cell is wrapped in its column, or below the row if the column is too thin.
    """
    if not rows:
        return
    clean = [[cell if _is_plain(cell) else printable(cell) for cell in row] for row in rows]
    sizes = [[*map(_cells, row[:-1])] for row in clean]
    widths = [*map(max, zip(*sizes, strict=False))]
    most = _terminal_width()
    lines: list[str] = []
    for row, own in zip(clean, sizes, strict=True):
        spaces = [" " * (width - size) for width, size in zip(widths, own, strict=False)]
        lines += _lines_of_row(row, spaces, printable(last(row[-1])), sum(widths), most)
    click.echo("\n".join(lines))


def _lines_of_row(
    row: Sequence[str], spaces: Sequence[str], tail: str, wide: int, most: int | None
) -> list[str]:
    """Return the lines of a row whose cells but the last take `wide` columns with their spaces."""
    cells = [cell + after for cell, after in zip(row, spaces, strict=False)]
    start = wide + 2 * len(cells)
    if most is None or start + _cells(tail) <= most:
        return ["  ".join([*cells, tail]).rstrip()]
    if start + _THINNEST <= most:
        return _folded("  ".join([*cells, tail]), most, start)
    head = "  ".join(cells if start <= most else filter(None, row[:-1])).rstrip()
    return [head, *_folded(f"{'':{_BELOW}}{tail}", most, _BELOW)]


def _cells(text: str) -> int:
    """Return the columns of a terminal that a text takes."""
    if _is_plain(text):
        return len(text)
    from rich.cells import cell_len  # late, here and below: most that is printed does without Rich

    return cell_len(text)


def _is_plain(text: str) -> bool:
    """Return whether a text consists of harmless characters, each one column wide."""
    return (text.isascii() and text.isprintable()) or _NARROW.fullmatch(text) is not None


_NARROW = re.compile("[ -~○●✓✗→…–—√·×]*")


_THINNEST = 28  # columns; text that is broken more often than that is hard to read
_BELOW = 4  # columns that a cell below its row is set in


def _terminal_width(*, err: bool = False) -> int | None:
    """Return the columns of the terminal that is printed to, or None if it is not a terminal."""
    stream = sys.stderr if err else sys.stdout
    return terminal_size().columns if stream.isatty() else None


def terminal_size() -> os.terminal_size:
    """Return the columns and lines of the terminal."""
    import shutil  # late, as above

    return shutil.get_terminal_size()


def _folded(line: str, width: int | None, hang: int) -> list[str]:
    """Wrap a line at spaces; the lines after the first are indented."""
    if width is None or 2 * len(line) <= width or hang + _BELOW > width:  # 2: the widest sign
        return [line]
    from rich.text import Text

    from studyattn.text.lines import wrap

    first, *rest = wrap(Text(line[hang:]), width - hang)
    return [line[:hang] + first.plain, *(f"{'':{hang}}{each.plain}" for each in rest)]


def rendered(markdown: str) -> str:
    """Return Markdown as text: mathematics set, lines broken at the reading width."""
    # Late: few commands print Markdown, and its reader takes as long as click.
    from studyattn.text.render import render

    return render(markdown, width=READING_WIDTH).plain


READING_WIDTH = 72
"""Columns of running text, as in the app."""


def title(markdown: str) -> str:
    """Return a card's question as a title: formulas typeset, gaps shown, no markup, cut if long."""
    if len(markdown) > _LONGEST_TITLE:
        return f"{markdown[:_LONGEST_TITLE]}…"
    if _MARKS.isdisjoint(markdown):
        return markdown
    from studyattn.text.titles import words  # late: few lists have such titles

    return words(markdown, gaps=True) or markdown


_LONGEST_TITLE = 500  # characters; a question is shorter, and a document may hold anything
_MARKS = frozenset("$\\*_`<[&=~")


def local(at: datetime | None) -> str:
    """Return an instant in the local time of this machine, for a person."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M")


def words_of(markdown: str) -> str:
    """Return a note's title for a line of a list: mathematics set, no marks."""
    from studyattn.text.titles import words

    return words(markdown) or markdown


def written(before: str) -> str:
    """Return the text of standard input that is no terminal, else `before` as an editor left it.

    Raises UsageError for input that is not text, and when the editor saved nothing.
    """
    if not sys.stdin.isatty():
        try:
            return sys.stdin.read()
        except UnicodeDecodeError:
            raise click.UsageError("Standard input is not UTF-8 text") from None
    text = click.edit(before, extension=".md")
    if text is None:
        raise click.UsageError("The editor saved nothing")
    return text
