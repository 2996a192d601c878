"""The common part of `gpt` and `model`: what a model writes, as it comes."""

from __future__ import annotations

from collections.abc import Iterable

import click

from studyattn.study.practice.running import Saying
from studyattn.text.characters import printable


def spoken(prompt: str, sayings: Iterable[Saying], *, quietly: bool) -> Saying:
    """Return what a model says at last; unless `quietly`, print it after the prompt as it comes."""
    if quietly:
        *_, last = sayings
        return last
    click.echo(printable(prompt), nl=False)
    shown = 0
    try:
        for last in sayings:
            click.echo(printable(last.text[shown:]), nl=False)
            shown = len(last.text)
    finally:
        click.echo()  # also before an error's line
    return last
