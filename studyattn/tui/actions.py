"""Everything that can be done, once: bindings, palette, last line and help are made of it.

An action says what it does, which keys do it and which Textual action it calls; it holds no
behaviour. A screen binds the actions of its own place, of `EVERYWHERE`, and (unless a key press
there means something else) of `GO`, which opens the other screens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Place(StrEnum):
    """Where an action can be done; the value is the heading that help gives it."""

    EVERYWHERE = "Everywhere"
    FIND = "From every screen"
    GO = "Go to"
    TODAY = "Today"
    REVIEW = "Review"
    IMPORT = "Import"
    EXPORT = "Export"
    DRILLS = "Drills"
    DRILL = "Drill"
    PATTERN = "Attention pattern"
    COST = "Cost lab"
    CARDS = "Cards"
    CONCEPTS = "Concepts"
    CONCEPT = "A concept's page"
    NOTES = "Notes"
    NOTE = "A note"
    VERSIONS = "A note's versions"
    SOURCE = "A document"
    SEARCH = "Search"
    STATS = "Stats"
    SETTINGS = "Settings"
    EDITOR = "Editing text"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do."""

    id: str
    place: Place
    title: str
    """What palette and help call it."""
    keys: tuple[str, ...]
    """Textual key names; the first one is shown."""
    call: str
    """A Textual action: `screen.…` or `app.…`."""
    hint: str
    """One or two words beside the key on the last line."""
    help: str
    """One sentence for help and palette."""

    @property
    def shown_key(self) -> str:
        """The key as a keyboard has it printed."""
        return show_key(self.keys[0])

    @property
    def shown_keys(self) -> str:
        """All of its keys."""
        return " ".join(show_key(key) for key in self.keys)


_PRINTED = {
    "question_mark": "?",
    "minus": "-",
    "at": "@",
    "asterisk": "*",
    "comma": ",",
    "slash": "/",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "esc",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def show_key(key: str) -> str:
    """`ctrl+p` → `^p`, `question_mark` → `?`."""
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    return _PRINTED.get(key, key)


def _action(  # noqa: PLR0917 - a row of the table below
    place: Place, name: str, keys: str, call: str, title: str, hint: str, explanation: str = ""
) -> Action:
    return Action(name, place, title, tuple(keys.split()), call, hint, explanation or f"{title}.")


_COST = "Operations, largest array and time over growing n, beside the solution and another way."

ACTIONS: tuple[Action, ...] = (
    _action(Place.EVERYWHERE, "keys", "question_mark f1", "app.help", "Show all keys", "keys"),
    _action(
        Place.EVERYWHERE,
        "palette",
        "ctrl+p",
        "app.command_palette",
        "Find an action by name",
        "find",
        "The command palette: type a few letters of what you want to do.",
    ),
    _action(
        Place.EVERYWHERE,
        "theme",
        "ctrl+t",
        "app.next_theme",
        "Change colours: dark, light, terminal",
        "colours",
        "“terminal” uses the sixteen colours that your terminal has set.",
    ),
    _action(
        Place.EVERYWHERE,
        "back",
        "escape",
        "screen.back",
        "Go back",
        "back",
        "Leave this screen; nothing is lost by it.",
    ),
    _action(Place.EVERYWHERE, "quit", "ctrl+q", "app.quit", "Quit", "quit"),
    _action(
        Place.FIND,
        "find",
        "slash",
        "app.search",
        "Search in everything",
        "search",
        "Notes, cards, concepts and documents; where / filters the list, the palette has it too.",
    ),
    _action(Place.GO, "go.today", "t", "app.go('today')", "Today", "today"),
    _action(Place.GO, "go.concepts", "c", "app.go('concepts')", "Concepts", "concepts"),
    _action(Place.GO, "go.drills", "d", "app.go('drills')", "Drills", "drills"),
    _action(Place.GO, "go.cards", "b", "app.go('cards')", "Browse and search cards", "cards"),
    _action(Place.GO, "go.notes", "n", "app.go('notes')", "Notes", "notes"),
    _action(Place.GO, "go.stats", "s", "app.go('stats')", "Statistics", "stats"),
    _action(
        Place.GO,
        "go.import",
        "i",
        "app.go('import')",
        "Import documents",
        "import",
        "Make cards, concepts and notes of your own documents; you see first what it would make.",
    ),
    _action(
        Place.GO,
        "go.export",
        "E",
        "app.go('export')",
        "Export",
        "export",
        "Write what you know as a page, a note, a folder, for Anki, or everything.",
    ),
    _action(Place.GO, "go.settings", "comma", "app.go('settings')", "Settings", "settings"),
    _action(Place.GO, "go.away", "q", "app.quit", "Quit", "quit"),
    _action(
        Place.TODAY,
        "today.start",
        "space enter",
        "screen.start",
        "Start reviewing",
        "start",
        "Review what is due now, then the new cards of today.",
    ),
    _action(
        Place.TODAY,
        "today.retry",
        "r",
        "screen.retry",
        "Try again to open your cards",
        "try again",
        "After they could not be opened; where the database is damaged, from the newest backup.",
    ),
    _action(Place.TODAY, "today.drills", "d", "screen.drills", "Drills", "drills"),
    _action(
        Place.TODAY,
        "today.order",
        "o",
        "screen.order",
        "Where drills stand in the session",
        "order",
        "First, last, mixed in, or only cards; what is left out stays due, and Drills has it.",
    ),
    _action(
        Place.TODAY,
        "today.accept",
        "y",
        "screen.accept",
        "Say yes to the suggestion",
        "yes",
        "The concept's state changes; the reason is kept with it.",
    ),
    _action(
        Place.TODAY,
        "today.later",
        "l",
        "screen.later",
        "Put the suggestion off",
        "later",
        "It is not suggested again before tomorrow.",
    ),
    _action(
        Place.TODAY,
        "today.undo",
        "u",
        "screen.undo",
        "Undo the last review",
        "undo",
        "Also one of an earlier day: undo has no end.",
    ),
    _action(
        Place.REVIEW,
        "review.reveal",
        "space enter",
        "screen.reveal",
        "Show the answer, then: good",
        "show answer",
    ),
    _action(
        Place.REVIEW,
        "review.accept",
        "y",
        "screen.accept",
        "Say yes to the suggestion of the last page",
        "yes",
    ),
    _action(
        Place.REVIEW,
        "review.drill",
        "o",
        "screen.drill",
        "Open the drill",
        "open the drill",
        "Write it here, see the verdict on each save, and rate it at the end.",
    ),
    _action(Place.REVIEW, "review.again", "1", "screen.rate(1)", "Rate again", "again"),
    _action(Place.REVIEW, "review.hard", "2", "screen.rate(2)", "Rate hard", "hard"),
    _action(Place.REVIEW, "review.good", "3", "screen.rate(3)", "Rate good", "good"),
    _action(Place.REVIEW, "review.easy", "4", "screen.rate(4)", "Rate easy", "easy"),
    _action(
        Place.REVIEW,
        "review.write",
        "w",
        "screen.write",
        "Write the answer",
        "write answer",
        "Back to the line for the answer, which Escape left.",
    ),
    _action(
        Place.REVIEW,
        "review.undo",
        "u ctrl+z",
        "screen.undo",
        "Undo",
        "undo",
        "Without end; ^z also while you write an answer.",
    ),
    _action(Place.REVIEW, "review.redo", "U", "screen.redo", "Redo what was undone", "redo"),
    _action(Place.REVIEW, "review.edit", "e", "screen.edit", "Edit the card", "edit"),
    _action(
        Place.REVIEW,
        "review.info",
        "i",
        "screen.info",
        "About the card",
        "info",
        "Where it comes from, its reviews, stability and difficulty, links.",
    ),
    _action(
        Place.REVIEW,
        "review.bury",
        "minus",
        "screen.bury",
        "Bury until tomorrow",
        "bury",
        "The card comes back on the next learner day; its memory does not change.",
    ),
    _action(
        Place.REVIEW,
        "review.suspend",
        "at",
        "screen.suspend",
        "Suspend the card",
        "suspend",
        "The card stays out of reviews until you bring it back from Cards.",
    ),
    _action(
        Place.REVIEW,
        "review.let_go",
        "b",
        "screen.let_go",
        "Let a card go that a mistake brought back",
        "let go",
        "It is asked on its own day again. Undo brings it back.",
    ),
    _action(Place.REVIEW, "review.mark", "asterisk", "screen.mark", "Mark the card", "mark"),
    _action(
        Place.REVIEW,
        "review.note",
        "n",
        "screen.note",
        "Write a note on the concept",
        "note",
    ),
    _action(
        Place.REVIEW,
        "review.example",
        "x",
        "screen.example",
        "Run the example, or open the cost lab",
        "run example",
        "What runs does so in a process of its own; Escape stops it.",
    ),
    _action(Place.IMPORT, "import.look", "enter", "screen.look", "Show what it would make", "look"),
    _action(
        Place.IMPORT,
        "import.join",
        "space",
        "screen.join",
        "Join with the proposed concept, or not",
        "join",
        "Nothing is joined unless you say so.",
    ),
    _action(Place.IMPORT, "import.down", "down", "screen.down", "To the list of files", "files"),
    _action(Place.IMPORT, "import.review", "r", "screen.review", "Start reviewing", "review"),
    _action(
        Place.IMPORT, "import.again", "a", "screen.again", "Import another document", "another"
    ),
    _action(Place.IMPORT, "import.apply", "ctrl+s", "screen.apply", "Import", "import"),
    _action(Place.EXPORT, "export.write", "ctrl+s", "screen.write", "Write it", "write"),
    _action(Place.DRILLS, "drills.open", "enter", "screen.open", "Work on the drill", "open"),
    _action(
        Place.DRILLS, "drills.pattern", "a", "screen.pattern", "See attention at work", "attention"
    ),
    _action(
        Place.DRILLS, "drills.cost", "x", "screen.cost", "See how its cost grows", "cost", _COST
    ),
    _action(
        Place.DRILL,
        "drill.grade",
        "ctrl+s",
        "screen.grade",
        "Save and grade",
        "grade",
        "Also in the code. A save of any other editor is graded too.",
    ),
    _action(Place.DRILL, "drill.code", "c", "screen.page('code')", "To the code", "code"),
    _action(Place.DRILL, "drill.brief", "b", "screen.page('brief')", "Read the brief", "brief"),
    _action(
        Place.DRILL, "drill.verdict", "v", "screen.page('verdict')", "Read the verdict", "verdict"
    ),
    _action(
        Place.DRILL,
        "drill.hint",
        "h",
        "screen.hint",
        "Reveal a hint",
        "hint",
        "Three, from vague to nearly the answer; each is taken into the rating.",
    ),
    _action(
        Place.DRILL,
        "drill.history",
        "y",
        "screen.page('history')",
        "Earlier versions",
        "history",
        "Every version that was graded, with its verdict.",
    ),
    _action(
        Place.DRILL,
        "drill.next",
        "f2 tab",
        "screen.next",
        "Next page",
        "next page",
        "Code, verdict, brief, hints, history; f2 also in the code.",
    ),
    _action(Place.DRILL, "drill.open", "enter", "screen.open", "Open what is chosen", "open"),
    _action(
        Place.DRILL,
        "drill.restore",
        "w",
        "screen.restore",
        "Write the chosen version into the file",
        "restore",
        "What the file says now is kept as a version; u undoes it.",
    ),
    _action(
        Place.DRILL,
        "drill.editor",
        "e",
        "screen.editor",
        "Edit the file in your own editor",
        "editor",
        "The setting “editor”, or $VISUAL, or $EDITOR. What it saves is graded.",
    ),
    _action(
        Place.DRILL, "drill.pattern", "a", "screen.pattern", "See attention at work", "pattern"
    ),
    _action(Place.DRILL, "drill.cost", "x", "screen.cost", "See how its cost grows", "cost", _COST),
    _action(
        Place.DRILL,
        "drill.rate",
        "r",
        "screen.rate",
        "Rate and finish",
        "rate",
        "A rating is suggested, with its reason; the drill comes back as a card does.",
    ),
    _action(Place.DRILL, "drill.solution", "s", "screen.solution", "Show the solution", "solution"),
    _action(
        Place.DRILL,
        "drill.afresh",
        "n",
        "screen.afresh",
        "Begin again from the starter",
        "fresh start",
        "The present code is kept beside it; u undoes it.",
    ),
    _action(
        Place.DRILL,
        "drill.undo",
        "u",
        "screen.undo",
        "Undo a rating, a restore, cards that came back",
        "undo",
    ),
    _action(Place.DRILL, "drill.redo", "U", "screen.redo", "Redo what was undone", "redo"),
    _action(Place.PATTERN, "pattern.next", "right", "screen.move(1)", "Next step", "next step"),
    _action(Place.PATTERN, "pattern.before", "left", "screen.move(-1)", "Step before", "before"),
    _action(
        Place.PATTERN,
        "pattern.mask",
        "m",
        "screen.mask",
        "The mask, on or off",
        "mask",
        "Keys that a query may not see get −∞ before the softmax.",
    ),
    _action(
        Place.PATTERN,
        "pattern.scale",
        "s",
        "screen.scale",
        "Division by √d, on or off",
        "scale",
        "Without it, large scores make the softmax take one key alone.",
    ),
    _action(
        Place.PATTERN,
        "pattern.temperature",
        "t",
        "screen.temperature",
        "Next temperature",
        "temperature",
        "Scores are divided by it too: below 1 sharper, above 1 flatter.",
    ),
    _action(Place.PATTERN, "pattern.head", "h", "screen.head", "Next head", "head"),
    _action(
        Place.PATTERN,
        "pattern.entry",
        "n",
        "screen.entry",
        "How the next number comes about",
        "number",
        "The line above the table writes out the products and sums that the number is made of.",
    ),
    _action(Place.PATTERN, "pattern.edit", "e", "screen.edit", "Write other numbers", "edit"),
    _action(Place.PATTERN, "pattern.example", "x", "screen.example", "Another example", "example"),
    _action(Place.COST, "cost.next", "right", "screen.move(1)", "The next quantity", "next"),
    _action(Place.COST, "cost.before", "left", "screen.move(-1)", "The quantity before", "before"),
    _action(
        Place.COST,
        "cost.again",
        "r",
        "screen.again",
        "Measure again",
        "measure again",
        "With your file as it is now.",
    ),
    _action(Place.CARDS, "cards.search", "slash", "screen.search", "Search", "search"),
    _action(Place.CARDS, "cards.open", "enter", "screen.open", "Show both faces", "open"),
    _action(
        Place.CARDS,
        "cards.example",
        "x",
        "screen.example",
        "Run the example, or open the cost lab",
        "run example",
    ),
    _action(Place.CARDS, "cards.edit", "e", "screen.edit", "Edit the card", "edit"),
    _action(Place.CARDS, "cards.mark", "asterisk", "screen.mark", "Mark the card", "mark"),
    _action(
        Place.CARDS,
        "cards.suspend",
        "at",
        "screen.suspend",
        "Suspend the card, or bring it back",
        "suspend",
    ),
    _action(
        Place.CONCEPTS,
        "concepts.move",
        "m",
        "screen.move",
        "Move to another column",
        "move",
        "You choose where to and may say why, which is kept. With the mouse: drag it there.",
    ),
    _action(
        Place.CONCEPTS,
        "concepts.forward",
        "greater_than_sign shift+right",
        "screen.shift(1)",
        "Move to the column on the right",
        "move right",
    ),
    _action(
        Place.CONCEPTS,
        "concepts.backward",
        "less_than_sign shift+left",
        "screen.shift(-1)",
        "Move to the column on the left",
        "move left",
    ),
    _action(
        Place.CONCEPTS,
        "concepts.undo",
        "u",
        "screen.undo",
        "Take back the last move",
        "undo",
        "Of any concept, also one of an earlier day; undo has no end.",
    ),
    _action(Place.CONCEPTS, "concepts.accept", "y", "screen.accept", "Say yes to →", "yes"),
    _action(
        Place.CONCEPTS,
        "concepts.later",
        "l",
        "screen.later",
        "Put → off",
        "later",
        "It is not suggested again before tomorrow.",
    ),
    _action(Place.CONCEPTS, "concepts.open", "enter", "screen.open", "Open its page", "open"),
    _action(Place.CONCEPTS, "concepts.search", "slash", "screen.search", "Filter", "filter"),
    _action(
        Place.CONCEPTS,
        "concepts.join",
        "j",
        "screen.join",
        "Join it with another concept",
        "join",
        "Both are the same from then on; the page of the other parts them again.",
    ),
    _action(
        Place.CONCEPTS, "concepts.left", "left", "screen.beside(-1)", "The column on the left", "←"
    ),
    _action(
        Place.CONCEPTS,
        "concepts.right",
        "right",
        "screen.beside(1)",
        "The column on the right",
        "→",
    ),
    _action(
        Place.CONCEPT,
        "concept.section",
        "1",
        "screen.section(1)",
        "To section 1; 2 to 9 lead to the others",
        "section",
    ),
    _action(
        Place.CONCEPT,
        "concept.next",
        "tab",
        "screen.link(1)",
        "The next concept, card or note",
        "next link",
        "Enter follows it; esc comes back.",
    ),
    _action(
        Place.CONCEPT,
        "concept.previous",
        "shift+tab",
        "screen.link(-1)",
        "The concept, card or note before",
        "link before",
    ),
    _action(Place.CONCEPT, "concept.follow", "enter", "screen.follow", "Follow it", "follow"),
    _action(
        Place.CONCEPT,
        "concept.graph",
        "g",
        "screen.graph",
        "More or fewer levels of requirements",
        "levels",
    ),
    _action(
        Place.CONCEPT,
        "concept.accept",
        "y",
        "screen.accept",
        "Say yes to the suggestion",
        "yes",
        "The concept's state changes; the reason is kept with it.",
    ),
    _action(
        Place.CONCEPT,
        "concept.later",
        "l",
        "screen.later",
        "Put the suggestion off",
        "later",
        "It is not suggested again before tomorrow.",
    ),
    _action(
        Place.CONCEPT,
        "concept.move",
        "m",
        "screen.move",
        "Move to another state",
        "move",
        "You choose which and may say why, which is kept.",
    ),
    _action(Place.CONCEPT, "concept.undo", "u", "screen.undo", "Take back the last move", "undo"),
    _action(Place.CONCEPT, "concept.note", "n", "screen.note", "Write a note on it", "note"),
    _action(
        Place.CONCEPT, "concept.example", "x", "screen.example", "Run its example", "run example"
    ),
    _action(
        Place.CONCEPT,
        "concept.pattern",
        "a",
        "screen.pattern",
        "See attention at work",
        "attention",
        "In an example of its drill: each step, head by head, with numbers of your own.",
    ),
    _action(
        Place.CONCEPT,
        "concept.part",
        "p",
        "screen.part",
        "Part it from what was joined into it",
        "part",
    ),
    _action(
        Place.CONCEPT,
        "concept.side",
        "left right",
        "screen.side",
        "To the other side of the page",
        "side",
        "Where the terminal is wide, explanation and facts scroll each for itself.",
    ),
    _action(Place.NOTES, "notes.new", "a", "screen.add", "New note", "new"),
    _action(
        Place.NOTES,
        "notes.open",
        "enter e",
        "screen.open",
        "Open the note",
        "open",
        "To read and to write: it saves itself.",
    ),
    _action(Place.NOTES, "notes.read", "space", "screen.read", "Read the note", "read"),
    _action(Place.NOTES, "notes.versions", "v", "screen.versions", "Earlier versions", "versions"),
    _action(Place.NOTES, "notes.remove", "x", "screen.remove", "Remove the note", "remove"),
    _action(Place.NOTES, "notes.undo", "u", "screen.undo", "Put a removed note back", "undo"),
    _action(
        Place.NOTE,
        "note.preview",
        "f2",
        "screen.preview",
        "Show or hide the preview",
        "preview",
        "With mathematics; beside the text where there is room, else in its place.",
    ),
    _action(
        Place.NOTE,
        "note.card",
        "f4",
        "screen.card",
        "Make a card of the selection",
        "card",
        "It is the answer; without a selection, the paragraph is. You write the question.",
    ),
    _action(
        Place.NOTE,
        "note.cloze",
        "f5",
        "screen.cloze",
        "Make a cloze: the selection is the gap",
        "cloze",
        "Select with shift and the arrows, or with the mouse.",
    ),
    _action(Place.NOTE, "note.links", "f3", "screen.links", "Follow a link", "links"),
    _action(Place.NOTE, "note.versions", "f9", "screen.versions", "Earlier versions", "versions"),
    _action(
        Place.NOTE,
        "note.about",
        "f8",
        "screen.about",
        "Say what it is about",
        "about",
        "A concept, a document, or nothing.",
    ),
    _action(
        Place.NOTE, "note.save", "ctrl+s", "screen.save", "Save now", "save", "It saves itself."
    ),
    _action(
        Place.NOTE,
        "note.outside",
        "ctrl+o",
        "screen.outside",
        "Write in your own editor",
        "own editor",
    ),
    _action(
        Place.VERSIONS,
        "versions.restore",
        "r",
        "screen.restore",
        "Let the note say this again",
        "restore",
        "What it says now becomes a version itself.",
    ),
    _action(
        Place.VERSIONS,
        "versions.compare",
        "d",
        "screen.compare",
        "The difference to now, or the text",
        "difference",
    ),
    _action(Place.VERSIONS, "versions.undo", "u", "screen.undo", "Undo the restore", "undo"),
    _action(
        Place.SOURCE,
        "source.preview",
        "f2 space",
        "screen.preview",
        "Show or hide the preview",
        "preview",
    ),
    _action(
        Place.SOURCE,
        "source.card",
        "c f4",
        "screen.card",
        "Make a card of the selection",
        "card",
        "It is the answer; without a selection, the paragraph is. You write the question.",
    ),
    _action(
        Place.SOURCE,
        "source.cloze",
        "g f5",
        "screen.cloze",
        "Make a cloze: the selection is the gap",
        "cloze",
        "Select with shift and the arrows, or with the mouse.",
    ),
    _action(Place.SOURCE, "source.note", "n", "screen.note", "Write a note on it", "note"),
    _action(Place.SEARCH, "search.open", "enter", "screen.open", "Go there", "go there"),
    _action(Place.SEARCH, "search.down", "down", "screen.step(1)", "The result below", "below"),
    _action(Place.SEARCH, "search.up", "up", "screen.step(-1)", "The result above", "above"),
    _action(
        Place.SETTINGS, "settings.edit", "enter", "screen.edit", "Change the setting", "change"
    ),
    _action(
        Place.SETTINGS,
        "settings.reset",
        "delete",
        "screen.reset",
        "Back to the default",
        "default",
    ),
    _action(Place.EDITOR, "editor.save", "ctrl+s", "screen.save", "Save", "save"),
    _action(
        Place.EDITOR,
        "editor.outside",
        "ctrl+o",
        "screen.outside",
        "Write in your own editor",
        "own editor",
        "The setting “editor”, or $VISUAL, or $EDITOR; its text comes back when it ends.",
    ),
)

_BY_ID = {action.id: action for action in ACTIONS}


def action(name: str) -> Action:
    """The action called `name`."""
    return _BY_ID[name]


def actions_of(*places: Place) -> Iterator[Action]:
    """The actions of some places, in the order of the registry."""
    return (action for action in ACTIONS if action.place in places)


def bindings_of(*places: Place) -> list[Binding]:
    """Textual bindings; where two places want the same key, the place named first has it."""
    taken: dict[str, Action] = {}
    for place in places:
        for action in actions_of(place):
            for key in action.keys:
                taken.setdefault(key, action)
    return [
        Binding(key, action.call, action.title, show=False, id=f"{action.id}.{key}")
        for key, action in taken.items()
    ]
