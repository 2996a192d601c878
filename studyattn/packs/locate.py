"""Where packs lie: those that ship with the program, and those in the learner's home."""

from __future__ import annotations

import tomllib
from pathlib import Path

from studyattn.bundled import content_dir
from studyattn.home import Home


def installed_packs(home: Home | None = None) -> list[Path]:
    """The folders of all packs, built-in ones first, each kind by name."""
    roots = [content_dir()] if home is None else [content_dir(), home.packs]
    return [manifest.parent for root in roots for manifest in sorted(root.glob("*/pack.toml"))]


def pack_folders(home: Home) -> dict[str, Path]:
    """Return the folder of each installed pack by its id; the first where two have the same one.

    A pack whose pack.toml cannot be read goes by the name of its folder.
    """
    folders: dict[str, Path] = {}
    for folder in installed_packs(home):
        try:
            manifest = tomllib.loads((folder / "pack.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            manifest = {}
        folders.setdefault(str(manifest.get("id", folder.name)), folder)
    return folders
