"""Built-in packs and packs of the home."""

from __future__ import annotations

from pathlib import Path

from studyattn.home import Home
from studyattn.packs.locate import installed_packs


def test_the_built_in_pack_is_found_without_a_home() -> None:
    assert [folder.name for folder in installed_packs()] == ["attention"]


def test_packs_of_the_home_come_after_it(folder: Path) -> None:
    (folder.parent / "no pack").mkdir()
    home = Home(folder.parent.parent)
    assert installed_packs(home) == [*installed_packs(), folder]
