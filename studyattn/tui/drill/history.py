"""Earlier versions of a drill's code: the list, and one version as it was judged then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.text import Text
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from studyattn.study.practice.drill_views import CodeVersion, VersionKind
from studyattn.tui.dialogs.text_page import PageScreen
from studyattn.tui.drill import verdict
from studyattn.tui.formatting import Days, count, time_of_day
from studyattn.tui.theme import Look
from studyattn.tui.widgets.rendered_text import palette

_NONE = "No graded versions yet. Each graded version is kept here."
_GOES_ON = " " * 8
_SHORTEST_LINE = 20
_NOT_GRADED = "not graded; kept because it was replaced"

CODE_WIDTH = 100
"""Columns of code, where there are so many; a line of the pack's own has no more."""


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
        """The version under the cursor."""
        option = self.highlighted_option
        return None if option is None or option.id is None else self._versions.get(option.id)


def draw_code(source: str, width: int, look: Look) -> Text:
    """Python, in its colours; what is longer than a line goes on below it, further in."""
    from studyattn.text.highlight import set_code
    from studyattn.text.lines import join, prefixed, wrap

    lines: list[Text] = []
    for line in set_code(source.rstrip("\n"), "python", palette(look)):
        if line.cell_len <= width:
            lines.append(line)
            continue
        indent = len(line.plain) - len(line.plain.lstrip())
        broken = wrap(line[indent:], max(_SHORTEST_LINE, width - indent - len(_GOES_ON)))
        lines += prefixed(broken, Text(" " * indent), Text(" " * indent + _GOES_ON))
    return join(lines)


def code_page(title: str, source: str, look: Look) -> PageScreen:
    """Return a page to read Python on."""
    return PageScreen(title, partial(draw_code, source, look=look), CODE_WIDTH)


def version_page(version: CodeVersion, look: Look) -> PageScreen:
    """Return a page with a version and its verdict."""
    drawing = partial(draw_version, version, look=look)
    return PageScreen(f"Version {version.number}", drawing, CODE_WIDTH)


def draw_verdict(version: CodeVersion, width: int, look: Look) -> Text:
    """Draw the verdict of that time."""
    if not version.report:
        return Text(f"Version {version.number} {_NOT_GRADED}.")
    return verdict.draw(version.report, None, width, look)


def draw_version(version: CodeVersion, width: int, look: Look) -> Text:
    """Its code, and what was said of it."""
    parts = [draw_code(version.code, width, look), draw_verdict(version, width, look)]
    return Text("\n\n").join(parts)


def _row(version: CodeVersion, days: Days) -> Content:
    """Number, when, how it ended, and with how much help."""
    is_today = days.of(version.at) == days.today
    day = time_of_day(version.at, days.utc_offset) if is_today else days.date_of(version.at)
    help_had = [count(version.hints, "hint")] if version.hints else []
    help_had += ["solution seen"] if version.revealed else []
    mark = verdict.sign(version.verdict)
    return Content.assemble(
        (f"{version.number:>3}  ", "$quiet"),
        (f"{mark or ' '} ", "$right" if mark == "✓" else "$wrong"),
        (f"{day:<8}", "$quiet" if not version.current else ""),
        f"{_said(version):<32}",
        (", ".join(help_had), "$quiet"),
    )


def _said(version: CodeVersion) -> str:
    if version.kind is VersionKind.KEPT:
        return "kept"
    return " ".join(version.misconceptions) or verdict.headline(version.verdict or "")
