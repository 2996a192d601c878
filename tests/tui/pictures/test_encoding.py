"""What is sent for a picture shows that picture, pixel by pixel."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from rich.style import Style

from studyattn.tui.pictures import Cell, KittyPrinter, commands, place, read_image, through_tmux

PIL = pytest.importorskip("PIL.Image", reason="the group pictures is not installed")
_CELL = Cell(10, 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Red above blue, 100 pixels wide and 50 high."""
    flag = PIL.new("RGB", (100, 50), (255, 0, 0))
    flag.paste((0, 0, 255), (0, 25, 100, 50))
    flag.save(tmp_path / "flag.png")
    return tmp_path / "flag.png"


def test_kitty_gets_a_picture_once_and_characters_for_it(path: Path) -> None:
    sent: list[str] = []
    printer = KittyPrinter(sent.append, _CELL, 0, tmux=False)
    placed = place(path, 40, 12, _CELL)
    assert placed is not None
    rows = [printer.row(placed, row, Style(bgcolor="#112233")) for row in range(3)]
    header = sent[0].partition(";")[0]
    assert header == "\x1b_Ga=T,U=1,i=16,c=10,r=3,f=100,t=d,q=2,m=0"
    image = PIL.open(io.BytesIO(base64.b64decode(sent[0].partition(";")[2][:-2])))
    assert image.size == (100, 60)
    assert image.getpixel((99, 49)) == (0, 0, 255, 255)
    assert image.getpixel((99, 50))[3] == 0
    assert len(sent) == 1
    for row, mark in enumerate("\u0305\u030d\u030e"):
        segments = rows[row]
        assert segments is not None
        assert segments[0].text == "\U0010eeee" + mark + "\u0305" + 9 * "\U0010eeee"
        assert str(segments[0].style) == "color(16) on #112233"
    printer.clear()
    assert sent[1:] == ["\x1b_Ga=d,d=I,i=16,q=2\x1b\\"]


def test_long_data_is_cut_into_commands() -> None:
    data = bytes(range(256)) * 40
    parts = [each[3:-2].split(";") for each in commands("a=T", data)]
    assert [head for head, _ in parts] == ["a=T,q=2,m=1", "q=2,m=1", "q=2,m=1", "q=2,m=0"]
    assert all(len(text) <= 4096 for _, text in parts)
    assert base64.b64decode("".join(text for _, text in parts)) == data
    assert through_tmux("\x1b_Ga\x1b\\") == "\x1bPtmux;\x1b\x1b_Ga\x1b\x1b\\\x1b\\"


def test_what_is_transparent_is_white_and_nothing_grows(tmp_path: Path) -> None:
    formula = PIL.new("RGBA", (30, 10), (0, 0, 0, 0))
    formula.paste((0, 0, 0, 255), (0, 0, 10, 10))
    formula.save(tmp_path / "formula.png")
    image = read_image(tmp_path / "formula.png", 30, 10)
    assert image is not None
    assert [image.getpixel((at, 5)) for at in (5, 25)] == [(0, 0, 0), (255, 255, 255)]
    placed = place(tmp_path / "formula.png", 70, 12, _CELL)
    assert placed is not None
    assert (placed.columns, placed.rows, placed.width) == (3, 1, 30)
    finer = place(tmp_path / "formula.png", 70, 12, Cell(20, 40))  # two pixels for one
    assert finer is not None
    assert (finer.columns, finer.rows, finer.width) == (3, 1, 60)
    (tmp_path / "broken.png").write_bytes(b"no picture")
    assert place(tmp_path / "broken.png", 70, 12, _CELL) is None
    assert read_image(tmp_path / "broken.png", 70, 12) is None
