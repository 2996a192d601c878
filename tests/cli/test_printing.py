"""What commands print for people: columns that stand under each other, titles that can be read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from studyattn.cli.common import say, table, title
from tests.cli.conftest import Command


def test_columns_are_measured_in_cells(capsys: pytest.CaptureFixture[str]) -> None:
    table([("日本", "x", "end"), ("e\u0301t\u0301", "long", ""), ("abc", "y", "z")])
    assert capsys.readouterr().out == (
        "日本  x     end\n"  # four cells
        "e\u0301t\u0301    long\n"  # two
        "abc   y     z\n"
    )


def test_nothing_that_is_printed_drives_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\x1b[2Jb\u202ec\n\td")
    table([("\x9b2J", "\x07")])
    assert capsys.readouterr().out == "a\ufffd[2Jb\ufffdc\n\td\n\ufffd2J  \ufffd\n"


def test_the_last_cell_is_made_when_its_row_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table([("a", "$x_i$"), ("b", "plain")], title)
    assert capsys.readouterr().out == "a  xᵢ\nb  plain\n"


def print_to_a_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("PAGER", "")  # it would write past what pytest reads


def test_a_row_too_wide_goes_on_in_its_column_or_below(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_to_a_terminal(40, monkeypatch)
    table([("a", "一二三 " * 6 + "end"), ("b", "short")])
    assert capsys.readouterr().out == (
        "a  一二三 一二三 一二三 一二三 一二三\n   一二三 end\nb  short\n"
    )
    table([("attention:softmax", "new", "a question of some length"), ("x", "", "short")])
    assert capsys.readouterr().out == (
        "attention:softmax  new\n    a question of some length\nx                       short\n"
    )
    table([("x" * 50, "new", "words"), ("b", "", "words")])
    assert capsys.readouterr().out == f"{'x' * 50}  new\n    words\nb\n    words\n"


def test_a_line_too_wide_is_broken_at_spaces(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_to_a_terminal(40, monkeypatch)
    say("  7  ! a remark that goes on for more than one line\n  8  short", hang=5)
    assert capsys.readouterr().out == (
        "  7  ! a remark that goes on for more\n     than one line\n  8  short\n"
    )


def test_what_search_found_is_shown_with_its_mathematics(command: Command) -> None:
    command("note", "add", "A zebra of size $\\sqrt{d_k}$", "--title", "Zebra $x_i$")
    assert command("search", "zebra").out == "note     1  Zebra xᵢ\n         A zebra of size √dₖ\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_come_only_where_they_are_wanted(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    print_to_a_terminal(80, monkeypatch)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1m" in command("search", "softmax").out
    monkeypatch.setenv(name, value)
    assert "\x1b" not in command("search", "softmax").out


def test_colours_come_into_a_pipe_where_they_are_forced(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b" not in command("search", "softmax").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1m" in command("search", "softmax").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in command("search", "softmax").out


def test_a_file_gets_whole_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    say("word " * 20 + "end")
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("What is $\\sqrt{d_k}$?", "What is √dₖ?"),
        ("The ==2|first== and the ==second==", "The […] and the […]"),
        ("**Bold** and `a == b`", "Bold and a == b"),
        ("$\\foo$", "\\foo"),
        ("plain", "plain"),
        ("==", "=="),
        ("x" * 600, "x" * 500 + "…"),
    ],
)
def test_titles(markdown: str, shown: str) -> None:
    assert title(markdown) == shown


def test_due_and_items_show_mathematics_and_give_nothing_away(
    command: Command, tmp_path: Path
) -> None:
    document = tmp_path / "mine.md"
    document.write_text(
        "# Mine\n\n## Questions\n\n### What does the sign of $a \\cdot b$ say?\n\nThe angle.\n"
    )
    command("import", "--yes", str(document))
    for name in ("due", "items"):
        shown = command(name).out
        assert "Two vectors are orthogonal. Their dot product is …" in shown
        assert "What does the sign of a · b say" in shown
        assert "dot product is multiplied by […]" in shown
        assert "$" not in shown
        assert "==" not in shown
    titles = [item["title"] for item in command("due", "--json").json]
    assert any("$a \\cdot b$" in each for each in titles)  # JSON has it as it was written
