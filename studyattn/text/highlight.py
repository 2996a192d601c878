"""Code with its keywords, strings, comments and numbers in the palette's styles.

Pygments is imported when the first code block that names its language is drawn.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from rich.text import Text

from studyattn.text.characters import without_controls
from studyattn.text.palette import Palette

if TYPE_CHECKING:
    from pygments.lexer import Lexer


def set_code(code: str, language: str, palette: Palette) -> list[Text]:
    """The code's lines, as long as they are; of an unknown language all in one style."""
    code = without_controls(code.expandtabs(4)).rstrip("\n")
    lexer = _lexer(language) if language else None
    if lexer is None:
        return list(Text(code, palette.code).split("\n", allow_blank=True))
    text = Text(style=palette.code)
    for kind, value in lexer.get_tokens(code):
        text.append(value, _style(kind, palette))
    text.rstrip()
    if text.plain != code.rstrip():  # a lexer may rewrite line ends; the code itself wins
        text = Text(code, palette.code)
    return list(text.split("\n", allow_blank=True))


@cache
def _lexer(language: str) -> Lexer | None:
    # Late: few texts have code, and Pygments takes as long as the rest of the renderer.
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _style(kind: Any, palette: Palette) -> str:
    # Late, as above.
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    for family, style in (
        (Keyword, palette.keyword),
        (Operator.Word, palette.keyword),
        (String, palette.string),
        (Comment, palette.comment),
        (Number, palette.number),
        (Name.Function, palette.name),
        (Name.Class, palette.name),
    ):
        if kind in family:
            return style
    return ""
