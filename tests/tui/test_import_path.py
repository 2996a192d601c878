"""The path field of the import screen, which begins with the current folder."""

from __future__ import annotations

import pytest

from studyattn.tui.screens.importing import begun_anew


@pytest.mark.parametrize(
    ("written", "counts"),
    [
        ("/here/", "/here/"),
        ("/here/notes.md", "/here/notes.md"),
        ("/here//there/notes.md", "/there/notes.md"),
        ("/here/~/notes.md", "~/notes.md"),
        ("/here/~anna/notes.md", "~anna/notes.md"),
        ("//server/notes.md", "//server/notes.md"),
        ("a~b/notes.md", "a~b/notes.md"),
    ],
)
def test_a_second_path_behind_the_first_begins_anew(written: str, counts: str) -> None:
    assert begun_anew(written) == counts
