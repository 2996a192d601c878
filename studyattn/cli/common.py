"""What the commands share: opening the home, reading times and ratings, printing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from studyattn.cli.app import Invocation
from studyattn.cli.lines import printable

if TYPE_CHECKING:
    from studyattn.study.learner import Learner

Command = TypeVar("Command", bound=Callable[..., Any])

pass_invocation = click.make_pass_decorator(Invocation)


class Whole(click.IntRange):
    """A whole number in a range; what is none is told without the name of a type."""

    name = "whole number"


class Day(click.ParamType[date]):
    """A day of the calendar, as ISO 8601 writes it."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The day that is written there; a usage error where it is none."""
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day. Write it like 2026-11-21.", param, ctx)


NUMBER = Whole(0, 2**31 - 1)
"""The number of a row, as far as any database counts."""


def json_option(command: Command) -> Command:
    """`--json` as the argument `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


@contextmanager
def opened(invocation: Invocation) -> Iterator[Learner]:
    """The learner's home, opened. What hinders nothing else is told on standard error."""
    from studyattn.study.learner import open_learner

    with open_learner(invocation.home) as learner:
        for problem in learner.problems:
            say(f"studyattn: {problem}", err=True)
        yield learner


def emit(value: Any) -> None:
    """Print a value as JSON: instants as ISO 8601 in UTC, dataclasses as objects."""
    click.echo(json.dumps(plain(value), ensure_ascii=False))


def plain(value: Any) -> Any:  # noqa: PLR0911 - one return a type
    """A value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {_key(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | Path):
        return str(value)
    return value


def _key(key: Any) -> str:
    return str(plain(key))


def say(text: str, *, err: bool = False) -> None:
    """Print lines for a person. What a document holds drives no terminal."""
    click.echo(printable(text), err=err)


def table(rows: Sequence[Sequence[str]], last: Callable[[str], str] = lambda cell: cell) -> None:
    """Print rows in columns, measured in a terminal's cells; the last is as wide as it needs.

    `last` makes of the last cell what is shown, row by row as they are printed.
    """
    from rich.cells import cell_len, set_cell_size

    if not rows:
        return
    clean = [[printable(cell) for cell in row] for row in rows]
    widths = [max(cell_len(row[column]) for row in clean) for column in range(len(clean[0]) - 1)]
    for row in clean:
        cells = [set_cell_size(cell, width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, printable(last(row[-1]))]).rstrip())


def title(markdown: str) -> str:
    """A card's question as a title: mathematics set, gaps as gaps, no marks, not endless."""
    if len(markdown) > _LONGEST_TITLE:
        return f"{markdown[:_LONGEST_TITLE]}…"
    if _MARKS.isdisjoint(markdown):
        return markdown
    from studyattn.text.cloze import gapped
    from studyattn.text.render import plain as words

    return words(gapped(markdown)) or markdown


_LONGEST_TITLE = 500  # characters; a question is shorter, and a document may hold anything
_MARKS = frozenset("$\\*_`<[&=~")


def local(at: datetime | None) -> str:
    """An instant on the clock of this machine, for a person."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M")
