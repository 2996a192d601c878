"""The common parts of `gpt` and `model`: what a model writes as it comes, and its mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.lm.records import Piece


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
