"""Commands as `commands.txt` declares them: made into click's, and carried out.

No module of a command is imported for its help or its completion. When a command runs, its function
gets what was given by name, and the open home as `profile` if it has such a parameter; what it
returns, an `Answer`, is printed here.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from studyattn.cli import table
from studyattn.cli.common import (
    Amount,
    Answer,
    Day,
    Invocation,
    Whole,
    emit,
    examples,
    opened,
    paged,
    show,
)
from studyattn.cli.names import (
    COMPLETED,
    CONCEPT,
    DRILL,
    PART,
    POINTS,
    ConceptName,
    slug_of,
    words,
)

if TYPE_CHECKING:
    from studyattn.study.profile import Profile

_ARGUMENT = re.compile(r"(?P<metavar>[A-Z.[\]]+)(?:\((?P<name>\w+)\))?(?::(?P<type>\S+))?")
_OPTION = re.compile(
    r"(?P<opts>-[^ (]+(?:, -[^ (]+)*)(?:\((?P<name>\w+)\))?"
    r"(?: (?P<metavar>[A-Z0-9.[\]a-z]*)(?P<many>\*)?(?::(?P<type>\S+))?)?(?: \$(?P<env>\w+))?"
)
_TYPES: Final[dict[str, click.ParamType[Any] | type[Any]]] = {
    "": str,
    "text": str,
    "int": int,
    "number": Whole(0, 2**31 - 1),  # of a row of the database
    "amount": Amount(min=0),
    "concept": CONCEPT,
    "part": PART,
    "drill": DRILL,
    "points": POINTS,
    "into": click.Choice(["into"], case_sensitive=False),
    "day": Day(),
    "name": click.Path(),
    "name!": click.Path(),
    "path": click.Path(path_type=Path),
    "file": click.Path(dir_okay=False, path_type=Path),
    "file!": click.Path(exists=True, dir_okay=False, path_type=Path),
    "folder": click.Path(file_okay=False, path_type=Path),
    "folder!": click.Path(exists=True, file_okay=False, path_type=Path),
}


class SuggestingGroup(click.Group):
    """Says which commands are spelt nearly like one that it does not have."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Do as click, which knows only commands that were added one by one."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None


class _Group(SuggestingGroup):
    """A command that has others below it in the table."""

    path = ""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        begin = f"{self.path} "
        return sorted(each.removeprefix(begin) for each in declared() if each.startswith(begin))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        former = {"concept part": "concept unmerge"}  # its name in 0.1
        path = f"{self.path} {cmd_name}"
        found = command_named(former.get(path, path))
        if found is not None and path in former:
            found.hidden = True
        return found


class _ImportCommand(click.Command):
    """Lists in its help the formats that can be imported."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        # Late: the readers are imported when their help is asked for.
        from studyattn.exchange.documents.dialects import COLUMNS, DIALECTS, OUR_OWN
        from studyattn.exchange.documents.units import TITLES
        from studyattn.exchange.registry import importable

        known = [(each.name, each.about) for each in DIALECTS.values()]
        for title, rows in (
            ("Exports that can be imported", [(form.title, form.about) for form in importable()]),
            (
                "Ways to read a document (--as)",
                [*known, COLUMNS, *TITLES.items(), *OUR_OWN.items()],
            ),
        ):
            with formatter.section(title):
                formatter.write_dl(rows)


class Entry(NamedTuple):
    """One paragraph of the table."""

    path: str
    module: str
    arguments: Sequence[str]
    help: str
    options: Sequence[str]
    examples: Sequence[str]
    refused: Sequence[str] = ()
    """Options that exclude each other, each with the message that says so."""
    run: partial[Answer | None] | None = None
    """The function that carries it out, where that is none of its module."""

    def function(self) -> Callable[..., Answer | None]:
        """Import what carries the command out."""
        if self.run is not None:
            return self.run
        module = importlib.import_module(self.module)
        name = self.path.rpartition(" ")[2].replace("-", "_")
        found: Callable[..., Answer | None] = getattr(module, f"{name}_", None) or getattr(
            module, name
        )
        return found


@cache
def declared() -> dict[str, Entry]:
    """Read the table: its paragraphs by the commands' names."""
    text = Path(__file__).with_name("commands.txt").read_text("utf-8")
    return {entry.path: entry for entry in map(_read, text.split("\n\n[")[1:])}


def _read(paragraph: str) -> Entry:
    head, *lines = paragraph.strip().split("\n")
    name, _, arguments = head.partition("]")
    path, _, module = name.partition(" @")
    told: dict[str, list[str]] = {"  $ ": [], "  ! ": [], "  ": [], "": []}
    for line in lines:
        begin = next(each for each in told if line.startswith(each))
        told[begin].append(line.removeprefix(begin))
    examples, refused, options, about = told.values()
    module = f"studyattn.cli.{module or table.COMMANDS[path.split()[0]].module}"
    return Entry(path, module, arguments.split(), "\n".join(about), options, examples, refused)


def command_named(path: str) -> click.Command | None:
    """Return the command that the table declares; None for a name that it has not."""
    entry = declared().get(path)
    return None if entry is None else made(entry)


def made(entry: Entry) -> click.Command:
    """Return click's command of an entry."""
    path, name = entry.path, entry.path.rpartition(" ")[2]
    params: list[click.Parameter] = [*map(_argument, entry.arguments), *_options(entry)]
    told: dict[str, Any] = {"params": params, "help": entry.help}
    told["epilog"] = examples(*entry.examples)
    if any(each.startswith(f"{path} ") for each in declared()):
        group = _Group(name, invoke_without_command=bool(params), **told)
        group.path = path
        if params:
            group.callback = partial(_carry_out, entry)
        return group
    kind = _ImportCommand if path == "import" else click.Command
    command = kind(name, callback=partial(_carry_out, entry), **told)
    if path == "settings set":
        command.context_settings = {"ignore_unknown_options": True}  # a value may be −1
    if not any(each.name == "as_json" for each in params):
        told_as = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")
        command.params.append(told_as)
    return command


def _argument(written: str) -> click.Argument:
    found = _ARGUMENT.fullmatch(written)
    assert found is not None, written  # noqa: S101 - the table is ours
    metavar, kind = found["metavar"], found["type"] or ""
    return click.Argument(
        [found["name"] or metavar.strip("[].").lower()],
        metavar=metavar,
        required=not metavar.startswith("[") and kind != "text?",
        nargs=-1 if metavar.endswith("...") else 1,
        type=_type(kind.removesuffix("?")),
        shell_complete=_completion(kind),
    )


def _completion(kind: str) -> Any:
    """Return what suggests the words of an argument that takes any text."""
    if not kind.startswith("~"):
        return None
    return COMPLETED.get(kind[1:]) or words(*kind[1:].split("|"))


def _options(entry: Entry) -> Iterator[click.Option]:
    for line in entry.options:
        written, _, told = line.partition("  ")
        found = _OPTION.fullmatch(written)
        assert found is not None, line  # noqa: S101 - the table is ours
        names = [*found["opts"].split(", "), found["name"]]
        yield click.Option(
            list(filter(None, names)),
            metavar=found["metavar"] or None,
            envvar=found["env"],
            help=told or None,
            **_form(found),
        )


def _form(option: re.Match[str]) -> dict[str, Any]:
    """Return what click is told of an option's value, or of a flag."""
    if option["metavar"] is None:
        return {"is_flag": True, **({"default": True} if "/" in option["opts"] else {})}
    kind, has_default, default = (option["type"] or "").partition("=")
    kind, _, meant = kind.partition("?")
    more: dict[str, Any] = {"default": default} if has_default else {}
    if meant:
        more = {"is_flag": False, "flag_value": meant}
    return {
        **more,
        "type": _type(kind),
        "multiple": option["many"] is not None,
        "required": kind == "name!",
    }


def _type(kind: str) -> click.ParamType[Any] | type[Any]:
    if numbers := re.fullmatch(r"(\d+)\.\.(\d+)", kind):
        return Whole(int(numbers[1]), int(numbers[2]))
    if numbers := re.fullmatch(r"amount:([\d.]+?)\.\.(\d*)", kind):
        return Amount(*(json.loads(each or "null") for each in numbers.groups()))
    if "|" in kind and not kind.startswith("~"):
        return click.Choice(kind.split("|"))
    return str if kind.startswith("~") else _TYPES[kind]


def _refuse(entry: Entry, given: dict[str, Any]) -> None:
    """Raise UsageError for what may not be given together, before a home is opened or made."""
    for each in entry.refused:
        terms, _, told = each.partition("  ")
        if all(
            not given[term[1:]]
            if term.startswith("-")
            else any(given[name] for name in term.split("|"))
            for term in terms.split()
        ):
            raise click.UsageError(told)


def _slugs(profile: Profile, command: click.Command, given: dict[str, Any]) -> dict[str, Any]:
    """Return the slugs of the concepts that were given by any name, as the parameters have them."""
    slugs = {}
    for each in command.params:
        if isinstance(each.type, ConceptName) and (named := given[each.name or ""]):
            resolve = partial(slug_of, profile, joined=each.type is PART)
            slugs[each.name or ""] = (
                resolve(named) if isinstance(named, str) else tuple(map(resolve, named))
            )
    return slugs


def _carry_out(entry: Entry, **given: Any) -> None:
    """Call the function of a command, and print what it returns."""
    context = click.get_current_context()
    _refuse(entry, given)
    function = entry.function()
    code = getattr(function, "func", function).__code__
    takes = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    as_json = given.get("as_json", False) if "as_json" in takes else given.pop("as_json", False)
    most = given.get("most", 0)
    if "most" in given:  # one more is read than printed, to know whether there are more
        given["most"] = most + 1 if most and not as_json else None
    invocation: Invocation = context.obj
    if "invocation" in takes:
        given["invocation"] = invocation
    with ExitStack() as stack:
        if "profile" in takes:
            given["profile"] = profile = stack.enter_context(opened(invocation))
            given |= _slugs(profile, context.command, given)
        answer = function(**given)
    if answer is None:
        return
    if as_json:
        emit(answer.value)
    else:
        with paged():
            show(answer.shown, most)
    if answer.failed:
        context.exit(1)
