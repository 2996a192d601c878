"""`[[concept]]` and `[[concept|words]]`: what a note links to, and what a link may be called.

A link names a concept by its slug or its title. What counts as a link is decided by the Markdown
reader, so nothing in code or a formula is one; which concepts there are is told by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from studyattn.text.markdown import parse, walk

_BETWEEN: Final = re.compile(r"[\s_\-\u2010-\u2015]+")
_BEGUN: Final = re.compile(r"\[\[([^\[\]|`$\n]*)$")


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a text: the name it has for a concept, and the words it shows."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Target:
    """A concept that can be linked to."""

    slug: str
    title: str


class Names:
    """The names of concepts. A slug is meant before a title, an earlier title before a later.

    `joined` are the concepts that were joined into another, with the one that they lead to.
    """

    def __init__(
        self, targets: Iterable[Target], joined: Mapping[Target, Target] | None = None
    ) -> None:
        self._targets = tuple(targets)
        leads = {**{target: target for target in self._targets}, **(joined or {})}
        self._by_name: dict[str, Target] = {}
        for target, found in leads.items():
            self._by_name.setdefault(normal(target.title), found)
        self._by_name.update({normal(target.slug): found for target, found in leads.items()})

    def of(self, slug: str) -> frozenset[str]:
        """The names, as `normal` has them, that lead to this concept."""
        return frozenset(name for name, found in self._by_name.items() if found.slug == slug)

    def find(self, name: str) -> Target | None:
        """The concept of this slug or title, whatever its case, hyphens and spaces."""
        return self._by_name.get(normal(name))

    def beginning(self, part: str, limit: int = 6) -> list[Target]:
        """Concepts whose slug or title has a word that begins so; best first."""
        wanted = normal(part)
        found = [(rank, target) for target in self._targets if (rank := _rank(target, wanted)) < 2]
        return [target for _, target in sorted(found, key=lambda each: each[0])[:limit]]


def links(markdown: str) -> tuple[Link, ...]:
    """The links of a text, in their order, each as often as it is written."""
    if "[[" not in markdown:
        return ()
    return tuple(
        Link(token.meta["target"], token.meta["text"])
        for token in walk(parse(markdown))
        if token.type == "wikilink"
    )


def renamed(markdown: str, name: Callable[[str], str | None]) -> str:
    """The text with each link to what `name` knows under the name that it gives, words as shown.

    Blocks of code stay as they are.
    """
    if "[[" not in markdown:
        return markdown
    rows = markdown.split("\n")
    for token in parse(markdown):
        if not token.map:
            continue
        for child in walk(token.children or []):
            found = name(child.meta["target"]) if child.type == "wikilink" else None
            if found:
                new = f"[[{found}|{child.meta['text']}]]"
                _replace_first(rows, range(*token.map), child.content, new)
    return "\n".join(rows)


def _replace_first(rows: list[str], among: range, old: str, new: str) -> None:
    for row in among:
        if old in rows[row]:
            rows[row] = rows[row].replace(old, new, 1)
            return


def normal(name: str) -> str:
    """A name as it is compared."""
    return _BETWEEN.sub(" ", name.casefold()).strip()


def begun(line: str) -> str | None:
    """The name that is being written at the end of `line`, after `[[`; None outside of a link."""
    match = _BEGUN.search(line)
    return match[1] if match else None


def _rank(target: Target, wanted: str) -> int:
    """0 for a name that begins so, 1 for one with a word that does, else 2."""
    names = (normal(target.title), normal(target.slug))
    if any(name.startswith(wanted) for name in names):
        return 0
    return 1 if any(f" {wanted}" in name for name in names) else 2
