"""Archives whose compressed content was changed: each room that reads one says so in a line."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from studyattn.classroom.hand_ins import AskedDrill, hand_ins
from studyattn.errors import DocumentError, InputError
from studyattn.exchange.anki.media import PackedMedium, keep_media
from studyattn.exchange.documents import dialects
from studyattn.packs.pack_file import unpacked


def changed(path: Path, name: str) -> Path:
    """Write a ZIP whose one entry cannot be inflated: its first block is of no kind there is."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, "x" * 1000)
    data = bytearray(path.read_bytes())
    data[30 + len(name)] = 0xFF  # behind the entry's own head
    path.write_bytes(data)
    return path


def test_a_students_archive_costs_nobody_else_the_grade(tmp_path: Path) -> None:
    changed(tmp_path / "anna.zip", "softmax.py")
    (tmp_path / "ben.py").write_text("def softmax(x): ...\n")
    with hand_ins(tmp_path, [AskedDrill("softmax", ("softmax",))]) as found:
        assert [each.student for each in found.files] == ["ben"]
        assert found.problems == ("anna/softmax.py: it cannot be read",)


def test_other_programs_files_and_packs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="it is not a Mochi file"):
        dialects.load(changed(tmp_path / "deck.mochi", "data.json"))
    with (
        pytest.raises(InputError, match="this is not a pack"),
        unpacked(changed(tmp_path / "some.pack", "some/pack.toml")),
    ):
        pass
    package = changed(tmp_path / "some.apkg", "0")
    digest = hashlib.sha1(b"x" * 1000, usedforsecurity=False).hexdigest()
    medium = PackedMedium("a.png", 1000, "0", digest, compressed=False)
    with pytest.raises(DocumentError, match=r"'a\.png' is broken"):
        keep_media(package, [medium], tmp_path / "media")
