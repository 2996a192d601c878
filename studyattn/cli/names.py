"""Concepts and drills as arguments of commands: by key, title or unambiguous beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from studyattn.cli import table
from studyattn.cli.common import Invocation
from studyattn.home import Home, find_home

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from studyattn.study.profile import Profile


class _Named(click.ParamType[str]):
    """A name of something in the home."""

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        """Return what has such a name, each with its title."""
        from click.shell_completion import CompletionItem

        from studyattn.study import names

        home = _home(ctx)
        if self.name == "concept":
            titles = names.concepts_beginning(home, incomplete)
        else:
            titles = names.drills_beginning(home, incomplete)
        return [CompletionItem(name, help=title or None) for name, title in titles.items()]


class ConceptName(_Named):
    """A concept, as it was given; `slug_of` says which one is meant once the home is open."""

    name = "concept"


CONCEPT = ConceptName()
PART = ConceptName()
"""A concept, of which one that was joined into another comes first."""


def slug_of(profile: Profile, name: str, *, joined: bool = False) -> str:
    """Return the slug of the concept that is called `name`: a slug, a title or their beginning.

    Raises NotFoundError, and InputError for what matches several. With `joined` a concept that was
    joined into another comes first.
    """
    # Late: help and completion do without it.
    from studyattn.study.names import concept_named

    return concept_named(profile, name, joined=joined)


class DrillName(_Named):
    """A drill; the command gets its id."""

    name = "drill"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,
    ) -> str:
        """Return the id. Raises NotFoundError, and InputError for what matches several."""
        invocation = ctx.find_object(Invocation) if ctx is not None else None
        if invocation is None:  # only the words are looked at, as in completion
            return value
        # Late: help and completion do without the packs.
        from studyattn.study.names import drill_named

        return drill_named(invocation.home, value)


DRILL = DrillName()


def _home(ctx: click.Context) -> Home:
    """Return the home that the words so far name; the root command does not run in completion."""
    given = ctx.find_root().params
    return find_home(
        given.get("home"), database=given.get("database"), learner=given.get("learner")
    )


class _Points(click.ParamType[frozenset[int]]):
    """Numbers of key points as they are printed, from 1: `1,3,4`; `none` for none."""

    name = "points"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> frozenset[int]:
        """Return the numbers from 0. Raises UsageError for text that has others."""
        words = str(value).replace(",", " ").split()
        if words == ["none"]:
            return frozenset()
        if not words or not all(each.isdecimal() and int(each) > 0 for each in words):
            self.fail(f"{value!r} is not a list of numbers. Write 1,3,4 or none.", param, ctx)
        return frozenset(int(each) - 1 for each in words)


POINTS = _Points()


Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def words(*choices: str) -> Completion:
    """Return what completes an argument that is one of a few words."""
    return lambda _context, _parameter, begun: [each for each in choices if each.startswith(begun)]


def _setting(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    from studyattn.study.settings import SETTINGS  # late: few commands complete settings

    return [each.key for each in SETTINGS if each.key.startswith(begun)]


def _value(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    from studyattn.study.settings import SETTINGS  # late, as above

    key = context.params["key"]
    choices = next((each.kind.choices for each in SETTINGS if each.key == key), ())
    return [each for each in choices if each.startswith(begun)]


COMPLETED: dict[str, Completion] = {
    "setting": _setting,
    "value": _value,
    "command": words(*table.COMMANDS),
}
"""Completion of arguments whose words are no fixed few, by their types in `commands.txt`."""
