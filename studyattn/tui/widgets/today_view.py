"""Today's page, drawn from `study.statistics.today`; a first start; and cards that do not open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from textual.content import Content

from studyattn.store.vocabulary import KNOWN
from studyattn.tui.actions import action_named
from studyattn.tui.formatting import (
    Days,
    Lines,
    beside,
    clickable,
    columns,
    count,
    day_name,
    flow,
    join_lines,
    pad,
    paragraph,
    sparkline,
    time_of_day,
)
from studyattn.tui.widgets.concept_state import NAMES, question, sign
from studyattn.tui.widgets.header_footer import hint

if TYPE_CHECKING:
    from studyattn.errors import DamagedDatabaseError
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.concepts.path import CapstoneOnPath
    from studyattn.study.practice.first_model import FirstModelText
    from studyattn.study.recovery import Recovery
    from studyattn.study.rules.evidence import Suggestion
    from studyattn.study.statistics.day import DayDone, Today

T = TypeVar("T")

_LABEL = 17
_SHORT_LABEL = 12  # on a narrow page
_AMOUNT = 24
_LISTED = 5  # concepts of each state; in a high terminal twice as many
_MOVED = 2  # changes by the program that are told, the last ones
_DAY = 6
_TEXT = 76
_WAITING = 8  # concepts that are listed; in a high terminal twice as many
_TALL, _HIGH = 30, 44  # lines from which bars are higher
_BETWEEN = 8  # columns between two columns
_UNREAD = "…"  # where concepts are listed once they are read

_NARROW = 60  # columns below which nothing is beside anything, as on a phone

TWO_COLUMNS = 112  # columns of the page from which it has two columns


def is_first_start(today: Today) -> bool:
    """Return True if nothing was ever reviewed, and nothing is known or known to be unknown."""
    reviewed = any(today.spark) or any(number for _, number in today.forecast) or today.next_due
    return not (reviewed or today.known_unknown or today.recently_known)


def goal_name(goal: str) -> str:
    """Return a goal in words."""
    return goal.replace("-", " ") or "your own GPT"


def headline(today: Today, date_text: str) -> Content:
    """The right end of the first line: date, days in a row, the last fourteen days."""
    parts = [Content.styled(date_text, "$quiet")]
    if today.streak:
        parts.append(Content.styled(f"day {today.streak + (not today.answered)}", "bold"))
    if any(today.spark):
        parts.append(Content.styled(sparkline(today.spark), "$accent"))
    return Content("   ").join(parts)


def draw(
    today: Today,
    problems: Sequence[str],
    around: Days,
    width: int,
    height: int,
    *,
    moved: Sequence[Suggestion] = (),
    model: FirstModelText | None = None,
) -> Content:
    """The page, for a terminal of `height` lines. `moved` are changes that the program made.

    Wide terminals have two columns: the day and those ahead, and what it is about. High ones have
    longer lists.
    """
    bars = 2 if height < _TALL else 7 if height >= _HIGH else 4
    half = (width - _BETWEEN) // 2 if width >= TWO_COLUMNS else width
    days = [*_amounts(today, around.utc_offset, half), *_nothing_due(today, half)]
    days += _way(today, half)
    if model is not None:
        from studyattn.tui.widgets.first_model import draw_today  # late: after the first frame

        days += [Content(), *draw_today(model, half, _label_width(half))]
    if half == width:
        concepts = _concepts(today, around, width, below=width < _NARROW)
        lines = [*days, *([Content(), *concepts] if concepts else ())]
        lines += [Content(), *_days_ahead(today, bars, width), *_changes(today, moved, width)]
        return join_lines([*draw_problems(problems, width), *lines])
    left = [*days, Content(), *_days_ahead(today, bars, half), *_changes(today, moved, half)]
    more = 2 if height >= _HIGH else 1
    right = [
        *_waiting(today, half, more * _WAITING),
        *_concepts(today, around, half, below=True, most=more * _LISTED),
    ]
    return join_lines([*draw_problems(problems, width), *beside(left, right, half + _BETWEEN)])


def _way(today: Today, width: int) -> list[Content]:
    """Say what the last day brought, what tomorrow asks once today is done, and what lies ahead."""
    lines: list[Content] = []
    if (done := today.done) is not None and done.day != today.day:
        name = day_name(done.day, today.day).capitalize()
        lines += _told(name, flow(done_parts(done), width - _label_width(width)), width)
    if today.tomorrow is not None and (today.answered or today.begun) and not today.now:
        lines += _told("Tomorrow", today.tomorrow.words(), width)
    if (reached := today.reached) is not None and today.runs == reached:
        lines += _told("Reached", _to_run(reached.title, "$right"), width)
    if (ahead := today.capstone) is not None:
        title = _to_run(ahead.title) if today.runs == ahead else Content(ahead.title)
        parts = [title, Content.styled(way_text(ahead), "$quiet")]
        lines += _told("Ahead", flow(parts, width - _label_width(width), "   "), width)
    return [Content(), *lines] if lines else []


def done_parts(done: DayDone) -> list[Content]:
    """Return what a day of study brought."""
    parts = [
        count(done.answers, "answer"),
        f"{count(done.new, 'card')} begun" if done.new else "",
        f"{count(done.passed, 'drill')} passed" if done.passed else "",
        f"{done.held} held a week or more" if done.held else "",
    ]
    return [*map(Content, filter(None, parts))]


def way_text(ahead: CapstoneOnPath) -> str:
    """Return how far it is to what runs as a whole."""
    passed = f"{ahead.passed} of {count(ahead.drills, 'drill')}"
    return passed if ahead.is_near else f"{count(ahead.lessons, 'lesson')} away"


def _to_run(title: str, style: str = "") -> Content:
    """Return the title of what runs as a whole, with the key that starts it."""
    known = action_named("today.capstone")
    told = Content.assemble((title, style), "   ", (known.shown_key, "$accent bold"), " run")
    return clickable(told, known.call)


def _told(
    label: str, told: Content | str | Sequence[Content], width: int, style: str = ""
) -> list[Content]:
    """Return a text, or its lines, beside its label."""
    column = _label_width(width)
    lines = paragraph(told, width - column) if isinstance(told, Content | str) else told
    names = [
        pad(Content.styled(label, style or "$quiet"), column),
        *[Content(" " * column)] * len(lines),
    ]
    return [Content.assemble(*pair) for pair in zip(names, lines, strict=False)]


def _changes(today: Today, moved: Sequence[Suggestion], width: int) -> list[Content]:
    """Concepts that the program moved, and the suggestion to move another one."""
    lines: list[Content] = []
    for each in moved[-_MOVED:]:
        told = f" is {NAMES[each.to_state]} now. {each.reason}"
        text = Content.assemble(sign(each.to_state), " ", (each.title, "bold"), told)
        lines += [Content(), *paragraph(text, min(width, _TEXT))]
        if each is moved[-1] and each.to_state == KNOWN:
            lines.append(Content.assemble("  ", hint("today.in_words").content()))
    if today.suggestion is not None:
        suggested = f". {question(today.suggestion)}"
        text = Content.assemble((today.suggestion.title, "bold"), suggested)
        *others, last = paragraph(text, min(width, _TEXT))
        keys = Content("   ").join(hint(name).content() for name in ("today.accept", "today.later"))
        if last.cell_length + 3 + keys.cell_length > min(width, _TEXT):
            others, last = [*others, last], Content()
        last = Content.assemble(pad(last, min(width, _TEXT) - keys.cell_length), keys)
        lines += [Content(), *others, last]
    return lines


def _waiting(today: Today, width: int, most: int) -> list[Content]:
    """List what is asked now by concept, most first; nothing while nothing is due."""
    if not today.waiting:
        return []
    lines = [Content.styled("Waiting now", "$quiet")]
    for each in today.waiting[:most]:
        due = [Content.styled(f"{each.due} due", "$right")] if each.due else []
        new = [Content.styled(f"{each.new} new", "$accent")] if each.new else []
        amounts = Content("  ").join(["", *due, *new])
        lines.append(Content.assemble(pad(each.title, width - amounts.cell_length), amounts))
    more = len(today.waiting) - most
    if more > 0:
        lines.append(Content.styled(f"and {count(more, 'more concept')}", "$quiet"))
    return [*lines, Content()]


_IDEAS = (
    ("today.more", "study more", "ahead of time, forgotten today, hardest"),
    ("today.drills", "write a drill", "in the app or in your editor"),
    ("go.path", "see the path", "the next step and your goals"),
)


def _nothing_due(today: Today, width: int) -> list[Content]:
    """Say what to do where nothing is being asked: a tick, what was done today, three ideas."""
    if today.now:
        return []
    done = [Content("Nothing is waiting for you.")]
    if today.answered:
        answers = [Content(count(today.answered, "answer"))]
        done = answers if today.done is None else done_parts(today.done)
        done[0] = Content.assemble("Done for today: ", done[0])
    elif today.begun:
        begun = count(today.begun, "drill")
        done = [Content(f"Done for today: {begun} begun, the next step follows.")]
    page = Lines(width)
    page.add()
    page.wrap(join_lines(flow(done, width - 2)).stylize("bold"), mark=("✓ ", "$right bold"))
    for name, title, remark in _IDEAS:
        known = action_named(name)
        key = pad(Content.styled(known.shown_key, "$accent bold"), 4)
        row = Content.assemble("  ", key, pad(title, _LABEL))
        if row.cell_length + len(remark) <= width:
            row = Content.assemble(row, (remark, "$quiet"))
        page.lines.append(clickable(row.rstrip(), known.call))
    return page.lines


def draw_problems(problems: Sequence[str], width: int) -> list[Content]:
    """Return the first problem on opening that hinders nothing else, and a count of the others."""
    page = Lines(width)
    if problems:
        more = f"  (and {len(problems) - 1} more: studyattn due)" if len(problems) > 1 else ""
        told = Content.assemble(problems[0], (more, "$quiet"))
        page.wrap(told, mark=("! ", "$wrong bold"))
    page.add()
    return page.lines


def _amounts(today: Today, utc_offset: int, width: int) -> list[Content]:
    later = f"from {time_of_day(today.next_due, utc_offset)}" if today.next_due else ""
    lines = _now(today, utc_offset, width)
    if today.long_drill:
        lines += _told("", Content.styled(today.long_drill, "$quiet"), width)
    if today.later:
        lines += _amount("Later today", count(today.later, "card"), later, width)
    if today.new:
        parts = map(Content, (count(today.new, "card"), *today.new_concepts))
        lines += _told("New", flow(parts, width - _label_width(width)), width)
    elif today.put_off and (today.now or (today.tomorrow and not today.tomorrow.new)):
        first = ": what was begun comes first" if today.now else ""
        put_off = f"{count(today.put_off, 'card')} for another day{first}"
        lines += _told("New", Content.styled(put_off, "$quiet"), width)
    return [*lines, *_backlog(today, width)]


def _backlog(today: Today, width: int) -> list[Content]:
    """Say what holds back today's cards, or could: a vacation, a plan, a backlog without one."""
    known = action_named("today.backlog")
    key = Content.styled(known.shown_key, "$accent bold")
    if today.back is not None:
        back = f"nothing is asked until {today.back:%a %d %b}"
        return _amount("Vacation", "", back, width)
    if today.backlog is not None:
        left = f"{today.backlog.asked_on(today.day)} of {today.backlog.waiting} today"
        until = f"until {today.backlog.last:%a %d %b}   "
        remark = Content.assemble((until, "$quiet"), key, (" cancel", "$quiet"))
    elif today.behind:
        left = f"{count(today.behind, 'card')} overdue"
        days = f" spread over {count(today.behind_days, 'day')}"
        remark = Content.assemble(key, (days, "$quiet"))
    else:
        return []
    return _amount("Backlog", left, clickable(remark, known.call), width)


def _now(today: Today, utc_offset: int, width: int) -> list[Content]:
    parts = [count(today.cards_now, "card")] if today.cards_now else []
    parts += [count(today.drills_now, "drill")] if today.drills_now else []
    parts = parts or ([f"{today.new} new"] if today.new else [])
    hours, rest = divmod(today.minutes, 60)
    about = f"about {hours} h {rest:02} min" if hours else f"about {rest} min"
    if parts:
        return _amount("Now", "   ".join(parts), _order(today, about), width, strong=True)
    following = _order(today, _following(today, utc_offset))
    return _amount("Now", "nothing due", following, width, strong=True)


def _following(today: Today, utc_offset: int) -> str:
    """Say when the next cards come, unless it is drills alone that wait."""
    if today.next_due is None or today.drills_aside:
        return ""
    if today.later:
        return f"next card at {time_of_day(today.next_due, utc_offset)}"
    upcoming = next((day for day, number in today.forecast[1:] if number), None)
    return f"next cards {day_name(upcoming, today.day)}" if upcoming else ""


def _order(today: Today, remark: str) -> Content:
    """Return the remark, and the place of drills in the session if there are any."""
    if today.drills_aside:
        order = f"{count(today.drills_aside, 'drill')} left out"
    elif today.drills_now and today.order.value != _USUAL:
        order = ORDERS[today.order.value]
    else:
        return Content.styled(remark, "$quiet")
    known = action_named("today.order")
    key = Content.assemble((known.shown_key, "$accent bold"), (f" {order}", "$quiet"))
    before = Content.styled(f"{remark}   " if remark else "", "$quiet")
    return Content.assemble(before, clickable(key, known.call))


def _amount(
    label: str, amount: str, remark: str | Content, width: int, *, strong: bool = False
) -> list[Content]:
    """Return an amount and a remark, which is below where there is no room beside it."""
    said = remark if isinstance(remark, Content) else Content.styled(remark, "$quiet")
    shown, room = Content.styled(amount, "bold" if strong else ""), width - _label_width(width)
    beside_it = Content.assemble(pad(shown, max(_AMOUNT, shown.cell_length)), said)
    lines = [beside_it] if beside_it.cell_length <= room else flow([shown, said], room, "   ")
    return _told(label, lines, width, "bold" * strong)


def _label_width(width: int) -> int:
    return _LABEL if width >= _NARROW else _SHORT_LABEL


def _concepts(
    today: Today, around: Days, width: int, *, below: bool = False, most: int = _LISTED
) -> list[Content]:
    """Known unknown beside recently known, or one above the other (`below`); nothing for none."""
    if today.known_unknown == () and today.recently_known == ():
        return []
    half = width if below else min(44, (width - 2) // 2)
    room = half if below else half - 2
    left = _listed("Known unknown", today.known_unknown, _unknown, "none", room, most=most)
    right = _listed(
        "Recently known",
        today.recently_known,
        lambda since: ("known", since.title, day_name(around.of(since.at), today.day)),
        *("none yet", half),
        most=most,
    )
    return [*left, Content(), *right] if below else beside(left, right, half + 2)


def _unknown(line: ConceptLine) -> tuple[str, str, str]:
    drills = count(line.drills, "drill") if line.drills else "no cards"
    held = f"{line.held}/{line.cards} held" if line.cards else drills
    return line.state, line.title, held


def _listed(
    title: str,
    concepts: Sequence[T] | None,
    row: Callable[[T], tuple[str, str, str]],
    none: str,
    width: int,
    *,
    most: int,
) -> list[Content]:
    """List concepts below a title; `row` has the state, the title and a remark of each."""
    lines = [Content.styled(title, "$quiet")]
    for state, name, remark in map(row, (concepts or ())[:most]):
        room = width - len(remark) - 4
        first, *others = paragraph(Content(name), room)
        line = Content.assemble(sign(state), " ", pad(first, room), "  ", (remark, "$quiet"))
        lines += [line, *(Content.assemble("  ", each) for each in others)]
    none = _UNREAD if concepts is None else none
    return lines if concepts else [*lines, Content.styled(none, "$quiet")]


def _days_ahead(today: Today, height: int, width: int) -> list[Content]:
    """The next seven learner days, or as many as have room: names, numbers, bars."""
    forecast = today.forecast[: max(1, (width - _LABEL + 3) // _DAY)]
    days = [day for day, _ in forecast]
    numbers = [number for _, number in forecast]
    if not any(numbers):
        return _amount("Forecast", "nothing due", "", width)
    names = "".join(f"{day:%a}"[:2].rjust(_DAY) for day in days)
    amounts = "".join((str(number) if number else "·").rjust(_DAY) for number in numbers)
    blank = " " * (_LABEL - 3)
    lines = [
        Content.assemble(pad(Content.styled("Forecast", "$quiet"), _LABEL - 3), (names, "$quiet")),
        Content.assemble(blank, amounts),
    ]
    bars = columns(numbers, height, width=2, gap=_DAY - 2)
    indent = " " * (_LABEL - 3 + _DAY - 2)
    return [*lines, *(Content.styled(indent + bar, "$accent") for bar in bars)]


ORDERS = {
    "first": "drills first",
    "last": "drills last",
    "mixed": "drills mixed in",
    "cards": "drills left out",
}
_USUAL = "last"

_FAILURE_TEXT = 72


def draw_failed(
    error: DamagedDatabaseError | None, recovery: Recovery | None, width: int
) -> Content:
    """Return the page for a failure that may pass, or for a damaged database.

    That says what recovery would take, from where, and what is lost.
    """
    if error is None:
        return _failure(
            "Your cards could not be opened",
            width,
            "Nothing was changed, and nothing is lost.",
            "Follow the message above, then press ctrl+r to try again.",
        )
    damage = f"{error.where}: {error.message}."
    if recovery is None:
        return _failure(
            "The database is damaged",
            width,
            f"{damage} It was left exactly as it is.",
            "No good backup was found in the “backups” folder, and nothing in the file could be "
            "read. If you have a backup elsewhere, restore it with `studyattn db restore "
            "FILE`.",
        )
    from studyattn.study.recovery import recovery_rows, unread  # late: few need it

    told = _failure(
        "The database is damaged",
        width,
        f"{damage} It was left exactly as it is.",
        "Press ctrl+r to rebuild the database from its readable data and "
        + (
            f"the newest good backup, {recovery.backup.name}."
            if recovery.backup is not None
            else "the packs; there is no good backup."
        )
        + " The damaged file is kept next to it.",
        *filter(None, [unread(recovery)]),
    )
    rows = recovery_rows(recovery)
    sizes = [max((len(row[column]) for row in rows), default=0) + 2 for column in range(3)]
    lines = [
        Content.assemble(
            *(pad(cell, size) for cell, size in zip(row[:3], sizes, strict=True)), row[3]
        )
        for row in rows
    ]
    return join_lines([told, *lines])


def _failure(title: str, width: int, *texts: str) -> Content:
    page = Lines(min(width, _FAILURE_TEXT))
    page.add()
    page.add(("✗ ", "$wrong bold"), (title, "bold"))
    page.add()
    for text in texts:
        page.wrap(text)
        page.add()
    return page.content
