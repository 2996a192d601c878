r"""One line of Markdown as words, such as a title: formulas set, gaps shown, no marks.

A list of titles is printed in less time than the Markdown reader takes to load, so what nearly all
titles consist of is read here: words, code, formulas, emphasis and gaps. A line with anything else
goes through the reader, so that both say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from studyattn.text.characters import CONTROLS, without_controls
from studyattn.text.markdown import GAP
from studyattn.text.mathematics import render_math

_WORDS = r"[^\\`$*_<&~=\[]"
_CODE = r"`[^`\s](?:[^`]*[^`\s])?`(?!`)"
_FORMULA = r"(?<![\w$])\$(?!\s)[^$`]*[^$`\s\\]\$(?![\w$])"
_LITERAL = r"(?<=[^\W_])_(?=[^\W_])|(?<!=)=(?!=)|<(?=[\s\d=])|&(?=\s)"
_PIECE = re.compile(
    rf"""(?P<words>(?:{_WORDS}|{_LITERAL})+)
    |(?P<code>{_CODE})
    |(?P<formula>{_FORMULA})
    |(?<![\w*])(?P<mark>\*\*?)(?P<emphasis>[^\W_](?:{_WORDS}*[^\W_])?)(?P=mark)(?![\w*])
    |(?P<gap>(?<![\w=])==(?=[^\s=])(?:{_WORDS}|{_LITERAL}|{_CODE}|{_FORMULA})+(?<!\s)==(?![\w=(\[:]))
    """,
    re.VERBOSE,
)
_UNUSUAL = re.compile(
    rf"[-+*#>|<:~\s]|\d+[.)](?:\s|$)|`{{3}}|\${{2}}|\$.*\w$|.*(?:[\t\n{CONTROLS}]|\s$)"
)
"""What may begin anything but a paragraph, formulas that the reader refuses, control characters."""


def words(markdown: str, *, gaps: bool = False) -> str:
    """Return the words of a line; with `gaps` without the answers of its cloze deletions."""
    if (read := _read(markdown, gaps=gaps)) is not None:
        return read
    # Late: the reader takes longer to load than all else that a list needs.
    from studyattn.text.cloze import gapped
    from studyattn.text.render import plain

    return plain(gapped(markdown) if gaps else markdown)


def _read(line: str, *, gaps: bool) -> str | None:
    """Return the words of a line, or None where it takes the reader."""
    found, place = [], 0
    if _UNUSUAL.match(line) or len(line) > _LONGEST:
        return None
    while place < len(line):
        piece = _PIECE.match(line, place)
        if piece is None or (piece["gap"] and not gaps):
            return None
        found.append(_SHOWN[piece.lastgroup or ""](piece[0]))
        place = piece.end()
    return "".join(found).strip()


_LONGEST: Final = 5_000  # characters; a wider line is broken


def formula(latex: str) -> str:
    """Return a formula on one line; its LaTeX where it cannot be converted."""
    lines = render_math(latex.strip(), display=False, width=0)
    return lines[0] if lines else without_controls(" ".join(latex.split()))


_SHOWN: Final[Mapping[str, Callable[[str], str]]] = {
    "words": str,
    "code": lambda written: written[1:-1],
    "formula": lambda written: formula(written[1:-1]),
    "emphasis": lambda written: written.strip("*"),
    "gap": lambda _: GAP,
}
