"""Submissions as rows: a file with a change, as a diff without numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.errors import InputError
from studyattn.grading.corpus import unpacked

BASE = """# mistake: scale-missing
def f(q, k):

    w = q @ k
    return w / w.sum()
"""
ROWS = """--- plain.py
+++ other.py
@@
-# mistake: scale-missing
+# mistake: none
@@ -3,3 +3,4 @@

-    w = q @ k
+    w = k @ q
+    w = w * 2
     return w / w.sum()

--- ../wrong/plain.py
+++ short.py
@@
     w = q @ k
-    return w / w.sum()
"""


def drill(folder: Path, rows: str) -> Path:
    (folder / "wrong").mkdir()
    (folder / "wrong" / "plain.py").write_text(BASE)
    (folder / "wrong.diff").write_text(rows)
    return folder


def test_each_row_becomes_a_file_beside_the_others(tmp_path: Path) -> None:
    with unpacked(drill(tmp_path, ROWS)) as copy:
        made = {each.name: each.read_text() for each in (copy / "wrong").iterdir()}
    assert made == {
        "plain.py": BASE,
        "other.py": "# mistake: none\ndef f(q, k):\n\n    w = k @ q\n    w = w * 2\n"
        "    return w / w.sum()\n",
        "short.py": "# mistake: scale-missing\ndef f(q, k):\n\n    w = q @ k\n",
    }
    assert not copy.exists()


def test_all_wrong_submissions_may_be_rows_of_right_ones(tmp_path: Path) -> None:
    (tmp_path / "right").mkdir()
    (tmp_path / "right" / "plain.py").write_text(BASE)
    row = "--- ../right/plain.py\n+++ other.py\n@@\n-    w = q @ k\n+    w = k @ q\n"
    (tmp_path / "wrong.diff").write_text(row)
    with unpacked(tmp_path) as copy:
        made = (copy / "wrong" / "other.py").read_text()
    assert made == BASE.replace("q @ k", "k @ q")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("--- gone.py\n+++ a.py\n@@\n-x\n+y\n", "wrong.diff, a.py: there is no file 'gone.py'"),
        ("--- plain.py\n+++ a.py\n@@\n-    w = 1\n+\n", "'- w = 1' and is found 0 times"),
        (
            "--- twice.py\n+++ a.py\n@@\n-x = 1\n+y = 1\n",
            "'-x = 1' and is found 2 times in twice.py",
        ),
        ("--- plain.py\n+++ a.py\n@@\n+x = 1\n", "'+x = 1' and is found"),
    ],
)
def test_a_row_that_is_no_change_of_a_file_is_told(tmp_path: Path, rows: str, told: str) -> None:
    folder = drill(tmp_path, rows)
    (folder / "wrong" / "twice.py").write_text("x = 1\ny = 2\nx = 1\n")
    with pytest.raises(InputError) as raised, unpacked(folder):
        pass
    assert told in str(raised.value)
