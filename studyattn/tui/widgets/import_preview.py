"""An import as it is drawn: its preview, line by line, what stands beside it, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.exchange.documents.dialects import DIALECTS
from studyattn.exchange.registry import importable
from studyattn.paths import shown as shown_path
from studyattn.tui.formatting import Lines, Part, clip, count, join_lines, pad
from studyattn.tui.widgets.rendered_text import face, plain_text
from studyattn.tui.widgets.rendered_text import line as plain_line

if TYPE_CHECKING:
    from studyattn.exchange.documents.edits import EditedCard
    from studyattn.exchange.documents.importing import ImportResult
    from studyattn.exchange.documents.plan import ImportPlan, PlannedSource
    from studyattn.exchange.documents.preview import CardPlace
    from studyattn.tui.import_service import WholeFile


SIGNS = {
    "new": ("+", "$right bold"),
    "edited": ("~", "$accent bold"),
    "unchanged": (" ", ""),
    "gone": ("-", "$quiet"),
    "skipped": ("·", "$quiet"),
}
"""What is in front of a line, by what an import does with it."""
_NAMES = {"known-unknown": "known unknown", "known": "known", "unseen": "unseen"}
_KIND = 15
_LONGEST = 240
"""Columns of a card's first line that are shown, on as many lines as they take."""
_INDENT = 10
"""Columns before a remark."""
_ALERT = ("! ", "$wrong bold")
_RIGHT_WIDTH = 72


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One line of the preview; `join` is the slug of the concept that it proposes to join."""

    content: Content
    join: str = ""
    card: CardPlace | None = None
    """The card that can be edited on this line."""
    path: str = ""
    """The document, on the lines of its offers."""


def rows(plan: ImportPlan, accepted: frozenset[str], width: int) -> list[PreviewRow]:
    """Everything the plan would make, by document and line."""
    shown = [row for source in plan.sources for row in _source(source, accepted, width)]
    shown += [_row(str(each), width, ("✗ ", "$wrong bold")) for each in plan.problems]
    return shown + [
        _row(f"{each} says the same as another document", width, "= ") for each in plan.copies
    ]


def _source(source: PlannedSource, accepted: frozenset[str], width: int) -> Iterator[PreviewRow]:
    # Late: the screen is there before a document is read.
    from studyattn.exchange.documents.plan import PlannedChange

    about = (f"  {source.kind}, {source.change.value}", "$quiet")
    sign = Content.assemble(SIGNS[source.change.value], " ")
    yield _row(Content.assemble((source.title, "bold"), about), width, sign)
    yield _row(Content.styled(shown_path(source.path), "$quiet"), width, "  ")
    lines = [*_found(source, accepted, width)]
    if source.change is not PlannedChange.UNCHANGED:
        yield from _understood(source, width)
        lines = [*_all_not_read(source, width), *lines]
    yield from (row for _, row in sorted(lines, key=itemgetter(0)))
    yield PreviewRow(Content())


def _found(
    source: PlannedSource, accepted: frozenset[str], width: int
) -> Iterator[tuple[int, PreviewRow]]:
    """List what was found in a document, each with its first line."""
    from studyattn.exchange.documents.preview import CardPlace  # late, as above

    for card in source.cards:
        remark = " (your wording is kept)" if card.keeps_wording else ""
        text = plain_line(card.front) + remark
        at = CardPlace(source.path, card.key, card.place) if card.key else None
        row = _line(card.line, card.change.value, "card", text, width)
        yield card.line, replace(row, card=at)
        parts = source.splits.get(card.key, 0)
        if parts and card.key not in source.edits:
            proposal = f"could be {parts} cards, one for each part of its answer"
            row = _row(proposal, width, Content.assemble(" " * 8, ("? ", "$accent")))
            yield card.line, replace(row, card=at)
    for skipped in source.skipped:
        row = _line(skipped.line, "skipped", "left out", plain_line(skipped.text), width)
        yield skipped.line, replace(row, card=CardPlace(source.path, skipped.key))
    for concept in source.concepts:
        kind = _NAMES[concept.state]
        yield (
            concept.line,
            _line(concept.line, concept.change.value, kind, concept.title, width),
        )
        for each in concept.corrections:
            text = f"corrected, so not known: {each.title}"
            yield from _caution(concept.line, text, each.right, width)
    for note in source.notes:
        yield note.line, _line(note.line, note.change.value, "note", note.title, width)
    for join in source.joins:
        box = ("[x]", "$accent bold") if join.slug in accepted else ("[ ]", "$accent")
        same = f"the same as “{join.into_title}” of the pack"
        row = _row(same, width, Content.assemble(" " * 8, box, " "))
        yield join.line, replace(row, join=join.slug)
    for line in source.unanswered:
        yield from _warning(line, "a question without an answer", width)
    for caution in source.cautions:
        yield from _caution(caution.line, caution.title, caution.right, width)


def _line(line: int, change: str, kind: str, text: str, width: int) -> PreviewRow:
    mark = Content.assemble(
        (f"{line or '–':>6}  ", "$quiet"),
        Content.styled(*SIGNS[change]),
        " ",
        pad(Content.styled(kind, "$quiet"), _KIND),
    )
    return _row(clip(text, _LONGEST), width, mark)


def _row(text: Content | str, width: int, mark: Part) -> PreviewRow:
    return PreviewRow(join_lines(row.content for row in _wrapped(text, width, mark)))


def _warning(line: int, text: str, width: int) -> Iterator[tuple[int, PreviewRow]]:
    mark = Content.assemble((f"{line:>6}", "$quiet"), "  ", _ALERT)
    yield from ((line, row) for row in _wrapped(text, width, mark))


def _wrapped(
    text: Content | str, width: int, mark: Part, style: str = "", path: str = ""
) -> list[PreviewRow]:
    page = Lines(max(2 * _INDENT, width))
    page.wrap(text, style, mark)
    return [PreviewRow(row, path=path) for row in page.lines]


def _understood(source: PlannedSource, width: int) -> Iterator[PreviewRow]:
    """Say how the document was read, and how it could be."""
    from studyattn.exchange.documents.understanding import offered, understanding  # late, as above

    for told in understanding(source.understood):
        yield from _wrapped(told, width, "  ")
    taken = source.understood.name.split("+")
    for number, offer in enumerate(source.understood.offers, start=1):
        box = ("[x] ", "$accent bold") if offer.name in taken else ("[ ] ", "$accent")
        told, *examples = offered(offer)
        mark = Content.assemble((f"{number:>4}", "$accent bold"), "  ", box)
        yield from _wrapped(told, width, mark, path=source.path)
        for each in examples:
            shown = clip(each, max(_INDENT, width - _INDENT)).stylize("$quiet")
            yield PreviewRow(Content.assemble(" " * _INDENT, shown), path=source.path)


def _all_not_read(source: PlannedSource, width: int) -> Iterator[tuple[int, PreviewRow]]:
    """List what looks like cards and became none, in full, each with its first line."""
    from studyattn.exchange.documents.understanding import not_read  # late, as above

    for line, why in not_read(source.understood):
        yield from _warning(line, why, width)


def _caution(line: int, title: str, right: str, width: int) -> Iterator[tuple[int, PreviewRow]]:
    """A claim that is known to be wrong, and below it what is right, in full."""
    yield from _warning(line, title, width)
    room = min(width, _INDENT + _RIGHT_WIDTH)
    told = _wrapped(plain_text(right), room, " " * _INDENT, "$quiet")
    yield from ((line, row) for row in told)


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
    """Draw what importing a file changed."""
    done = Content.assemble(("✓ ", "$right bold"), ("Imported", "bold"))
    return join_lines([done, Content(), *(Content(line) for line in lines)])


def total(plan: ImportPlan, joined: int) -> Content:
    """Return what applying would make, in one line."""
    if plan.changes_nothing:
        return Content("Nothing new here. Importing it again changes nothing.")
    parts = [f"{told}: {made}" for told, made in plan.made()]
    if joined:
        parts.append(f"joined: {count(joined, 'concept')}")
    return Content(";  ".join(parts))


def done(result: ImportResult) -> Content:
    """Draw what the import made."""
    lines = [Content.assemble(("✓ ", "$right bold"), ("Imported", "bold")), Content()]
    for told, made in result.plan.made():
        lines.append(Content.assemble((f"{told.capitalize():<24}", "$quiet"), made))
    if result.joined:
        lines.append(
            Content.assemble((f"{'Joined':<24}", "$quiet"), count(len(result.joined), "concept"))
        )
    return join_lines(lines)


_EXPLAINED = {
    "new": "a new one is added",
    "edited": "its text changes, its schedule stays",
    "gone": "no longer in the document; your answers stay",
    "skipped": "left out by you",
}


def draw_signs(width: int) -> Content:
    """Return what the signs in front of a preview's lines mean."""
    page = Lines(width)
    page.add(("What the signs mean", "bold"))
    page.add()
    for name, told in _EXPLAINED.items():
        page.add(SIGNS[name], f" {name}  ", (told, "$quiet"))
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


def draw_card(card: EditedCard, width: int) -> Content:
    """Return both faces of a card that would be made."""
    faces = [Content.from_rich_text(face(text, width)) for text in (card.front, card.back)]
    return Content("\n").join([faces[0], Content.styled("─" * width, "$rule"), faces[1]])
