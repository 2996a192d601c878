"""`model … --with-mine`: the code of a drill where a real model does without it, and mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studyattn.lm.llama.kept import Models
from studyattn.lm.llama.places import looked_up
from studyattn.packs.briefs import MODEL_PLACES
from studyattn.packs.locate import installed_packs
from studyattn.packs.read import load_pack
from tests.cli.conftest import Command, one_line
from tests.llama_models import models
from tests.own_gpt import checkpoint

__all__ = ["models"]

TEXT = "the 12 the 12 the 12 ab the 12"
WEIGHTS = "quantized-linear:group=16"


@pytest.fixture(autouse=True)
def cache(models: Models, monkeypatch: pytest.MonkeyPatch) -> Models:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    return models


def score(command: Command, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = command("model", "score", "--text", TEXT, *more, "--json").json
    return found


def said(command: Command, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = command("model", "say", TEXT, "--tokens", "9", *more, "--json").json
    return found


def test_each_place_is_that_of_a_drill_of_an_installed_pack() -> None:
    briefs = [brief for folder in installed_packs() for brief in load_pack(folder).drills.values()]
    assert sorted(brief.model for brief in briefs if brief.model) == sorted(MODEL_PLACES)


def test_quantized_weights_take_fewer_bytes_and_mistakes_change_the_perplexity(
    command: Command,
) -> None:
    plain = score(command)
    packed = score(command, "--with-mine", WEIGHTS)
    assert packed["perplexity"] == pytest.approx(plain["perplexity"], rel=0.05)
    bytes_ = packed["measured"]
    assert bytes_["weight_bytes"] == bytes_["plain_weight_bytes"] * (1 + 4 / 16) / 4
    four = score(command, "--with-mine", f"{WEIGHTS},bits=4")["measured"]
    assert four["weight_bytes"] == four["plain_weight_bytes"] * (1 / 2 + 4 / 16) / 4
    wrong = score(command, "--with-mine", WEIGHTS, "--with", "quantize-scale-missing")
    assert abs(wrong["perplexity"] - plain["perplexity"]) > 0.1
    assert {"mistaken", "lent"} == {part["origin"] for part in wrong["parts"]}


def test_caches_give_what_the_plain_one_gives(command: Command) -> None:
    plain, text = score(command), said(command)["text"]
    eight = score(command, "--with-mine", "int8-cache")
    assert eight["perplexity"] == pytest.approx(plain["perplexity"], rel=0.05)
    assert eight["measured"]["cache_bytes"] < eight["measured"]["plain_cache_bytes"]
    paged = said(command, "--with-mine", "paged-cache:block=4")
    assert paged["text"] == text
    assert paged["measured"]["page_bytes"] < paged["measured"]["unshared_page_bytes"]
    spoilt = score(command, "--with-mine", "int8-cache", "--with", "int8-value-scale-missing")
    assert abs(spoilt["perplexity"] - plain["perplexity"]) > 0.1
    written = said(command, "--with-mine", "paged-cache:block=4", "--with", "paged-written-through")
    assert written["perplexity"] != pytest.approx(paged["perplexity"], rel=1e-6)


def test_accepted_drafts_give_the_same_tokens_in_fewer_passes(command: Command) -> None:
    plain = said(command)
    drafted = said(command, "--with-mine", "speculative-step:n=1")
    assert drafted["text"][: len(plain["text"])] == plain["text"][: len(drafted["text"])]
    assert drafted["perplexity"] == pytest.approx(plain["perplexity"], rel=1e-3)
    measured = drafted["measured"]
    assert measured["drafted"] > 0
    assert measured["written"] >= measured["passes"] + measured["accepted"]
    assert looked_up([1, 2, 3, 9, 1, 2], 2, 2) == [3, 9]
    assert looked_up([1, 2, 3], 2, 2) == []


def test_unlikely_tokens_are_left_out(command: Command) -> None:
    only = said(command, "--with-mine", "min-p:p=1", "--temperature", "2", "--seed", "5")
    assert only["text"] == said(command)["text"]


def test_a_patch_moves_a_prediction(command: Command) -> None:
    answer = command("model", "patch", "x y", "z y", "--json")
    assert answer.status == 0, answer.err
    found = answer.json
    assert len(found["layers"]) == 2
    assert found["layers"][0] == pytest.approx(found["clean"], abs=1e-4)
    turned = command("model", "patch", "x y", "z y", "--with", "patch-reversed", "--json")
    assert turned.json["layers"][0] == pytest.approx(found["corrupted"], abs=1e-4)
    assert "layer 1" in command("model", "patch", "x y", "z y").out
    for other in ("x y", "x"):
        told = command("model", "patch", "x y", other)
        assert told.status == 2
        assert one_line(told.err)


@pytest.mark.parametrize("draft", ["layers=1", "bits=4", "layers=1,bits=8,drafted=2"])
def test_a_model_drafts_for_itself(command: Command, draft: str) -> None:
    plain = said(command)
    drafted = said(command, "--with-mine", f"speculative-step:{draft}")
    assert drafted["text"][: len(plain["text"])] == plain["text"][: len(drafted["text"])]
    measured = drafted["measured"]
    assert measured["drafted"] == measured["passes"] * (2 if "drafted" in draft else 4)
    assert measured["written"] == measured["passes"] + measured["accepted"]


def test_a_gpt_that_was_trained_here_drafts(command: Command, home: Path) -> None:
    (home / "models").mkdir()
    (home / "models" / "own.pt").write_bytes(checkpoint())
    plain = said(command)
    drafted = said(command, "--with-mine", "speculative-step:gpt=own,drafted=3")
    assert drafted["text"][: len(plain["text"])] == plain["text"][: len(drafted["text"])]
    assert {"CachedAttention", "gelu_mlp"} < {part["entry"] for part in drafted["parts"]}
    assert 0 < drafted["measured"]["drafted"] <= 3 * drafted["measured"]["passes"]
    (home / "models" / "own.pt").write_bytes(b"no weights")
    damaged = command("model", "say", TEXT, "--with-mine", "speculative-step:gpt=own")
    assert "the GPT: its weights are damaged" in damaged.err


def test_a_table_shows_what_each_mistake_of_a_drill_does(command: Command) -> None:
    rows = command("model", "table", "--with-mine", WEIGHTS, "--json").json
    assert rows[0]["mistake"] is None
    wrong = {row["mistake"]: row for row in rows[1:]}
    known = command("model", "mistakes", "--with-mine", WEIGHTS, "--json").json
    assert list(wrong) == [each["id"] for each in known if each["id"].startswith("quantize-")]
    assert wrong["quantize-scale-missing"]["perplexity"] != rows[0]["perplexity"]
    assert len({row["text"] for row in rows}) > 1


@pytest.mark.parametrize(
    "wrong",
    [
        ["moe-router"],
        ["no-such-drill"],
        [f"{WEIGHTS},bits=many"],
        ["speculative-step", "--with-mine", "int8-cache"],
        ["speculative-step:gpt=nowhere"],
    ],
)
def test_what_cannot_be_put_into_a_model_is_told(wrong: list[str], command: Command) -> None:
    told = command("model", "score", "--with-mine", *wrong)
    assert told.status in (1, 2)
    assert one_line(told.err)


def test_a_group_that_does_not_fit_names_the_part(command: Command) -> None:
    told = command("model", "score", "--with-mine", "quantized-linear:group=7")
    assert told.status == 1
    assert "groups of 7 do not divide 32 inputs" in told.err
