"""Concepts and drills as arguments of commands: by key, title or unambiguous beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import Command
from studyattn.home import Home, find_home

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from studyattn.study.profile import Profile


class ConceptName(click.ParamType[str]):
    """A concept, as it was given; `slug_of` says which one is meant once the home is open."""

    name = "concept"

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        """Return the concepts of the home, each with its title."""
        from studyattn.study.completion import concepts_beginning

        return _items(concepts_beginning(_home(ctx), incomplete))


CONCEPT = ConceptName()


def slug_of(profile: Profile, name: str, *, joined: bool = False) -> str:
    """Return the slug of the concept that is called `name`: a slug, a title or their beginning.

    Raises NotFoundError, and InputError for what matches several. With `joined` a concept that was
    joined into another comes first.
    """
    # Late: it loads SQLAlchemy, which help does without.
    from studyattn.study.names import concept_named

    return concept_named(profile, name, joined=joined)


class DrillName(click.ParamType[str]):
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

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        """Return the drills of the installed packs, each with its title."""
        from studyattn.study.completion import drills_beginning

        return _items(drills_beginning(_home(ctx), incomplete))


DRILL = DrillName()


def _home(ctx: click.Context) -> Home:
    """Return the home that the words so far name; the root command does not run in completion."""
    given = ctx.find_root().params
    return find_home(
        given.get("home"), database=given.get("database"), learner=given.get("learner")
    )


def _items(titles: dict[str, str]) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=title or None) for name, title in titles.items()]


RATINGS = ("again", "hard", "good", "easy")


def words(*choices: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return what completes an argument that is one of a few words."""
    return lambda _context, _parameter, begun: [each for each in choices if each.startswith(begun)]


def drill_argument(command: Command) -> Command:
    """Add the argument ID, a drill, passed as `identifier`."""
    return click.argument("identifier", metavar="ID", type=DRILL)(command)
