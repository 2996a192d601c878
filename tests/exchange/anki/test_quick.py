"""The quick ways through fields and texts give what whole parsers give."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studyattn.exchange.anki import fields, markup

FIELD_PIECES = (
    *(
        "words ",
        "x",
        " 5 ",
        "\n",
        "\t",
        "&amp;",
        "&",
        "< ",
        ">",
        "[sound:a.mp3]",
        "\\(x_1\\)",
        "**",
    ),
    *("<br>", "<br/>", "<BR>", "</br>", "<div>", "</div>", "<p>", "<li>", "</li>", "<ul>", "</ul>"),
    *(
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<code>",
        "</code>",
        "<hr>",
        "<span>",
        "</span>",
        "<b class=a>",
    ),
    *('<img src="a b.png">', '<img src="x.png">', '<img alt="y" src="x.png">', "<img src=z.png>"),
    *(
        '<div style="color: red" id=x>',
        "<a href='https://a.b/c d'>",
        "</a>",
        "<!DOCTYPE html>",
        "</ >",
    ),
    *("<pre>", "</pre>", "<script>", "</script>", "<!-- <b> -->", "<table>", "<tr>", "<h1>"),
)
TEXT_PIECES = (
    *("words ", "What is", "x", "5", "12. ", "1) ", " ", ":", "::", "http://a.b ", "? ", "-", "'"),
    *("\\(x_1\\)", "\\( \\)", "\\(a}}b\\)", "\\(a==b\\)", "\\(a::b\\)", "\\(<&>\\)", "\\(", "\\)"),
    *(
        "==1|keys==",
        "==2|values::what?==",
        "==12|\\(y\\)==",
        "==0|a b==",
        "== x ==",
        "==",
        "=",
        "|",
    ),
    *("==plain==", "==1| x==", "==1|x ==", "==1|a:b==", "==1|x:: ==", "==1|==", "1|", "::hint"),
    *("**bold word**", "**", "**(b)**", "![a b](media/y.png)", "![](media/a%20b.png)", "![", "*"),
    *("**b**", "*i*", "`c`", "$m$", "![](media/x.png)", "[a](b)", "<b>", "&amp;", "\\", "#", "> "),
)


def address_of(name: str) -> str:
    return f"media:{name}" if name.endswith(".png") else ""


class _Plain(HTMLParser):
    """Writes HTML anew as Python's parser reads it, without comments and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.written = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs)
        self.written += f"<{tag}{values}>"

    def handle_endtag(self, tag: str) -> None:
        self.written += f"</{tag}>"

    def handle_data(self, data: str) -> None:
        self.written += "" if self.cdata_elem else escape(data)


@given(st.lists(st.sampled_from(FIELD_PIECES), max_size=9).map("".join))
@example("A <b>number</b>.<br>Really.")
@example('Seen? <img src="a b.png"><div>Yes</div>[sound:a.mp3]')
@example('<div id="c"><canvas class=x></canvas></div><script>draw("<b>")</script>')
def test_a_field_reads_as_pythons_parser_reads_it(html: str) -> None:
    plain = _Plain()
    plain.feed(html)
    plain.close()
    read = fields.markdown(html, address_of)
    assert read.split() == fields.markdown(plain.written, address_of).split()


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ('<img src="a.png" alt="5" tall">one "two" <b>x</b>', '![5](media:a.png)one "two" **x**'),
        ("<div title=it's>text</div>more", "text\n\nmore"),
        ("a <!-- open and <b>on</b>", "a <!-- open and **on**"),
        ("a<!-- closed -->b <!-- open", "ab <!-- open"),
        ("x < y and <z", "x < y and <z"),
    ],
)
def test_broken_html_loses_no_text(html: str, read: str) -> None:
    assert fields.markdown(html, address_of) == read


@pytest.mark.parametrize("piece", ['<a "', '<a b="', "<!--", "<script>", "<", '="'])
def test_broken_html_is_read_at_once(piece: str) -> None:
    """A field that took a time of the square of its length would take minutes here."""
    assert fields.markdown(piece * 200_000) is not None


@given(st.lists(st.sampled_from(TEXT_PIECES), max_size=7).map("".join))
@example("5: ==1|keys== and ==2|values::what?==")
@example("What is \\(x_{5}\\)?")
def test_a_text_is_written_the_same_quickly(markdown: str) -> None:
    for cloze in (False, True):
        quick = markup.html(markdown, cloze=cloze)
        with patch.object(markup, "_plain", lambda *_: None):
            assert markup.html(markdown, cloze=cloze) == quick


def test_most_texts_take_the_quick_way() -> None:
    with patch.object(markup, "read_tokens", side_effect=AssertionError):
        assert markup.html("5: ==1|keys== of ==2|\\(v\\)::what?==", cloze=True) == (
            "<p>5: {{c1::keys}} of {{c2::\\(v\\)::what?}}</p>"
        )


@given(st.text(" \t\r\n\xa0ab"))
def test_white_space_between_words_is_one_space(text: str) -> None:
    words = re.split("[ \t\r\n\xa0]+", text)
    assert fields.markdown(f"<br>.{text}.") == f".{' '.join(words)}."
