"""Built-in packs and packs of the home."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.packs.locate import (
    check_goal,
    installed_packs,
    place_of,
    share_of,
    taught_after,
    with_goal,
)
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


def test_each_pack_has_a_goal_of_its_own_and_another_one_takes_its_place(tmp_path: Path) -> None:
    home = Home(tmp_path)
    folder = home.packs / "two"
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text('id = "two"\n[routes]\nfast = "a"\nslow = "b"\n', "utf-8")
    goal = with_goal("", "real-model", home)
    goal = with_goal(goal, "fast", home)
    assert goal == "real-model, fast"
    check_goal(goal, home)
    assert with_goal(goal, "slow", home) == "real-model, slow"
    assert with_goal(goal, "attention-explained", home) == "fast, attention-explained"
    assert with_goal(goal, "", home) == ""
    attention = load_pack(content_dir() / "attention")
    assert attention.toward(goal).path == attention.toward("real-model").path
    assert attention.toward("fast").path == attention.toward("").path
    with pytest.raises(NotFoundError, match="no pack has a route to the goal 'none'"):
        check_goal("fast, none", home)


@pytest.mark.parametrize(
    ("order", "place", "share"),
    [("", 0, 1), ("2*two+attention", 0, 2), ("attention, 3*two", 1, 3), ("-two", None, 1)],
)
def test_a_pack_has_a_place_and_a_share(order: str, place: int | None, share: int) -> None:
    assert place_of("two", order) == place
    assert share_of("two", order) == share
