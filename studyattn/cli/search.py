"""`search`: full-text search in notes, cards, concepts and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import Whole, emit, examples, json_option, opened, pass_invocation
from studyattn.cli.paging import paged
from studyattn.store.search_schema import SearchKind
from studyattn.study import notes
from studyattn.study.notes.excerpt import with_formulas
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.store.search import MarkedText

_KINDS = ("concept", "note", "card", "source")


@click.command(
    epilog=examples(
        "studyattn search softmax",
        "studyattn search 'key cache' --kind card --limit 5",
        "studyattn search --kind source",
    )
)
@click.argument("words", nargs=-1)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(_KINDS),
    metavar="KIND",
    help=f"Search only one kind: {', '.join(_KINDS[:-1])} or {_KINDS[-1]}. Repeatable.",
)
@click.option("--limit", default=20, type=Whole(1, 1000), help="Maximum number of results.")
@json_option
@pass_invocation
@paged()
def search(
    invocation: Invocation,
    words: tuple[str, ...],
    kinds: tuple[str, ...],
    limit: int,
    as_json: bool,
) -> None:
    """Search notes, cards, concepts and sources.

    Finds texts with all WORDS. Quote several words to find a phrase. Matches the start of words;
    ignores case and accents. `--kind source` without WORDS lists the sources.
    """
    wanted = [SearchKind(kind) for kind in kinds or _KINDS]
    lists = not words and wanted == [SearchKind.SOURCE]
    if not words and not lists:
        raise click.UsageError("Give the words to search for")
    query = " ".join(words)
    if len(words) > 1:  # an argument of several words was quoted, so it is a phrase
        query = " ".join(f'"{word}"' if " " in word else word for word in words)
    with opened(invocation) as profile:
        found = (
            notes.search.sources(profile, limit)
            if lists
            else notes.search.search(profile, query, kinds=wanted, limit=limit)
        )
    if as_json:
        emit(found)
        return
    for each in found:
        about = f"  ({each.about})" if each.about else ""
        click.echo(f"{each.kind:<8} {each.key}  {_styled(each.title)}{about}")
        if each.excerpt.text:
            click.echo(f"         {_styled(each.excerpt)}")
    if not found:
        click.echo("No results.", err=True)
        click.get_current_context().exit(1)


def _styled(line: MarkedText) -> str:
    """Return the line, formulas as mathematics and the words of the query in bold."""
    line = with_formulas(line)
    parts, position = [], 0
    for start, end in line.marks:
        parts += [
            printable(line.text[position:start]),
            click.style(printable(line.text[start:end]), bold=True),
        ]
        position = end
    return "".join([*parts, printable(line.text[position:])])
