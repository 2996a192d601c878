"""What the concepts' pages say of a real model: readable, on a page, and still what it answers."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest

from studyattn.bundled import content_dir
from studyattn.errors import NotFoundError, PackError
from studyattn.home import Home
from studyattn.lm.records import KeptModel
from studyattn.packs.check import figures
from studyattn.packs.check.structure import check
from studyattn.packs.model_runs import RecordedRuns, Said, cited_runs, read_runs, write_runs
from studyattn.packs.read import load_pack
from studyattn.study.practice import model_runs
from studyattn.study.practice.running import InUse
from tests.llama_models import smollm2

__all__ = ["smollm2"]

PACK = content_dir() / "attention"


def recorded() -> RecordedRuns:
    found = read_runs(PACK)
    assert found is not None
    return found


def test_a_run_without_a_concept_or_figures_is_found(tmp_path: Path) -> None:
    pack = load_pack(PACK)
    first, *others = recorded().runs
    assert not list(check(pack))
    changed = type(first)(first.id, "no-such", first.title, first.shows, Said("The", 3))
    write_runs(tmp_path, RecordedRuns("smollm2-135m", (changed, *others)))
    moved = dataclasses.replace(pack, folder=tmp_path)
    found = [finding.message for finding in check(moved)]
    assert any("no-such" in message for message in found)
    assert any("has no figures" in message for message in found)
    with pytest.raises(NotFoundError, match="there is no run 'pear'"):
        model_runs.recorded_runs(Home(tmp_path), tmp_path, ["pear"])


def test_a_text_cites_runs_that_are_there_and_their_figures(tmp_path: Path) -> None:
    pack = load_pack(PACK)
    runs = {run.id: run for run in recorded().runs}
    cited = [cited_runs(card.back) for each in pack.concepts.values() for card in each.cards]
    assert len([names for names in cited if names]) >= 12
    assert frozenset().union(*cited) <= runs.keys()
    del runs["groups-tiled"]
    scale = runs["scale-missing"]
    assert isinstance(scale.asked, Said)
    asked = msgspec.structs.replace(scale.asked, perplexity=70.0)
    runs["scale-missing"] = msgspec.structs.replace(scale, asked=asked)
    write_runs(tmp_path, RecordedRuns("smollm2-135m", tuple(runs.values())))
    moved = dataclasses.replace(pack, folder=tmp_path)
    named = [finding.message for finding in check(moved)]
    assert named == ["names the run 'groups-tiled', which runs.json does not have"]
    unproven = [finding.message.partition(";")[0] for finding in figures.check(moved)]
    assert unproven == [
        "no example of 'scaling' computes 713",
        "no example of 'grouped-query' computes 596,200",
    ]


def test_a_run_is_written_as_it_is_read(tmp_path: Path) -> None:
    write_runs(tmp_path, recorded())
    assert read_runs(tmp_path) == recorded()
    assert (tmp_path / "runs.json").read_bytes() == (PACK / "runs.json").read_bytes()


def test_smollm2_still_says_what_is_recorded(
    smollm2: tuple[KeptModel, Path], tmp_path: Path
) -> None:
    """All but the mistakes, of which one is measured, and one by `test_the_table_of_mistakes`."""
    kept, folder = smollm2
    runs = {
        run.id: run
        for run in recorded().runs
        if not isinstance(run.asked, Said) or run.id == "groups-tiled"
    }
    assert {"apple", "moles", "kinds", "induction", "groups-tiled"} <= runs.keys()
    with InUse(kept, folder).server() as server:
        for now in model_runs.measure_all(server, Home(tmp_path), runs.values()):
            assert model_runs.agrees(runs[now.id].asked, now.asked), now.id


def test_a_run_of_no_head_is_refused_with_its_file(tmp_path: Path) -> None:
    asked = {"type": "ablated", "text": "Hello", "head": ""}
    run = {"id": "one", "concept": "c", "title": "t", "shows": "s", "asked": asked}
    file = tmp_path / "runs.json"
    file.write_text(json.dumps({"model": "m", "runs": [run]}), "utf-8")
    with pytest.raises(PackError, match="head") as refused:
        read_runs(tmp_path)
    assert str(file) in str(refused.value)
