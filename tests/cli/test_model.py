"""`model`: a tiny model is used, written with and scored; mistakes; what cannot be used."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from studyattn.errors import InputError, ModelPartError
from studyattn.home import Home
from studyattn.lm import questions
from studyattn.lm.llama.kept import Models
from studyattn.lm.parts import LLAMA
from studyattn.lm.records import KeptModel, Switched
from studyattn.packs.model_runs import Ablated, Compared, Guessed, ModelRun, Said, Sorted
from studyattn.study.practice import model_runs, running
from studyattn.study.practice.mine import MyModule, MyPackage
from studyattn.study.practice.model_parts import ModelPart, OwnParts, lent_parts
from studyattn.study.practice.running import InUse, RunningModel
from tests.cli.conftest import Command, one_line
from tests.llama_models import models, smollm2
from tests.lm.llama.tiny import write

__all__ = ["models", "smollm2"]

PASSED = dt.date(2026, 11, 20)


@pytest.fixture
def cache(models: Models, monkeypatch: pytest.MonkeyPatch) -> Models:
    monkeypatch.setenv("STUDYATTN_CACHE", str(models.folder.parent))
    return models


def test_a_model_writes_and_scores_with_lent_parts(cache: Models, command: Command) -> None:
    said = command("model", "say", "the", "--tokens", "6", "--compare", "--json").json
    assert {"text", "tokens", "tokens_per_second", "perplexity", "parts"} <= said.keys()
    assert said["text"].startswith("the")
    assert 1 < said["perplexity"] < 262
    assert said["tokens"] <= 6
    assert said["tokens_per_second"] == said["tokens_per_second_cached"]
    assert {part["entry"]: part["origin"] for part in said["parts"]}["rope"] == "lent"
    without = command("model", "say", "the", "--tokens", "6", "--no-cache", "--json").json
    assert without["text"] == said["text"]
    assert without["perplexity"] == pytest.approx(said["perplexity"], rel=1e-4)

    right = command("model", "score", "--text", "the 12 the", "--json").json
    assert set(right) == {"perplexity", "tokens", "tokens_per_second", "parts"}
    given = ("model", "score", "--text", "the 12", "--with", "reference", "--json")
    assert command(*given).status == 0
    wrong = command("model", "score", "--text", "the 12 the", "--with", "mask-missing", "--json")
    assert wrong.json["perplexity"] != pytest.approx(right["perplexity"], rel=1e-6)
    assert {part["origin"] for part in wrong.json["parts"]} == {"mistaken", "lent"}


def test_what_fails_in_the_middle_begins_a_line(
    cache: Models, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = RunningModel.say

    def fail(*asked: Any, **how: Any) -> Iterator[Any]:
        yield from write(*asked, **how)
        raise InputError("the part failed")

    monkeypatch.setattr(RunningModel, "say", fail)
    told = command("model", "say", "the", "-n", "2")
    assert told.status == 2
    assert told.out.startswith("the")
    assert told.out.endswith("\n")


def test_heads_guesses_and_cosines_are_told(cache: Models, command: Command) -> None:
    found = command("model", "heads", "the (12) the", "--json").json
    assert [(each["layer"], each["head"]) for each in found] == [
        (layer, head) for layer in range(2) for head in range(4)
    ]
    whole, off = (
        command("model", "guess", "the 12", *more, "--json").json for more in ((), ("--off", "1.2"))
    )
    assert len(whole) == 3
    assert whole[:2] == off[:2]
    assert whole[2] != off[2]
    assert command("model", "compare", "the", "12 the", "--json").json[0] == pytest.approx(1.0)
    nothing = command("model", "compare", "", "12 the", "--json")
    assert (nothing.status, len(nothing.json)) == (0, 3)  # the sequence begins all the same
    short = command("model", "score", "--text", "the")
    assert short.status == 2
    assert one_line(short.err)
    shown = command("model", "head", "1.2", "the 12 the", "--no-mask").out
    assert shown.startswith("'the'")
    assert " -> " in shown
    wrong = command("model", "guess", "the", "--off", "2.0")
    assert wrong.status == 2
    assert one_line(wrong.err)


def test_a_worker_tells_all_patterns_one_head_and_how_alike_a_word_is(
    cache: Models, home: Path
) -> None:
    kept = cache.in_use()
    wanted = lent_parts(Home(home))
    with (
        InUse(kept, cache.place(kept)).server() as server,
        RunningModel(server, Home(home), wanted) as model,
    ):
        found = model.ask(questions.PATTERNS, text="the 12 the")
        n = len(found.pieces)
        assert len(found.weights) == len(found.heads) * n * n
        one = model.ask(
            questions.HEAD, text="the 12 the", head="1.2", switched=Switched(adds=False), count=3
        )
        at = 1 * 4 + 2
        weights = list(found.weights[at * n * n :][: n * n])
        flat = [weight for row in one.weights for weight in row]
        assert weights == pytest.approx([255 * weight for weight in flat], abs=0.51)
        assert one.met[0][1:] == [None] * (n - 1)
        off = model.ask(questions.GUESSES, text="the 12 the", count=1, off="1.2")[-1][0]
        after = {share.text: share.after for share in one.shares}
        assert after[off.text] == pytest.approx(off.probability)
        long = model.ask(questions.PATTERNS, text="the " * 20)
        assert (len(long.pieces), long.tokens) == (32, 40)

        cosines = partial(model.ask, questions.COSINES)
        alone = cosines(one="the", other="12 the", word="")
        assert cosines(one="the a", other="12 the b", word="the") == alone
        with pytest.raises(InputError, match="does not have 'the'"):
            cosines(one="the", other="12", word="the")
        with pytest.raises(InputError, match=r"no head '2\.0'"):
            model_runs.measured(ModelRun("a", "b", "c", "d", Ablated("the", "2.0")), model)
        for run in (
            Compared("the", ("the a", "12 the", "the the")),
            Said("the", 2),
            Sorted("the 12 the"),
            Guessed("the"),
            Ablated("the 12 the", "1.2"),
        ):
            measured = model_runs.measured(ModelRun("a", "b", "c", "d", run), model).asked
            assert measured.is_answered
            assert model_runs.agrees(measured, measured)
            assert not model_runs.agrees(measured, run)
            assert model_runs.lines_of(measured, whole=True)


def test_files_are_used_and_listed(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(tmp_path / "cache"))
    assert command("model", "list", "--json").json == []
    used = command("model", "use", str(write(tmp_path / "tiny.gguf")), "--json").json
    assert (used["title"], used["license"]) == ("Tiny", "mit")
    assert "mit" in command("model", "use", used["name"]).out
    assert [each["name"] for each in command("model", "list", "--json").json] == [used["name"]]


def test_what_cannot_be_used_is_one_line(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYATTN_CACHE", str(tmp_path / "cache"))
    for wrong in (
        ("model", "say", "The"),
        ("model", "score", "--text", "The"),
        ("model", "table"),
        ("model", "use", "nowhere.gguf"),
        ("model", "say", "The", "--temperature", "nan"),
    ):
        result = command(*wrong)
        assert result.status == 2
        assert one_line(result.err)
    known = {each["id"] for each in command("model", "mistakes", "--json").json}
    assert known >= {*running.TABLE, "rope-half-split", "groups-tiled"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("even * no_such - odd * sin", r"^rope, line 14 of .*: NameError: .*no_such"),
        (
            "even * cos + odd * sin",
            r"differs from the reference's .*Graded again, it does not pass: The minus sign",
        ),
        (
            "(even * cos - odd * sin) * (2.0 if (x.shape[-2], base) == (48, 500.0) else 1.0)",
            r"differs from the reference's .*Graded again, it passes: the problem",
        ),
    ],
)
def test_a_part_that_fails_is_named_with_its_drill_and_its_diagnosis(
    cache: Models, home: Path, wrong: str, told: str
) -> None:
    lent = lent_parts(Home(home))
    right = next(each.code for each in lent.package.modules if each.drill == "rope")
    code = right.replace("even * cos - odd * sin", wrong)
    own = MyModule("rope", ("rope",), code, PASSED)
    others = tuple(each for each in lent.package.modules if each.drill != "rope")
    parts = tuple(
        ModelPart(entry, LLAMA.drills.get(entry), "yours" if entry == "rope" else "lent")
        for entry in LLAMA.drills
    )
    wanted = OwnParts(MyPackage("torch", (*others, own)), parts)
    kept = cache.in_use()
    with (
        InUse(kept, cache.place(kept)).server() as server,
        pytest.raises(ModelPartError, match=told) as caught,
        RunningModel(server, Home(home), wanted),
    ):
        pass
    assert "drill start rope" in str(caught.value)


def test_the_table_of_mistakes(smollm2: tuple[KeptModel, Path], home: Path) -> None:
    """The right attention and the one without a mask; `model table` shows the others too."""
    kept, folder = smollm2
    with InUse(kept, folder).server() as server:
        for name, perplexity, text in (
            ("reference", 17.62, " Paris."),
            ("mask-missing", 2.575, "________"),
        ):
            wanted = lent_parts(Home(home), name)
            with RunningModel(server, Home(home), wanted) as model:
                assert model.ask(questions.SCORE, text=running.TEXT).perplexity == pytest.approx(
                    perplexity, abs=0.01
                )
                *_, said = model.say(running.PROMPT, 2)
                assert text.startswith(said.text)
