"""A graph drawn as a tree of lines, downwards or upwards, each shared node branching once.

Pure: nodes are names and edges a mapping; the caller writes beside the rails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

RAIL = 3
"""Columns that a level of branches takes."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One line of a tree: a node at the end of one edge."""

    node: str
    rails: str  # what is drawn in front of it, RAIL columns a level
    elsewhere: int = 0  # its branches are drawn so many lines below (negative: above); 0: here
    folded: int = 0  # nodes beyond it that the tree does not show


def branches(
    root: str, edges: Mapping[str, Sequence[str]], *, levels: int, upwards: bool = False
) -> tuple[Branch, ...]:
    """Return what can be reached from `root`, but not `root`, as lines from top to bottom.

    A line for each edge within `levels`. A node that several edges reach has its branches where it
    is nearest to the root. Upwards the tree stands on the root, which belongs below the last line.
    """
    homes = _homes(root, edges, levels)
    drawn = {root, *(node for node, _ in homes)}

    def below(node: str, rails: str, depth: int) -> Iterator[tuple[Branch, str]]:
        others = edges.get(node, ())
        for other in reversed(others) if upwards else others:
            last = other == others[0 if upwards else -1]
            branch = Branch(other, rails + ("└─ " if last else "├─ "))
            yield branch, node
            if homes.get((other, node)) == depth and depth < levels:
                yield from below(other, rails + ("   " if last else "│  "), depth + 1)

    lines = list(below(root, "", 1))
    if upwards:
        lines.reverse()
    places = {
        branch.node: at for at, (branch, via) in enumerate(lines) if (branch.node, via) in homes
    }

    def finished(at: int, branch: Branch, via: str) -> Branch:
        node = branch.node
        rails = branch.rails.replace("└", "┌") if upwards else branch.rails
        if (node, via) in homes:
            return Branch(node, rails, folded=_beyond(node, edges, drawn))
        has_more = node in places and bool(edges.get(node))
        return Branch(node, rails, elsewhere=places[node] - at if has_more else 0)

    return tuple(finished(at, branch, via) for at, (branch, via) in enumerate(lines))


def _homes(
    root: str, edges: Mapping[str, Sequence[str]], levels: int
) -> dict[tuple[str, str], int]:
    """Map the edge (node, from) at which a node's branches are drawn to its depth."""
    homes: dict[tuple[str, str], int] = {}
    reached, front = {root}, [root]
    for depth in range(1, levels + 1):
        following = []
        for node in front:
            for other in edges.get(node, ()):
                if other not in reached:
                    reached.add(other)
                    homes[other, node] = depth
                    following.append(other)
        front = following
    return homes


def _beyond(node: str, edges: Mapping[str, Sequence[str]], drawn: set[str]) -> int:
    """Count the nodes beyond `node` that the tree does not show, and no drawn one hides."""
    beyond: set[str] = set()
    waiting = [node]
    while waiting:
        found = {each for each in edges.get(waiting.pop(), ()) if each not in drawn} - beyond
        beyond |= found
        waiting += found
    return len(beyond)
