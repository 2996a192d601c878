"""The signs: LaTeX commands and plain characters, with how each behaves beside its neighbours.

Also the small glyphs that Unicode has for scripts, and the alphabets of the font commands. Small
glyphs that few terminal fonts carry (the raised Q, say) are left out on purpose.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from studyattn.text.mathematics.formula import NodeKind, Symbol

_ORDINARY = """
alpha α  beta β  gamma γ  delta δ  epsilon ε  varepsilon ε  zeta ζ  eta η  theta θ  vartheta ϑ
iota ι  kappa κ  lambda λ  mu μ  nu ν  xi ξ  omicron ο  pi π  varpi ϖ  rho ρ  varrho ϱ  sigma σ
varsigma ς  tau τ  upsilon υ  phi φ  varphi φ  chi χ  psi ψ  omega ω  Gamma Γ  Delta Δ  Theta Θ
Lambda Λ  Xi Ξ  Pi Π  Sigma Σ  Upsilon Υ  Phi Φ  Psi Ψ  Omega Ω  infty ∞  partial ∂  nabla ∇
hbar ℏ  ell ℓ  imath ı  jmath ȷ  Re ℜ  Im ℑ  wp ℘  aleph ℵ  emptyset ∅  varnothing ∅  forall ∀
exists ∃  nexists ∄  neg ¬  lnot ¬  top ⊤  bot ⊥  angle ∠  triangle △  square □  Box □
blacksquare ■  checkmark ✓  dagger †  ddagger ‡  prime ′  backprime ‵  degree °  cdots ⋯  ldots …
dots …  dotsc …  dotsb ⋯  dotsm ⋯  dotso …  vdots ⋮  ddots ⋱  surd √  flat ♭  natural ♮  sharp ♯
S §  P ¶  copyright ©  pounds £  vert |  Vert ‖  | ‖  % %  $ $  # #  & &  _ _  backslash \\
lozenge ◊  star ⋆  bigstar ★  complement ∁  because ∵  therefore ∴  blacktriangleright ▶
"""
_BINARY = """
times ×  cdot ·  div ÷  pm ±  mp ∓  ast ∗  circ ∘  bullet •  oplus ⊕  ominus ⊖  otimes ⊗  odot ⊙
oslash ⊘  cap ∩  cup ∪  uplus ⊎  sqcap ⊓  sqcup ⊔  vee ∨  lor ∨  wedge ∧  land ∧  setminus ∖
wr ≀  diamond ⋄  amalg ⨿  boxplus ⊞  boxtimes ⊠  boxdot ⊡  ltimes ⋉  rtimes ⋊  bmod mod
"""
_RELATION = """
le ≤  leq ≤  leqslant ≤  ge ≥  geq ≥  geqslant ≥  ne ≠  neq ≠  equiv ≡  approx ≈  sim ∼  simeq ≃
cong ≅  propto ∝  ll ≪  gg ≫  in ∈  notin ∉  ni ∋  subset ⊂  supset ⊃  subseteq ⊆  supseteq ⊇
subsetneq ⊊  nsubseteq ⊈  sqsubseteq ⊑  sqsupseteq ⊒  prec ≺  succ ≻  preceq ⪯  succeq ⪰  mid |
nmid ∤  parallel ∥  perp ⊥  vdash ⊢  dashv ⊣  models ⊨  asymp ≍  doteq ≐  to →  rightarrow →
longrightarrow ⟶  leftarrow ←  gets ←  longleftarrow ⟵  leftrightarrow ↔  longleftrightarrow ⟷
Rightarrow ⇒  Longrightarrow ⟹  implies ⟹  Leftarrow ⇐  impliedby ⟸  Leftrightarrow ⇔  iff ⟺
Longleftrightarrow ⟺  mapsto ↦  longmapsto ⟼  uparrow ↑  downarrow ↓  updownarrow ↕  Uparrow ⇑
Downarrow ⇓  nearrow ↗  searrow ↘  swarrow ↙  nwarrow ↖  hookrightarrow ↪  hookleftarrow ↩
rightleftharpoons ⇌  leadsto ⇝  rightsquigarrow ⇝  colon :  coloneqq ≔  triangleq ≜  lesssim ≲
gtrsim ≳  vartriangleleft ⊲  trianglelefteq ⊴  bowtie ⋈  nrightarrow ↛
"""
_OPEN = "langle ⟨  lfloor ⌊  lceil ⌈  lbrace {  { {  lbrack [  lvert |  lVert ‖  lparen ("
_CLOSE = "rangle ⟩  rfloor ⌋  rceil ⌉  rbrace }  } }  rbrack ]  rvert |  rVert ‖  rparen )"
_OPERATOR = """
sum ∑  prod ∏  coprod ∐  bigcap ⋂  bigcup ⋃  bigvee ⋁  bigwedge ⋀  bigoplus ⨁  bigotimes ⨂
bigodot ⨀  biguplus ⨄  bigsqcup ⨆
"""
_SPACES: Final = {
    ",": " ", ":": " ", ">": " ", ";": " ", " ": " ", "quad": "  ", "qquad": "    ",
    "enspace": " ", "thinspace": " ", "medspace": " ", "thickspace": " ", "space": " ",
    "!": "", "negthinspace": "", "/": "",
}  # fmt: skip


def names(table: str) -> frozenset[str]:
    """The words of a table of names."""
    return frozenset(table.split())


FUNCTIONS: Final = names(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom ker lg ln log sec sin "
    "sinh tan tanh Pr softmax Var Cov tr rank diag sign"
)
LIMIT_FUNCTIONS: Final = {
    name: name for name in ("max", "min", "sup", "inf", "lim", "argmax", "argmin")
} | {"limsup": "lim sup", "liminf": "lim inf"}
INTEGRALS: Final = {"int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮"}

_CHARACTERS: Final = {
    "+": Symbol("+", NodeKind.BINARY),
    "-": Symbol("−", NodeKind.BINARY),
    "−": Symbol("−", NodeKind.BINARY),
    "*": Symbol("∗", NodeKind.BINARY),
    "=": Symbol("=", NodeKind.RELATION),
    "<": Symbol("<", NodeKind.RELATION),
    ">": Symbol(">", NodeKind.RELATION),
    ":": Symbol(":", NodeKind.RELATION),
    "(": Symbol("(", NodeKind.OPEN),
    "[": Symbol("[", NodeKind.OPEN),
    ")": Symbol(")", NodeKind.CLOSE),
    "]": Symbol("]", NodeKind.CLOSE),
    ",": Symbol(",", NodeKind.PUNCTUATION),
    ";": Symbol(";", NodeKind.PUNCTUATION),
    "~": Symbol(" ", NodeKind.SPACE),
}


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


@cache
def _commands() -> dict[str, Symbol]:
    tables = (
        (_ORDINARY, NodeKind.ORDINARY),
        (_BINARY, NodeKind.BINARY),
        (_RELATION, NodeKind.RELATION),
        (_OPEN, NodeKind.OPEN),
        (_CLOSE, NodeKind.CLOSE),
        (_OPERATOR, NodeKind.OPERATOR),
    )
    symbols = {
        name: Symbol(sign, kind) for table, kind in tables for name, sign in _pairs(table).items()
    }
    symbols |= {name: Symbol(gap, NodeKind.SPACE) for name, gap in _SPACES.items()}
    symbols |= {name: Symbol(name, NodeKind.FUNCTION, words=True) for name in FUNCTIONS}
    return symbols


@cache
def _literals() -> dict[str, Symbol]:
    """The signs themselves, for formulas that were typed with them."""
    signs = {
        symbol.text: symbol
        for symbol in _commands().values()
        if len(symbol.text) == 1 and not symbol.text.isascii()
    }
    return signs | _CHARACTERS


def command(name: str) -> Symbol | None:
    """The sign of a command without arguments."""
    return _commands().get(name)


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


_ALPHABETS: Final = {
    "mathbf": "BOLD", "boldsymbol": "BOLD", "bm": "BOLD", "textbf": "BOLD", "pmb": "BOLD",
    "mathbb": "DOUBLE-STRUCK", "mathds": "DOUBLE-STRUCK", "mathcal": "SCRIPT",
    "mathscr": "SCRIPT", "mathfrak": "FRAKTUR", "mathsf": "SANS-SERIF", "mathtt": "MONOSPACE",
}  # fmt: skip
PLAIN_FONTS: Final = frozenset({"mathit", "mathnormal", "mathrm", "rm", "textit"})
FONTS: Final = frozenset(_ALPHABETS) | PLAIN_FONTS
_DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_OLDER_NAMES: Final = {"FRAKTUR": "BLACK-LETTER"}
"""Letters that Unicode had before its mathematical alphabets keep their names: ℝ, ℬ, ℭ."""


@cache
def alphabet(font: str) -> dict[int, str]:
    """The changes that a font command makes to letters and digits; the plain ones make none."""
    style = _ALPHABETS.get(font)
    if style is None:
        return {}
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
