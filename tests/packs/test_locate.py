"""Built-in packs and packs of the home."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.packs.locate import installed_packs, place_of, taught_after
from studyattn.packs.read import load_pack


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


@pytest.mark.parametrize("goal", ["", "attention-explained", "real-model"])
def test_a_goal_comes_first_after_what_it_requires(goal: str) -> None:
    whole = load_pack(installed_packs()[0])
    pack = whole.toward(goal)
    assert sorted(pack.path) == sorted(whole.path)
    places = {slug: place for place, slug in enumerate(pack.path)}
    for slug, concept in pack.concepts.items():
        assert all(places[each] < places[slug] for each in concept.requires)
    last = max(map(places.__getitem__, whole.routes.get(goal, whole.path)))
    others = pack.path[last + 1 :]
    assert [slug for slug in whole.path if slug in others] == list(others)
    assert others
