"""`studyattn add`: one card from the command line, one or many from standard input."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from tests.cli.conftest import Command, Result, one_line


@pytest.fixture
def given(command: Command, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Carries out `add -` with a text on standard input."""

    def add(text: str, *arguments: str) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return command("add", "-", *arguments)

    return add


def cards(command: Command) -> list[tuple[str, str, list[str]]]:
    return [
        (item["title"], item["concept"], item["tags"])
        for item in command("items", "--json").json
        if item["guid"].startswith("own:")
    ]


def test_a_card_is_added_and_asked(command: Command) -> None:
    added = command("add", "Why √d?", "It grows.", "--concept", "Softmax", "--tag", "exam")
    assert added.status == 0, added.err
    guid = added.out.strip()
    assert "\n" not in guid
    assert cards(command) == [("Why √d?", "softmax", ["exam"])]
    assert guid in {item["guid"] for item in command("items", "--json").json}

    again = command("add", "Once more?", "Yes.", "--json").json  # into the same concept
    assert again["concept"] == "softmax"
    assert len(again["cards"]) == 1


def test_a_text_with_gaps_makes_a_card_a_gap(command: Command) -> None:
    made = command("add", "==a== and ==2|b==", "--cloze", "--concept", "softmax", "--json").json
    assert len(made["cards"]) == 2


def test_standard_input_is_one_card_or_a_card_a_line(command: Command, given: Any) -> None:
    assert given("One?\nFirst.\n\n- second\n", "--concept", "softmax").status == 0
    assert given("Two?\tA\n\nThree?\tB\twith a tab\n", "--tag", "t").status == 0
    assert given("A ==gap==\nin two lines", "--cloze").status == 0
    found = cards(command)
    assert [title for title, _, _ in found[:3]] == ["One?", "Two?", "Three?"]
    assert [tags for _, _, tags in found] == [[], ["t"], ["t"], []]
    texts = command("export", "all").out
    assert r"First.\n\n- second" in texts
    assert r"B\twith a tab" in texts
    assert r"A ==gap==\nin two lines" in texts


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("", [], "standard input: it contains no card"),
        ("\n \n", [], "standard input: it contains no card"),
        ("Only a question?", [], "the card has no answer"),
        ("A?\tB\nC?\n", [], "standard input:2: this line has no tab"),
        ("A?\tB\nC?\t\n", [], "standard input:2: the card has no answer"),
        ("A?\tB\n\tC\n", [], "standard input:2: the card has no question"),
        ("no gap", ["--cloze"], "the text has no gap"),
    ],
)
def test_what_is_no_card_adds_none(
    command: Command, given: Any, text: str, options: list[str], told: str
) -> None:
    refused = given(text, "--concept", "softmax", *options)
    assert refused.status == 2
    assert told in refused.err
    assert one_line(refused.err)
    assert cards(command) == []


def test_a_card_needs_a_concept_that_there_is(command: Command) -> None:
    assert "the card belongs to no concept" in command("add", "A?", "B").err
    unknown = command("add", "A?", "B", "--concept", "sofmax")
    assert unknown.err.startswith("studyattn: there is no concept 'sofmax'. Did you mean 'softmax")
    assert "Include the answer in standard input" in command("add", "-", "B").err
    assert cards(command) == []


def test_bytes_that_are_no_text_are_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\n"), "utf-8"))
    refused = command("add", "-", "--concept", "softmax")
    assert refused.status == 2
    assert one_line(refused.err)
