"""A home on a read-only or a full disk, for real: everything can be looked at and exported.

What cannot be done is refused in one line, and no half-written file is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli import hindered_home
from tests.cli.conftest import Command, one_line
from tests.cli.hindered_home import CARD

LOOKING = [
    ["due"],
    ["stats"],
    ["items", "--json"],
    ["concept", "list"],
    ["concept", "show", "softmax"],
    ["search", "softmax"],
    ["note", "list"],
    ["drill", "list"],
    ["settings", "list"],
    ["export", "note"],
    ["export", "all"],
    ["db", "check"],
    ["db", "restore"],
    ["db", "recover", "--dry-run"],
]
CHANGING = [
    ["answer", CARD, "good"],
    ["undo"],
    ["settings", "set", "minutes_per_day", "30"],
    ["db", "rebuild"],
    ["db", "backup"],
    ["drill", "start", "softmax"],
]

REFUSED = ("Read-only file system", "Permission denied")


def carried_out(how: str, home: Path) -> Any:
    """Do it in a mount namespace, or where permissions bind; skipped where that cannot be."""
    is_root = os.geteuid() == 0
    if how == "forbidden":  # the superuser is bound by permissions without this capability
        apart = ["setpriv", "--bounding-set=-dac_override"] if is_root else ["env"]
    else:
        apart = ["unshare", "--mount"] if is_root else ["unshare", "--map-root-user", "--mount"]
    try:
        subprocess.run([*apart, "true"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"`{' '.join(apart)}` is not possible here")
    exported = home.parent / "anki.apkg"
    lines = [*LOOKING, ["export", "anki", "-o", str(exported)], *CHANGING]
    done = subprocess.run(
        [*apart, sys.executable, hindered_home.__file__, how, str(home), json.dumps(lines)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("how", ["forbidden", "read-only", "full"])
def test_a_home_that_cannot_be_written_is_looked_at_and_exported(
    how: str, home: Path, command: Command
) -> None:
    assert command("answer", CARD, "good").status == 0
    assert command("settings", "set", "lessons", "off").status == 0
    done = carried_out(how, home)
    reason = "the disk is full: 0 bytes free on" if how == "full" else "this home is read-only"
    looked, changed = done["commands"][: -len(CHANGING)], done["commands"][-len(CHANGING) :]
    for each in looked:
        assert each["status"] == 0, each
        assert "a bug" not in each["err"], each
        if each["line"][0] != "db":
            assert reason in each["err"], each
            assert each["out"] or each["line"][:2] in (["note", "list"], ["export", "anki"]), each
    for each in changed:
        assert each["status"] == 2, each
        assert one_line(each["err"]), each
        assert reason in each["err"] or any(said in each["err"] for said in REFUSED), each
    today, refused, after = done["app"]
    assert reason in today
    assert "This did not work" in refused
    assert reason in refused.replace("│   T", "t")
    assert "Now" in after
    assert done["changed"] == []


def test_a_disk_that_fills_up_is_named_and_reading_goes_on(home: Path) -> None:
    done = carried_out("full while open", home)
    assert "the disk is full: 0 bytes free on" in done["told"]
    assert "Free some and try again." in done["told"]
    assert done["listed"] > 0
    assert done["due"] > 0
    assert done["kept"] == done["taken"]
