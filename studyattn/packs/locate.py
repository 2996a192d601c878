"""Where packs lie: those that ship with the program, and those in the learner's home."""

from __future__ import annotations

from pathlib import Path

from studyattn.bundled import content_dir
from studyattn.home import Home


def installed_packs(home: Home | None = None) -> list[Path]:
    """The folders of all packs, built-in ones first, each kind by name."""
    roots = [content_dir()] if home is None else [content_dir(), home.root / "packs"]
    return [manifest.parent for root in roots for manifest in sorted(root.glob("*/pack.toml"))]
