"""Outlines: sections with their lines, attributes, front matter, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.errors import DocumentError
from studyattn.text.document import Attributes, parse_attributes, read_document

DOCUMENT = """\
---
title: A title
date: 2025-08-22
tags: [a, b]
---

before

# One {#one .first key=value}

body of one

```
# no heading
```

### Three

> # nor this

## Two

end
"""


def test_outline_with_lines() -> None:
    document = read_document(DOCUMENT, "a.md")
    assert document.title == "A title"
    assert document.front_matter == {"title": "A title", "date": "2025-08-22", "tags": ["a", "b"]}
    assert (document.preamble, document.preamble_line) == ("before", 7)
    lines = DOCUMENT.split("\n")
    found = [(each.level, each.title, each.line) for each in document.walk()]
    assert found == [(1, "One", 9), (3, "Three", 17), (2, "Two", 21)]
    for section in document.walk():
        assert section.title in lines[section.line - 1]
        assert lines[section.body_line - 1] == section.body.split("\n")[0]
    (one,) = document.sections
    assert [child.title for child in one.children] == ["Three", "Two"]
    assert one.attributes == Attributes("one", ("first",), {"key": "value"})
    assert one.whole_body().endswith("## Two\n\nend")


def test_numbers_of_front_matter_are_such_as_json_has() -> None:
    text = "---\na: .nan\nb: -.inf\nc: 18446744073709551616\nd: 1.5\ne: -3\nf: true\n---\n"
    read = read_document(text, "x").front_matter
    assert json.loads(json.dumps(read, allow_nan=False)) == {
        "a": "nan", "b": "-inf", "c": "18446744073709551616", "d": 1.5, "e": -3, "f": True,
    }  # fmt: skip


def test_the_title_without_front_matter() -> None:
    assert read_document("# Only\n\n## b", "name").title == "Only"
    assert read_document("# One\n\n# Two", "name").title == "name"
    assert read_document("text", "name").title == "name"


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    document = read_document("\ufeff# A\r\n\r\nb\r\n", "x")
    assert (document.title, document.sections[0].body) == ("A", "b")


@pytest.mark.parametrize(
    ("heading", "title", "attributes"),
    [
        ("Why? {#why}", "Why?", Attributes("why")),
        ("x {#a .b .c}", "x", Attributes("a", ("b", "c"))),
        (
            'x {.typed answer="d_v|\\"a\\" {b}"}',
            "x",
            Attributes(None, ("typed",), {"answer": 'd_v|"a" {b}'}),
        ),
        (
            "x {#n .numeric answer=-1.5e-6}",
            "x",
            Attributes("n", ("numeric",), {"answer": "-1.5e-6"}),
        ),
        ("the set {a, b}", "the set {a, b}", Attributes()),
        (r"$\frac{a}{b}$", r"$\frac{a}{b}$", Attributes()),
        ("no space{#id}", "no space{#id}", Attributes()),
        ("empty {}", "empty {}", Attributes()),
    ],
)
def test_attributes(heading: str, title: str, attributes: Attributes) -> None:
    assert parse_attributes(heading) == (title, attributes)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("---\na: b: c\n---\n", "x.md:2"),
        ("---\n- a\n---\n", "x.md:2"),
        ("---\ndate: 2025-13-45\n---\n", "x.md:2"),
        ("---\na: &a [x]\nb: [*a, *a]\n---\n", "x.md:3"),
        ("---\na: &a [*a]\n---\n", "x.md:2"),
        (f"---\na: 0x{'f' * 5000}\n---\n", "x.md:2"),
        ("text\n\n```python\ncode\n", "x.md:3"),
        ("text\n\n~~~\n```\n", "x.md:3"),
        ("- item\n\n  ```\n  code\n", "x.md:3"),
        ("text\nand \\(x + y\nend", "x.md:2"),
        ("text\n\n$$\nx + y\n\n", "x.md:3"),
        ("\\[\nx\n\nend", "x.md:1"),
    ],
)
def test_what_is_refused_names_its_line(text: str, where: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document(text, "x.md", strict=True)
    assert refused.value.where == where
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode\n```",
        "````\n```\n````",
        "> ```\n> code\n> ```",
        "costs $5",
        "a \\[bracket] in a text",
        "`\\(` in code",
        "```\n$$\n```",
        "$$\nx\n\ny\n$$",
        "\\(a\nb\\)",
    ],
)
def test_what_is_closed_is_not_refused(text: str) -> None:
    read_document(text, "x.md", strict=True)


@given(st.text(alphabet=list("#ab \n-`>$\\{}.=[]:"), max_size=60))
def test_every_line_of_any_text_is_in_the_outline(text: str) -> None:
    try:
        document = read_document(text, "x")
    except DocumentError:
        return
    kept = document.preamble + "".join(
        each.title + each.body + str(each.attributes) for each in document.walk()
    )
    if not document.front_matter and not text.startswith("---"):
        assert kept.count("a") >= text.count("a") or "{" in text
