"""Tags, flags, pictures and sounds of a card: shown, changed, opened outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.store.tags import tags_of
from studyattn.study.review import browse, item_actions
from studyattn.tui.pictures import picture
from tests.tui.conftest import OpenApp, Typed, app_of, last_line, press, text_of


async def test_tags_are_written_shown_found_and_undone(home: Home, open_app: OpenApp) -> None:
    async with open_app(home) as pilot:
        await press(pilot, "space", "number_sign", Typed("Heads flag:red"), "ctrl+s")
        assert "⚑ red" in text_of(pilot).splitlines()[0]
        await press(pilot, "i")
        assert "flag:red Heads" in text_of(pilot)
        await press(pilot, "escape", "u")
        assert "⚑" not in text_of(pilot)
        await press(pilot, "U", "escape", "b", Typed("tag:heads"))
        found = await app_of(pilot).database.run_with_profile(
            lambda profile: browse.search(profile, "TAG:heads is:new")
        )
        assert [each.tags for each in found] == [tags_of(["Heads", "flag:red"])]
        assert "1 item" in text_of(pilot)
        await press(pilot, "down", "number_sign", "end", "ctrl+u", Typed("keys"), "ctrl+s")
        assert "No results" in text_of(pilot)


async def test_a_picture_is_shown_in_its_place_and_opened_outside(
    home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    async with open_app(home) as pilot:
        app = app_of(pilot)
        monkeypatch.setattr(app, "open_url", opened.append)
        await press(pilot, "space")
        assert "picture" not in last_line(pilot)
        await press(pilot, "v")
        assert "no picture or sound" in last_line(pilot)
        due = await app.database.run_with_profile(lambda profile: browse.items(profile)[0].guid)
        text = "Look: ![a map](media/map-0123456789ab.png)", "[say](media/say-0123456789ab.mp3)"
        await app.database.run_with_profile(lambda p: item_actions.edit(p, due, *text))
        await press(pilot, "escape", "space")
        assert "Look: ▣ a map" in text_of(pilot)
        assert "media/" not in text_of(pilot)
        await press(pilot, "v")
        assert "is not in the folder" in last_line(pilot)
        home.media.mkdir()
        for name in ("map-0123456789ab.png", "say-0123456789ab.mp3"):
            (home.media / name).write_bytes(b"no picture")
        await press(pilot, "v")
        assert opened == [(home.media / "map-0123456789ab.png").as_uri()]
        await press(pilot, "space", "v", Typed("say"), "enter")
        assert "♪ say" in text_of(pilot)
        assert opened[1:] == [(home.media / "say-0123456789ab.mp3").as_uri()]


def test_a_picture_has_two_colours_in_each_character(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="the group pictures is not installed")
    path = tmp_path / "flag.png"
    flag = image.new("RGB", (40, 40), (255, 0, 0))
    flag.paste((0, 0, 255), (0, 20, 40, 40))
    flag.save(path)
    drawn = picture(path, 20)
    assert drawn is not None
    lines = drawn.plain.split("\n")
    assert (len(lines), {len(line) for line in lines}) == (10, {20})
    colours = [str(span.style) for span in drawn.spans]
    assert colours[0] == "#ff0000 on #ff0000"
    assert colours[-2] == "#0000ff on #0000ff"
    (tmp_path / "broken.png").write_bytes(path.read_bytes()[:60])
    assert picture(tmp_path / "broken.png", 20) is None
