"""Starts a new pack, and installs a pack's folder into the learner's home.

A new pack is a copy of `template/`, the smallest pack that passes `pack check`: one concept with
three cards, one of them computed, and one drill with a reference and two misconceptions.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.packs.check import structure
from studyattn.packs.fields import is_pack_id
from studyattn.packs.locate import pack_folders
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack

TEMPLATE: Final = Path(__file__).parent / "template"
_LEFT_BEHIND: Final = ("__pycache__", ".*")


def new_pack(parent: Path, name: str) -> Path:
    """Write the smallest pack into the folder `name` of `parent`, and return that folder.

    `name` becomes the pack's id. Raises InputError when it cannot be an id, when the folder is
    there already, and when it cannot be written.
    """
    folder = parent / name
    if not is_pack_id(name):
        raise InputError(
            f"{name!r} cannot be a pack's id",
            advice="Use up to 40 lowercase letters, digits and hyphens, such as linear-algebra",
        )
    if folder.exists():
        raise InputError("this folder already exists", where=str(folder), advice="Choose another")
    try:
        shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns(*_LEFT_BEHIND))
        manifest = folder / "pack.toml"
        text = manifest.read_text(encoding="utf-8")
        title = name.replace("-", " ").capitalize()
        text = text.replace('"my-pack"', f'"{name}"').replace('"My pack"', f'"{title}"')
        manifest.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(folder)) from error
    return folder


def add_pack(source: Path, home: Home) -> Pack:
    """Copy the pack in `source` into the learner's home, and return it as it is there.

    It becomes a part of what is asked at the next start. Raises PackError with file and line for
    the first thing in it that cannot be used, and InputError when the home has a pack of this id,
    or one with a drill of the same id, or when the files cannot be copied.
    """
    pack = load_pack(source)
    finding = next(structure.check(pack), None)
    if finding is not None:
        raise finding.place.error(finding.message)
    installed = pack_folders(home)
    if pack.id in installed:
        there = installed[pack.id]
        own = there.parent == home.packs
        raise InputError(
            f"a pack called {pack.id!r} is already installed at {there}",
            where=str(source / "pack.toml"),
            advice=f"Give this one another id{', or remove that folder first' if own else ''}",
        )
    for drill in pack.drills.values():
        for name, folder in installed.items():
            if (folder / "drills" / drill.id).is_dir():
                raise InputError(
                    f"the installed pack {name!r} has a drill {drill.id!r} too",
                    where=str(drill.place),
                    advice="Give this one a different id in its folder's name, brief and checks",
                )
    try:
        home.packs.mkdir(parents=True, exist_ok=True)
        # Complete or not at all: a pack that is half there would retire the cards it lacks.
        with TemporaryDirectory(prefix=".adding-", dir=home.packs) as unfinished:
            copy = Path(unfinished) / pack.id
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns(*_LEFT_BEHIND))
            copy.rename(home.packs / pack.id)
    except (OSError, shutil.Error) as error:
        reason = getattr(error, "strerror", None) or "a file in it cannot be read"
        raise InputError(
            f"cannot be copied to {home.packs} ({reason})", where=str(source)
        ) from error
    return load_pack(home.packs / pack.id)
