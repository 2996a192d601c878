"""Fixtures of real models: a tiny one that is kept, and SmolLM2 where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.lm.llama.kept import SMOLLM2, Models, model_cache
from studyattn.lm.records import KeptModel
from tests.lm.llama.tiny import write


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """A cache directory with the tiny model.

    Each module that imports this fixture has one of its own, but all have the same directory: a
    server that may read another one is started anew, which takes longer than most tests.
    """
    folder = tmp_path_factory.getbasetemp() / "cache" / "models"
    found = Models(folder)
    if not folder.exists():
        found.take(write(tmp_path_factory.mktemp("file") / "tiny.gguf"), lambda _: None)
    return found


@pytest.fixture(scope="session")
def smollm2() -> tuple[KeptModel, Path]:
    """SmolLM2 and its folder, where `studyattn model get` has been called."""
    kept = Models(model_cache())
    found = next((each for each in kept.all() if each.name == SMOLLM2.name), None)
    if found is None:
        pytest.skip("SmolLM2 is not there: `studyattn model get` fetches it")
    return found, kept.place(found)
