"""`gpt`: trained by the command, written with, listed."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command, one_line


def test_a_model_is_trained_told_of_and_writes(command: Command, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The cat sat on the mat, and the dog sat on the cat. " * 100)
    trained = command("gpt", "train", "--text", str(text), "--steps", "2", "--json")
    assert trained.status == 0
    told = trained.json
    assert told["steps"] == 2
    assert told["parameters"] > 340_000
    assert told["validation_loss"] < told["first_loss"]
    assert told["sample"].startswith("The ")
    origins = {part["entry"]: part["origin"] for part in told["parts"]}
    assert origins["multi_head_attention"] == origins["CachedAttention"] == "lent"

    said = command("gpt", "say", "The ", "--tokens", "5", "--json").json
    assert len(said["text"]) == 9
    assert said["tokens"] == 5
    assert [each["name"] for each in command("gpt", "list", "--json").json] == ["gpt"]


def test_what_cannot_be_trained_or_said_is_one_line(command: Command) -> None:
    for wrong in (
        ("gpt", "train", "--with", "mask-mising"),
        ("gpt", "train", "--beside"),
        ("gpt", "train", "--text", "nowhere.txt"),
        ("gpt", "train", "--text", "/dev/zero"),
        ("gpt", "train", "--seconds", "nan"),
        ("gpt", "say", "The "),
    ):
        result = command(*wrong)
        assert result.status == 2
        assert one_line(result.err)
    assert "mask-missing" in command("gpt", "mistakes").out


def test_the_first_model_writes_anew_once_code_has_passed(command: Command, tmp_path: Path) -> None:
    before = command("gpt", "first", "--json").json
    assert before["now"]["parts"] == []
    assert before["before"] is None
    code = tmp_path / "dot-product.py"
    code.write_text("# backend: numpy\ndef dot_product(a, b):\n    return (a * b).sum(-1)\n")
    assert command("drill", "grade", "dot-product", str(code)).status == 0
    told = command("gpt", "first", "--json").json
    assert told["now"]["parts"] == ["dot-product"]
    assert told["before"] == before["now"]
    assert told["now"]["loss"] < told["before"]["loss"]
    assert command("gpt", "first", "--json").json == told  # kept, with the seconds it took
