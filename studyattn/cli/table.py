"""The commands by name: where each lives and what it does, in one sentence.

Importing this imports nothing else, so the overview of all commands is as quick as Python starts.
"""

from __future__ import annotations

# Name → (module, attribute, sentence).
COMMANDS: dict[str, tuple[str, str, str]] = {
    "import": ("importing", "import_", "Take in documents, review logs, exports, Anki packages."),
    "due": ("items", "due", "What is due, in order."),
    "items": ("items", "items", "Every item with its memory state."),
    "answer": ("items", "answer", "Take one review, or a file of them."),
    "undo": ("items", "undo", "Withdraw the last review."),
    "concept": ("concept", "concept", "List, show, set, merge and part concepts."),
    "note": ("note", "note", "Write notes, see their links and versions."),
    "search": ("search", "search", "Find words in notes, cards, concepts and sources."),
    "export": ("export", "export", "Write the learning note, cards for Anki, or everything."),
    "drill": ("drill", "drill", "List, start, grade and watch coding drills."),
    "pack": ("pack", "pack", "List packs of content, and check one."),
    "stats": ("stats", "stats", "How much, how well, and what comes."),
    "settings": ("settings", "settings", "List, get and set settings."),
    "db": ("db", "db", "Back up, restore, merge, check and rebuild the database."),
    "doctor": ("doctor", "doctor", "Versions, paths, devices, isolation, terminal."),
}

_WIDTH = max(map(len, COMMANDS)) + 2


def version() -> str:
    """The line of `--version`."""
    from studyattn import __version__

    return f"studyattn {__version__}"


def overview() -> str:
    """The text of `--help`."""
    lines = [f"  {name:<{_WIDTH}}{entry[2]}" for name, entry in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: studyattn [OPTIONS] [COMMAND] [ARGUMENTS]...",
            "",
            "  Learn attention in transformers until you can explain it and write it.",
            "  Without a command the terminal app starts.",
            "",
            "Options:",
            "  --home DIR     Keep everything in DIR instead of the usual place.",
            "  --db URL       Use a database on a server, postgresql+psycopg://HOST/NAME.",
            "  --learner NAME Whose part of that database, instead of the user's own.",
            "  -V, --version  Show the version.",
            "  -h, --help     Show this text; after a command, its own.",
            "",
            "Commands:",
            *lines,
        ]
    )
