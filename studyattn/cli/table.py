"""The commands by name: the module and function of each, and what it does in one sentence.

The sentence repeats the first line of the command's help (a test compares them), so that the
overview of all commands imports none of them and is as quick as Python starts.
"""

from __future__ import annotations

VERSION = ("--version", "-V")
HELP = ("--help", "-h")

# Name → (module, attribute, first line of the help).
COMMANDS: dict[str, tuple[str, str, str]] = {
    "import": ("importing", "import_", "Import documents, review logs, exports and Anki packages."),
    "due": ("items", "due", "Show what is due, in review order."),
    "backlog": ("backlog", "backlog", "Spread the overdue cards over several days."),
    "items": ("items", "items", "List every item with its memory state."),
    "answer": ("items", "answer", "Record one review, or a file of them."),
    "undo": ("items", "undo", "Undo the last review; repeat to go back further."),
    "concept": ("concept", "concept", "Show concepts, set their state, merge and unmerge them."),
    "lesson": ("lesson", "lesson", "Print the lesson of a concept, or list all lessons."),
    "explain": (
        "explain",
        "explain",
        "Explain a concept in your own words and rate it by key points.",
    ),
    "place": ("place", "place", "Find your place on the path with at most twelve questions."),
    "path": ("path", "path", "Show the path: progress on each concept and distance to the goals."),
    "add": ("adding", "add", "Add your own card, or many from standard input."),
    "note": ("note", "note", "Write and edit notes; see their links and versions."),
    "search": ("search", "search", "Search notes, cards, concepts and sources."),
    "export": ("export", "export", "Export the learning note, cards for Anki, or everything."),
    "drill": ("drill", "drill", "List, start, grade and watch coding drills."),
    "gpt": (
        "gpt",
        "gpt",
        "Train a small GPT on your own attention code and sample from it.",
    ),
    "class": (
        "classroom",
        "class_",
        "Grade a class's hand-ins in bulk and see the mistakes.",
    ),
    "model": (
        "model",
        "model",
        "Run a real language model on your own attention.",
    ),
    "pack": ("pack", "pack", "List, write, check, build and add packs of content."),
    "stats": ("stats", "stats", "Show study statistics and the review forecast."),
    "settings": ("settings", "settings", "List, get and set settings."),
    "sync": (
        "sync",
        "sync",
        "Sync with your other machines through a folder.",
    ),
    "db": (
        "db",
        "db",
        "Back up, check, restore, recover, merge and rebuild the database.",
    ),
    "completion": (
        "completing",
        "completion",
        "Print a shell completion script for commands, concepts and drills.",
    ),
    "man": ("manual", "man", "Show the manual page of studyattn or of a command."),
    "serve": ("serve", "serve", "Show the app in a browser."),
    "doctor": ("doctor", "doctor", "Show versions, paths, devices, isolation and terminal."),
}

_WIDTH = max(map(len, COMMANDS)) + 2


def version() -> str:
    """Return the output of `--version`."""
    from studyattn import __version__
    from studyattn.bundled import commit

    made_from = commit()
    return f"studyattn {__version__}" + (f" ({made_from})" if made_from else "")


def overview() -> str:
    """Return the output of `--help`."""
    lines = [f"  {name:<{_WIDTH}}{entry[2]}" for name, entry in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: studyattn [OPTIONS] [COMMAND] [ARGUMENTS]...",
            "",
            "  Learn attention in transformers until you can explain it and write it.",
            "  Without a command, start the terminal app.",
            "",
            "Options:",
            "  --home DIR     Store everything in DIR instead of the default folder.",
            "  --db URL       Use a database on a server, postgresql+psycopg://HOST/NAME.",
            "  --learner NAME Learner in that database.  [default: the user name]",
            "  -V, --version  Show the version.",
            "  -h, --help     Show this help, or the help of a command.",
            "",
            "Commands:",
            *lines,
            "",
            "Examples:",
            "  studyattn",
            "  studyattn import notes.md",
            "  studyattn drill start attention",
        ]
    )
