"""Text that a command asks for: from standard input, or written in the learner's editor."""

from __future__ import annotations

import sys

import click


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
