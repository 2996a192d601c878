"""Links to concepts: found where a reader sees one, never in code or a formula."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.text.links import Link, Names, Target, begun, links
from studyattn.text.palette import Palette
from studyattn.text.render import plain, render

NAMES = Names(
    [
        Target("softmax", "Softmax"),
        Target("multi-head", "Multi-head attention"),
        Target("head", "Softmax"),
    ]
)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("See [[softmax]].", [Link("softmax", "softmax")]),
        ("[[ softmax | the rows ]]", [Link("softmax", "the rows")]),
        ("# [[a]]\n\n- *[[b]]* and **[[c|d]]**", [Link("a", "a"), Link("b", "b"), Link("c", "d")]),
        ("| x |\n|---|\n| [[a\\|b]] |", [Link("a", "b")]),
        ("> [[a]] [[a]]", [Link("a", "a"), Link("a", "a")]),
        ("`[[a]]`", []),
        ("```\n[[a]]\n```", []),
        ("    [[a]]", []),
        ("$[[a]]$ and $$[[a]]$$ and \\([[a]]\\)", []),
        ("\\[[a]]", []),
        ("[[1, 2]] and [[0.5]]", []),
        ("[[a, 1], [b, 2]]", []),
        ("[[a]](https://example.org)", []),
        ("[[a `b]] c`", []),
        ("[[]] [[ ]] [[|a]] [[a|]]", []),
        ("[[a\nb]]", []),
    ],
)
def test_links(markdown: str, expected: list[Link]) -> None:
    assert list(links(markdown)) == expected


WORDS = st.text(st.characters(exclude_characters="[]|`$\\\n\r", exclude_categories=["C"]))
ANY = st.text(st.sampled_from("ab[]|`$\\()=*_ \n~>#-\t"), max_size=40)


@given(before=ANY, name=st.text("abc", min_size=1), after=ANY)
def test_nothing_in_code_or_a_formula_is_a_link(before: str, name: str, after: str) -> None:
    inside = f"{before}[[{name}]]{after}"
    assert links(f"~~~~~~\n{inside.replace('~', '')}\n~~~~~~") == ()
    ticks = "`" * 45
    flat = " ".join(inside.replace("`", "").split())
    assert links(f"x {ticks} {flat} {ticks}") == ()
    formula = flat.replace("$", "").replace("\\", "")
    assert links(f"x $x{formula}x$ y") == ()


@given(ANY)
def test_any_text_is_shown_with_its_links(markdown: str) -> None:
    shown = render(markdown, width=400, names=NAMES).plain
    for link in links(markdown):
        assert link.text in shown


@given(name=WORDS)
def test_any_name_with_a_letter_can_be_linked(name: str) -> None:
    expected = [name.strip()] if any(character.isalpha() for character in name) else []
    assert [link.target for link in links(f"x [[{name}]] y")] == expected


def test_a_concept_is_named_by_slug_or_title() -> None:
    for name in ("multi-head", "Multi head attention", "MULTI-HEAD  ATTENTION", "multi_head"):
        assert NAMES.find(name) == Target("multi-head", "Multi-head attention"), name
    assert NAMES.find("Softmax") == Target("softmax", "Softmax")
    assert NAMES.find("head") == Target("head", "Softmax")
    assert NAMES.find("nothing") is None


def test_completion_begins_words() -> None:
    assert [target.slug for target in NAMES.beginning("Multi")] == ["multi-head"]
    assert [target.slug for target in NAMES.beginning("att")] == ["multi-head"]
    assert [target.slug for target in NAMES.beginning("hea")] == ["head", "multi-head"]
    assert [target.slug for target in NAMES.beginning("", limit=2)] == ["softmax", "multi-head"]
    assert begun("see [[so") == "so"
    assert begun("see [[") == ""
    for line in ("see [so", "see [[so]] x", "[[a|b", "no"):
        assert begun(line) is None


def test_known_links_show_their_words_and_others_what_was_written() -> None:
    text = render("[[softmax]], [[head|rows]], [[nowhere|x]]", width=60, names=NAMES)
    assert text.plain == "Softmax, rows, [[nowhere|x]]"
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles["rows"] == Palette().link
    assert styles["[[nowhere|x]]"] == Palette().marker


def test_without_names_a_link_is_a_text() -> None:
    assert plain("A = [[a, b]]") == "A = [[a, b]]"
