"""The picture of requirements: it fits its width, whatever the graph, and names every concept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.concepts.concept_page import ConceptGraph, ConceptNode
from studyattn.tui.widgets import concept_page

STATES = ("unseen", "known-unknown", "known")


def graph_of(edges: dict[str, tuple[str, ...]], title: str = "Concept") -> ConceptGraph:
    """A graph of `edges` to what each requires."""
    slugs = sorted({*edges, *(other for others in edges.values() for other in others)})
    unlocks = {slug: tuple(each for each in edges if slug in edges[each]) for slug in slugs}
    nodes = {
        slug: ConceptNode(slug, f"{title} {slug}", STATES[number % 3])
        for number, slug in enumerate(slugs)
    }
    return ConceptGraph(nodes, {slug: edges.get(slug, ()) for slug in slugs}, unlocks)


DIAMOND = graph_of({"d": ("b", "c"), "b": ("a",), "c": ("a",), "e": ("d",)})


def test_it_stands_on_its_foundations_with_signs_and_says_where_a_shared_one_goes_on() -> None:
    graph = graph_of({"d": ("b", "c"), "b": ("a",), "c": ("a",), "a": ("z",), "e": ("d",)})
    assert [line.plain for line, _ in concept_page.draw_graph(graph, "d", 60, 9)] == [
        "      ┌─ ✓ Concept z",
        "   ┌─ ○ Concept a",
        "┌─ ● Concept b",
        "│  ┌─ ○ Concept a  … above",
        "├─ ✓ Concept c",
        "○ Concept d",
        "└─ ● Concept e",
    ]


def test_each_line_names_its_concept() -> None:
    lines = concept_page.draw_graph(DIAMOND, "d", 60, 3)
    assert all(line.plain.rstrip().split("Concept ")[1][0] == slug for line, slug in lines)


def test_what_lies_beyond_the_levels_is_counted() -> None:
    lines = [line.plain for line, _ in concept_page.draw_graph(DIAMOND, "d", 60, 1)]
    assert lines[0] == "┌─ ● Concept b  + 1 more"
    assert concept_page.has_more_levels(DIAMOND, "d", 1)
    assert not concept_page.has_more_levels(DIAMOND, "d", 2)


NODES = "abcdefgh"


@given(
    st.dictionaries(
        st.sampled_from(NODES),
        st.lists(st.sampled_from(NODES), unique=True, max_size=4).map(tuple),
        min_size=1,
    ),
    st.integers(30, 90),
    st.integers(1, 99),
)
def test_any_graph_fits(edges: dict[str, tuple[str, ...]], width: int, levels: int) -> None:
    graph = graph_of(edges, "A title that is much longer than most of them are, or should be")
    for line, _ in concept_page.draw_graph(graph, next(iter(edges)), width, levels):
        assert line.cell_length <= width


@pytest.mark.parametrize("width", [30, 70])
def test_a_deep_chain_leaves_room_for_titles(width: int) -> None:
    steps = range(40)
    chain: dict[str, tuple[str, ...]] = {f"n{at:02}": (f"n{at + 1:02}",) for at in steps}
    lines = concept_page.draw_graph(graph_of(chain), "n00", width, 99)
    assert "more" in lines[0][0].plain
    assert all("Concept n" in line.plain for line, _ in lines)
