"""Training a model in its worker: what is told and kept, what ends it, parts that fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import torch

from studyattn.errors import InputError, ModelPartError, NotFoundError, StudyattnError
from studyattn.home import Home
from studyattn.lm import process, questions
from studyattn.lm.parts import GPT
from studyattn.lm.process import StoppedError
from studyattn.lm.records import Sizes
from studyattn.study.practice import gpt
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.mine import MyModule, MyPackage
from studyattn.study.practice.model_parts import OF_GPT, ModelPart, OwnParts, find_mistake
from studyattn.study.practice.running import RunningModel

SMALL = Sizes(width=16, heads=2, layers=1, context=16, batch=4)
TEXT = ("a small text", "The quick brown fox jumps over the lazy dog, and it sleeps on. " * 90)
PASSED = date(2026, 11, 20)


@pytest.fixture(scope="module")
def server() -> Iterator[process.ModelServer]:
    with process.ModelServer() as started:
        yield started


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def parts(home: Home, attention: str | None = None) -> OwnParts:
    """The pack's solutions as the learner's own code; `attention` takes the place of one."""
    codes = {
        drill: find_drill(home, drill).brief.solution("torch").read_text()
        for drill in GPT.drills.values()
    }
    if attention is not None:
        codes["multi-head-attention"] = attention
    modules = tuple(
        MyModule(drill, (entry,), codes[drill], PASSED) for entry, drill in GPT.drills.items()
    )
    listed = tuple(
        ModelPart(entry, drill, "yours", PASSED)
        if entry in GPT.attention
        else ModelPart(entry, drill, "lent")
        for entry, drill in GPT.drills.items()
    )
    return OwnParts(MyPackage("torch", modules), listed)


def test_a_right_and_a_mistaken_model_take_turns_and_are_kept(
    server: process.ModelServer, home: Home
) -> None:
    pair = (None, find_mistake(home, "mask-missing", OF_GPT))
    told: list[tuple[gpt.TrainedModel, ...]] = []
    trainings = gpt.Trainings(server, home, parts(home), TEXT, pair, sizes=SMALL)
    right, broken = trainings.run(gpt.Until(seconds=None, steps=4), told.append)
    assert [model.steps for model in told[0]] == [4, 4]
    assert (right.name, broken.name, broken.mistake) == ("gpt", "mask-missing", "mask-missing")
    assert right.curve[0][0] == 0
    assert right.curve[-1][0] == 4
    assert [sample.step for sample in right.samples] == [0, 4]
    assert right.first_loss is not None
    assert right.validation_loss is not None
    assert right.validation_loss < right.first_loss
    assert right.cache is not None
    assert right.cache.same
    assert broken.cache is not None
    assert not broken.cache.same
    assert [part.origin for part in broken.parts][:3] == ["mistaken", "mistaken", "lent"]
    assert gpt.trained_models(home) == [right, broken]
    kept = torch.load(home.models / "gpt.pt", weights_only=True)
    assert kept["steps"] == 4
    assert sum(each.numel() for each in kept["weights"].values()) == right.parameters
    with gpt.writing_model(server, home, parts(home), right) as writing:
        *_, said = writing.say("The ", 9)
        assert len(said.text) == 9
    (home.models / "gpt.pt").write_bytes(b"no weights")
    with (
        pytest.raises(ModelPartError, match="damaged"),
        gpt.writing_model(server, home, parts(home), right),
    ):
        pass


def test_one_that_is_ended_is_kept_whole_and_of_one_that_is_killed_what_was_saved(
    server: process.ModelServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpt, "_SAVED", 0.0)
    monkeypatch.setattr(gpt, "_TOLD", 0.05)
    text = ("a\udcff.md", TEXT[1])  # as Python names a file that is not UTF-8
    ended = gpt.Trainings(server, home, parts(home), text, (None,), name="ended", sizes=SMALL)
    (model,) = ended.run(gpt.Until(seconds=None), lambda _: ended.end())
    assert model.text == "a\\udcff.md"
    assert model.cache is not None
    assert model == gpt.find_model(home, "ended")

    early = gpt.Trainings(server, home, parts(home), TEXT, (None,), name="ended", sizes=SMALL)
    early.end()
    with pytest.raises(StoppedError):
        early.run(gpt.Until(seconds=None), lambda _: None)
    assert model == gpt.find_model(home, "ended")

    killed = gpt.Trainings(server, home, parts(home), TEXT, (None,), name="killed", sizes=SMALL)
    with pytest.raises(StoppedError):
        killed.run(gpt.Until(seconds=None), lambda _: killed.stop())
    saved = gpt.find_model(home, "killed")
    assert saved.cache is None
    assert saved.steps > 0
    assert torch.load(home.models / "killed.pt", weights_only=True)["steps"] == saved.steps


RIGHT_BUT = """
right = multi_head_attention


def multi_head_attention(x, *rest, **named):
    import time
    if x.shape[:2] == (4, 16):
        {body}
    return right(x, *rest, **named)
"""
"""Does something else with the shapes of a training step."""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "raise ValueError('not today')",
            r"^multi_head_attention, line \d+ .*: ValueError: not today. Graded again, it passes:",
        ),
        ("return right(x.detach(), *rest)", "no gradient"),
        ("return 2 * right(x, *rest)", "differs from the reference's"),
        ("time.sleep(60)", "too slow: no answer within 1 s"),
    ],
)
def test_a_part_that_fails_is_named_with_its_drill(
    server: process.ModelServer, home: Home, monkeypatch: pytest.MonkeyPatch, body: str, told: str
) -> None:
    monkeypatch.setattr(questions, "TRIED", 1.0)
    if "Graded again" not in told:  # once is enough
        monkeypatch.setattr(RunningModel, "diagnosis", lambda *_: "")
    trainings = gpt.Trainings(server, home, but(home, body), TEXT, (None,), sizes=SMALL)
    with pytest.raises(ModelPartError, match=told) as caught:
        trainings.run(gpt.Until(steps=1), lambda _: None)
    assert "drill start multi-head-attention" in str(caught.value)
    assert gpt.trained_models(home) == []


def but(home: Home, body: str) -> OwnParts:
    """The learner's parts, with an attention that does something else in a training step."""
    right = find_drill(home, "multi-head-attention").brief.solution("torch").read_text()
    return parts(home, f"{right}\n{RIGHT_BUT.format(body=body)}")


def test_a_part_that_becomes_slow_on_the_way_is_named(
    server: process.ModelServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "ADVANCE", dataclasses.replace(questions.ADVANCE, seconds=1.0))
    monkeypatch.setattr(RunningModel, "diagnosis", lambda *_: "")
    right = find_drill(home, "kv-cache").brief.solution("torch").read_text()
    called = "    def __call__(self, x: Tensor) -> Tensor:\n"
    slow = right.replace(called, f"{called}        while x.shape[-2] == 4: pass\n")
    line = slow.partition("while x.shape")[0].count("\n") + 1
    own = parts(home)
    cache = MyModule("kv-cache", ("CachedAttention",), slow, PASSED)
    others = [each for each in own.package.modules if each.drill != cache.drill]
    own = OwnParts(MyPackage("torch", (*others, cache)), own.parts)
    trainings = gpt.Trainings(server, home, own, TEXT, (None,), sizes=SMALL)
    with pytest.raises(ModelPartError, match=rf"^CachedAttention, line {line} .*: it is too slow"):
        trainings.run(gpt.Until(steps=1), lambda _: None)


def test_the_model_that_a_training_replaces_is_kept(
    server: process.ModelServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpt, "_SAVED", 0.0)
    for steps in (1, 2, 3):
        one = gpt.Trainings(server, home, parts(home), TEXT, (None,), sizes=SMALL)
        one.run(gpt.Until(seconds=None, steps=steps), lambda _: None)
    kept = gpt.trained_models(home)
    assert [(each.name, each.steps) for each in kept] == [("gpt-before", 2), ("gpt", 3)]
    assert torch.load(home.models / "gpt-before.pt", weights_only=True)["steps"] == 2


def test_two_models_of_one_name_are_refused(server: process.ModelServer, home: Home) -> None:
    pair = (None, find_mistake(home, "mask-missing", OF_GPT))
    with pytest.raises(InputError, match="both models would be named 'mask-missing'"):
        gpt.Trainings(server, home, parts(home), TEXT, pair, name="mask-missing")


def test_the_learners_code_in_a_model_reads_no_file(
    server: process.ModelServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunningModel, "diagnosis", lambda *_: "")
    if "landlock" not in server.isolation:
        pytest.skip("no Landlock here")
    secret = home.root / "secret"
    secret.write_text("a secret")
    code = f"def multi_head_attention(x, *rest):\n    return open({str(secret)!r}).read()\n"
    trainings = gpt.Trainings(server, home, parts(home, code), TEXT, (None,), sizes=SMALL)
    with pytest.raises(StudyattnError, match="PermissionError"):
        trainings.run(gpt.Until(steps=1), lambda _: None)


def test_a_home_in_which_nothing_can_be_kept_is_told_before_training(
    server: process.ModelServer, home: Home
) -> None:
    home.models.write_text("a file in its place")
    trainings = gpt.Trainings(server, home, parts(home), TEXT, (None,), sizes=SMALL)
    with pytest.raises(InputError, match="cannot save the model"):
        trainings.run(gpt.Until(steps=1), lambda _: None)


def test_texts_names_and_models_that_are_not_there(home: Home, tmp_path: Path) -> None:
    assert len(gpt.default_text()) > 400_000
    short = tmp_path / "short.txt"
    short.write_text("too short")
    with pytest.raises(InputError, match="9 characters"):
        gpt.read_text(short)
    short.write_bytes(b"\xff\xfe" * 5000)
    with pytest.raises(InputError, match="not UTF-8 text"):
        gpt.read_text(short)
    with pytest.raises(NotFoundError):
        gpt.read_text(tmp_path / "none.txt")
    with pytest.raises(InputError, match="lowercase letters"):
        gpt.find_model(home, "../other")
    with pytest.raises(NotFoundError, match="gpt train"):
        gpt.find_model(home, "none")
    with pytest.raises(NotFoundError, match="Did you mean 'mask-missing'"):
        find_mistake(home, "mask-mising", OF_GPT)
