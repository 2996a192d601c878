"""The signs: LaTeX commands and plain characters, with how each behaves beside its neighbours.

`latex.txt` lists the commands. Here are also the small glyphs that Unicode has for scripts, and the
alphabets of the font commands. Small glyphs that few terminal fonts carry (the raised Q, say) are
left out on purpose.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from studyattn.text.mathematics.formula import NodeKind, Symbol

_HEADING = re.compile(r"^\[(\w+)(\*?)\]\n", re.MULTILINE)


@cache
def _lists() -> Mapping[str, Mapping[str, str]]:
    """Read `latex.txt`: by rule, what it is given for each name."""
    text = Path(__file__).with_name("latex.txt").read_text("utf-8")
    text = re.sub(r"^# [A-Z].*\n", "", text, flags=re.MULTILINE)
    found: dict[str, Mapping[str, str]] = {}
    _, *parts = _HEADING.split(text)
    for rule, alone, lists in zip(*(iter(parts),) * 3, strict=True):
        words = lists.split()
        pairs = zip(words[::2], words[1::2], strict=True)
        found[rule] = dict.fromkeys(words, "") if alone else dict(pairs)
    return found


@cache
def _commands() -> Mapping[str, tuple[str, str]]:
    return {
        name: (rule, given)
        for rule, names in _lists().items()
        if rule not in {"matrix", "equations"}
        for name, given in names.items()
    }


def rule_of(name: str) -> tuple[str, str]:
    """Return what reads a command, and what that is given. Raises KeyError for an unknown one."""
    return _commands()["␣" if name == " " else name]


def environments(rule: str) -> Mapping[str, str]:
    """Return the environments of `matrix` or `equations`, with their delimiters or columns."""
    return _lists()[rule]


def command(name: str) -> Symbol | None:
    """The sign of a command without arguments."""
    try:
        rule, given = rule_of(name)
    except KeyError:
        return None
    if rule == "function":
        return Symbol(name, NodeKind.FUNCTION, words=True)
    kind = NodeKind.__members__.get(rule.upper())
    text = " " * int(given) if kind is NodeKind.SPACE else given
    return None if kind is None else Symbol(text, kind)


_CHARACTERS: Final = {
    "+": "binary", "*": "binary", "-": "binary", "−": "binary", "=": "relation", "<": "relation",
    ">": "relation", ":": "relation", "(": "open", "[": "open", ")": "close", "]": "close",
    ",": "punctuation", ";": "punctuation", "~": "space",
}  # fmt: skip
_SHOWN: Final = {"-": "−", "*": "∗", "~": " "}


@cache
def _literals() -> dict[str, Symbol]:
    """The signs themselves, for formulas that were typed with them."""
    symbols = [symbol for name in _commands() if (symbol := command(name)) is not None]
    signs = {each.text: each for each in symbols if len(each.text) == 1 and not each.text.isascii()}
    return signs | {
        sign: Symbol(_SHOWN.get(sign, sign), NodeKind[kind.upper()])
        for sign, kind in _CHARACTERS.items()
    }


def character(char: str) -> Symbol:
    """The sign that a character is by itself."""
    return _literals().get(char) or Symbol(char)


SUPERSCRIPTS: Final = str.maketrans(
    "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ⊤×∗′",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡᵀˣ*′",
)
SUBSCRIPTS: Final = str.maketrans(
    "0123456789+−=()aehijklmnoprstuvxβγρφχ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
)


def small(text: str, glyphs: dict[int, int]) -> str | None:
    """The text in the small glyphs of a script, or None when one of them does not exist."""
    if not text or any(ord(char) not in glyphs for char in text):
        return None
    return text.translate(glyphs)


_DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_OLDER_NAMES: Final = {"FRAKTUR": "BLACK-LETTER"}
"""Letters that Unicode had before its mathematical alphabets keep their names: ℝ, ℬ, ℭ."""


@cache
def alphabet(style: str) -> dict[int, str]:
    """The letters and digits of one of Unicode's mathematical alphabets."""
    changes: dict[int, str] = {}
    for code in [*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1)]:
        letter = chr(code)
        case = "CAPITAL" if letter.isupper() else "SMALL"
        changes[code] = _letter(style, f"{case} {letter.upper()}") or letter
    for digit, name in enumerate(_DIGITS):
        changes[ord(str(digit))] = _letter(style, f"DIGIT {name}") or str(digit)
    return changes


def _letter(style: str, rest: str) -> str | None:
    for name in (
        f"MATHEMATICAL {style} {rest}",
        f"{_OLDER_NAMES.get(style, style)} {rest}",
    ):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return None
