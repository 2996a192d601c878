"""The page of one concept: sections of lines, and the lines that lead somewhere else.

Drawn from `study.concepts.concept_page` for a width: in one column, or in two where the terminal is
wide, with the explanation in the first. A line that leads somewhere has two columns in front of it
for the pointer of the chosen one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from textual.content import Content

from studyattn.memory.state import drill_id
from studyattn.study.concepts.concept_page import ConceptGraph, ConceptPage
from studyattn.study.review.browse import BrowsedItem
from studyattn.study.review.views import days_text
from studyattn.text.tree import RAIL, Branch, branches
from studyattn.tui.formatting import Days, Lines, clickable, count, join_lines, pad, paragraph
from studyattn.tui.widgets.concept_state import NAMES, question, sign
from studyattn.tui.widgets.rendered_text import face, lines_of
from studyattn.tui.widgets.rendered_text import line as plain_line


class LinkKind(StrEnum):
    """The kinds of targets that a line of the page leads to."""

    CONCEPT = "concept"
    CARD = "card"
    DRILL = "drill"
    NOTE = "note"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class PageLink:
    """The target of a line: a concept's slug, a drill's id, a note's number, a run, a card's guid.

    It is what the screen of that name is opened with; a card is shown in a dialog.
    """

    kind: LinkKind
    target: Any


@dataclass(frozen=True, slots=True)
class ConceptView:
    """The parameters of the drawing, besides the page itself."""

    days: Days
    levels: int  # of requirements, and of what is unlocked
    chosen: int | None = None  # index of the chosen link
    first_section: int = 1  # 0 where no key leads to a section


@dataclass(slots=True)
class DrawnColumn(Lines):
    """A drawn column: its lines, and the line of each section and link."""

    view: ConceptView = field(kw_only=True)
    sections: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[PageLink, int]] = field(default_factory=list)

    def begin(self, title: str) -> None:
        """A section, with the key that leads to it."""
        if self.lines:
            self.add()
        number = self.view.first_section + len(self.sections)
        self.sections.append((title, len(self.lines)))
        key = f"{number} " if self.view.first_section else ""
        rule = "─" * (self.width - len(key) - len(title) - 1)
        self.add((key, "$quiet"), (title, "bold"), (f" {rule}", "$rule"))

    def line_of(self, heading: str, start: int) -> int | None:
        """Return the line with nothing but a heading, from line `start` on; None without one."""
        words = plain_line(heading)
        found = (
            at for at, row in enumerate(self.lines[start:], start) if row.plain.strip() == words
        )
        return next(found, None)

    def link(self, line: Content, link: PageLink) -> None:
        """A line that leads somewhere, `GUTTER` columns in."""
        index = len(self.links)  # only the last column has links
        pointer = ("▸ ", "$accent bold") if index == self.view.chosen else "  "
        self.links.append((link, len(self.lines)))
        self.add(pointer, clickable(line, f"screen.follow({index})"))

    def markdown(self, text: str) -> None:
        self.lines += lines_of(face(text, self.width))


EXPLANATION = "Explanation"  # the title of its section

GUTTER = 2

_STATE = 20  # columns that a state takes beside the title on the screen's first line

Draw = Callable[[ConceptPage, DrawnColumn], None]


def draw(page: ConceptPage, widths: Sequence[int], view: ConceptView) -> list[DrawnColumn]:
    """One column, or two: the explanation and what sources get wrong, then everything else."""
    parts: list[Sequence[Draw]] = [_ALL] if len(widths) == 1 else [_READING, _FACTS]
    columns: list[DrawnColumn] = []
    for width, sections in zip(widths, parts, strict=True):
        first = 1 + sum(len(column.sections) for column in columns)
        column = DrawnColumn(width, view=replace(view, first_section=first))
        for section in sections:
            section(page, column)
        columns.append(column)
    return columns


def draw_beside(
    page: ConceptPage, width: int, view: ConceptView, parts: Sequence[Draw] | None = None
) -> Content:
    """Return the page, or some parts, in one column beside something else, its title on top."""
    column = DrawnColumn(width, view=replace(view, first_section=0))
    for section in parts or _ALL:
        section(page, column)
    title = paragraph(Content.styled(page.line.title, "bold"), width)
    return join_lines([*title, Content(), column.content])


def _top(page: ConceptPage, column: DrawnColumn) -> None:
    """State, source, and what the evidence speaks for; a long title whole, above them."""
    line = page.line
    title = Content(line.title)
    if column.view.first_section and title.cell_length > column.width - _STATE:
        column.wrap(title.stylize("bold"))
    if not column.view.first_section:  # else the state is on the first line of the screen
        about = " · ".join(filter(None, (NAMES[line.state], line.source)))
        column.add(sign(line.state), " ", (about, "$quiet"))
    elif line.source:
        column.quiet(line.source)
    if page.joined:
        names = ", ".join(title for _, title in page.joined)
        column.wrap(f"joined with {names}", "$quiet")
    if page.suggestion is not None:
        text = Content.assemble(("→ ", "$accent"), question(page.suggestion))
        lines = paragraph(text, column.width)
        keys = Content.assemble(("y", "$accent bold"), " yes   ", ("l", "$accent bold"), " later")
        if lines[-1].cell_length + keys.cell_length + 3 > column.width:
            lines.append(Content(" "))
        column.lines += [Content()] if column.lines else []
        column.lines += [*lines[:-1], Content.assemble(lines[-1], "   ", keys)]


def _explanation(page: ConceptPage, column: DrawnColumn) -> None:
    if page.body.strip():
        column.begin(EXPLANATION)
        column.markdown(page.body)


def _graph(page: ConceptPage, column: DrawnColumn) -> None:
    if len(page.graph.nodes) < 2:
        return
    slug, levels = page.line.slug, column.view.levels
    column.begin("Requires, and unlocks")
    for line, node in draw_graph(page.graph, slug, column.width - GUTTER, levels):
        if node == slug:
            column.add("  ", line)
        else:
            column.link(line, PageLink(LinkKind.CONCEPT, node))
    if column.view.first_section and has_more_levels(page.graph, slug, levels):
        column.add("  ", ("+", "$accent bold"), (" all levels", "$quiet"))


_STABILITY, _RECALL = 10, 8
_ROOM_FOR_MEMORY = 56  # columns from which stability and recall stand beside an item's title


def _items(page: ConceptPage, column: DrawnColumn) -> None:
    if not page.items:
        return
    column.begin("Cards and drills")
    room = column.width - GUTTER
    is_wide = column.width >= _ROOM_FOR_MEMORY
    head = f"{'stability':>{_STABILITY}}{'recall':>{_RECALL}}" if is_wide else ""
    dues = [_due(item, column.view, is_wide=is_wide) for item in page.items]
    width = max(5, *(due.cell_length + 2 for due in dues))
    title = max(10, room - len(head) - width)
    column.quiet(f"{'':{GUTTER + title}}{head}{'due':>{width}}")
    for item, due in zip(page.items, dues, strict=True):
        kind = LinkKind.DRILL if item.kind == "drill" else LinkKind.CARD
        memory = (_memory(item) if is_wide else "", "$quiet")
        line = Content.assemble(pad(_title(item), title), memory, pad(due, width, right=True))
        target = drill_id(item.guid) if kind is LinkKind.DRILL else item.guid
        column.link(line, PageLink(kind, target))


_DRILL_WORDS = {"new": "", "tried": " tried", "passed": " passed", "revealed": " solution seen"}


def _title(item: BrowsedItem) -> Content:
    if item.drill_state is None:
        return Content(plain_line(item.title))
    words = Content.styled(_DRILL_WORDS[item.drill_state], "$quiet")
    return Content.assemble("✎ ", item.title, words)


def _memory(item: BrowsedItem) -> str:
    stability = "new" if item.stability is None else days_text(item.stability)
    recall = "" if item.retrievability is None else f"{item.retrievability:.0%}"
    return f"{stability:>{_STABILITY}}{recall:>{_RECALL}}"


def _due(item: BrowsedItem, view: ConceptView, *, is_wide: bool) -> Content:
    if item.suspended:
        return Content.styled("suspended", "$quiet")
    if item.due is None:
        return Content.styled("" if is_wide else "new", "$quiet")
    if item.due <= view.days.now:
        return Content.styled("now", "$accent")
    return Content.styled(view.days.when(item.due), "$quiet")


_WEIGHTS = {"for": ("✓", "$right"), "missing": ("○", "$quiet"), "against": ("✗", "$wrong")}


def _runs(page: ConceptPage, column: DrawnColumn) -> None:
    if not page.runs:
        return
    from studyattn.study.practice.model_runs import lines_of  # late: few concepts have any

    column.begin("Measured in a real model")
    for index, run in enumerate(page.runs):
        if index:
            column.add()
        column.link(Content(run.title), PageLink(LinkKind.RUN, run))
        column.markdown(run.shows)
        for told in lines_of(run.asked, width=column.width):
            column.wrap(told, "$quiet")


def _evidence(page: ConceptPage, column: DrawnColumn) -> None:
    if not page.evidence:
        return
    column.begin("Evidence")
    for each in page.evidence:
        text = f"{each.text[0].upper()}{each.text[1:]}"
        sign_, style = _WEIGHTS[each.weight]
        column.wrap(text, mark=Content.assemble((sign_, style), " "))


def _notes(page: ConceptPage, column: DrawnColumn) -> None:
    own = {note.id for note in page.notes}
    linked = [note for note in page.linked_notes if note.id not in own]
    if not page.notes and not linked:
        return
    column.begin("Notes")
    for note in page.notes:
        _note(column, note.id, note.title, column.view.days.date_of(note.updated_at))
    for linking in linked:
        day = column.view.days.date_of(linking.updated_at)
        _note(column, linking.id, linking.title, f"links here  {day}")


def _note(column: DrawnColumn, number: int, title: str, about: str) -> None:
    room = column.width - GUTTER - len(about) - 2
    line = Content.assemble(pad(plain_line(title), room), "  ", (about, "$quiet"))
    column.link(line, PageLink(LinkKind.NOTE, number))


def _mistakes(page: ConceptPage, column: DrawnColumn) -> None:
    if not page.mistakes:
        return
    column.begin("Mistakes seen in your code")
    for mistake in page.mistakes:
        last = column.view.days.date_of(mistake.last)
        seen = f"{count(mistake.times, 'time')}, last on {last} in {mistake.drill}"
        text = Content.assemble(mistake.title, "  ", (seen, "$quiet"))
        column.wrap(text, mark=Content.assemble(("✗", "$wrong"), " "))


def _corrections(page: ConceptPage, column: DrawnColumn) -> None:
    if page.corrections:
        column.begin("Corrections")
        for index, each in enumerate(page.corrections):
            if index:
                column.add()
            column.markdown(each.markdown)


def _errata(page: ConceptPage, column: DrawnColumn) -> None:
    if page.errata:
        column.begin("Common errors in sources")
        for index, erratum in enumerate(page.errata):
            if index:
                column.add()
            column.markdown(
                f"**{erratum.title}**\n\n"
                f"*Your source says* ({erratum.source}): {erratum.says}\n\n"
                f"*The numbers say:* {erratum.right}"
            )


def _history(page: ConceptPage, column: DrawnColumn) -> None:
    if not page.changes:
        return
    column.begin("History")
    for change in reversed(page.changes):
        day = f"{column.view.days.date_of(change.at):<12}"
        reason = f": {change.reason}" if change.reason else ""
        by = "" if change.author in {"learner", "undo"} else f" ({change.author})"
        text = Content.assemble(
            sign(change.from_state),
            f" {NAMES[change.from_state]} → ",
            sign(change.to_state),
            f" {NAMES[change.to_state]}{by}{reason}",
        )
        column.wrap(text, mark=Content.assemble((day, "$quiet"), " "))


_READING: Sequence[Draw] = (_corrections, _explanation, _errata)
_FACTS: Sequence[Draw] = (_top, _graph, _items, _runs, _evidence, _notes, _mistakes, _history)
KNOWN: Sequence[Draw] = (_top, _graph, _items, _evidence, _notes, _mistakes, _history)
"""Draws of the facts of a concept, without its explanation."""
MAP: Sequence[Draw] = (_top, _graph)
"""Its state, and what it requires and unlocks."""
_ALL: Sequence[Draw] = (_top, _corrections, _explanation, *_FACTS[1:-1], _errata, _history)


_SHORTEST = 24  # columns that a title keeps; there are no more levels than leave it so much


def draw_graph(
    graph: ConceptGraph, slug: str, width: int, levels: int
) -> list[tuple[Content, str]]:
    """Lines from top to bottom, each with the concept that it names."""
    levels = max(1, min(levels, (width - _SHORTEST) // RAIL))
    above = branches(slug, graph.requires, levels=levels, upwards=True)
    below = branches(slug, graph.unlocks, levels=levels)
    here = Content.assemble(
        sign(graph.nodes[slug].state), " ", pad(graph.nodes[slug].title, width - 2).rstrip()
    )
    return [
        *((_graph_line(graph, branch, width), branch.node) for branch in above),
        (here.stylize("bold"), slug),
        *((_graph_line(graph, branch, width), branch.node) for branch in below),
    ]


def has_more_levels(graph: ConceptGraph, slug: str, levels: int) -> bool:
    """Return True if some of the graph lies beyond so many levels."""
    ways = (graph.requires, graph.unlocks)
    return any(branch.folded for edges in ways for branch in branches(slug, edges, levels=levels))


def _graph_line(graph: ConceptGraph, branch: Branch, width: int) -> Content:
    node = graph.nodes[branch.node]
    remark = ""
    if branch.folded:
        remark = f"  + {branch.folded} more"
        if len(branch.rails) + 2 + len(node.title) + len(remark) > width:
            remark = f" +{branch.folded}"
    elif branch.elsewhere:
        remark = "  … above" if branch.elsewhere < 0 else "  … below"
    room = width - len(branch.rails) - 2 - len(remark)
    return Content.assemble(
        (branch.rails, "$rule"),
        sign(node.state),
        " ",
        pad(node.title, max(1, room)).rstrip(),
        (remark, "$quiet"),
    )
