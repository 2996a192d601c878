"""A concept's state and memory at a glance, in rows and lines: never by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.tui.formatting import count, pad

if TYPE_CHECKING:
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.rules.evidence import Suggestion

NAMES = {"unseen": "unseen", "known-unknown": "known unknown", "known": "known"}
"""The states in words, in the order in which a concept goes through them."""

_SIGNS = {"unseen": ("○", "$quiet"), "known-unknown": ("●", "$wrong"), "known": ("✓", "$right")}

CELLS = 20  # columns of `cells`
CELLS_HEAD = Content.styled(" held due  new drill", "$quiet")


def sign(state: str) -> Content:
    """The sign of a state, in its colour."""
    character, style = _SIGNS[state]
    return Content.styled(character, style)


def question(suggestion: Suggestion) -> str:
    """Return the reason of a suggestion, and the question that it asks."""
    return f"{suggestion.reason} Move it to {NAMES[suggestion.to_state]}?"


def cells(line: ConceptLine) -> Content:
    """Held, due, new and drills in columns of their own, CELLS wide."""
    held = Content.styled("–", "$quiet")
    if line.cards:
        style = "$right" if line.held == line.cards else "$quiet"
        held = Content.styled(f"{line.held}/{line.cards}", style)
    return Content.assemble(
        pad(held, 5, right=True),
        pad(Content.styled(f"{line.due or ''}", "$accent"), 4, right=True),
        pad(f"{line.new or ''}", 5, right=True),
        pad(drills(line), 6, right=True),
    )


def glance(line: ConceptLine, width: int) -> Content:
    """The same in words, as many of them as `width` columns hold."""
    due = Content.styled(f"{line.due} due", "$accent") if line.due else None
    new = Content(f"{line.new} new") if line.new else None
    held = Content(f"{line.held}/{line.cards}")
    in_words = Content.assemble(held, " held")
    if line.cards == line.new:
        in_words = held = Content() if line.cards else Content("no cards")
    for first in (in_words, held):
        text = Content("  ").join(part for part in (first, due, new, drills(line)) if part)
        if text.cell_length <= width:
            break
    return text.truncate(width, ellipsis=True).stylize_before("$quiet")


def summary(line: ConceptLine) -> str:
    """The same in full words, for one concept."""
    if not line.cards:
        parts = ["no cards"]
    else:
        parts = [f"{line.held} of {count(line.cards, 'card')} held"]
        parts += [
            f"{number} {word}" for number, word in ((line.due, "due"), (line.new, "new")) if number
        ]
    if line.drills:
        parts.append(f"{line.drills_passed} of {count(line.drills, 'drill')} passed")
    return ", ".join(parts)


def drills(line: ConceptLine) -> Content:
    """`✎` for a drill, and how far it is: `…` begun, `✓` passed, of several how many passed."""
    if not line.drills:
        return Content()
    far = Content("…" if line.drills_tried or line.drills_passed else "")
    if line.drills_passed == line.drills:
        far = Content.styled("✓", "$right")
    elif line.drills > 1 and line.drills_passed:
        far = Content(f"{line.drills_passed}/{line.drills}")
    return Content(" ").join(filter(None, (Content("✎"), far)))
