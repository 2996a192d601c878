"""`search`: full-text search in notes, cards, concepts and sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, warned
from studyattn.store.search_schema import SearchKind
from studyattn.study import notes
from studyattn.study.notes.excerpt import with_formulas
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.store.search import MarkedText
    from studyattn.study.profile import Profile

_KINDS = ("concept", "note", "card", "source")


def search(
    profile: Profile, words: tuple[str, ...], kinds: tuple[str, ...], limit: int, as_json: bool
) -> Answer:
    wanted = [SearchKind(kind) for kind in kinds or _KINDS]
    if words:
        # An argument of several words was quoted, so it is a phrase if there are others.
        phrase = [f'"{word}"' if " " in word and len(words) > 1 else word for word in words]
        found = notes.search.search(profile, " ".join(phrase), kinds=wanted, limit=limit)
    elif wanted == [SearchKind.SOURCE]:
        found = notes.search.sources(profile, limit)
    else:
        raise click.UsageError("Give the words to search for")
    if not found:
        return Answer(found, warned("No results."), failed=not as_json)
    shown = []
    for each in found:
        about = f"  ({each.about})" if each.about else ""
        shown.append(f"{each.kind:<8} {each.key}  {_styled(each.title)}{about}")
        shown += [f"         {_styled(each.excerpt)}"] if each.excerpt.text else []
    return Answer(found, partial(click.echo, "\n".join(shown)))


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
