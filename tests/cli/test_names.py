"""Concepts, drills, commands and settings by title or beginning, and what is spelt nearly so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, one_line


@pytest.mark.parametrize(
    "arguments",
    [
        ["concept", "show", "KV cache"],
        ["concept", "show", "kv-ca"],
        ["lesson", "kv-ca"],
        ["note", "list", "--concept", "kv-ca"],
        ["place", "--placed", "kv-ca", "--json"],
        ["export", "note", "--concept", "kv-ca"],
        ["drill", "history", "kv-ca"],
        ["drill", "start", "decoding with"],
    ],
)
def test_a_title_or_a_beginning_is_enough(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.status == 0, done.err


def test_the_answer_has_the_whole_name(command: Command, home: Path) -> None:
    changed = command("concept", "set", "kv-ca", "known", "--json").json
    assert changed["slug"] == "kv-cache"
    started = command("drill", "start", "adamw", "--json").json
    assert Path(started["path"]) == home / "drills" / "adamw-step.py"


def test_a_joined_concept_is_meant_where_concepts_are_parted(command: Command) -> None:
    assert command("concept", "merge", "masking", "into", "softmax").status == 0
    parted = command("concept", "part", "Maski", "--json")
    assert parted.json["slug"] == "masking", parted.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["drill", "start", "mask-attention"], "Did you mean 'masked-attention"),
        (["drill", "start", "l"], "'l' matches several drills: "),
        (["drill", "strat", "softmax"], "'start'?) See `studyattn drill --help`."),
        (["dril", "list"], "Did you mean 'drill'?"),
        (["export", "notes"], "Did you mean 'note'?"),
        (["due", "--jsn"], "Did you mean '--json'?"),
        (["concept", "show", "sofmax"], "Did you mean 'softmax"),
        (["settings", "get", "news_per_day"], "Did you mean 'new_per_day"),
        (["class", "template", "github", "sofmax"], "Did you mean 'softmax"),
    ],
)
def test_a_misspelt_name_is_told_what_is_like_it(
    command: Command, arguments: list[str], told: str
) -> None:
    refused = command(*arguments)
    assert refused.status == 2
    assert told in refused.err
    assert one_line(refused.err), refused.err


def test_the_name_of_the_file_says_the_format(command: Command, tmp_path: Path) -> None:
    for name, beginning in (
        ("n.html", "<!doctype html>"),
        ("n.HTML", "<!doctype"),
        ("n.md", "---"),
    ):
        assert command("export", "note", "-o", str(tmp_path / name)).status == 0
        assert (tmp_path / name).read_text("utf-8").lower().startswith(beginning)
    assert command("export", "note", "--format", "markdown", "-o", f"{tmp_path}/m.html").status == 0
    assert (tmp_path / "m.html").read_text("utf-8").startswith("---")
