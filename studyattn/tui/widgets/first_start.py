"""The page of a first start: what this is for, ways to begin, attention at work in a picture.

The weights of the picture are computed by the reference (`first_weights`) from the gallery's
example; here they are only drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content

from studyattn.tui.actions import action_named
from studyattn.tui.attention_view.example import WELCOME, AttentionStep, AttentionView, Rows
from studyattn.tui.formatting import beside, clickable, count, join_lines, pad, paragraph
from studyattn.tui.widgets.heatmap import map_row
from studyattn.tui.widgets.today_view import TWO_COLUMNS, draw_problems, goal_name

if TYPE_CHECKING:
    from studyattn.study.concepts.goals import GoalChoice
    from studyattn.study.statistics.day import Today

_WAYS = (
    ("today.start", "start learning", "{concepts}, {cards}, about {minutes} min"),
    ("today.place", "find your place", "at most twelve questions"),
    ("today.goal", "goal: {goal}", "or another one"),
    ("go.import", "import your own notes", "questions and answers, in Markdown"),
    ("go.concepts", "browse the concepts", "each with its prerequisites"),
)
_TEXT = 72
_KEY, _TITLE = 8, 30
_CELL, _WIDE_CELL = 4, 8  # columns of an entry of the picture
_WIDE_LINES = 3  # of an entry in wide terminals
_BESIDE = 30  # columns of what is said beside the small picture
_BETWEEN = 6


def first_weights() -> Rows:
    """Compute the weights of the picture with the reference. Loads numpy."""
    from studyattn.tui.attention_view.tables import tables  # late: in the thread that calls this

    return tables(WELCOME, 0, AttentionView(masked=True))[AttentionStep.WEIGHTS]


def draw_first_start(today: Today, problems: Sequence[str], weights: Rows, width: int) -> Content:
    """Return the page, `width` columns wide; the picture once its `weights` are there."""
    wide = width >= TWO_COLUMNS
    room = min(width, _TEXT)
    text = [
        Content.styled("Learn attention until you can explain it and write it.", "bold"),
        Content(),
        *paragraph(
            "A card comes back just before you would forget it. Rate how well you knew it. That's "
            "all there is to learn.",
            room,
        ),
        Content(),
        *_ways(today, below=room < _TEXT, spread=wide),
    ]
    picture = _picture(weights, width, wide=wide) if weights else []
    head = draw_problems(problems, width)[: None if problems else 0]
    if wide:
        return join_lines([*head, Content(), *beside(text, picture, _TEXT + _BETWEEN)])
    return join_lines([*head, *text, Content(), *picture])


def _ways(today: Today, *, below: bool, spread: bool) -> list[Content]:
    """Return a line for each way to begin, two with the remark `below`; `spread` a blank one."""
    lines: list[Content] = []
    for name, title, remark in _WAYS:
        if name in {"today.start", "today.place", "today.goal"} and not today.new:
            continue
        known = action_named(name)
        explained = remark.format(
            concepts=count(len(today.new_concepts), "concept"),
            cards=count(today.new, "card"),
            minutes=today.minutes,
        )
        key = pad(Content.styled(known.shown_key, "$accent bold"), _KEY)
        row = Content.assemble(key, pad(title.format(goal=goal_name(today.goal)), _TITLE))
        if not below | spread:
            row = Content.assemble(row, (explained, "$quiet"))
        lines.append(clickable(row, known.call))
        if below | spread:
            lines.append(Content.styled(f"{'':{_KEY}}{explained}", "$quiet"))
        if spread:
            lines.append(Content())
    return lines


def draw_goals(goals: Sequence[GoalChoice]) -> dict[str, Content]:
    """Return a line for each goal that can be chosen, by its name."""
    widest = max(len(goal_name(each.name)) for each in goals)
    lessons = [count(each.lessons, "lesson") if each.lessons else "" for each in goals]
    return {
        each.name: Content.assemble(pad(goal_name(each.name), widest + 3), (told, "$quiet"))
        for each, told in zip(goals, lessons, strict=True)
    }


def _picture(weights: Rows, width: int, *, wide: bool) -> list[Content]:
    """The weights as a map, a word a row: what each word takes from those before it."""
    label = max(map(len, WELCOME.queries)) + 2
    cell = _CELL
    if wide:  # an even number of columns that fits beside the text
        room = (width - _TEXT - _BETWEEN - label) // len(WELCOME.keys)
        cell = max(_CELL, min(_WIDE_CELL, room // 2 * 2))
    top = "".join(f"{word[:cell]:<{cell}}" for word in WELCOME.keys)
    lines = [Content.styled(" " * label + top, "$quiet")]
    for word, row in zip(WELCOME.queries, weights, strict=True):
        broad = [weight for weight in row for _ in range(cell // 2)]
        drawn = Content.from_rich_text(Text.assemble(map_row(broad, 1.0)))
        lines.append(Content.assemble((f"{word:>{label - 2}}  ", "$quiet"), drawn))
        if wide:
            lines += [Content.assemble(" " * label, drawn)] * (_WIDE_LINES - 1)
    shares = weights[WELCOME.queries.index("it")]
    most = max(range(len(shares)), key=shares.__getitem__)
    told = Content.styled(
        f"Attention at work: each word draws on the words before it. “it” draws {shares[most]:.0%} "
        f"from “{WELCOME.keys[most]}”.",
        "$quiet",
    )
    across = label + cell * len(weights[0])
    if wide or across + _BETWEEN + _BESIDE > width:
        return [*lines, Content(), *paragraph(told, min(across, width))]
    return beside(lines, [Content(), *paragraph(told, _BESIDE)], across + _BETWEEN // 2)
