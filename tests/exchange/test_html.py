"""The web page: whole, quiet, and deaf to whatever a card or a note may say."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from studyattn.errors import NotFoundError
from studyattn.exchange.format import Selection
from studyattn.exchange.html.renderer import Prose, code, link, words
from studyattn.exchange.html.sections import HtmlPage
from studyattn.exchange.html.writer import page_text
from studyattn.exchange.learning_note.autosave import autosave_note
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.store.snapshot import (
    AttemptRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    RatingName,
    ReviewRecord,
    Snapshot,
    SourceRecord,
)
from studyattn.study.review.rebuild import refold
from studyattn.text.figure import Figure, Series, Shape
from tests.exchange.generated import snapshot
from tests.exchange.homes import NOW, Homes

DRILL = "attention:drill/kv-cache"
HTML = "{http://www.w3.org/1999/xhtml}"
FETCHES = {
    "script", "img", "iframe", "object", "embed", "audio", "video", "source", "form", "input",
    "base", "frame", "applet", "template", "portal", "use", "image", "foreignObject",
}  # fmt: skip
ATTACKS = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title></head><body onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "--></section></main><form action=//evil.example>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](http://evil.example/p.png)",
    '<http://evil.example/?"onclick=alert(1)>',
    "$\\text{<script>alert(1)</script>}$",
    "$\\href{javascript:alert(1)}{x}$",
    "```<script>\n<script>alert(1)</script>\n```",
    '```python" onclick="alert(1)\nx = "</code></pre><script>"\n```',
    "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
    "\x00\x08\x1b[2J\x9b\u2028\ufffe",
    "{{c1::x}} ==<b onclick=x>== [[<script>]]",
    "&lt;script&gt; &#60;script&#62;",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
)


def holding(text: str) -> Snapshot:
    """A learner all of whose words are `text`."""
    concept = ConceptRecord(
        "masking", text, "known-unknown", text, None, "src", None, 0, False, False, ()
    )
    other = replace(concept, slug="softmax", state="known", joined_into="masking")
    card = CardRecord(
        "typed", text, text, text, {"links": [{"text": text, "address": text}]}, "", None, None
    )
    item = ItemRecord(
        "s:1", "card", "masking", "src", None, 1, NOW, False, False, False, None, card
    )
    drill = ItemRecord(
        DRILL, "drill", "masking", None, None, 1, NOW, False, False, False, None, None
    )
    places = ((None, None, None), ("masking", None, None), (None, "src", None), (None, None, "s:1"))
    return Snapshot(
        sources=(SourceRecord("src", text, text, text, text, "", {}, NOW),),
        concepts=(concept, other),
        changes=(ConceptChangeRecord("masking", NOW, "unseen", "known-unknown", text, text),),
        items=(item, drill),
        notes=tuple(
            NoteRecord(f"n{place}", text, text, *where, NOW, NOW)
            for place, where in enumerate((*places, (None, None, DRILL)))
        ),
        reviews=(review("r1", DRILL, "good", 3),),
        attempts=(
            attempt("a", "wrong", 1, {"diagnosis": [{"title": text}], "message": text}, text),
            attempt("b", "passed", 2, {}, text),
        ),
    ).ordered()


def review(uuid: str, guid: str, rating: RatingName, hour: int) -> ReviewRecord:
    at = NOW + timedelta(hours=hour)
    return ReviewRecord(uuid, guid, rating, None, at, 0, at.date(), 4.0, "learner")


def attempt(
    uuid: str, verdict: str, hour: int, report: dict[str, object], source: str
) -> AttemptRecord:
    at = NOW + timedelta(hours=hour)
    return AttemptRecord(
        uuid, DRILL, at, 0, at.date(), source, "torch", "cpu", verdict, report, 1, False, 9.0
    )


def write_page(snapshot: Snapshot, selection: Selection | None = None) -> str:
    return page_text(HtmlPage(learning_note(snapshot, selection)))


def parsed(page: str) -> ET.Element:
    """The page as XML, which no browser's forgiveness has mended."""
    head, _, rest = page.partition("\n")
    assert head == "<!DOCTYPE html>"
    return ET.fromstring(rest)


class Tags(HTMLParser):
    """Tags and attributes as HTML reads them: XML alone might see another tree."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def check_quiet(page: str) -> None:
    """Nothing in the page runs, loads, or is anything that we did not write."""
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert not FETCHES & set(tags.tags)
    assert [tags.tags.count(name) for name in ("head", "style", "body", "main")] == [1, 1, 1, 1]
    names = [element.tag.removeprefix(HTML) for element in parsed(page).iter()]
    assert sorted(names) == sorted(tags.tags)
    for tag, name, value in tags.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in {"style", "src", "srcset", "action", "formaction", "background"}
        if name == "href":
            inner = value.startswith("#") and tag == "a"
            outer = value.startswith(("http://", "https://", "mailto:")) and tag == "a"
            assert inner or outer or (tag, value) == ("link", "data:,"), (tag, value)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = next(value for _, name, value in tags.attributes if name == "content")
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_a_learner_may_have_written_does_anything(attack: str) -> None:
    check_quiet(write_page(holding(attack)))


def test_all_of_it_at_once() -> None:
    for glue in ("\n\n", " ", ""):
        check_quiet(write_page(holding(glue.join(ATTACKS))))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(snapshot())
def test_any_learner_gets_a_whole_page(held: Snapshot) -> None:
    page = write_page(held)
    check_quiet(page)
    assert write_page(held.ordered()) == page


def told(page: str) -> str:
    """What a reader sees."""
    for element in (root := parsed(page)).iter():
        if element.tag == f"{HTML}annotation":
            element.text = ""
    body = root.find(f"{HTML}body")
    assert body is not None
    return " ".join("".join(body.itertext()).split())


def test_a_page_tells_what_the_learner_knows() -> None:
    held = holding("Why $\\sqrt{d_k}$?")
    page = write_page(held)
    check_quiet(page)
    text = told(page)
    assert "as of 21 November 2026" in text
    assert "1 known 1 known unknown 1 question answered 1 drill passed" in text
    assert "passed on 21 November 2026 with torch" in text
    assert "imported on 21 November 2026" in text
    assert page.count("<msqrt>") > 10
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {to[1:] for to in re.findall(r'href="(#[^"]+)"', page)} <= set(ids)


def test_figures_are_drawn_and_told_in_numbers() -> None:
    shapes = {
        Shape.COLUMNS: ("2026-11-20", "2026-11-21"),
        Shape.CURVES: ("0.5", "1.5"),
        Shape.BARS: ("<young>", "mature"),
        Shape.TABLE: ("a & b", "c"),
    }
    figures = tuple(
        Figure(f"f-{shape}", "T & T", "“a” <b>", labels, (Series("s", (12.5, 40.0)),), shape)
        for shape, labels in shapes.items()
    )
    empty = Figure("empty", "Nothing here", "No.", ("a",), (Series("s", (0.0,)),))
    page = page_text(HtmlPage(learning_note(holding("Why?")), figures=(*figures, empty)))
    check_quiet(page)
    text = told(page)
    assert text.count("T & T") == text.count("“a” <b>") == len(shapes)
    assert "Nothing here" not in text
    assert "<young>12.5" in text
    assert "s, at most 40, from 2026-11-20 to 2026-11-21" in text
    assert page.count('<rect class="n4"') == 2 + 2


def test_why_a_concept_moved_is_set_as_it_was_written() -> None:
    held = holding("x")
    changes = [replace(each, reason="I derived $\\sqrt{d}$ *twice*") for each in held.changes]
    page = write_page(replace(held, changes=tuple(changes)))
    check_quiet(page)
    assert "<em>twice</em>" in page
    assert "$\\sqrt" not in page


def test_a_part_and_nothing_at_all() -> None:
    held = holding("x")
    part = write_page(held, Selection(concept="masking", since=NOW.date()))
    assert "This is a part of it: the concept masking, changes since 21 November 2026." in part
    with pytest.raises(NotFoundError, match="there is no concept 'x'"):
        write_page(held, Selection(concept="x"))
    empty = write_page(Snapshot())
    check_quiet(empty)
    assert "0 known 0 known unknown" in told(empty)


def test_prose() -> None:
    prose, line = Prose().blocks, Prose().line
    assert prose("# A\n\n### B", 4) == "<h4>A</h4>\n<h6>B</h6>"
    assert line("Why $d_k$?") is not None
    assert line("a\n\nb") is None
    assert "<mark>gap</mark>" in prose("the ==2|gap==")
    assert prose("$\\foo{<b>}$") == '<p><code class="latex">\\foo{&lt;b&gt;}</code></p>'
    assert prose("![p](https://a.b/c.png)") == (
        '<p><a href="https://a.b/c.png" rel="noreferrer">p</a></p>'
    )
    assert prose("[![p](https://a.b/c.png)](https://d.e)") == (
        '<p><a href="https://d.e" rel="noreferrer">p</a></p>'
    )
    assert prose("[x](file:///etc/passwd) [y](../z)") == "<p>[x](file:///etc/passwd) (../z) y</p>"
    assert '<span class="k">def</span>' in code("def f(): pass", "python")
    assert code("a < b", "text") == '<pre tabindex="0"><code>a &lt; b</code></pre>'
    assert code("a < b", "no-such-language") == '<pre tabindex="0"><code>a &lt; b</code></pre>'
    assert link("ftp://a", "A") == "A (ftp://a)"
    assert link(" https://a/?b&c ", "") == (
        '<a href="https://a/?b&amp;c" rel="noreferrer">https://a/?b&amp;c</a>'
    )
    assert words(' a  "b" <c> ') == "a &quot;b&quot; &lt;c&gt;"


def test_a_link_to_a_concept_leads_to_it() -> None:
    held = holding("see [[softmax]], [[masking|that]], [[nowhere]]")
    held = replace(held, concepts=tuple(replace(e, title=e.slug.title()) for e in held.concepts))
    page = write_page(held)
    check_quiet(page)
    ids = dict(re.findall(r'<(?:details|li class="idea known") id="([^"]+)".*?<h3>(\w+)', page))
    by_title = {title: anchor for anchor, title in ids.items()}
    assert f'<a href="#{by_title["Softmax"]}">softmax</a>' in page
    assert f'<a href="#{by_title["Masking"]}">that</a>' in page
    assert "nowhere" in page
    assert ">nowhere</a>" not in page


def test_a_long_formula_scrolls_and_a_monstrous_one_is_shown_as_it_is() -> None:
    scrolls = Prose().blocks("$x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7$")
    assert scrolls.startswith('<p><span class="long" tabindex="0"><math>')
    assert Prose().blocks("$x_1$").startswith("<p><math>")
    long = "x+" * 20_000
    assert (
        Prose()
        .blocks(f"${long}y$")
        .startswith('<p><span class="long" tabindex="0"><code class="latex">')
    )


def test_a_kept_note_that_is_called_html_is_the_page(homes: Homes, tmp_path: Path) -> None:
    with homes.new() as database:
        merge_into(database, holding("x"), refold)
        for name, start in (("note.html", "<!DOCTYPE html>"), ("note.md", "---\ntitle")):
            autosave_note(database, tmp_path / name)
            assert (tmp_path / name).read_text().startswith(start)
