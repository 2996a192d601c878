"""`model get`, `use` and `list`: the real models that are kept."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from studyattn.cli import common
from studyattn.cli.common import Answer, Rows
from studyattn.lm.llama import kept
from studyattn.lm.llama.records import KeptModel


def _models() -> kept.Models:
    kept.check_installed()
    return kept.Models(kept.model_cache())


def get() -> Answer:
    models = _models()
    found = models.get(kept.SMOLLM2, partial(common.say, err=True))
    return _told(models, found, kept.SMOLLM2.license)


def use(file: Path) -> Answer:
    models = _models()
    found = next((each for each in models.all() if each.name == str(file)), None)
    if found is None:
        found = models.take(file.expanduser(), partial(common.say, err=True))
    else:
        models.use(found)
    return _told(models, found, found.license or "not named in the file")


def _told(models: kept.Models, found: KeptModel, terms: str) -> Answer:
    folder, config = models.place(found), found.config
    value = {
        "name": found.name,
        "title": found.title,
        "license": terms,
        "source": found.source,
        "sha256": found.digest,
        "parameters": found.parameters,
        "folder": folder,
    }
    lines = (
        f"{found.name}: {found.title}, {found.parameters:,} parameters",
        (
            f"  {config.layers} layers, {config.heads} query heads on {config.key_heads} key heads,"
            f" width {config.width}, {config.tokens:,} tokens"
        ),
        f"  license: {terms}    from: {found.source}",
        f"  kept in {folder}",
    )
    return Answer(value, [partial(common.say, line, hang=2) for line in lines])


def list_() -> Answer:
    found = kept.Models(kept.model_cache()).all()
    value = [{"name": each.name, "title": each.title, "source": each.source} for each in found]
    rows = [(each.name, f"{each.parameters:,} parameters", each.source) for each in found]
    none = "No model yet. Run `studyattn model get` to download one."
    return Answer(value, Rows(rows) if rows else none)
