"""What a concept requires and what it unlocks, as one picture.

Requirements grow upwards from the concept, what it unlocks hangs below it. Every line that names
another concept can be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from studyattn.text.tree import RAIL, Branch, branches
from studyattn.tui.formatting import pad
from studyattn.tui.widgets.concept_state import sign

if TYPE_CHECKING:
    from studyattn.study.concepts.concept_page import ConceptGraph

_SHORTEST = 24
"""Columns that a title keeps; there are no more levels than leave it so much."""


def draw(graph: ConceptGraph, slug: str, width: int, levels: int) -> list[tuple[Content, str]]:
    """Lines from top to bottom, each with the concept that it names."""
    levels = max(1, min(levels, (width - _SHORTEST) // RAIL))
    above = branches(slug, graph.requires, levels=levels, upwards=True)
    below = branches(slug, graph.unlocks, levels=levels)
    here = Content.assemble(
        sign(graph.nodes[slug].state), " ", pad(graph.nodes[slug].title, width - 2).rstrip()
    )
    return [
        *((_line(graph, branch, width), branch.node) for branch in above),
        (here.stylize("bold"), slug),
        *((_line(graph, branch, width), branch.node) for branch in below),
    ]


def has_more(graph: ConceptGraph, slug: str, levels: int) -> bool:
    """Return True if some of the graph lies beyond so many levels."""
    ways = (graph.requires, graph.unlocks)
    return any(branch.folded for edges in ways for branch in branches(slug, edges, levels=levels))


def _line(graph: ConceptGraph, branch: Branch, width: int) -> Content:
    node = graph.nodes[branch.node]
    remark = ""
    if branch.folded:
        remark = f"  + {branch.folded} more"
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
