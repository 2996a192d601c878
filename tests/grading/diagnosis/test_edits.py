"""Edits of a syntax tree: texts that are Python, in their place, and every other byte as it was."""

from __future__ import annotations

import ast
import codecs
from pathlib import Path

import pytest

from studyattn.grading.diagnosis.edits import (
    Edit,
    EditKind,
    applied,
    both,
    edits_of,
    in_fewer_places,
)
from tests.corpus import FOLDER


def edits(source: str, kind: EditKind) -> set[str]:
    return {edit.after for edit in edits_of(source.encode()) if edit.kind is kind}


def in_function(expression: str) -> str:
    return f"def f(a, b):\n    return {expression}\n"


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*/right/*.py"))[::40], ids=lambda file: file.parts[-3]
)
def test_an_edit_changes_its_own_text_to_other_python(file: Path) -> None:
    source = file.read_bytes()
    for edit in edits_of(source)[::11]:
        changed = applied(source, edit)
        start, end = edit.changes[0][0], edit.changes[-1][1]
        assert source[start:end].decode().startswith(edit.before[:20])
        assert changed[:start] == source[:start]
        assert changed.endswith(source[end:])
        if edit.kind is not EditKind.EXTRA:  # an argument that is dropped may leave a method alone
            ast.parse(changed)


@pytest.mark.parametrize(
    ("expression", "kind", "wanted"),
    [
        ("a - b.mean(-1)", EditKind.EXTRA, "a"),
        ("a / b", EditKind.SIDES, "(b / a)"),
        ("a + b", EditKind.OPERATOR, "(a - b)"),
        ("a / b * 2", EditKind.GROUPING, "(a / (b * 2))"),
        ("a < b", EditKind.COMPARISON, "a <= b"),
        ("a.sum(-1)", EditKind.FUNCTION, "a.mean(-1)"),
        ("g(a, b)", EditKind.ARGUMENTS, "g(b, a)"),
        ("f(b, a)", EditKind.ARGUMENTS, "f(a, b)"),
        ("a - b / 2", EditKind.GROUPING, "((a - b) / 2)"),
        ("a.sum(-1)", EditKind.ARGUMENT, "a.sum(-1, keepdims=True)"),
        ("a[1:]", EditKind.SLICE, ":1"),
        ("a @ b", EditKind.NAME, "a"),
        ("silu(a) * b + a", EditKind.NAMES, "silu(b) * a + b"),
        ("sqrt(a) + b", EditKind.GROUPING, "sqrt(a + b)"),
        ("sqrt(a + b)", EditKind.GROUPING, "(sqrt(a) + b)"),
        ("a", EditKind.OPERATION, "(-(a))"),
        ("a", EditKind.OPERAND, "((a) * b)"),
        ("einsum('ij,jk->ik', a, b)", EditKind.VALUE, "'ji,jk->ik'"),
        ("0.44", EditKind.VALUE, "(0.22)"),
    ],
)
def test_what_is_tried(expression: str, kind: EditKind, wanted: str) -> None:
    assert wanted in edits(in_function(expression), kind)


def test_arguments_at_the_parameters_of_their_names_are_not_exchanged() -> None:
    assert not edits(in_function("f(a, b)"), EditKind.ARGUMENTS)


def test_a_constant_whose_square_is_too_large_is_tried_otherwise() -> None:
    found = edits(in_function("a + 1e300"), EditKind.VALUE)
    assert "(-1e+300)" in found
    assert not any("inf)" in each and "float" not in each for each in found)


def test_a_return_at_the_end_of_a_loop_is_moved_behind_it() -> None:
    source = b"def f(a):\n    for b in a:\n        a += b\n        return a\n"
    moved = [edit for edit in edits_of(source) if edit.kind is EditKind.LEFT_EARLY]
    assert [applied(source, edit) for edit in moved] == [source.replace(b"        r", b"    r")]


def test_statements_are_dropped_exchanged_and_assigned_otherwise() -> None:
    source = "def f(a):\n    a = a + 1\n    a = a * 2\n    return a\n"
    assert "pass" in edits(source, EditKind.STATEMENT)
    assert "a += a + 1" in edits(source, EditKind.ASSIGNMENT)
    swapped = next(each for each in edits_of(source.encode()) if each.kind is EditKind.ORDER)
    assert applied(source.encode(), swapped) == (
        b"def f(a):\n    a = a * 2\n    a = a + 1\n    return a\n"
    )


def test_a_file_with_a_mark_and_other_letters_is_edited_in_its_place() -> None:
    source = codecs.BOM_UTF8 + "def f(ä, π): return 'ß', ä - π\n".encode()
    changed = [applied(source, edit) for edit in edits_of(source) if edit.after == "(ä + π)"]
    assert changed == [source.replace("ä - π".encode(), "(ä + π)".encode())]


def test_the_plainest_come_first_and_none_twice() -> None:
    found = edits_of(in_function("a - b").encode())
    assert [edit.kind.rank for edit in found] == sorted(edit.kind.rank for edit in found)
    assert len({edit.changes for edit in found}) == len(found)


def test_the_same_change_is_made_wherever_the_same_text_stands() -> None:
    source = b"def f(a):\n    return a.sum(1) / a.max(1)\n"
    (edit,) = (each for each in edits_of(source) if len(each.changes) == 2 and each.before == "1"
               and each.after == "(-1)")  # fmt: skip
    assert applied(source, edit) == b"def f(a):\n    return a.sum((-1)) / a.max((-1))\n"
    assert edit.hint == "The value `1` is wrong, 2 times from here on."


def test_a_change_in_one_place_comes_before_the_same_in_several() -> None:
    tried = edits_of(b"def f(a):\n    b = 0\n    return a[0] % 0 + b\n")
    values = [each for each in tried if each.before == "0" and each.after == "2"]
    assert [len(each.changes) for each in values] == [1, 1, 1, 3]


def test_of_a_change_in_several_places_each_can_be_left_out() -> None:
    source = b"def f(a):\n    b = 0\n    return a[0] % 0 + b\n"
    (whole,) = (each for each in edits_of(source) if len(each.changes) == 3 and each.after == "2")
    fewer = list(in_fewer_places(source, whole))
    assert [(each.line, len(each.changes)) for each in fewer] == [(3, 2), (2, 2), (2, 2)]
    assert applied(source, fewer[0]) == b"def f(a):\n    b = 0\n    return a[2] % 2 + b\n"
    assert not list(in_fewer_places(source, Edit(whole.kind, 2, "0", whole.changes[:1])))


def test_a_hint_says_what_stands_there_and_not_what_is_right() -> None:
    edit = Edit(EditKind.SIDES, 3, "m - n", ((0, 5, "(n - m)"),))
    assert edit.hint == "The two sides of `m - n` are exchanged."


def test_two_edits_are_made_as_one_unless_they_meet() -> None:
    source = b"def f(a, b):\n    c = a + b\n    return c * 2\n"
    found = edits_of(source)
    plus = next(each for each in found if each.after == "(a - b)")
    times = next(each for each in found if each.after == "(c / 2)")
    made = both(times, plus)
    assert made is not None
    assert applied(source, made) == b"def f(a, b):\n    c = (a - b)\n    return (c / 2)\n"
    assert both(plus, plus) is None
