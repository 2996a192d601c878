"""The commands by name: the module of each, and what it does in one sentence.

`overview.txt` is the output of `--help`, and the list of all commands: their order there, below
their headings, is that of the manual. A sentence repeats the first line of the command's help (a
test compares them), so that the overview imports no command and is as quick as Python starts.
"""

from __future__ import annotations

import os

VERSION = ("--version", "-V")
HELP = ("--help", "-h")
_MODULES = {
    "import": "importing",
    "due": "items",
    "answer": "items",
    "undo": "items",
    "backlog": "settings",
    "add": "items",
    "search": "note",
    "lesson": "path",
    "place": "path",
    "explain": "path",
    "sync": "importing",
    "class": "classroom",
    "completion": "completing",
    "man": "manual",
}
"""The modules that have another name than their command."""


class CommandEntry:
    """A command: the module below `cli`, and the first line of its help.

    No dataclass, since `--version` loads nothing that can be done without.
    """

    def __init__(self, line: str) -> None:
        name, _, about = line.strip().partition(" ")
        self.name = name
        self.help = about.strip()
        self.module = _MODULES.get(name, name)


def _commands() -> dict[str, CommandEntry]:
    """Return the commands, which are listed in paragraphs after that of the options."""
    lists = [each for each in _OVERVIEW.split("\n\n")[3:] if not each.startswith("Examples")]
    entries = [CommandEntry(line) for each in lists for line in each.split("\n")[1:]]
    return {each.name: each for each in entries}


with open(os.path.join(os.path.dirname(__file__), "overview.txt"), encoding="utf-8") as _file:  # noqa: PTH118, PTH120, PTH123 - pathlib takes as long to load as all else
    _OVERVIEW = _file.read().rstrip()
COMMANDS = _commands()


def version() -> str:
    """Return the output of `--version`."""
    from studyattn import __version__
    from studyattn.bundled import commit

    made_from = commit()
    return f"studyattn {__version__}" + (f" ({made_from})" if made_from else "")


def overview() -> str:
    """Return the output of `--help`."""
    return _OVERVIEW
