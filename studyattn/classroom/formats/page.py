"""The report on a class as one HTML file that loads nothing; its script sorts and searches."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from importlib import resources

from studyattn.classroom.notable import Unusual
from studyattn.classroom.results import MISSING, NOT_GRADED, Result
from studyattn.classroom.summary import ClassSummary, CommonMistake, by_student
from studyattn.grading import Report, format_report
from studyattn.text.characters import for_xml
from studyattn.text.counting import count
from studyattn.text.mathematics import render_mathml

_MATH = re.compile(r"\$([^$]+)\$")
_LISTED = 100  # things to look at that are listed
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_AGAIN = 5  # seconds after which a page that is watched is read again


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The content of the page. Examples are code by the id of a mistake, without anybody's name."""

    results: Sequence[Result]
    summary: ClassSummary
    drill_title: Callable[[str], str]
    concept_title: Callable[[str], str]
    examples: Mapping[str, str] = field(default_factory=dict)
    unusual: Sequence[Unusual] = ()
    problems: Sequence[str] = ()
    title: str = "A class"
    made: str = ""
    reports: Mapping[tuple[str, str], Report] = field(default_factory=dict)
    """By student and drill, where they are at hand."""


def to_html(page: ClassPage) -> str:
    """Return the text of the file."""
    script = _resource("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    parts = [
        *_head(page, f"{_POLICY}; script-src 'sha256-{digest}'"),
        *_top(page),
        *_section("Teach again", _concepts(page)),
        *_section("Misconceptions", _misconceptions(page)),
        *_section("Drills", _drills(page)),
        *_section("Hand-ins so far", _turns(page)),
        *_section("Students", _students(page)),
        *_section("Each student", _each_student(page)),
        *_section("To review", _to_look_at(page)),
        *_section("Not read or not graded", _problems(page)),
        "<footer>Written by studyattn. This page loads nothing.</footer>",
        f"<script>{script}</script></body></html>",
    ]
    return for_xml("\n".join(parts)) + "\n"


def to_live_html(page: ClassPage) -> str:
    """Return a page for everyone in a lecture: no names, and it is read again every few seconds."""
    parts = [
        *_head(page, _POLICY, f'<meta http-equiv="refresh" content="{_AGAIN}">'),
        *_top(page),
        *_section("Misconceptions", _misconceptions(page)),
        *_section("Drills", _drills(page)),
        "</body></html>",
    ]
    return for_xml("\n".join(parts)) + "\n"


def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def _head(page: ClassPage, policy: str, more: str = "") -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">{more}'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(page.title)}</title><style>\n{_resource('page.css')}\n</style>"
    yield "</head><body>"


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield f"<section><h2>{escape(heading)}</h2>"
        yield from found
        yield "</section>"


def _top(page: ClassPage) -> Iterator[str]:
    there = [each for each in page.results if each.verdict != MISSING]
    students = by_student(page.results)
    all_passed = sum(all(each.passed for each in own) for own in students.values())
    yield f"<header><h1>{escape(page.title)}</h1>"
    if page.made:
        yield f'<p class="quiet">{escape(page.made)}</p>'
    yield '<ul class="numbers">'
    for number, words in (
        (len(students), "student" if len(students) == 1 else "students"),
        (len(there), "submission" if len(there) == 1 else "submissions"),
        (sum(each.passed for each in there), "passed"),
        (all_passed, "passed everything"),
        (len(page.results) - len(there), "missing"),
    ):
        yield f"<li><b>{number}</b> {words}</li>"
    yield "</ul></header>"


def _concepts(page: ClassPage) -> Iterator[str]:
    known = {each.id: each for each in page.summary.misconceptions}
    for each in page.summary.concepts[:3]:
        yield (
            f"<p><b>{_text(page.concept_title(each.concept))}</b>"
            f' <span class="quiet">{count(len(each.students), "student")}</span></p><ul>'
        )
        for mistake in each.misconceptions[:4]:
            yield f"<li>{_text(known[mistake].title)}</li>"
        yield "</ul>"
        telling = next((page.examples[x] for x in each.misconceptions if x in page.examples), "")
        if telling:
            yield f"<pre><code>{escape(telling)}</code></pre>"


def _misconceptions(page: ClassPage) -> Iterator[str]:
    largest = max((len(each.students) for each in page.summary.misconceptions), default=1)
    for each in page.summary.misconceptions:
        yield from _misconception(page, each, largest)


def _misconception(page: ClassPage, each: CommonMistake, largest: int) -> Iterator[str]:
    students = len(each.students)
    yield '<details class="mistake"><summary>'
    yield f'<span class="count">{students}</span>{_bar((students / largest, "bad"))}'
    yield f"<span>{_text(each.title)}</span></summary>"
    drills = ", ".join(escape(page.drill_title(drill)) for drill in each.drills)
    yield f'<p class="quiet">{escape(each.id)} · {drills} · review:'
    yield f" {_text(page.concept_title(each.concept))}</p>"
    if each.formula:
        yield f'<p class="formula">{_formula(each.formula, display=True)}</p>'
    if each.id in page.examples:
        yield f"<pre><code>{escape(page.examples[each.id])}</code></pre>"
    yield "</details>"


def _drills(page: ClassPage) -> Iterator[str]:
    if not page.summary.drills:
        return
    yield "<table><thead><tr><th>Drill</th><th></th><th>passed</th><th>not yet</th>"
    yield "<th>missing</th></tr></thead><tbody>"
    for each in page.summary.drills:
        total = max(each.passed + each.failed + each.missing, 1)
        bar = _bar((each.passed / total, "good"), (each.failed / total, "bad"))
        yield f"<tr><td>{_text(page.drill_title(each.drill))}</td><td>{bar}</td>"
        yield f"<td>{each.passed}</td><td>{each.failed}</td><td>{each.missing}</td></tr>"
    yield "</tbody></table>"


def _turns(page: ClassPage) -> Iterator[str]:
    if not page.summary.turns:
        return
    yield "<table><thead><tr><th>Hand-in</th><th></th><th>passed</th><th>handed in</th>"
    yield "<th>most frequent mistakes</th></tr></thead><tbody>"
    for each in page.summary.turns:
        bar = _bar((each.passed / max(each.of, 1), "good"))
        frequent = sorted(each.misconceptions.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        told = ", ".join(f"{escape(name)} ({times})" for name, times in frequent)
        yield f"<tr><td>{escape(each.name)}</td><td>{bar}</td><td>{each.passed}/{each.of}</td>"
        yield f"<td>{each.handed_in}</td><td>{told}</td></tr>"
    yield "</tbody></table>"


def _students(page: ClassPage) -> Iterator[str]:
    drills = list(dict.fromkeys(each.drill for each in page.results))
    yield '<input type="search" placeholder="Search" aria-label="Search students">'
    yield '<div class="wide"><table class="sorted"><thead><tr><th>Student</th><th>Points</th>'
    yield from (f"<th>{_text(page.drill_title(drill))}</th>" for drill in drills)
    yield "</tr></thead><tbody>"
    for student, own in by_student(page.results).items():
        most = sum(each.most for each in own)
        name = f" <span class='quiet'>{escape(own[0].name)}</span>" if own[0].name else ""
        link = f'<a href="#{_anchor(student)}">{escape(student)}</a>'
        yield f"<tr><td>{link if page.reports else escape(student)}{name}</td>"
        yield f"<td>{round(sum(each.score for each in own), 2):g}/{most:g}</td>"
        verdicts = {each.drill: each for each in own}
        yield from (_verdict(verdicts.get(drill)) for drill in drills)
        yield "</tr>"
    yield "</tbody></table></div>"


def _each_student(page: ClassPage) -> Iterator[str]:
    """Write what each student was told, on a page of its own where it is printed."""
    for student, own in by_student(page.results).items() if page.reports else ():
        yield f'<article id="{_anchor(student)}"><h3>{escape(own[0].name or student)}</h3>'
        for each in own:
            report = page.reports.get((student, each.drill))
            told = "\n".join(line.text for line in format_report(report)) if report else ""
            heading = f"{_text(page.drill_title(each.drill))}: {each.score:.4g}/{each.most:g}"
            yield f"<details><summary>{heading}, {escape(each.verdict)}</summary>"
            yield f"<pre>{escape(told or each.message)}</pre></details>"
        yield "</article>"


def _anchor(student: str) -> str:
    return f"student-{sha256(student.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _verdict(result: Result | None) -> str:
    if result is None or result.verdict == MISSING:
        return '<td class="quiet">missing</td>'
    told = ", ".join(result.mistakes) or ("" if result.passed else result.message[:80])
    tone = "good" if result.passed else "bad"
    below = f'<br><span class="quiet">{escape(told)}</span>' if told else ""
    return f'<td class="{tone}">{escape(result.verdict)}{below}</td>'


def _to_look_at(page: ClassPage) -> Iterator[str]:
    if page.unusual:
        yield "<p class='quiet'>Listed for review; none of this changed a verdict.</p>"
        yield f"<h3>Unusual means ({len(page.unusual)})</h3><ul>"
        for strange in page.unusual[:_LISTED]:
            told = "; ".join(strange.signs[:5])
            yield f"<li>{escape(strange.student)}, {escape(strange.drill)}:"
            yield f" <code>{escape(told)}</code></li>"
        yield "</ul>"


def _problems(page: ClassPage) -> Iterator[str]:
    failed = [
        f"{each.student}, {each.drill}: {each.message}"
        for each in page.results
        if each.verdict == NOT_GRADED
    ]
    told = [*page.problems, *failed]
    if told:
        yield "<ul>"
        yield from (f"<li>{escape(each)}</li>" for each in told)
        yield "</ul>"


def _bar(*parts: tuple[float, str]) -> str:
    """A bar of parts, each a share of its length from 0 to 1."""
    inside = "".join(
        f'<i class="{tone}" style="width:{100 * share:.1f}%"></i>' for share, tone in parts
    )
    return f'<span class="bar">{inside}</span>'


def _text(text: str) -> str:
    """Markdown's dollar mathematics and code in a line of text, as HTML."""
    pieces = _MATH.split(text)
    return "".join(
        _formula(piece) if number % 2 else re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(piece))
        for number, piece in enumerate(pieces)
    )


def _formula(latex: str, *, display: bool = False) -> str:
    return render_mathml(latex.strip("$ "), display=display) or f"<code>{escape(latex)}</code>"
