"""The common parts of `gpt` and `model`: options, and what a model writes as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Amount, Command, Whole, say
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.lm.records import Piece
    from studyattn.study.practice.model_parts import ModelPart

seed_option = click.option(
    "--seed", type=Whole(0, 2**31 - 1), default=0, help="Random seed.  [default: 0]"
)


def writing_options(
    unit: str, most: str, tokens: int, temperature: float
) -> Callable[[Command], Command]:
    """Return the options `--tokens` and `--temperature` for a model with these defaults."""

    def add(command: Command) -> Command:
        command = click.option(
            "--temperature",
            type=Amount(0, 10),
            default=temperature,
            help=f"0 always picks the most likely {unit}.  [default: {temperature:g}]",
        )(command)
        return click.option(
            "-n",
            "--tokens",
            type=Whole(1, 100_000),
            default=tokens,
            help=f"{most}.  [default: {tokens}]",
        )(command)

    return add


def spoken(prompt: str, pieces: Iterable[Piece], *, quietly: bool) -> list[Piece]:
    """Return what a model writes; unless `quietly`, print it after the prompt as it comes."""
    found: list[Piece] = []
    if quietly:
        return list(pieces)
    try:
        for piece in pieces:
            click.echo("" if found else printable(prompt), nl=False)
            click.echo(printable(piece.text), nl=False)
            found.append(piece)
    finally:
        click.echo()  # also before an error's line
    return found


def speed_of(pieces: Iterable[Piece]) -> float:
    """Return the tokens a second."""
    known = tuple(pieces)
    seconds = sum(piece.seconds for piece in known)
    return sum(piece.tokens for piece in known) / seconds if seconds else 0.0


def print_parts(parts: Iterable[ModelPart]) -> None:
    """Name the parts that are the learner's, and those that could be."""
    from studyattn.study.practice.model_parts import WHOSE

    known = tuple(parts)
    for origin, word in WHOSE.items():
        named = [part.entry for part in known if part.origin == origin]
        if named:
            say(f"  {word}: {', '.join(named)}", err=True, hang=4)
