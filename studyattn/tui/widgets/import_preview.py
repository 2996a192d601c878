"""An import as it is drawn: its preview, line by line, what stands beside it, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.exchange.documents.dialects import DIALECTS
from studyattn.exchange.registry import importable
from studyattn.paths import shown as shown_path
from studyattn.tui.formatting import Lines, Part, clip, join_lines, pad
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.exchange.documents.plan import Entry, ImportPlan, PlannedCard, PlannedSource
    from studyattn.tui.import_service import WholeFile


_SIGNS = {
    "+": "$right bold",
    "~": "$accent bold",
    " ": "",
    "-": "$quiet",
    "·": "$quiet",
    "?": "$accent",
    "!": "$wrong bold",
}
"""The styles of what is in front of a line."""
_KIND = 15
_LONGEST = 240  # columns of a card's first line that are shown, on as many lines as they take
_INDENT = 10  # columns before what is told of a line, below it
_RIGHT_WIDTH = 72


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One line of the preview; `join` is the slug of the concept that it proposes to join."""

    content: Content
    join: str = ""
    card: PlannedCard | None = None  # the card that can be edited on this line
    path: str = ""  # the document


def rows(plan: ImportPlan, accepted: frozenset[str], width: int) -> list[PreviewRow]:
    """Everything the plan would make, by document and line."""
    shown = [
        replace(row, path=source.path)
        for source in plan.sources
        for row in _source(source, accepted, width)
    ]
    shown += [_row(str(each), width, ("✗ ", "$wrong bold")) for each in plan.problems]
    return shown + [
        _row(f"{each} says the same as another document", width, "= ") for each in plan.copies
    ]


def _source(source: PlannedSource, accepted: frozenset[str], width: int) -> Iterator[PreviewRow]:
    # Late: the screen is there before a document is read.
    from studyattn.exchange.documents.plan import PlannedChange

    about = (f"  {source.kind}, {source.change.value}", "$quiet")
    sign = Content.assemble((source.change.sign, _SIGNS[source.change.sign]), " ")
    yield _row(Content.assemble((source.title, "bold"), about), width, sign)
    yield _row(Content.styled(shown_path(source.path), "$quiet"), width, "  ")
    if source.change is not PlannedChange.UNCHANGED:
        yield from _understood(source, width)
        for entry in source.entries():
            yield _entry(entry, width, chosen=entry.join in accepted)
            if entry.right:
                room = min(width, _INDENT + _RIGHT_WIDTH)
                yield from _wrapped(entry.right, room, " " * _INDENT, "$quiet")
    yield PreviewRow(Content())


def _entry(entry: Entry, width: int, *, chosen: bool) -> PreviewRow:
    sign = entry.sign if not entry.join else "[x]" if chosen else "[ ]"
    style = "$accent bold" if chosen else _SIGNS[entry.sign]
    kind = entry.kind.replace("-", " ")
    mark = Content.assemble(
        (f"{entry.line or '–':>6}  ", "$quiet"),
        (f"{sign} ", style),
        pad(Content.styled(kind, "$quiet"), _KIND) if kind else "",
    )
    card = entry.card if entry.card and entry.card.key else None
    return replace(_row(clip(entry.text, _LONGEST), width, mark), join=entry.join, card=card)


def _row(text: Content | str, width: int, mark: Part) -> PreviewRow:
    return PreviewRow(join_lines(row.content for row in _wrapped(text, width, mark)))


def _wrapped(text: Content | str, width: int, mark: Part, style: str = "") -> list[PreviewRow]:
    page = Lines(max(2 * _INDENT, width))
    page.wrap(text, style, mark)
    return [PreviewRow(row) for row in page.lines]


def _understood(source: PlannedSource, width: int) -> Iterator[PreviewRow]:
    """Say how the document was read, and how it could be."""
    from studyattn.exchange.documents.plan import offered, understanding  # late, as above

    for told in understanding(source.understood):
        yield from _wrapped(told, width, "  ")
    taken = source.understood.name.split("+")
    for number, offer in enumerate(source.understood.offers, start=1):
        box = ("[x] ", "$accent bold") if offer.name in taken else ("[ ] ", "$accent")
        told, *examples = offered(offer)
        mark = Content.assemble((f"{number:>4}", "$accent bold"), "  ", box)
        yield from _wrapped(told, width, mark)
        for each in examples:
            shown = clip(each, max(_INDENT, width - _INDENT)).stylize("$quiet")
            yield PreviewRow(Content.assemble(" " * _INDENT, shown))


def whole_file(file: WholeFile, path: Path) -> Content:
    """Draw what importing a review log or an export would change."""
    head = [
        Content.styled(file.kind[:1].upper() + file.kind[1:], "bold"),
        Content.styled(shown_path(path), "$quiet"),
        Content(),
    ]
    last = "Nothing new here." if file.changes_nothing else ""
    return join_lines([*head, *(Content(line) for line in file.lines), Content(last)])


def taken(lines: Sequence[str]) -> Content:
    done = Content.assemble(("✓ ", "$right bold"), ("Imported", "bold"))
    return join_lines([done, Content(), *(Content(line) for line in lines)])


def total(plan: ImportPlan, joined: int) -> Content:
    """Return what applying would make, in one line."""
    if plan.changes_nothing:
        return Content("Nothing new here. Importing it again changes nothing.")
    return Content(";  ".join(f"{told}: {made}" for told, made in plan.made(joined)))


def done(plan: ImportPlan, joined: int) -> Content:
    lines = [Content.assemble(("✓ ", "$right bold"), ("Imported", "bold")), Content()]
    for told, made in plan.made(joined):
        lines.append(Content.assemble((f"{told.capitalize():<24}", "$quiet"), made))
    return join_lines(lines)


_EXPLAINED = {
    "+": ("new", "a new one is added"),
    "~": ("edited", "its text changes, its schedule stays"),
    "-": ("gone", "no longer in the document; your answers stay"),
    "·": ("skipped", "left out by you"),
}


def draw_signs(width: int) -> Content:
    """Return what the signs in front of a preview's lines mean."""
    page = Lines(width)
    page.add(("What the signs mean", "bold"))
    page.add()
    for sign, (name, told) in _EXPLAINED.items():
        page.add((sign, _SIGNS[sign]), f" {name}  ", (told, "$quiet"))
    page.add()
    page.wrap("Go to a line with a card to see both of its faces here.", "$quiet")
    return page.content


def draw_formats(width: int) -> Content:
    """Return what can be imported, in `width` columns."""
    page = Lines(width)
    page.add(("What can be imported", "bold"))
    page.add()
    known = [("Documents", "your own Markdown or text; its questions become cards")]
    for title, about in known + [(form.title, form.about) for form in importable()]:
        page.add(title)
        page.wrap(about, "$quiet", mark="  ")
    page.add()
    page.wrap("Nothing is written before you confirm the preview.")
    page.add()
    page.add(("Cards of other programs, in documents", "bold"))
    page.add()
    for dialect in DIALECTS.values():
        title = f"{dialect.title[:1].upper()}{dialect.title[1:]}"
        page.wrap(Content.assemble(title, (f": {dialect.about}", "$quiet")))
    return page.content


def draw_card(card: PlannedCard, width: int) -> Content:
    """Return both faces of a card that would be made."""
    faces = [Content.from_rich_text(face(text, width)) for text in (card.front, card.back)]
    return Content("\n").join([faces[0], Content.styled("─" * width, "$rule"), faces[1]])
