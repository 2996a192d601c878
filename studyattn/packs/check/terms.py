"""Check that every term and symbol is introduced before it is used, along the path.

A concept declares in its front matter which terms it introduces. A page, a card, a bug or a brief
of an earlier concept may not use them, and neither may a card that is asked before the page of its
own concept that has the term first. Code is not looked at. A word is found whole and, unless it is
declared with capitals, in any case; a symbol (`$d_k$`) is found in formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path

from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Concept, Pack, SourceLocation

_FENCE = re.compile(r"^[ ]*(`{3,}|~{3,})[^\n]*\n.*?^[ ]*\1[`~]*[ ]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_ATTRIBUTES = re.compile(r"^(#+ .*?)(\{[#.][^\n]*\})[ ]*$", re.MULTILINE)
_ADDRESS = re.compile(r"\]\([^)\s]*\)|<https?://[^>]*>")
_MATHS = re.compile(r"\$\$.+?\$\$|(?<!\\)\$[^$\n]+?(?:\n[^$\n]+?)?(?<!\\)\$", re.DOTALL)
_TOKEN = re.compile(r"\\[A-Za-z]+|\S")
_WORDS_IN_MATHS = re.compile(r"\\(?:text|mathrm|operatorname)\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class _Term:
    """A term with the concept that introduces it."""

    forms: tuple[str, ...]
    concept: str
    at: int
    """The concept's place along the path."""

    def use(self, text: _Passage) -> int | None:
        """Return the first line of `text` that uses it, None when none does."""
        found = (_first_use(form, text) for form in self.forms)
        return min((line for line in found if line is not None), default=None)


@dataclass(frozen=True, slots=True)
class _Passage:
    """A passage of a file: its prose and its formulas, each with the other blanked out."""

    prose: str
    maths: str
    first: int
    """The line of the file at which both begin."""

    @classmethod
    def of(cls, markdown: str, first: int) -> _Passage:
        """Return the passage without its code, addresses and headings' attributes."""
        for unsaid in (_FENCE, _CODE, _ADDRESS):
            markdown = unsaid.sub(lambda found: _blank(found[0]), markdown)
        markdown = _ATTRIBUTES.sub(lambda found: found[1] + " " * len(found[2]), markdown)
        prose, maths = [], []
        end = 0
        for found in _MATHS.finditer(markdown):
            between = markdown[end : found.start()]
            prose += [between, _only_words(found[0])]
            maths += [_blank(between), found[0]]
            end = found.end()
        return cls("".join([*prose, markdown[end:]]), "".join(maths), first)


def check(pack: Pack) -> Iterator[Finding]:
    """Yield all findings of this part."""
    places = dict(zip(pack.concepts, count(), strict=False))
    terms: dict[str, _Term] = {}
    for concept in pack.concepts.values():
        for forms in concept.terms:
            before = next(filter(None, map(terms.get, forms)), None)
            if before is not None:
                yield Finding(
                    concept.place,
                    f"introduces {forms[0]!r}, which {before.concept!r} introduces before",
                )
                continue
            term = _Term(forms, concept.slug, places[concept.slug])
            terms.update(dict.fromkeys(forms, term))
            yield from _within(concept, term)
    for slug, where, text in _said(pack):
        later = (term for term in terms.values() if term.at > places.get(slug, len(places)))
        for term in dict.fromkeys(later):
            line = term.use(text)
            if line is not None:
                yield Finding(
                    SourceLocation(where, line),
                    f"uses {term.forms[0]!r} before {term.concept!r}, which introduces it",
                )


def _within(concept: Concept, term: _Term) -> Iterator[Finding]:
    """Yield cards that use the term and are asked before the page that has it first."""
    file = concept.place.file
    pages = [_Passage.of(page.body, page.place.line) for page in concept.pages]
    said = next((at for at, page in enumerate(pages) if term.use(page) is not None), None)
    if said is None:
        yield Finding(concept.place, f"introduces {term.forms[0]!r} but never uses it on a page")
        return
    too_early = {card for page in concept.pages[:said] for card in page.cards}
    for card, text in _cards(concept):
        line = term.use(text) if card in too_early else None
        if line is not None:
            yield Finding(
                SourceLocation(file, line),
                f"uses {term.forms[0]!r} before the page {concept.pages[said].id!r}, "
                "which introduces it",
            )


def _said(pack: Pack) -> Iterator[tuple[str, str, _Passage]]:
    """Yield each text with the concept at whose place on the path it is met, and its file."""
    for concept in pack.concepts.values():
        file = concept.place.file
        for page in concept.pages:
            yield concept.slug, file, _Passage.of(page.body, page.place.line)
        for point in concept.key_points:
            yield concept.slug, file, _Passage.of(point.text, point.place.line)
        for _, text in _cards(concept):
            yield concept.slug, file, text
    for bug in pack.bugs.values():
        yield bug.concept, bug.place.file, _text_of_file(bug.place.file, ("question:",))
    for brief in pack.drills.values():
        yield brief.concept, brief.place.file, _text_of_file(brief.place.file, ())


def _cards(concept: Concept) -> Iterator[tuple[str, _Passage]]:
    lines = _lines(concept.place.file)
    begins = sorted((card.place.line, card.id) for card in concept.cards)
    ends = [*(line for line, _ in begins[1:]), len(lines) + 1]
    for (begin, card), end in zip(begins, ends, strict=True):
        yield card, _Passage.of("\n".join(lines[begin - 1 : end - 1]), begin)


def _text_of_file(file: str, fields: tuple[str, ...]) -> _Passage:
    """Return the file, and of its front matter only these fields."""
    lines = _lines(file)
    end = lines.index("---", 1) if lines[:1] == ["---"] and "---" in lines[1:] else -1
    for number in range(end + 1):
        if not lines[number].startswith(fields or ("\0",)):
            lines[number] = ""
    return _Passage.of("\n".join(lines), 1)


def _first_use(form: str, text: _Passage) -> int | None:
    symbol = form.strip("$") if form.startswith("$") and form.endswith("$") else None
    pattern, among = (_word(form), text.prose) if symbol is None else (_symbol(symbol), text.maths)
    found = pattern.search(among)
    return None if found is None else text.first + among.count("\n", 0, found.start())


@lru_cache(maxsize=1024)
def _word(form: str) -> re.Pattern[str]:
    spaced = r"\s+".join(map(re.escape, form.split()))
    case = re.NOFLAG if form != form.lower() else re.IGNORECASE
    return re.compile(rf"(?<!\w){spaced}(?!\w)", case)


@lru_cache(maxsize=1024)
def _symbol(symbol: str) -> re.Pattern[str]:
    """Return what finds a symbol that is not a part of a longer one: `d` is not in `d_k`."""
    begin = r"(?<![A-Za-z\\_])" if symbol[0].isalpha() else ""
    end = r"(?![A-Za-z_])" if symbol[-1].isalnum() else r"(?!_)"
    spaced = r"\s*".join(map(re.escape, _TOKEN.findall(symbol)))
    return re.compile(f"{begin}{spaced}{end}")


def _blank(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)


def _only_words(formula: str) -> str:
    """Return a formula with nothing left but the words in it."""
    kept = list(_blank(formula))
    for found in _WORDS_IN_MATHS.finditer(formula):
        kept[found.start(1) : found.end(1)] = found[1]
    return "".join(kept)


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines()
