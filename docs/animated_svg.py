"""Writes frames of a terminal as one SVG that plays by itself: text, boxes, and a style sheet.

Nothing is loaded and nothing runs in it, so it plays in a page's `<img>` too. A line that several
frames share is written once. Where nothing moves, because the reader wants no motion or what draws
it knows no animation, the first frame stands still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

CELL, LINE = 8.4, 18.0
"""Units of a column and of a line."""

_SIZE = 14
_BASE = 13.5  # from the top of a line to the foot of its letters
_MARGIN, _TOP = 14.0, 14.0
_CAPTION = 34.0
_FONTS = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"


@dataclass(frozen=True, slots=True)
class Run:
    """Cells of one style in a line. Colours are `#rrggbb`."""

    text: str
    cells: int
    fill: str
    ground: str
    bold: bool = False
    italic: bool = False
    underline: bool = False


Line = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What the terminal shows for some seconds, and what is said below it."""

    lines: tuple[Line, ...]
    seconds: float
    caption: str


def animate(frames: Sequence[Frame], ground: str, quiet: str, title: str) -> str:
    """Return the SVG of the frames, one after another, again and again.

    `ground` is the terminal's colour, which needs no boxes; `quiet` that of the captions.
    """
    frames = _joined(frames)
    columns = max(sum(run.cells for run in line) for frame in frames for line in frame.lines)
    rows = max(len(frame.lines) for frame in frames)
    width = columns * CELL + 2 * _MARGIN
    height = rows * LINE + _TOP + _CAPTION
    styles: dict[str, str] = {}
    lines: dict[Line, str] = {}
    shown = [_shown(frame, number, lines) for number, frame in enumerate(frames)]
    defined = [f'<g id="{name}">{_drawn(line, ground, styles)}</g>' for line, name in lines.items()]
    place = f'x="{_MARGIN:g}" y="{height - 12:g}"'
    captions = [
        f'<text class="f f{number} c"{_at_rest(number)} {place}>{_text(frame.caption)}</text>'
        for number, frame in enumerate(frames)
    ]
    classes = "".join(f".{name}{{{rule}}}" for rule, name in styles.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">',
            f"<title>{escape(title)}</title>",
            f"<style>text{{font:{_SIZE}px {_FONTS}}}.c{{fill:{quiet}}}{classes}",
            f"{_times(frames)}</style>",
            f"<defs>{''.join(defined)}</defs>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{ground}"/>',
            f'<g transform="translate({_MARGIN:g} {_TOP:g})">',
            *shown,
            "</g>",
            *captions,
            "</svg>\n",
        ]
    )


def _joined(frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames, those that look as the one before as a longer stay of it."""
    joined: list[Frame] = []
    for frame in frames:
        last = joined[-1] if joined else None
        if last is not None and (last.lines, last.caption) == (frame.lines, frame.caption):
            joined[-1] = Frame(last.lines, last.seconds + frame.seconds, last.caption)
        else:
            joined.append(frame)
    return joined


def _shown(frame: Frame, number: int, lines: dict[Line, str]) -> str:
    """Return a frame as places of lines, each of which is known by a name."""
    parts = [f'<g class="f f{number}"{_at_rest(number)}>']
    for row, line in enumerate(frame.lines):
        if any(run.text.strip() or run.ground for run in line):
            name = lines.setdefault(line, f"l{len(lines)}")
            parts.append(f'<use href="#{name}" y="{row * LINE:g}"/>')
    return "".join([*parts, "</g>"])


def _at_rest(number: int) -> str:
    """Return the attribute that hides a frame where nothing moves: an animation overrides it."""
    return ' visibility="hidden"' if number else ""


def _drawn(line: Line, ground: str, styles: dict[str, str]) -> str:
    parts, column = [], 0
    for run in line:
        x, wide = column * CELL, run.cells * CELL
        column += run.cells
        if run.ground != ground:
            box = f'<rect x="{x:g}" width="{wide:g}" height="{LINE:g}" fill="{run.ground}"/>'
            parts.append(box)
        if run.text.strip():
            name = styles.setdefault(_rule(run), f"s{len(styles)}")
            parts.append(
                f'<text class="{name}" x="{x:g}" y="{_BASE:g}" textLength="{wide:g}"'
                f' lengthAdjust="spacingAndGlyphs">{_text(run.text)}</text>'
            )
    return "".join(parts)


def _rule(run: Run) -> str:
    rule = f"fill:{run.fill}"
    rule += ";font-weight:bold" if run.bold else ""
    rule += ";font-style:italic" if run.italic else ""
    return rule + (";text-decoration:underline" if run.underline else "")


def _text(text: str) -> str:
    return escape(text, quote=False).replace(" ", "\N{NO-BREAK SPACE}")


def _times(frames: Sequence[Frame]) -> str:
    """Return when each frame can be seen, as steps of one time for all."""
    total = sum(frame.seconds for frame in frames)
    rules = [f".f{{animation:{total:g}s step-end infinite}}"]
    begun = 0.0
    for number, frame in enumerate(frames):
        start, begun = begun, begun + frame.seconds
        steps = {0.0: "hidden"} | {100 * start / total: "visible"}
        if number < len(frames) - 1:
            steps[100 * begun / total] = "hidden"
        told = "".join(f"{at:.3f}%{{visibility:{how}}}" for at, how in sorted(steps.items()))
        rules.append(f"@keyframes k{number}{{{told}}}.f{number}{{animation-name:k{number}}}")
    rules.append("@media(prefers-reduced-motion:reduce){.f{animation:none}}")
    return "\n".join(rules)
