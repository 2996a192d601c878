"""Built-in packs and packs of the home."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.packs.locate import installed_packs, place_of, taught_after


def test_the_built_in_packs_are_found_without_a_home() -> None:
    assert [folder.name for folder in installed_packs()] == ["attention", "serving"]


@pytest.mark.parametrize(
    ("order", "place"),
    [
        ("", 1),
        ("mine", 2),
        ("attention, mine", 2),
        ("mine, attention", 2),
        ("-attention", 0),
        ("serving, attention", 0),
        ("attention+serving", 0),
        ("-serving", None),
    ],
)
def test_a_pack_comes_after_those_that_it_names_unless_the_setting_does(
    order: str, place: int | None
) -> None:
    assert place_of("serving", order, ["attention"]) == place


def test_the_course_on_serving_is_taught_after_the_one_on_attention() -> None:
    attention, serving = installed_packs()
    assert (taught_after(attention), taught_after(serving)) == ((), ("attention",))


def test_packs_of_the_home_come_after_it(folder: Path) -> None:
    (folder.parent / "no pack").mkdir()
    home = Home(folder.parent.parent)
    assert installed_packs(home) == [*installed_packs(), folder]
