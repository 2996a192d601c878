"""Graphs as trees: rails, shared nodes, levels, both directions; and any graph whatever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studyattn.text.tree import RAIL, Branch, branches

DIAMOND = {"top": ("left", "right"), "left": ("base",), "right": ("base",), "base": ("ground",)}


def drawn(lines: tuple[Branch, ...]) -> list[str]:
    return [f"{line.rails}{line.node}" for line in lines]


def test_downwards_the_first_edge_comes_first() -> None:
    edges = {"a": ("b", "e"), "b": ("c", "d"), "e": ("f",)}
    assert drawn(branches("a", edges, levels=9)) == [
        "├─ b",
        "│  ├─ c",
        "│  └─ d",
        "└─ e",
        "   └─ f",
    ]


def test_upwards_the_tree_stands_on_its_root() -> None:
    edges = {"a": ("b", "e"), "b": ("c", "d"), "e": ("f",)}
    assert drawn(branches("a", edges, levels=9, upwards=True)) == [
        "   ┌─ c",
        "   ├─ d",
        "┌─ b",
        "│  ┌─ f",
        "├─ e",
    ]


def test_a_shared_node_branches_once_and_says_where() -> None:
    lines = branches("top", DIAMOND, levels=9)
    assert drawn(lines) == ["├─ left", "│  └─ base", "│     └─ ground", "└─ right", "   └─ base"]
    assert [line.elsewhere for line in lines] == [0, 0, 0, 0, -3]
    assert [line.elsewhere for line in branches("top", DIAMOND, levels=9, upwards=True)] == [
        0,
        0,
        0,
        -2,
        0,
    ]


def test_a_shared_node_branches_where_it_is_nearest() -> None:
    edges = {"a": ("long", "near"), "long": ("near",), "near": ("end",)}
    lines = branches("a", edges, levels=9)
    assert drawn(lines) == ["├─ long", "│  └─ near", "└─ near", "   └─ end"]
    assert [line.elsewhere for line in lines] == [0, 1, 0, 0]


def test_what_lies_beyond_the_levels_is_counted_once() -> None:
    lines = branches("top", DIAMOND, levels=1)
    assert [(line.node, line.folded) for line in lines] == [("left", 2), ("right", 2)]
    lines = branches("top", DIAMOND, levels=2)
    assert [(line.node, line.folded) for line in lines] == [
        ("left", 0),
        ("base", 1),
        ("right", 0),
        ("base", 0),
    ]


NODES = "abcdefg"
GRAPHS = st.dictionaries(
    st.sampled_from(NODES),
    st.lists(st.sampled_from(NODES), unique=True, max_size=4).map(tuple),
)


@given(GRAPHS, st.integers(1, 5), st.booleans())
def test_of_any_graph_everything_within_the_levels_is_drawn(
    graph: dict[str, tuple[str, ...]], levels: int, upwards: bool
) -> None:
    near, front = {"a"}, {"a"}
    for _ in range(levels):
        front = {other for node in front for other in graph.get(node, ())} - near
        near |= front
    lines = branches("a", graph, levels=levels, upwards=upwards)
    assert {line.node for line in lines} | {"a"} == near
    assert len(lines) <= sum(len(others) for others in graph.values())
    assert all(len(line.rails) <= RAIL * levels for line in lines)
    for at, line in enumerate(lines):
        if line.elsewhere:
            assert lines[at + line.elsewhere].node == line.node
            assert lines[at + line.elsewhere].elsewhere == 0


@given(GRAPHS)
def test_upwards_are_the_same_edges_as_downwards(graph: dict[str, tuple[str, ...]]) -> None:
    down = branches("a", graph, levels=4)
    up = branches("a", graph, levels=4, upwards=True)
    assert sorted((line.node, len(line.rails)) for line in down) == sorted(
        (line.node, len(line.rails)) for line in up
    )
