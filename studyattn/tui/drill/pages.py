"""The pages of a drill: brief, hints, code, history of versions and verdict, and their panes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from textwrap import indent

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.grading.report_text import sign
from studyattn.grading.verdict import headline
from studyattn.study.practice.drill_views import CodeVersion, FileState, VersionKind
from studyattn.text.lines import join, prefixed, wrap
from studyattn.tui.actions import action_named
from studyattn.tui.dialogs.dialog import PageScreen
from studyattn.tui.drill import verdict
from studyattn.tui.drill.controller import DrillState, FileChange
from studyattn.tui.formatting import READING_WIDTH, Days, count, tabs, time_of_day
from studyattn.tui.widgets.rendered_text import face, palette
from studyattn.tui.widgets.text_areas import CodeEditor

_NONE = "No graded versions yet. Each graded version is kept here."
_GOES_ON = " " * 8
_SHORTEST_LINE = 20
_NOT_GRADED = "not graded; kept because it was replaced"

_OLDER = "An earlier version of this program kept this verdict in a form that is not read here."

CODE_WIDTH = 100  # columns of code, where there are so many; a line of the pack's own has no more


class HistoryList(OptionList):
    """Every version of the code, the newest first."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._versions: dict[str, CodeVersion] = {}

    def fill(self, history: Sequence[CodeVersion], days: Days) -> None:
        """Show these, the oldest given first; the newest is chosen, or the one that was."""
        chosen = self.chosen
        self._versions = {str(version.number): version for version in reversed(history)}
        self.clear_options()
        for number, version in self._versions.items():
            self.add_option(Option(_row(version, days), id=number))
        if not self._versions:
            self.add_option(Option(Content.styled(_NONE, "$quiet"), disabled=True))
        elif chosen is not None and str(chosen.number) in self._versions:
            self.highlighted = self.get_option_index(str(chosen.number))
        else:
            self.highlighted = 0

    @property
    def chosen(self) -> CodeVersion | None:
        option = self.highlighted_option
        return None if option is None or option.id is None else self._versions.get(option.id)


def draw_code(source: str, width: int) -> Text:
    """Python, in its colours; what is longer than a line goes on below it, further in."""
    from studyattn.text.highlight import set_code  # late: it takes a lexer with it

    lines: list[Text] = []
    for line in set_code(source.rstrip("\n"), "python", palette()):
        if line.cell_len <= width:
            lines.append(line)
            continue
        indent = len(line.plain) - len(line.plain.lstrip())
        broken = wrap(line[indent:], max(_SHORTEST_LINE, width - indent - len(_GOES_ON)))
        lines += prefixed(broken, Text(" " * indent), Text(" " * indent + _GOES_ON))
    return join(lines)


def code_page(title: str, source: str) -> PageScreen:
    return PageScreen(title, partial(draw_code, source), CODE_WIDTH)


def version_page(version: CodeVersion) -> PageScreen:
    """Return a page with a version and its verdict."""
    return PageScreen(f"Version {version.number}", partial(draw_version, version), CODE_WIDTH)


def draw_verdict(version: CodeVersion, width: int) -> Content:
    """Draw the verdict of that time."""
    if not version.report:
        return Content(f"Version {version.number} {_NOT_GRADED}.")
    report = verdict.kept(version)
    return Content(_OLDER) if report is None else verdict.draw(report, None, width)


def draw_version(version: CodeVersion, width: int) -> Content:
    """Its code, and what was said of it."""
    code = Content.from_rich_text(draw_code(version.code, width))
    return Content("\n\n").join([code, draw_verdict(version, width)])


def _row(version: CodeVersion, days: Days) -> Content:
    """Number, when, how it ended, and with how much help."""
    is_today = days.of(version.at) == days.today
    day = time_of_day(version.at, days.utc_offset) if is_today else days.date_of(version.at)
    help_had = [count(version.hints, "hint")] if version.hints else []
    help_had += ["solution seen"] if version.revealed else []
    mark, said = sign(version.verdict), "kept"
    if version.kind is not VersionKind.KEPT:
        headed = headline(version.verdict or "", version.message)
        said = " ".join(version.misconceptions) or headed
    return Content.assemble(
        (f"{version.number:>3}  ", "$quiet"),
        (f"{mark or ' '} ", "$right" if mark == "✓" else "$wrong"),
        (f"{day:<8}", "$quiet" if not version.current else ""),
        f"{said:<32}",
        (", ".join(help_had), "$quiet"),
    )


class DrillPage(StrEnum):
    """The pages of the drill screen: in its left pane, or one at a time where it is narrow."""

    CODE = "code"
    BRIEF = "brief"
    HINTS = "hints"
    HISTORY = "history"
    VERDICT = "verdict"


TROUBLES = {
    FileState.MISSING: "the file was deleted; ^s writes it again",
    FileState.FOLDER: "a folder has the file's name; move it, then press ^s",
    FileState.UNREADABLE: "cannot read the file; check its permissions",
}
"""What to say of a file that is not as it should be."""


CHANGES = {
    FileChange.CHANGED: "the file changed on disk",
    FileChange.REPLACED: ("the file changed on disk; your unsaved changes are in the history"),
    FileChange.BESIDE: "a file that this one imports was changed",
}
"""What to say of what another program wrote; each of them is graded."""


REVEALS = "The drill then counts as revealed, and “again” is suggested. Your code is kept."

RECALLED = "restored changes that were unsaved when the app ended"


def names(state: DrillState, verdict: str | None) -> list[tuple[DrillPage, str]]:
    """Return the pages in order, each with a remark; the verdict's page only with its sign."""
    listed = [
        (DrillPage.CODE, ""),
        (DrillPage.BRIEF, ""),
        (DrillPage.HINTS, f"{len(state.hints)}/{len(state.brief.hints)}"),
        (DrillPage.HISTORY, str(len(state.history) or "")),
    ]
    if verdict is not None:
        listed.append((DrillPage.VERDICT, verdict))
    return listed


def draw_tabs(pages: Sequence[tuple[DrillPage, str]], present: DrillPage, width: int) -> Content:
    """Return keys, names and remarks of the pages, the present one marked. A click opens one.

    Where that is wider than a line, counts are left out, which the pages tell, and the sign of a
    verdict stands for the word.
    """
    known = {page: action_named(f"drill.{page.value}") for page in DrillPage}
    whole = {page: f"{page.value} {remark}".rstrip() for page, remark in pages}
    short = {
        page: remark if remark and page is DrillPage.VERDICT else page.value
        for page, remark in pages
    }
    drawn = Content()
    for names, gap in ((whole, 2), (short, 1)):
        keyed = {known[page].call: f"{known[page].shown_key} {names[page]}" for page in names}
        drawn = tabs(keyed, known[present].call, gap)
        if drawn.cell_length <= width:
            break
    return drawn


def about(state: DrillState, dirty: bool, waits: bool) -> str:
    """The right end of the first line: what goes on, and attempts."""
    parts = ["grading …"] if waits else []
    parts += ["● not saved"] if dirty else []
    parts += [f"attempt {state.attempts}"] if state.attempts else []
    return "   ".join(parts)


def brief(state: DrillState, width: int, backend: str) -> Text:
    """Task, formula, shapes, and an example in that library."""
    return face(f"# {state.brief.title}\n\n{state.brief.text_in(backend)}", width)


def hints(state: DrillState, width: int) -> Text:
    """The hints that were revealed, and how to get the next."""
    parts = [
        f"{number}. {indent(text, '   ').lstrip()}"
        for number, text in enumerate(state.hints, start=1)
    ]
    left = len(state.brief.hints) - len(state.hints)
    if not left:
        parts.append("*There are no more hints. `!` shows the solution.*")
    elif state.hints:
        parts.append(f"*`h` reveals the next one, {left} left.*")
    else:
        parts.append(
            f"There are {left} hints, from vague to nearly the answer. `h` reveals the first."
            "\n\n*Each one lowers the suggested rating.*"
        )
    return face("\n\n".join(parts), width)


_TARGETS = {DrillPage.CODE: "#code", DrillPage.VERDICT: "#right", DrillPage.HISTORY: "#history"}
_FRAME = 6  # columns around the text of a pane that is not laid out yet


class DrillPanes(Horizontal):
    """One page at a time where it is narrow; where it is wide, the verdict beside each of them."""

    def __init__(self, code: CodeEditor) -> None:
        super().__init__(id="panes")
        self._code = code
        self.history = HistoryList(id="history")

    def compose(self) -> ComposeResult:
        with Vertical(id="left"):
            yield self._code
            with VerticalScroll(id="reading"):
                yield Static(id="page", markup=False)
            yield self.history
        with VerticalScroll(id="right"):
            yield Static(id="verdict", markup=False)

    def show_page(self, page: DrillPage, *, wide: bool) -> None:
        """Show what belongs to the page."""
        self.query_one("#left").display = page is not DrillPage.VERDICT
        self.query_one("#right").display = wide or page is DrillPage.VERDICT
        self._code.display = page is DrillPage.CODE
        self.query_one("#reading").display = page in (DrillPage.BRIEF, DrillPage.HINTS)
        self.history.display = page is DrillPage.HISTORY

    def pane(self, page: DrillPage) -> Widget:
        """Return the widget that has the focus on that page."""
        return self.query_one(_TARGETS.get(page, "#reading"))

    def width(self, page: DrillPage, *, wide: bool) -> int:
        """Columns for running text on that page."""
        share = self.screen.size.width // 2 if wide else self.screen.size.width
        room = self.pane(page).scrollable_content_region.width or share - _FRAME
        return max(20, min(READING_WIDTH, room - 1))  # a gap before the scroll bar

    def read(self, text: Text) -> None:
        """Show a text to read on the left."""
        self.query_one("#page", Static).update(text)

    def judge(self, text: Text | Content) -> None:
        """Show a verdict on the right, or a text in its place."""
        self.query_one("#verdict", Static).update(text)
