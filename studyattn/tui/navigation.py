"""The screens by name: one entry each, with the place of its class and the key that opens it.

Screens open one another through `Services.go("concept", slug)`, so none imports another, and a
module is imported when its screen is opened for the first time. A new screen takes an entry here,
its actions in `tui.actions`, and its own module.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from textual.screen import Screen

from studyattn.tui.actions import ACTIONS, Action


@dataclass(frozen=True, slots=True)
class ScreenEntry:
    """One screen."""

    name: str
    where: str
    """`module:Class`, imported on first use."""
    above: bool = False
    """Opens above the open screen, to come back to it; otherwise in its place, above Today."""
    nests: bool = False
    """May open above another one of its class."""

    def load(self) -> type[Screen[Any]]:
        """Import the screen's class."""
        module, _, name = self.where.partition(":")
        return cast("type[Screen[Any]]", getattr(import_module(module), name))


def _entry(name: str, where: str, *, above: bool = False, nests: bool = False) -> ScreenEntry:
    return ScreenEntry(name, f"studyattn.tui.screens.{where}", above=above, nests=nests)


SCREENS: dict[str, ScreenEntry] = {
    entry.name: entry
    for entry in (
        _entry("today", "today:TodayScreen"),
        _entry("review", "review:ReviewScreen"),
        _entry("import", "importing:ImportScreen"),
        _entry("export", "exporting:ExportScreen"),
        _entry("drills", "drills:DrillsScreen"),
        _entry("cards", "cards:CardsScreen"),
        _entry("path", "path:PathScreen"),
        _entry("concepts", "concepts:ConceptsScreen"),
        _entry("notes", "notes:NotesScreen"),
        _entry("gpt", "gpt:GptScreen"),
        _entry("model", "model:ModelScreen"),
        _entry("stats", "stats:StatsScreen"),
        _entry("settings", "settings:SettingsScreen"),
        _entry("study", "review:ReviewScreen", above=True),
        _entry("lesson", "lesson:LessonScreen", above=True),
        _entry("drill", "drill:DrillScreen", above=True),
        _entry("concept", "concept:ConceptScreen", above=True, nests=True),
        _entry("placement", "path:PlacementScreen", above=True),
        _entry("placed", "path:PlacedScreen", above=True),
        _entry("explain", "explain:ExplainScreen", above=True),
        _entry("note", "note:NoteScreen", above=True),
        _entry("versions", "notes:VersionsScreen", above=True),
        _entry("source", "passage:SourceScreen", above=True),
        _entry("search", "search:SearchScreen", above=True),
        _entry("pattern", "attention:PatternScreen", above=True),
        _entry("heads", "heads:HeadsScreen", above=True),
        _entry("run", "run:RunScreen", above=True),
        _entry("debrief", "debrief:DebriefScreen", above=True),
        _entry("cost", "cost:CostScreen", above=True),
        _entry("example", "example:ExampleScreen", above=True),
        _entry("help", "help:HelpScreen", above=True),
    )
}


def register(entry: ScreenEntry, *actions: Action) -> None:
    """Add a screen and its actions: its own, and one with the scope `GO` to open it.

    An app that is made afterwards binds their keys and lists them in the palette and in help.
    """
    SCREENS[entry.name] = entry
    ACTIONS.extend(actions)
