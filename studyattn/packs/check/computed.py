"""Check computed cards: each is drawn fifty times and answers itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from studyattn.errors import PackError
from studyattn.packs.answers import ExpectedNumbers, compare
from studyattn.packs.check.finding import Finding
from studyattn.packs.check.wording import (
    ANSWER_LINES,
    CARD_LINES,
    OFFER,
    TextPassage,
    check_passage,
    text_height,
)
from studyattn.packs.computed import Computed, call, file_of, files_of, function_of
from studyattn.packs.model import Card, Pack, SourceLocation

DRAWS: Final = 50
_IMPORTS: Final = (
    "numpy.",
    "studyattn.attention.",
    "studyattn.packs.computed.",
    "studyattn.packs.vector_text.",
    *("__future__.", "collections.", "dataclasses.", "fractions.", "itertools.", "math."),
)


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    used: set[tuple[Path, str]] = set()
    for card in pack.cards():
        if card.kind.drawn:
            name = str(card.extra["function"])
            used.add((file_of(pack.folder, name), name.rpartition(".")[2]))
            yield from _card(card, pack)
    for file in files_of(pack.folder):
        yield from _unused(file, {name for at, name in used if at == file})
        yield from _imports(file)


def _card(card: Card, pack: Pack) -> Iterator[Finding]:
    name = str(card.extra["function"])
    file = file_of(pack.folder, name)
    if not file.is_file():
        missing = file.relative_to(pack.folder)
        yield Finding(card.place, f"by={name} is a function of {missing}, which does not exist")
        return
    try:
        function = function_of(pack.folder, name)
        drawn = [call(function, np.random.default_rng(seed), file) for seed in range(DRAWS)]
        again = call(function, np.random.default_rng(0), file)
    except PackError as error:
        yield Finding.at(error.where, f"{card.id}: {error.message}")
        return
    if again != drawn[0]:
        yield Finding(card.place, "the same generator drew two different cards")
    if len({each.question for each in drawn}) == 1:
        yield Finding(card.place, f"{DRAWS} drawings ask exactly the same question")
    for said, told in _slips(drawn).items():
        if not told:
            yield Finding(card.place, f"{DRAWS} drawings never give the slip {said!r}")
    of_each = (list(_drawing(each, card)) for each in drawn)
    yield from next(filter(None, of_each), [])


def _slips(drawn: list[Computed]) -> dict[str, bool]:
    """Find the slips that some drawing tells: they differ from the answer and earlier slips."""
    told: dict[str, bool] = {}
    for expected in (each.expected() for each in drawn):
        if isinstance(expected, ExpectedNumbers):
            for said, wrong in expected.slips:
                typed = ", ".join(f"{float(number):.12g}" for number in wrong)
                told[said] = told.get(said, False) or compare(expected, typed).note == said
    return told


def _drawing(drawn: Computed, card: Card) -> Iterator[Finding]:
    expected = drawn.expected()
    if not compare(expected, expected.shown).correct:
        yield Finding(
            card.place, f"its own answer {expected.shown!r} is not accepted: {drawn.question}"
        )
    for text in (drawn.question, drawn.explanation):
        yield from check_passage(TextPassage(text, card.place))
    texts = (drawn.question, expected.shown, drawn.explanation, card.back)
    height = sum(text_height(text) for text in texts if text.strip())
    height += OFFER * (len(card.examples) + (card.lab is not None))
    if height > CARD_LINES - ANSWER_LINES:
        yield Finding(card.place, f"a drawing takes {height} lines: {drawn.question}")


def _unused(file: Path, used: set[str]) -> Iterator[Finding]:
    """Public functions that no card names."""
    for node in _tree(file).body:
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_" and node.name not in used:
            yield Finding(SourceLocation(str(file), node.lineno), f"no card uses {node.name!r}")


def _imports(file: Path) -> Iterator[Finding]:
    """A pack's own process never imports torch; neither may what it loads."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."]
        else:
            continue
        for name in names:
            if not f"{name}.".startswith(_IMPORTS):
                yield Finding(
                    SourceLocation(str(file), node.lineno),
                    f"imports {name!r}, which is not allowed",
                )


def _tree(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes())
    except SyntaxError:  # found where the cards are drawn
        return ast.Module([], [])
