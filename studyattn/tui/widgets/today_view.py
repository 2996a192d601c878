"""Today's page, drawn from `study.statistics.today`; a first start; and cards that do not open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style

from studyattn.store.vocabulary import KNOWN
from studyattn.tui.actions import action
from studyattn.tui.formatting import (
    beside,
    columns,
    count,
    day_name,
    join_lines,
    pad,
    paragraph,
    sparkline,
    time_of_day,
)
from studyattn.tui.widgets.concept_state import NAMES, question, sign
from studyattn.tui.widgets.header_footer import hint

if TYPE_CHECKING:
    from studyattn.study.recovery import Recovery
    from studyattn.study.review.views import Suggestion
    from studyattn.study.statistics.today import Today

_LABEL = 17
_AMOUNT = 24
_LISTED = 5
_MOVED = 2  # changes by the program that are told, the last ones
_DAY = 6
_TEXT = 76


def is_first_start(today: Today) -> bool:
    """Return True if nothing was ever reviewed, and nothing is known or known to be unknown."""
    reviewed = any(today.spark) or any(number for _, number in today.forecast) or today.next_due
    return not (reviewed or today.known_unknown or today.recently_known)


def headline(today: Today, date_text: str) -> Content:
    """The right end of the first line: date, days in a row, the last fourteen days."""
    parts = [Content.styled(date_text, "$quiet")]
    if today.streak:
        parts.append(Content.styled(f"day {today.streak}", "bold"))
    if any(today.spark):
        parts.append(Content.styled(sparkline(today.spark), "$accent"))
    return Content("   ").join(parts)


def draw(
    today: Today,
    problems: Sequence[str],
    utc_offset: int,
    width: int,
    *,
    tall: bool,
    moved: Sequence[Suggestion] = (),
) -> Content:
    """The page; `tall` terminals have higher bars. `moved` are changes that the program made."""
    lines = [*_problems(problems, width), *_amounts(today, utc_offset, width), Content()]
    lines += _concepts(today, utc_offset, width)
    lines += [Content(), *_days_ahead(today, 4 if tall else 2, width)]
    for each in moved[-_MOVED:]:
        told = f" is {NAMES[each.to_state]} now. {each.reason}"
        text = Content.assemble(sign(each.to_state), " ", (each.title, "bold"), told)
        lines += [Content(), *paragraph(text, min(width, _TEXT))]
        if each is moved[-1] and each.to_state == KNOWN:
            lines.append(Content.assemble("  ", hint("today.in_words").content()))
    if today.suggestion is not None:
        lines += [Content(), *_suggestion(today.suggestion, min(width, _TEXT))]
    return join_lines(lines)


def _problems(problems: Sequence[str], width: int) -> list[Content]:
    """Return the first problem on opening that hinders nothing else, and a count of the others."""
    if not problems:
        return [Content()]
    more = f"  (and {len(problems) - 1} more: studyattn due)" if len(problems) > 1 else ""
    first, *rest = paragraph(Content.assemble(problems[0], (more, "$quiet")), width - 2)
    return [
        Content.assemble(("! ", "$wrong bold"), first),
        *(Content.assemble("  ", line) for line in rest),
        Content(),
    ]


def _amounts(today: Today, utc_offset: int, width: int) -> list[Content]:
    later = f"from {time_of_day(today.next_due, utc_offset)}" if today.next_due else ""
    new = ", ".join(today.new_concepts)
    if not today.new and today.put_off:
        new = f"{count(today.put_off, 'card')} for a day with more time"
    return [
        _now(today, utc_offset),
        _amount("Later today", count(today.later, "card"), later)
        if today.later
        else _amount("Later today", "—", ""),
        _amount(
            "New",
            count(today.new, "card") if today.new else "—",
            pad(new, max(10, width - _LABEL - _AMOUNT)).rstrip(),
        ),
    ]


def _now(today: Today, utc_offset: int) -> Content:
    parts = [count(today.cards_now, "card")] if today.cards_now else []
    if today.drills_now:
        parts.append(count(today.drills_now, "drill"))
    about = f"about {today.minutes} min"
    if parts:
        return _amount("Now", "   ".join(parts), _order(today, about), strong=True)
    if today.new:
        return _amount("Now", "only new cards", _order(today, about), strong=True)
    upcoming = next((day for day, number in today.forecast[1:] if number), None)
    following = ""
    if today.next_due is not None and not today.drills_aside:
        if today.later:
            following = f"next card at {time_of_day(today.next_due, utc_offset)}"
        elif upcoming is not None:
            following = f"next cards {day_name(upcoming, today.day)}"
    return _amount("Now", "nothing due", _order(today, following), strong=True)


def _order(today: Today, remark: str) -> Content:
    """Return the remark, and the place of drills in the session if there are any."""
    if today.drills_aside:
        order = f"{count(today.drills_aside, 'drill')} left out"
    elif today.drills_now and today.cards_now + today.new:
        order = _ORDERS[today.order.value]
    else:
        return Content.styled(remark, "$quiet")
    known = action("today.order")
    key = Content.assemble((known.shown_key, "$accent bold"), (f" {order}", "$quiet"))
    clickable = key.stylize(Style.from_meta({"@click": known.call}))
    return Content("   ").join([*([Content.styled(remark, "$quiet")] if remark else []), clickable])


def _amount(label: str, amount: str, remark: str | Content, *, strong: bool = False) -> Content:
    return Content.assemble(
        pad(Content.styled(label, "bold" if strong else "$quiet"), _LABEL),
        pad(Content.styled(amount, "bold" if strong else ""), _AMOUNT),
        remark if isinstance(remark, Content) else Content.styled(remark, "$quiet"),
    )


def _concepts(today: Today, utc_offset: int, width: int) -> list[Content]:
    """Known unknown beside recently known."""
    half = min(44, (width - 2) // 2)
    left = [Content.styled("Known unknown", "$quiet")]
    for line in today.known_unknown[:_LISTED]:
        held = f"{line.held} of {count(line.cards, 'card')}" if line.cards else ""
        drills = count(line.drills, "drill") if line.drills else ""
        left.append(_concept(line.state, line.title, held or drills or "no cards", half - 2))
    right = [Content.styled("Recently known", "$quiet")]
    for since in today.recently_known[:_LISTED]:
        day = (since.at + timedelta(minutes=utc_offset)).date()
        right.append(_concept("known", since.title, day_name(day, today.day), half))
    if len(left) == 1:
        left.append(Content.styled("none", "$quiet"))
    if len(right) == 1:
        right.append(Content.styled("none yet", "$quiet"))
    return beside(left, right, half + 2)


def _concept(state: str, title: str, remark: str, width: int) -> Content:
    shown = pad(title, width - len(remark) - 4)
    return Content.assemble(sign(state), " ", shown, "  ", (remark, "$quiet"))


def _days_ahead(today: Today, height: int, width: int) -> list[Content]:
    """The next seven learner days, or as many as have room: names, numbers, bars."""
    forecast = today.forecast[: max(1, (width - _LABEL + 3) // _DAY)]
    days = [day for day, _ in forecast]
    numbers = [number for _, number in forecast]
    if not any(numbers):
        return [_amount("Next days", "nothing due yet", "")]
    names = "".join(f"{day:%a}"[:2].rjust(_DAY) for day in days)
    amounts = "".join((str(number) if number else "·").rjust(_DAY) for number in numbers)
    blank = " " * (_LABEL - 3)
    lines = [
        Content.assemble(pad(Content.styled("Next days", "$quiet"), _LABEL - 3), (names, "$quiet")),
        Content.assemble(blank, amounts),
    ]
    bars = columns(numbers, height, width=2, gap=_DAY - 2)
    indent = " " * (_LABEL - 3 + _DAY - 2)
    return [*lines, *(Content.styled(indent + bar, "$accent") for bar in bars)]


def _suggestion(suggestion: Suggestion, width: int) -> list[Content]:
    text = Content.assemble((suggestion.title, "bold"), f". {question(suggestion)}")
    lines = paragraph(text, width)
    keys = Content("   ").join(hint(name).content() for name in ("today.accept", "today.later"))
    if lines[-1].cell_length + 3 + keys.cell_length > width:
        lines.append(Content())
    lines[-1] = Content.assemble(pad(lines[-1], width - keys.cell_length), keys)
    return lines


_ORDERS = {"first": "drills first", "last": "drills last", "mixed": "drills mixed in"}

_WELCOME = (
    ("today.start", "start with the built-in pack", "the first {new} of {items} cards and drills"),
    ("today.place", "you know some of it?", "at most twelve questions find out where you are"),
    ("go.import", "import your own notes", "questions and answers, posts, slides, in Markdown"),
    ("go.concepts", "look around", "the concepts, and what each one needs"),
)


def draw_first_start(today: Today, problems: Sequence[str], width: int) -> Content:
    """Four ways to begin."""
    room = min(width, 72)
    lines = [
        *_problems(problems, width),
        Content.styled("Learn attention until you can explain it and write it.", "bold"),
        Content(),
        *paragraph(
            "A card comes back just before you would forget it. You say how well you knew it, "
            "and that is all there is to learn about this program.",
            room,
        ),
        Content(),
    ]
    for name, title, remark in _WELCOME:
        if name in {"today.start", "today.place"} and not today.new:
            continue
        known = action(name)
        explained = remark.format(new=today.new, items=today.never_asked)
        row = Content.assemble(
            pad(Content.styled(known.shown_key, "$accent bold"), 8), pad(title, 32)
        ).stylize(Style.from_meta({"@click": known.call}))
        lines += [row, Content.styled(f"{'':8}{explained}", "$quiet"), Content()]
    return join_lines(lines)


_FAILURE_TEXT = 72


def draw_failed(width: int) -> Content:
    """Return the page for a failure that may pass, or that the message explains."""
    return _failure(
        "Your cards could not be opened",
        width,
        "Nothing was changed, and nothing is lost.",
        "When you have done what the message said, try again with r.",
    )


def draw_damaged(damage: str, recovery: Recovery | None, width: int) -> Content:
    """The database is damaged: what recovery would take, from where, and what is lost."""
    if recovery is None:
        return _failure(
            "The database is damaged",
            width,
            f"{damage} It was left exactly as it is.",
            "There is no good backup of it in the home's folder “backups”, and nothing of the file "
            "could be read. If you have one elsewhere, put it in place with `studyattn db restore "
            "FILE`.",
        )
    # Late: only a damaged database needs it.
    from studyattn.study.recovery import recovery_rows

    told = _failure(
        "The database is damaged",
        width,
        f"{damage} It was left exactly as it is.",
        "Press r to make a new database of what can be read of it and of "
        + (
            f"the newest good backup, {recovery.backup.name}."
            if recovery.backup is not None
            else "the packs; there is no good backup."
        )
        + " The damaged file is kept beside it.",
    )
    rows = recovery_rows(recovery)
    sizes = [max(len(row[column]) for row in rows) + 2 for column in range(3)]
    lines = [
        Content.assemble(
            *(pad(cell, size) for cell, size in zip(row[:3], sizes, strict=True)), row[3]
        )
        for row in rows
    ]
    return join_lines([told, *lines])


def _failure(title: str, width: int, *texts: str) -> Content:
    lines = [Content(), Content.assemble(("✗ ", "$wrong bold"), (title, "bold")), Content()]
    for text in texts:
        lines += [*paragraph(text, min(width, _FAILURE_TEXT)), Content()]
    return join_lines(lines)
